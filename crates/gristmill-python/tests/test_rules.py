"""The literate cases beside each rule give by way of this package what they say, whatever kind the chunks come in.

The format of the cases is told in ``gristmill-lint/tests/cases.rs``, which runs them on the rules alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from haystack import Document as HaystackDocument
from langchain_core.documents import Document
from llama_index.core.schema import TextNode

import gristmill as gm

RULES = Path(__file__).parents[2] / "gristmill-lint/src/rules"


@dataclass
class Case:
    """One case: its blocks by their names."""

    rule: str
    title: str
    blocks: dict[str, str] = field(default_factory=dict)

    @property
    def chunks(self) -> list[Any]:
        """The chunks as they are given: objects or texts."""
        return list(json.loads(self.blocks["json"]))

    @property
    def options(self) -> dict[str, Any]:
        """What check and repair are told."""
        settings = json.loads(self.blocks.get("settings", "{}"))
        more = settings.pop("rules", [])
        return {**settings, "select": [self.rule, *more]}

    @property
    def findings(self) -> list[str]:
        """The findings as they are expected, one a line."""
        return sorted(filter(None, self.blocks["findings"].splitlines()))

    @property
    def fixed(self) -> list[Any]:
        """The chunks as they are expected after repair."""
        return list(json.loads(self.blocks["fixed"])) if "fixed" in self.blocks else self.chunks


def cases() -> Iterator[Case]:
    """All cases of all rules."""
    for path in sorted(RULES.glob("*/cases.md")):
        yield from parsed(path.parent.name.replace("_", "-"), path.read_text(encoding="utf-8"))


def parsed(rule: str, text: str) -> Iterator[Case]:
    """The cases of one rule. A heading opens a case; a line within a block does not."""
    case, lines = None, iter(text.splitlines())
    for line in lines:
        if line.startswith("# "):
            if case is not None:
                yield case
            case = Case(rule, line[2:])
        elif line.startswith("```"):
            assert case is not None, f"{rule}: a block without a heading"
            case.blocks[line[3:]] = "\n".join(iter(lambda: next(lines), "```"))
    if case is not None:
        yield case


CASES = list(cases())


def names(chosen: Sequence[Case]) -> list[str]:
    return [f"{case.rule}/{case.title}" for case in chosen]


def test_every_rule_has_cases() -> None:
    found = {case.rule for case in CASES}
    told = json.loads(gm.check([]).render("sarif"))
    assert found == {rule["id"] for rule in told["runs"][0]["tool"]["driver"]["rules"]}
    assert all(len([case for case in CASES if case.rule == rule]) >= 2 for rule in found)


@pytest.mark.parametrize("case", CASES, ids=names(CASES))
def test_a_case_holds(case: Case) -> None:
    chunks = case.chunks
    report = gm.check(chunks, **case.options)
    assert told(case, report) == case.findings
    clean, after = gm.repair(chunks, **case.options)
    assert [text_of(chunk) for chunk in clean] == [text_of(chunk) for chunk in case.fixed]
    assert [chunk.id for chunk in clean if isinstance(chunk, dict)] == [
        chunk.get("id", "") for chunk in case.fixed if isinstance(chunk, dict)
    ]
    merged = [chunk.metadata.get("merged_ids", []) for chunk in clean]
    assert said(case, merged) == said(case, [merged_ids(wanted) for wanted in case.fixed])
    keeps_its_promises(chunks, case.options)
    keeps_its_promises(chunks, {**case.options, "select": "all", "unsafe": False})


def told(case: Case, report: gm.Report) -> list[str]:
    """Findings of the case's rule, as cases write them."""
    own = [finding for finding in report if finding.rule == case.rule]
    labels = [chunk.get("id", str(at)) if isinstance(chunk, dict) else str(at) for at, chunk in enumerate(case.chunks)]
    return sorted(f"{labels[f.index]} {f.rule} {f.severity}{' fixable' * f.fixable}" for f in own)


def merged_ids(chunk: Any) -> list[str]:
    return list(chunk.get("merged_ids", [])) if isinstance(chunk, dict) else []


def said(case: Case, merged: Sequence[list[str]]) -> list[list[str]]:
    """The merged identities of those chunks of which the case says them."""
    return [ids for ids, wanted in zip(merged, case.fixed) if isinstance(wanted, dict) and "merged_ids" in wanted]


def text_of(chunk: Any) -> str:
    return str(chunk["text"]) if isinstance(chunk, dict) else str(chunk)


def keeps_its_promises(chunks: Any, options: dict[str, Any]) -> None:
    """What is shown as fixable is mended, none of it is left, and a second repair changes nothing."""
    report = gm.check(chunks, **options)
    clean, after = gm.repair(chunks, **options)
    assert [finding for finding in report if finding.fixable] == list(after.fixed)
    assert after.fixable == 0
    again, second = gm.repair(clean, **options)
    assert not second.fixed and again == clean


def as_chunk(chunk: dict[str, Any], order: int) -> gm.Chunk:
    return gm.Chunk(**{"order": order, **chunk})


def metadata_of(chunk: dict[str, Any]) -> dict[str, Any]:
    return {**{key: chunk[key] for key in ("source", "order") if key in chunk}, **chunk.get("metadata", {})}


def as_document(chunk: dict[str, Any], order: int) -> Document:
    return Document(chunk["text"], id=chunk["id"], metadata=metadata_of(chunk))


def as_node(chunk: dict[str, Any], order: int) -> TextNode:
    return TextNode(id_=chunk["id"], text=chunk["text"], metadata=metadata_of(chunk))


def as_haystack(chunk: dict[str, Any], order: int) -> HaystackDocument:
    return HaystackDocument(id=chunk["id"], content=chunk["text"], meta=metadata_of(chunk))


def as_row(chunk: dict[str, Any], order: int) -> dict[str, Any]:
    return {"order": order, **chunk}


def as_table(rows: list[dict[str, Any]]) -> pyarrow.Table:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return pyarrow.table({column: [row.get(column) for row in rows] for column in columns})


#: The kinds besides mappings: how one chunk is made, and how many are.
KINDS: dict[str, tuple[Callable[[dict[str, Any], int], Any], Callable[[list[Any]], Any]]] = {
    "chunk": (as_chunk, list),
    "langchain": (as_document, list),
    "llama_index": (as_node, list),
    "haystack": (as_haystack, list),
    "arrow": (as_row, as_table),
}


def carried(case: Case) -> bool:
    """True where all kinds can tell what the chunks of a case tell."""
    least, most = {"id", "text", "source"}, {"id", "text", "source", "order", "metadata"}
    return bool(case.chunks) and all(isinstance(chunk, dict) and least <= set(chunk) <= most for chunk in case.chunks)


OTHERS = [(kind, case) for kind in KINDS for case in CASES if carried(case)]


@pytest.mark.parametrize(("kind", "case"), OTHERS, ids=[f"{kind}/{case.rule}/{case.title}" for kind, case in OTHERS])
def test_a_case_holds_for_every_kind(kind: str, case: Case) -> None:
    make, collect = KINDS[kind]
    chunks = collect([make(chunk, order) for order, chunk in enumerate(case.chunks)])
    assert told(case, gm.check(chunks, **case.options)) == case.findings
    clean, report = gm.repair(chunks, **case.options)
    assert [fact[:2] for fact in facts(clean)] == [(chunk["id"], chunk["text"]) for chunk in case.fixed]
    assert said(case, [fact[2] for fact in facts(clean)]) == said(case, [merged_ids(chunk) for chunk in case.fixed])
    assert report.fixable == 0


def facts(chunks: Any) -> list[tuple[str, str, list[str]]]:
    """Identity, text and merged identities of chunks of any kind."""
    if isinstance(chunks, pyarrow.Table):
        return [(row["id"], row["text"], json.loads(row.get("merged_ids") or "[]")) for row in chunks.to_pylist()]
    return [fact(chunk) for chunk in chunks]


def fact(chunk: Any) -> tuple[str, str, list[str]]:
    if isinstance(chunk, Document):
        return str(chunk.id), chunk.page_content, chunk.metadata.get("merged_ids", [])
    if isinstance(chunk, TextNode):
        return chunk.node_id, chunk.get_content(), chunk.metadata.get("merged_ids", [])
    if isinstance(chunk, HaystackDocument):
        return chunk.id, str(chunk.content), chunk.meta.get("merged_ids", [])
    return chunk.id, chunk.text, chunk.metadata.get("merged_ids", [])

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
from langchain_core.documents import Document

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


def as_document(chunk: dict[str, Any], order: int) -> Document:
    metadata = {key: chunk[key] for key in ("source", "order") if key in chunk}
    return Document(chunk["text"], id=chunk["id"], metadata={**metadata, **chunk.get("metadata", {})})


def as_row(chunk: dict[str, Any], order: int) -> dict[str, Any]:
    return {"order": order, **chunk}


#: The kinds besides mappings: the fields they have, how one is made, and how many are.
KINDS: dict[str, tuple[set[str], Callable[[dict[str, Any], int], Any], Callable[[list[Any]], Any]]] = {
    "chunk": ({"id", "text", "source", "order", "metadata"}, as_chunk, list),
    "langchain": ({"id", "text", "source", "order", "metadata"}, as_document, list),
    "arrow": ({"id", "text", "source", "order"}, as_row, pyarrow.Table.from_pylist),
}


def carried(case: Case, fields: set[str]) -> bool:
    """True where a kind with these fields can tell all that the chunks of a case tell."""
    needed = {"id", "text", "source"}
    return bool(case.chunks) and all(isinstance(chunk, dict) and needed <= set(chunk) <= fields for chunk in case.chunks)


OTHERS = [(kind, case) for kind, (fields, *_) in KINDS.items() for case in CASES if carried(case, fields)]


@pytest.mark.parametrize(("kind", "case"), OTHERS, ids=[f"{kind}/{case.rule}/{case.title}" for kind, case in OTHERS])
def test_a_case_holds_for_every_kind(kind: str, case: Case) -> None:
    _, make, collect = KINDS[kind]
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
    texts = [chunk.page_content if isinstance(chunk, Document) else chunk.text for chunk in chunks]
    return [(str(chunk.id), text, chunk.metadata.get("merged_ids", [])) for chunk, text in zip(chunks, texts)]

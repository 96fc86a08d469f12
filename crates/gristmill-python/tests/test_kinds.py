"""Every kind of value is taken, and given back as the kind it was."""

from __future__ import annotations

import datetime
import json
import math
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from haystack import Document as HaystackDocument
from langchain_core.documents import Document as LangChainDocument
from llama_index.core.schema import Document as LlamaDocument
from llama_index.core.schema import NodeRelationship, TextNode

import gristmill as gm

from conftest import WHOLE

DAY = datetime.date(2024, 5, 1)
TEXTS = ("Revenue grew by", "40% year over year.", "   ")


class Own(LangChainDocument):
    """A document of a user's own class."""


def test_mappings_keep_their_names_and_what_is_unknown() -> None:
    for key in ("text", "page_content", "content"):
        given = [{key: text, "page": 7, "file_name": "q3.md", "chunk_id": str(n)} for n, text in enumerate(TEXTS)]
        clean, _ = gm.repair(given)
        expected = {key: WHOLE, "page": 7, "file_name": "q3.md", "chunk_id": "0", "metadata": {"merged_ids": ["1"]}}
        assert clean == [expected] and isinstance(clean[0], dict)
        assert (clean[0].id, clean[0].source, clean[0].order) == ("0", "q3.md", 0)


def test_exports_of_other_packages_are_taken_as_they_are() -> None:
    given = [
        {"lc": 1, "type": "constructor", "kwargs": {"page_content": text, "metadata": {"source": "a", "day": DAY}}}
        for text in TEXTS
    ]
    (clean,), _ = gm.repair(given)
    assert clean["kwargs"]["page_content"] == WHOLE and clean["lc"] == 1
    assert clean["kwargs"]["metadata"] == {"source": "a", "day": DAY, "merged_ids": ["#1"]}
    assert given[0]["kwargs"]["page_content"] == TEXTS[0]


def test_records_of_a_file_are_repaired_as_the_command_does(tmp_path: Path) -> None:
    text = "# Sales\n\nThe revenue of the company grew by 40% year over year, and costs fell by half in the same time."
    (tmp_path / "a.md").write_text(text)
    output = tmp_path / "chunks.json"
    gm.curate(tmp_path / "a.md", output, max=12, overlap=0, min=0, strategy="fixed", context="none")
    records = json.loads(output.read_text())
    clean, report = gm.repair(records)
    assert report.fixed
    command = Path(sysconfig.get_path("scripts")) / "gristmill"
    subprocess.run([command, "-q", "fix", output, "-o", tmp_path / "clean.json"], check=False)
    assert clean == json.loads((tmp_path / "clean.json").read_text())


def test_sources_are_told_apart_by_metadata() -> None:
    given = [{"text": text, "metadata": {"file_path": f"{n}.md"}} for n, text in enumerate(TEXTS[:2])]
    assert "mid-sentence-start" not in gm.check(given).by_rule()
    same = [{"text": text, "metadata": {"file_path": "a.md"}} for text in TEXTS[:2]]
    assert "mid-sentence-start" in gm.check(same).by_rule()


def test_metadata_that_is_no_json_is_kept() -> None:
    given = [{"text": text, "metadata": {"source": "a", "day": DAY, "nan": float("nan")}} for text in TEXTS]
    (chunk,), _ = gm.repair(given)
    assert chunk["metadata"]["day"] is DAY and math.isnan(chunk["metadata"]["nan"])
    assert chunk["metadata"]["merged_ids"] == ["#1"]


@pytest.mark.parametrize("kind", [LangChainDocument, Own])
def test_langchain(kind: Any) -> None:
    given = [kind(id=str(n), page_content=text, metadata={"source": "q3.md"}) for n, text in enumerate(TEXTS)]
    (clean,), _ = gm.repair(given)
    assert type(clean) is kind and clean.page_content == WHOLE and clean.id == "0"
    assert clean.metadata == {"source": "q3.md", "merged_ids": ["1"]}
    assert given[0].page_content == TEXTS[0], "what was given stays as it is"
    parts = gm.chunk(kind(page_content="One two. Three four.", metadata={"x": 1}), max=9, unit="chars", overlap=0)
    assert [part.page_content for part in parts] == ["One two.", "Three", "four."]
    assert all(type(part) is kind and part.metadata["x"] == 1 for part in parts)


@pytest.mark.parametrize("kind", [TextNode, LlamaDocument])
def test_llama_index(kind: Any) -> None:
    given = [kind(id_=str(n), text=text, metadata={"file_name": "q3.md"}) for n, text in enumerate(TEXTS)]
    given[0].embedding = [1.0]
    (clean,), _ = gm.repair(given)
    assert type(clean) is kind and clean.get_content() == WHOLE and clean.node_id == "0"
    assert clean.metadata == {"file_name": "q3.md", "merged_ids": ["1"]}
    assert clean.embedding is None, "the vector was that of another text"
    parts = gm.chunk(kind(id_="d", text="One two. Three four.", metadata={"x": 1}), max=9, unit="chars", overlap=0)
    assert [part.text for part in parts] == ["One two.", "Three", "four."]
    assert all(part.relationships[NodeRelationship.SOURCE].node_id == "d" for part in parts)


def test_haystack() -> None:
    given = [HaystackDocument(id=str(n), content=text, meta={"source": "q3.md"}) for n, text in enumerate(TEXTS)]
    (clean,), _ = gm.repair(given)
    assert isinstance(clean, HaystackDocument) and (clean.id, clean.content) == ("0", WHOLE)
    assert clean.meta == {"source": "q3.md", "merged_ids": ["1"]}
    parts = gm.chunk(HaystackDocument(id="d", content="One two. Three four."), max=9, unit="chars", overlap=0)
    assert [part.content for part in parts] == ["One two.", "Three", "four."]
    assert all(part.meta["source_id"] == "d" for part in parts)
    with pytest.raises(gm.InputError, match="no text"):
        gm.check([HaystackDocument(content=None)])


def test_no_other_package_is_imported() -> None:
    code = (
        "import sys, gristmill as gm; gm.repair(gm.chunk('A text.')); gm.check([{'text': 'a'}])\n"
        "print(sorted({'langchain_core', 'llama_index', 'haystack', 'pyarrow', 'pandas', 'polars', 'pydantic',"
        " 'typing_extensions'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"

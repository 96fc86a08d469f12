"""The adapters for Haystack, in Haystack's own machinery."""

from __future__ import annotations

from pathlib import Path

import pytest
from haystack import Document, Pipeline
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore

import gristmill as gm
from gristmill.haystack import GristmillConverter, GristmillSplitter


def pipeline() -> Pipeline:
    """Reads and cuts."""
    made = Pipeline()
    made.add_component("read", GristmillConverter())
    made.add_component("cut", GristmillSplitter(max=60, unit="chars", overlap=0))
    made.connect("read.documents", "cut.documents")
    return made


def test_a_pipeline_reads_cuts_and_stores(folder: Path) -> None:
    store = InMemoryDocumentStore()
    whole = pipeline()
    whole.add_component("write", DocumentWriter(store))
    whole.connect("cut.documents", "write.documents")
    told = whole.run({"read": {"sources": [str(folder)], "meta": {"team": "a"}}})
    stored = store.filter_documents()
    assert told["write"]["documents_written"] == len(stored) > 2
    storage = next(document for document in stored if "Keep it dry" in (document.content or ""))
    assert storage.meta["headings"] == "Pumps > Storage" and storage.meta["author"] == "Ada"
    assert storage.meta["team"] == "a" and storage.meta["source"] == "guide.md"


def test_a_pipeline_is_saved_and_loaded(folder: Path) -> None:
    saved = pipeline().dumps()
    loaded = Pipeline.loads(saved, allowed_modules=["gristmill.haystack"])
    given = {"read": {"sources": [folder]}}
    assert loaded.run(given) == pipeline().run(given)
    assert loaded.dumps() == saved


def test_streams_are_read() -> None:
    streams = [
        ByteStream(b"# A\n\nText.\n"),
        ByteStream(b"Q: Why?\nA: So.\n\nQ: How?\nA: Thus.\n", meta={"file_path": "a/faq.txt"}),
    ]
    documents = GristmillConverter().run(sources=streams)["documents"]
    assert [document.meta["format"] for document in documents] == ["markdown", "faq"]
    assert documents[1].meta["file_path"] == "a/faq.txt"


def test_chunks_name_their_document() -> None:
    document = Document(content="One two three. " * 20, meta={"x": 1})
    parts = GristmillSplitter(max=60, unit="chars", overlap=0).run(documents=[document])["documents"]
    assert [part.meta["split_id"] for part in parts] == list(range(len(parts)))
    assert all(part.meta["source_id"] == document.id and part.meta["x"] == 1 for part in parts)
    assert len({part.id for part in parts}) == len(parts)


def test_wrong_options_and_inputs_are_told(tmp_path: Path) -> None:
    with pytest.raises(gm.ConfigError, match="overlap"):
        GristmillSplitter(max=10, overlap=10)
    with pytest.raises(gm.InputError, match="no text"):
        GristmillSplitter().run(documents=[Document(content=None)])
    with pytest.raises(gm.InputError, match="missing.md"):
        GristmillConverter().run(sources=[tmp_path / "missing.md"])

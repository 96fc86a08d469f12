"""The adapters for LangChain, in LangChain's own machinery."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

import gristmill as gm
from gristmill.langchain import GristmillLoader, GristmillTextSplitter


def splitter() -> GristmillTextSplitter:
    """Small pieces without anything put in front."""
    return GristmillTextSplitter(max=40, unit="chars", overlap=0, context="none", add_start_index=True)


def test_they_are_what_langchain_expects() -> None:
    assert issubclass(GristmillTextSplitter, TextSplitter) and issubclass(GristmillLoader, BaseLoader)


def test_files_are_loaded_and_cut(folder: Path) -> None:
    documents = GristmillLoader(folder).load()
    assert [document.metadata["source"] for document in documents] == ["guide.md", "notes.txt"]
    assert documents[0].metadata["author"] == "Ada" and documents[0].metadata["title"] == "Pump guide"
    parts = splitter().split_documents(documents)
    assert splitter().transform_documents(documents) == parts
    assert len(parts) > 3 and all(len(part.page_content) <= 60 for part in parts)
    for part in parts:
        source = next(document for document in documents if document.metadata["source"] == part.metadata["source"])
        start, end = part.metadata["char_start"], part.metadata["char_end"]
        assert source.page_content[start:end] in part.page_content
        assert part.metadata["start_index"] == start
        assert part.metadata.get("author") == source.metadata.get("author")


def test_a_loader_splits_by_itself(folder: Path) -> None:
    parts = GristmillLoader(folder / "notes.txt").load_and_split(splitter())
    assert [part.page_content for part in parts] == ["The pump hums at night."]


def test_texts_are_split() -> None:
    # The size to aim at is two thirds of 40: three sentences of 8 characters and two blanks fit.
    assert splitter().split_text("One two. " * 10)[0] == "One two. One two. One two."
    made = splitter().create_documents(["One.", "Two."], [{"n": 1}, {"n": 2}])
    assert [(document.page_content, document.metadata["n"]) for document in made] == [("One.", 1), ("Two.", 2)]
    assert made[0].id and made[0].id != made[1].id
    assert splitter().create_documents(["One."])[0].metadata["chunk_index"] == 0


def test_it_works_in_the_background(folder: Path) -> None:
    async def load() -> list[Document]:
        documents = await GristmillLoader(folder).aload()
        return list(await splitter().atransform_documents(documents))

    assert asyncio.run(load()) == splitter().split_documents(GristmillLoader(folder).load())


def test_wrong_options_are_told_at_once() -> None:
    with pytest.raises(gm.ConfigError, match="overlap"):
        GristmillTextSplitter(max=10, overlap=10)
    with pytest.raises(gm.ConfigError, match="chunk_size"):
        GristmillTextSplitter(chunk_size=10)  # type: ignore[call-arg]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(gm.InputError, match="missing.md"):
        GristmillLoader(tmp_path / "missing.md").load()

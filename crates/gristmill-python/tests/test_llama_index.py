"""The adapters for LlamaIndex, in LlamaIndex's own machinery."""

from __future__ import annotations

from pathlib import Path

import pytest
from llama_index.core import SimpleDirectoryReader
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import NodeParser
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document, MetadataMode, NodeRelationship

import gristmill as gm
from gristmill.llama_index import GristmillNodeParser, GristmillReader


def parser() -> GristmillNodeParser:
    """Small pieces."""
    return GristmillNodeParser(max=60, unit="chars", overlap=0)


def test_they_are_what_llama_index_expects() -> None:
    assert issubclass(GristmillNodeParser, NodeParser) and issubclass(GristmillReader, BaseReader)


def test_a_pipeline_reads_and_cuts(folder: Path) -> None:
    documents = GristmillReader().load_data(folder)
    assert [document.metadata["title"] for document in documents] == ["Pump guide", "notes.txt"]
    pipeline = IngestionPipeline(transformations=[parser()], disable_cache=True)
    nodes = pipeline.run(documents=documents)
    assert len(nodes) > 2
    texts = {document.node_id: document.text for document in documents}
    for node in nodes:
        source = node.relationships[NodeRelationship.SOURCE].node_id
        assert texts[source][node.start_char_idx : node.end_char_idx] in node.text
    storage = next(node for node in nodes if "Keep it dry" in node.text)
    assert storage.metadata["headings"] == "Pumps > Storage" and storage.metadata["author"] == "Ada"
    assert "char_start" not in storage.get_content(MetadataMode.EMBED)


def test_the_reader_serves_other_readers(folder: Path) -> None:
    reader = SimpleDirectoryReader(str(folder), required_exts=[".md"], file_extractor={".md": GristmillReader()})
    (document,) = reader.load_data()
    assert document.metadata["title"] == "Pump guide" and document.metadata["file_name"] == "guide.md"


def test_nodes_know_their_neighbours() -> None:
    nodes = parser().get_nodes_from_documents([Document(text="One two three. " * 20, id_="d")])
    assert len(nodes) > 2
    assert nodes[1].prev_node is not None and nodes[1].prev_node.node_id == nodes[0].node_id
    assert nodes[0].next_node is not None and nodes[0].next_node.node_id == nodes[1].node_id


def test_identities_are_the_same_in_each_run() -> None:
    given = [Document(text="One two three. " * 20, id_="d")]
    runs = [[node.node_id for node in parser().get_nodes_from_documents(given)] for _ in range(2)]
    assert runs[0] == runs[1] and len(set(runs[0])) == len(runs[0])


def test_a_parser_is_saved_and_made_anew() -> None:
    anew = GristmillNodeParser.from_dict(parser().to_dict())
    assert anew.max == 60
    given = [Document(text="One two three. " * 20, id_="d")]
    assert [n.text for n in anew.get_nodes_from_documents(given)] == [
        n.text for n in parser().get_nodes_from_documents(given)
    ]


def test_wrong_options_are_told_at_once() -> None:
    with pytest.raises(ValueError, match="overlap"):
        GristmillNodeParser(max=10, overlap=10)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(gm.InputError, match="missing.md"):
        GristmillReader().load_data(tmp_path / "missing.md")

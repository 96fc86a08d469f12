"""gristmill in LlamaIndex: a node parser and a reader.

>>> from gristmill.llama_index import GristmillNodeParser, GristmillReader
>>> documents = GristmillReader().load_data("docs/")                             # doctest: +SKIP
>>> nodes = GristmillNodeParser(max=600).get_nodes_from_documents(documents)     # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import IdFuncCallable, build_nodes_from_splits, default_id_func
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import BaseNode, Document, MetadataMode
from pydantic import Field, PrivateAttr

from . import _options
from ._chunk import Chunk, source_of
from ._chunking import Cut, facts
from ._files import OnError, documents
from ._options import StrPath

__all__ = ["GristmillNodeParser", "GristmillReader"]

#: What a model that embeds a node or reads it has no use for.
UNSHOWN = ("chunk_id", "chunk_index", "total_chunks", "token_count", "char_start", "char_end", "line_start", "line_end")


class GristmillNodeParser(NodeParser):
    """Cuts documents into nodes; takes the options of ``gristmill.chunk``.

    Identities are functions of content and place: the same documents give the same nodes.
    """

    max: Optional[int] = Field(default=None, description="Size that is never exceeded, in `unit`.")
    target: Optional[int] = Field(default=None, description="Size to aim at.")
    min: Optional[int] = Field(default=None, description="Chunks below this are merged with a neighbour.")
    overlap: Union[int, str, None] = Field(default=None, description="How much of the chunk before is repeated.")
    unit: Optional[str] = Field(default=None, description="tokens, chars or words.")
    tokenizer: Optional[str] = Field(default=None, description="A name or the path of a tokenizer.json.")
    strategy: Optional[str] = Field(default=None, description="How borders are found.")
    context: Optional[str] = Field(default=None, description="What is put in front: headings or none.")
    sentences_per_chunk: Optional[int] = Field(default=None, description="So many sentences a chunk.")
    topic_threshold: Union[float, str, None] = Field(default=None, description="Where semantic ends a topic.")
    preset: Optional[str] = Field(default=None, description="Sizes to start from, by kind of text.")
    # Identities are those of the chunks; a function cannot be saved.
    id_func: IdFuncCallable = Field(default=default_id_func, exclude=True)
    format: str = Field(default="markdown", description="The reader of the documents' text.")

    _cut: Cut = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Settles the options, so that wrong ones are told at once."""
        super().model_post_init(context)
        options = {name: getattr(self, name) for name in _options.ChunkOptions.__annotations__}
        self._cut = Cut(_options.chunk_settings(_options.checked(options)), reader=self.format)

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialized."""
        return "GristmillNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any) -> list[BaseNode]:
        given = [self._given(node) for node in nodes]
        made: list[BaseNode] = []
        for node, chunks in zip(nodes, self._cut.chunks(given)):
            texts = [chunk.text for chunk in chunks]
            ids = [chunk.id for chunk in chunks]
            cut = build_nodes_from_splits(texts, node, id_func=lambda index, _, ids=ids: ids[index])
            for part, chunk in zip(cut, chunks):
                told = facts(chunk)
                part.metadata = {**part.metadata, **told}
                part.excluded_embed_metadata_keys = _joined(part.excluded_embed_metadata_keys)
                part.excluded_llm_metadata_keys = _joined(part.excluded_llm_metadata_keys)
            made.extend(cut)
        return made

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        linked = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node in linked:
            # Where the text begins is known; the base class looks for it, and misses texts with a heading put in front.
            node.start_char_idx = node.metadata["char_start"]  # type: ignore[attr-defined]
            node.end_char_idx = node.metadata["char_end"]  # type: ignore[attr-defined]
        return linked

    @staticmethod
    def _given(node: BaseNode) -> Chunk:
        return Chunk("", node.get_content(metadata_mode=MetadataMode.NONE), source_of(node.metadata) or node.node_id)


class GristmillReader(BaseReader):
    """Reads files and folders, one document a file, as Markdown. Files of a kind that is not read are passed over."""

    def lazy_load_data(
        self,
        paths: Union[StrPath, Sequence[StrPath]],
        extra_info: Optional[dict[str, Any]] = None,
        *,
        source_root: Optional[StrPath] = None,
        on_error: OnError = "raise",
        ocr: Optional[_options.Ocr] = None,
        ocr_lang: Optional[str] = None,
    ) -> Iterable[Document]:
        """The documents, one after another; ``extra_info`` is added to the metadata of each."""
        for document in documents(paths, source_root, on_error, ocr, ocr_lang):
            own = {"source": document.source, "title": document.title, "format": document.format}
            metadata = {**document.metadata, **own, **(extra_info or {})}
            yield Document(text=document.text, id_=document.source, metadata=metadata)


def _joined(names: Sequence[str]) -> list[str]:
    return [*names, *(name for name in UNSHOWN if name not in names)]

"""gristmill in LangChain: a text splitter and a document loader.

>>> from gristmill.langchain import GristmillLoader, GristmillTextSplitter
>>> documents = GristmillLoader("docs/").load()                                  # doctest: +SKIP
>>> chunks = GristmillTextSplitter(max=600).split_documents(documents)           # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from . import _options
from ._chunk import Chunk, source_of
from ._chunking import Cut, facts
from ._files import OnError, documents
from ._options import ChunkOptions, StrPath

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["GristmillLoader", "GristmillTextSplitter"]


class GristmillTextSplitter(TextSplitter):
    """Cuts texts and documents; takes the options of ``gristmill.chunk``.

    Each chunk's metadata is that of its document and, of the chunk itself, ``chunk_id``, ``chunk_index``,
    ``total_chunks``, ``token_count``, ``section_title``, ``headings``, and where it lies in the text: ``char_start``,
    ``char_end``, ``line_start``, ``line_end``. ``add_start_index`` adds ``start_index``, as other splitters do.
    """

    def __init__(
        self, *, format: str = "markdown", add_start_index: bool = False, **options: Unpack[ChunkOptions]
    ) -> None:
        self._options = _options.checked(options)
        size = self._options.get("max") or 600
        super().__init__(chunk_size=size, chunk_overlap=0, add_start_index=add_start_index)
        self._cut = Cut(_options.chunk_settings(self._options), reader=format)

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks of a text."""
        return [chunk.text for chunk in self._cut.chunks([Chunk("", text)])[0]]

    def create_documents(
        self, texts: list[str], metadatas: Optional[list[dict[Any, Any]]] = None
    ) -> list[Document]:
        """The chunks of texts, each with the metadata of its text."""
        given = [dict(metadata) for metadata in metadatas or [{} for _ in texts]]
        named = [Chunk("", text, source_of(metadata)) for text, metadata in zip(texts, given)]
        cut = self._cut.chunks(named)
        return [self._document(metadata, chunk) for metadata, chunks in zip(given, cut) for chunk in chunks]

    def _document(self, metadata: dict[Any, Any], chunk: Chunk) -> Document:
        told = {**metadata, **facts(chunk)}
        if self._add_start_index:
            told["start_index"] = told["char_start"]
        return Document(id=chunk.id, page_content=chunk.text, metadata=told)


class GristmillLoader(BaseLoader):
    """Reads files and folders, one document a file, as Markdown.

    Metadata is what the file declares of itself, with ``source``, ``title`` and ``format``. Files of a kind that is not
    read are passed over. One that cannot be read is an error, or a warning with ``on_error="warn"``. ``ocr`` and ``ocr_lang``
    are those of ``gristmill.extract``.
    """

    def __init__(
        self,
        paths: Union[StrPath, Sequence[StrPath]],
        *,
        source_root: Optional[StrPath] = None,
        on_error: OnError = "raise",
        ocr: Optional[_options.Ocr] = None,
        ocr_lang: Optional[str] = None,
    ) -> None:
        self.paths, self.source_root, self.on_error = paths, source_root, on_error
        self.ocr, self.ocr_lang = ocr, ocr_lang

    def lazy_load(self) -> Iterator[Document]:
        """The documents, one after another."""
        for document in documents(self.paths, self.source_root, self.on_error, self.ocr, self.ocr_lang):
            own = {"source": document.source, "title": document.title, "format": document.format}
            yield Document(page_content=document.text, metadata={**document.metadata, **own})

"""gristmill in Haystack: a splitter and a converter.

>>> from gristmill.haystack import GristmillConverter, GristmillSplitter
>>> pipeline.add_component("read", GristmillConverter())                         # doctest: +SKIP
>>> pipeline.add_component("cut", GristmillSplitter(max=600))                    # doctest: +SKIP
>>> pipeline.connect("read", "cut")                                              # doctest: +SKIP
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional, Union

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.dataclasses import ByteStream

from . import _options
from ._chunk import Chunk, source_of
from ._chunking import Cut, facts
from ._document import Document as Extracted
from ._document import extract
from ._errors import InputError
from ._files import OnError, documents

__all__ = ["GristmillConverter", "GristmillSplitter"]


@component
class GristmillSplitter:
    """Cuts documents; takes the options of ``gristmill.chunk``.

    Each chunk's meta is that of its document and, of the chunk itself, ``source_id``, ``split_id``, ``chunk_id``,
    ``headings``, ``section_title``, sizes and places.
    """

    def __init__(
        self,
        max: Optional[int] = None,
        target: Optional[int] = None,
        min: Optional[int] = None,
        overlap: Union[int, str, None] = None,
        unit: Optional[_options.Unit] = None,
        tokenizer: Optional[str] = None,
        strategy: Optional[str] = None,
        context: Optional[_options.Context] = None,
        sentences_per_chunk: Optional[int] = None,
        topic_threshold: Union[float, str, None] = None,
        preset: Optional[_options.Preset] = None,
        format: str = "markdown",
    ) -> None:
        sizes = {"max": max, "target": target, "min": min, "overlap": overlap, "unit": unit, "tokenizer": tokenizer}
        borders: dict[str, Any] = {"strategy": strategy, "context": context, "sentences_per_chunk": sentences_per_chunk}
        borders["topic_threshold"] = topic_threshold
        self.options: dict[str, Any] = _options.checked({**sizes, **borders, "preset": preset})
        self.format = format
        self._cut = Cut(_options.chunk_settings(self.options), reader=format)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """The chunks of the documents, in order."""
        missing = next((document.id for document in documents if document.content is None), None)
        if missing is not None:
            raise InputError(f"no text in the document: {missing}")
        given = [Chunk("", document.content or "", source_of(document.meta) or document.id) for document in documents]
        cut = self._cut.chunks(given)
        made = [self._part(document, chunk) for document, chunks in zip(documents, cut) for chunk in chunks]
        return {"documents": made}

    @staticmethod
    def _part(document: Document, chunk: Chunk) -> Document:
        own = {"source_id": document.id, "split_id": chunk.order, **facts(chunk)}
        return Document(content=chunk.text, meta={**document.meta, **own})

    def to_dict(self) -> dict[str, Any]:
        """For pipelines that are saved."""
        serialized: dict[str, Any] = default_to_dict(self, **self.options, format=self.format)
        return serialized

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GristmillSplitter:
        """From a pipeline that was saved."""
        made: GristmillSplitter = default_from_dict(cls, data)
        return made


@component
class GristmillConverter:
    """Reads files, folders and streams of bytes, one document a file, as Markdown.

    Meta is what the file declares of itself, with ``source``, ``title`` and ``format``. Files of a kind that is not read
    are passed over. One that cannot be read is an error, or a warning with ``on_error="warn"``. ``ocr`` and ``ocr_lang`` are
    those of ``gristmill.extract``.
    """

    def __init__(
        self,
        source_root: Optional[str] = None,
        on_error: OnError = "raise",
        ocr: Optional[_options.Ocr] = None,
        ocr_lang: Optional[str] = None,
    ) -> None:
        self.source_root, self.on_error, self.ocr, self.ocr_lang = source_root, on_error, ocr, ocr_lang

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[Union[str, Path, ByteStream]],
        meta: Optional[dict[str, Any]] = None,
    ) -> dict[str, list[Document]]:
        """The documents of the sources, in order; ``meta`` is added to each."""
        made = []
        for source in sources:
            if isinstance(source, ByteStream):
                made.append(self._document(self._of_stream(source), {**source.meta, **(meta or {})}))
            else:
                read = documents(source, self.source_root, self.on_error, self.ocr, self.ocr_lang)
                made.extend(self._document(document, meta or {}) for document in read)
        return {"documents": made}

    def _of_stream(self, stream: ByteStream) -> Extracted:
        """A stream is Markdown unless its meta names a file."""
        named = stream.meta.get("file_path") or stream.meta.get("file_name") or "stream.md"
        return extract(stream.data, name=str(named), ocr=self.ocr, ocr_lang=self.ocr_lang)

    @staticmethod
    def _document(document: Extracted, meta: dict[str, Any]) -> Document:
        own = {"source": document.source, "title": document.title, "format": document.format}
        return Document(content=document.text, meta={**document.metadata, **own, **meta})

    def to_dict(self) -> dict[str, Any]:
        """For pipelines that are saved."""
        read = {"ocr": self.ocr, "ocr_lang": self.ocr_lang}
        serialized: dict[str, Any] = default_to_dict(
            self, source_root=self.source_root, on_error=self.on_error, **read
        )
        return serialized

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GristmillConverter:
        """From a pipeline that was saved."""
        made: GristmillConverter = default_from_dict(cls, data)
        return made

"""Cutting documents and texts."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, Union, overload

from . import _native, _options, _tables
from ._chunk import ID_KEYS, ORDER_KEYS, Chunk
from ._document import Document
from ._errors import GristmillWarning, InputError
from ._kinds import PlainText, kind_of, known_kind
from ._options import CallOptions, StrPath

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

#: What a text without a source is called in the chunks of it.
NAMELESS = "text"

#: Fields of a record that go into the metadata of other packages' documents: plain values, as their stores take them.
FACTS = (
    "chunk_index",
    "total_chunks",
    "token_count",
    "section_title",
    "char_start",
    "char_end",
    "line_start",
    "line_end",
)


def tokens(text: str, tokenizer: str = "o200k_base") -> int:
    """The number of tokens of a text. ``tokenizer`` is a name or the path of a ``tokenizer.json``."""
    return _native.tokens(text, os.fspath(tokenizer))


@overload
def chunk(
    source: Union[StrPath, Document, Sequence[Union[StrPath, Document]]], **options: Unpack[CallOptions]
) -> list[Chunk]: ...


@overload
def chunk(source: Sequence[T], **options: Unpack[CallOptions]) -> list[T]: ...


@overload
def chunk(source: Any, **options: Unpack[CallOptions]) -> Any: ...


def chunk(
    source: Any,
    *,
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
    ocr: Optional[_options.Ocr] = None,
    ocr_lang: Optional[str] = None,
    format: str = "markdown",
    source_root: Optional[StrPath] = None,
    config: Optional[StrPath] = None,
    jobs: Optional[int] = None,
) -> Any:
    """Cuts what it is given.

    A ``str`` is a text; a ``pathlib.Path`` is a file or folder. With them, and with what ``extract`` gives, the result is
    a list of ``Chunk``. Mappings and documents of LangChain, LlamaIndex and Haystack give lists of their own kind, an
    Arrow table gives a table. A list may hold several of them.

    Sizes are as in ``gristmill.toml``. ``ocr`` reads text in pictures of PDF files; a document of ``extract`` is read again,
    so that what was said there is said here, too. ``format`` names the reader of texts that are no files. Only ``config`` reads a
    settings file. Raises ``InputError`` for what cannot be read; problems that did not stop it are warnings.
    """
    options = _options.chunk_settings(
        {
            "max": max,
            "target": target,
            "min": min,
            "overlap": overlap,
            "unit": unit,
            "tokenizer": tokenizer,
            "strategy": strategy,
            "context": context,
            "sentences_per_chunk": sentences_per_chunk,
            "topic_threshold": topic_threshold,
            "preset": preset,
            "ocr": ocr,
            "ocr_lang": ocr_lang,
        }
    )
    cut = Cut(options, _options.config_path(config), format, source_root, jobs)
    if _tables.is_table(source):
        return cut.table(source)
    if isinstance(source, Iterable) and not isinstance(source, (str, bytes, Document, dict)) and not _is_one(source):
        return cut.all(list(source))
    return cut.all([source])


class Cut:
    """How a call cuts."""

    def __init__(
        self,
        options: str,
        config: Optional[str] = None,
        reader: str = "markdown",
        root: Optional[StrPath] = None,
        jobs: Optional[int] = None,
    ) -> None:
        self.options, self.config, self.reader, self.jobs = options, config, reader, jobs
        self.root = None if root is None else os.fspath(root)

    def all(self, sources: Sequence[Any]) -> list[Any]:
        """The chunks of all, in order. Neighbours of one sort are cut in one run."""
        made: list[Any] = []
        start = 0
        while start < len(sources):
            work = self._work(sources[start])
            end = start + 1
            while end < len(sources) and self._work(sources[end]) == work:
                end += 1
            made.extend(work(sources[start:end]))
            start = end
        return made

    def _work(self, source: object) -> Callable[[Sequence[Any]], list[Any]]:
        if isinstance(source, Document):
            return self._documents
        return self._files if isinstance(source, os.PathLike) else self._values

    def _files(self, paths: Sequence[os.PathLike[str]]) -> list[Chunk]:
        named = [os.fspath(path) for path in paths]
        records, report = _native.chunk_files(named, self.root, self.options, self.config, self.jobs)
        told = json.loads(report)
        _options.tell(told)
        if not told["documents"]:
            skipped = "".join(f"; passed over {s['source']}: {s['reason']}" for s in told["skipped"][:3])
            raise InputError(f"no readable document: {', '.join(named)}{skipped}")
        return [from_record(record) for record in json.loads(records)]

    def _documents(self, documents: Sequence[Document]) -> list[Chunk]:
        names, contents = [d.source for d in documents], [d.content for d in documents]
        return [from_record(record) for records in self._given(names, contents, None) for record in records]

    def _values(self, values: Sequence[Any]) -> list[Any]:
        kinds = [kind_of(value, index) for index, value in enumerate(values)]
        read = [kind.read(value, index) for index, (kind, value) in enumerate(zip(kinds, values))]
        for kind, given in zip(kinds, read):
            if isinstance(kind, PlainText) and not given.source:
                _warn_of_path(given.text)
        made: list[Any] = []
        for kind, value, given, records in zip(kinds, values, read, self.chunks(read)):
            if isinstance(kind, PlainText):
                made.extend(records)
            else:
                made.extend(kind.part(value, _part(given, record)) for record in records)
        return made

    def chunks(self, texts: Sequence[Chunk]) -> list[list[Chunk]]:
        """The chunks of each of these texts."""
        names = [text.source or NAMELESS for text in texts]
        records = self._given(names, [text.text.encode() for text in texts], self.reader)
        for name, text, of_one in zip(names, texts, records):
            if not of_one and text.text.strip():
                message = f"no chunk came of a text, which the reader takes for front matter alone: {name}"
                warnings.warn(message, GristmillWarning, stacklevel=5)
        return [[from_record(record) for record in of_one] for of_one in records]

    def table(self, source: Any) -> Any:
        """The chunks of the rows of a table, as a table of that kind."""
        table, rows = _tables.read(source)
        cut = self.chunks(rows)
        made = [chunk for chunks in cut for chunk in chunks]
        result = table.take([row for row, chunks in enumerate(cut) for _ in chunks])
        result = result.with_texts(_tables.text_column(table), [chunk.text for chunk in made])
        result = result.with_texts(_tables.column(table, ID_KEYS[::-1]), [chunk.id for chunk in made])
        result = result.with_numbers(_tables.column(table, ORDER_KEYS[::-1]), [chunk.order for chunk in made])
        return _tables.like(source, result)

    def _given(self, names: list[str], contents: list[bytes], reader: Optional[str]) -> list[list[dict[str, Any]]]:
        records, report = _native.chunk_given(names, contents, reader, self.options, self.config, self.jobs)
        told = json.loads(report)
        _options.tell(told)
        if told["skipped"]:
            refused = "; ".join(f"{skipped['source']}: {skipped['reason']}" for skipped in told["skipped"][:20])
            raise InputError(f"not readable: {refused}")
        return [json.loads(of_one) for of_one in records]


def from_record(record: dict[str, Any]) -> Chunk:
    """A record, the form that chunks have in files, as a chunk."""
    metadata: dict[str, Any] = record["metadata"]
    metadata["normalized_text_hash"] = record["normalized_text_hash"]
    return Chunk(record["chunk_id"], record["content"], metadata["source"], metadata["chunk_index"], metadata)


def facts(chunk: Chunk) -> dict[str, Any]:
    """What documents of other packages are told of a chunk: plain values."""
    metadata = chunk.metadata
    told = {"chunk_id": chunk.id, **{name: metadata[name] for name in FACTS}}
    told["headings"] = " > ".join(metadata["heading_path"])
    if metadata["pages"]:
        told["page"] = metadata["pages"][0]
    return told


def _part(given: Chunk, chunk: Chunk) -> Chunk:
    metadata = {**given.metadata, **facts(chunk)}
    return Chunk(chunk.id, chunk.text, given.source, chunk.order, metadata)


def _is_one(source: object) -> bool:
    return isinstance(source, os.PathLike) or known_kind(source) is not None


def _warn_of_path(text: str) -> None:
    may_be = len(text) < 1024 and "\n" not in text and any(mark in text for mark in "./\\")
    if may_be and os.path.exists(text):
        message = f"the text is the name of a file, which is not read: {text} (say `pathlib.Path({text!r})` to read it)"
        warnings.warn(message, GristmillWarning, stacklevel=5)

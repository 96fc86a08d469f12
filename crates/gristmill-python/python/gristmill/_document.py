"""Documents as a reader leaves them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional, Union

from . import _html, _native
from ._errors import InputError, UsageError
from ._options import Ocr, chunk_settings

Span = tuple[int, int]


@dataclass(frozen=True)
class Block:
    """A structural unit. ``span`` is its range of the document's text, in code points."""

    kind: str
    span: Span
    text: str
    #: Index of its section.
    section: int
    #: Number of containers around it.
    depth: int
    #: Page it begins on, from 1, for formats with pages.
    page: Optional[int] = None
    #: Of a heading, 1 to 6.
    level: Optional[int] = None
    #: Of a code block: the code without fence lines.
    body: Optional[Span] = None
    #: Of a code block: false when the fence is never closed.
    closed: Optional[bool] = None
    #: Of a table: its header and delimiter rows.
    header: Optional[Span] = None
    #: Of a list: whether it is numbered.
    ordered: Optional[bool] = None


@dataclass(frozen=True)
class Section:
    """A heading and what it governs. The first of a document stands for the document itself, with level 0."""

    level: int
    title: str
    #: Titles from the outermost heading to its own.
    path: tuple[str, ...]
    #: The heading in the document's text.
    span: Span
    #: Index of the section around it.
    parent: int


@dataclass(frozen=True)
class Notice:
    """A problem that did not stop the reader."""

    code: str
    severity: str
    message: str
    line: Optional[int] = None


@dataclass(frozen=True)
class Document:
    """What a reader made of a file."""

    text: str
    title: str
    source: str
    format: str
    encoding: str
    #: What the document declares of itself, types kept.
    metadata: dict[str, Any]
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    warnings: tuple[Notice, ...]
    #: The bytes that were read.
    content: bytes = field(repr=False, default=b"")

    def __repr__(self) -> str:
        return f"<Document {self.source!r}: {self.title!r}, {len(self.text):,} characters, {len(self.blocks):,} blocks>"

    def _repr_html_(self) -> str:
        rows = [(block.kind, " > ".join(self.sections[block.section].path), block.text) for block in self.blocks]
        return _html.table(f"{self.title} ({self.source}, {self.format})", ("block", "under", "text"), rows)


def extract(
    source: Union[str, os.PathLike[str], bytes],
    *,
    name: Optional[str] = None,
    ocr: Optional[Ocr] = None,
    ocr_lang: Optional[str] = None,
) -> Document:
    """Reads a document, without cleaning or cutting it.

    ``source`` is the path of a file, or the bytes of one; then ``name`` tells what kind of document it is. ``ocr`` lets
    Tesseract read the text in pictures of a PDF: on pages without text (``auto``) or on all (``images``), in the languages of
    ``ocr_lang`` (``eng+deu``).
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
        if name is None:
            raise UsageError("bytes need a `name`, which tells the kind of document", 'say `name="report.md"`')
    else:
        path = Path(source)
        content = read_file(path)
        name = path.name if name is None else name
    told = json.loads(_native.extract(name, content, chunk_settings({"ocr": ocr, "ocr_lang": ocr_lang})))
    return of_outline(told, content)


def read_file(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        hint = "`gristmill.chunk` and `gristmill.curate` take folders" if path.is_dir() else None
        raise InputError(f"cannot read: {path}: {error.strerror or error}", hint) from error


def of_outline(told: dict[str, Any], content: bytes) -> Document:
    """A document as the native side tells it, with its bytes."""
    text: str = told["text"]
    sections: list[Section] = []
    for index, section in enumerate(told["sections"]):
        above = sections[section["parent"]].path if index else ()
        path = (*above, section["title"]) if index else ()
        sections.append(Section(section["level"], section["title"], path, _span(section["span"]), section["parent"]))
    return Document(
        text=text,
        title=told["title"],
        source=told["source"],
        format=told["format"],
        encoding=told["encoding"],
        metadata=told["metadata"],
        blocks=tuple(_block(block, text) for block in told["blocks"]),
        sections=tuple(sections),
        warnings=tuple(Notice(w["code"], w["severity"], w["message"], w["line"]) for w in told["warnings"]),
        content=content,
    )


def _block(block: dict[str, Any], text: str) -> Block:
    start, end = block["span"]
    spans: dict[str, Any] = {name: _span(block[name]) for name in ("span", "body", "header") if name in block}
    facts: dict[str, Any] = {**block, **spans}
    return Block(**facts, text=text[start:end])


def _span(pair: list[int]) -> Span:
    return pair[0], pair[1]

"""Options of calls, in the shape of a settings file."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Optional, TypedDict, Union

from . import _native
from ._errors import GristmillWarning, InputError

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

StrPath: TypeAlias = "Union[str, os.PathLike[str]]"
Unit = Literal["tokens", "chars", "words"]
Context = Literal["headings", "none"]
Ocr = Literal["auto", "images", "off"]
Preset = Literal["faq", "docs", "legal", "paper", "chat", "book"]


#: Options of reading; the others are of cutting.
READ = ("ocr", "ocr_lang")


class ChunkOptions(TypedDict, total=False):
    """How documents are cut. Where only ``max`` is given, the other sizes follow from it."""

    #: Sizes to start from, by kind of text.
    preset: Optional[Preset]
    #: Size that is never exceeded, in ``unit``. 600 where nothing is said.
    max: Optional[int]
    #: Size to aim at; two thirds of ``max`` where nothing is said.
    target: Optional[int]
    #: Chunks below this are merged with a neighbour where they fit; 2/15 of ``max`` where nothing is said.
    min: Optional[int]
    #: How much of the chunk before is repeated: a size, or a share of ``max`` such as ``"15%"``; a tenth where nothing
    #: is said.
    overlap: Union[int, str, None]
    #: What sizes are counted in; tokens where nothing is said.
    unit: Optional[Unit]
    #: A name or the path of a ``tokenizer.json``; ``o200k_base`` where nothing is said.
    tokenizer: Optional[str]
    #: How borders are found; ``markdown`` where nothing is said.
    strategy: Optional[str]
    #: What is put in front of each chunk's text; the path of headings where nothing is said.
    context: Optional[Context]
    #: So many sentences a chunk, without overlap.
    sentences_per_chunk: Optional[int]
    #: How unlike neighbouring sentences are between which the strategy ``semantic`` ends a topic: a similarity such as
    #: ``0.5``, a share of a document's neighbours such as ``"5%"``, or deviations such as ``"1.5sd"``.
    topic_threshold: Union[float, str, None]


class CallOptions(ChunkOptions, total=False):
    """What a call is told besides."""

    #: Text in pictures of PDF files, read by Tesseract: on pages without text (``auto``) or on all (``images``); ``off``
    #: where nothing is said.
    ocr: Optional[Ocr]
    #: Its languages as Tesseract names them, such as ``eng+deu``; ``eng`` where nothing is said.
    ocr_lang: Optional[str]
    #: The reader of texts that are no files; ``markdown`` where nothing is said.
    format: str
    #: What ``source`` in the metadata of files is relative to.
    source_root: Optional[StrPath]
    #: A settings file to read.
    config: Optional[StrPath]
    #: Number of threads.
    jobs: Optional[int]


def chunk_settings(options: Mapping[str, Any], sections: Optional[Mapping[str, Any]] = None) -> str:
    """Options of cutting, and other tables, as the JSON that the façade reads."""
    known = {name: value for name, value in options.items() if value is not None}
    chunk = {name: value for name, value in known.items() if name not in ("preset", *READ)}
    read = {name: value for name, value in known.items() if name in READ}
    settings: dict[str, Any] = {name: value for name, value in (sections or {}).items() if value is not None}
    if options.get("preset") is not None:
        settings["preset"] = options["preset"]
    if chunk:
        settings["chunk"] = chunk
    if read:
        settings["read"] = read
    return json.dumps(settings, default=plain)


def checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that hold, for what is made now and used later."""
    known = {name: value for name, value in options.items() if value is not None}
    tell_notes(json.loads(_native.check_options(chunk_settings(known), None)))
    return known


def config_path(config: Optional[StrPath]) -> Optional[str]:
    """The path of a settings file as text."""
    return None if config is None else os.fspath(config)


def tell(report: Mapping[str, Any]) -> None:
    """Warns of what a run met, and raises when a document could not be read."""
    tell_notes(report["notes"])
    failures = [_failure(document) for document in report["documents"] if document["error"]]
    if failures:
        raise InputError("; ".join(_some(failures)))
    grave = ("medium", "high")
    told = [
        f"{document['source']}: {warning['message']} [{warning['code']}]"
        for document in report["documents"]
        for warning in document["warnings"]
        if warning["severity"] in grave
    ]
    for line in _some(told):
        warnings.warn(line, GristmillWarning, stacklevel=4)


def tell_notes(notes: list[dict[str, Any]]) -> None:
    """Warns of settings that could not hold as they were given."""
    for note in notes:
        warnings.warn(f"{note['message']} [{note['code']}]", GristmillWarning, stacklevel=4)


def _failure(document: Mapping[str, Any]) -> str:
    message: str = document["error"]["message"]
    return message if document["source"] in message else f"{document['source']}: {message}"


def _some(lines: list[str], shown: int = 20) -> list[str]:
    more = len(lines) - shown
    return [*lines[:shown], f"… and {more:,} more"] if more > 0 else lines


def plain(value: object) -> object:
    """A path as JSON takes it."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a setting cannot be of the type: {type(value).__name__}")

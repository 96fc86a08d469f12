"""Documents to clean chunks in a file, with a report."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, Optional, Union

from . import _html, _native, _options
from ._errors import InputError, UsageError
from ._files import listed
from ._options import StrPath
from ._told import Told

#: Formats of files of chunks, by the end of their names.
FORMATS = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".arrow": "arrow"}


class RunReport(Told):
    """What a run did, in the shape of the run report's schema: ``documents``, ``totals``, ``findings`` and so on."""

    def __init__(self, told: dict[str, Any], markdown: str) -> None:
        super().__init__(told)
        #: The quality report as Markdown.
        self.markdown = markdown

    @property
    def chunks(self) -> int:
        """Number of accepted chunks."""
        return int(self._told["totals"]["chunks"])

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The documents that could not be read, each with its ``source`` and ``error``."""
        return [document for document in self._told["documents"] if document["error"]]

    def __repr__(self) -> str:
        totals = self._told["totals"]
        return f"<RunReport: {totals['documents']:,} documents, {totals['failed']:,} failed, {totals['chunks']:,} chunks>"

    def _repr_html_(self) -> str:
        rows = [
            (d["source"], d["format"], d["chunks"], d["tokens"], d["error"]["message"] if d["error"] else "")
            for d in self._told["documents"]
        ]
        return _html.table(repr(self)[1:-1], ("document", "format", "chunks", "tokens", "error"), rows)


def curate(
    paths: Union[StrPath, Sequence[StrPath], None] = None,
    output: StrPath = "chunks.json",
    *,
    report: Optional[StrPath] = None,
    source_root: Optional[StrPath] = None,
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
    clean: Optional[Mapping[str, Any]] = None,
    enrich: Optional[Mapping[str, Any]] = None,
    validate: Optional[Mapping[str, Any]] = None,
    lint: Optional[Mapping[str, Any]] = None,
    project: Optional[str] = None,
    config: Optional[StrPath] = None,
    jobs: Optional[int] = None,
    on_progress: Optional[Callable[[int, int, str], object]] = None,
) -> RunReport:
    """Reads, cleans, cuts and checks documents; writes their chunks to ``output`` and gives the report of the run.

    ``paths`` are files and folders; without them the sources of ``config`` are read. The end of ``output`` tells its
    format: json, jsonl, parquet or arrow. ``report`` is a file for the quality report, as Markdown. ``clean``,
    ``enrich``, ``validate`` and ``lint`` are tables as in ``gristmill.toml``. ``on_progress`` is told how many documents
    are done, of how many, and the last one's path.

    Documents that fail are in the report; nothing is written when none could be read.
    """
    chunk: dict[str, Any] = dict(max=max, target=target, min=min, overlap=overlap, unit=unit, tokenizer=tokenizer, strategy=strategy)
    chunk.update(context=context, sentences_per_chunk=sentences_per_chunk, topic_threshold=topic_threshold)
    chunk.update(preset=preset, ocr=ocr, ocr_lang=ocr_lang)
    tables = dict(clean=clean, enrich=enrich, validate=validate, lint=lint, project=project)
    place = Path(output)
    format = FORMATS.get(place.suffix.lower())
    if format is None:
        raise UsageError(f"the name tells no format: {place}", f"let it end in {', '.join(FORMATS)}")
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.part")
    named = [] if paths is None else listed(paths)
    places = {
        "paths": named,
        "root": None if source_root is None else os.fspath(source_root),
        "own": [os.fspath(own) for own in (place, part, report, config) if own is not None],
        "output": str(part),
        "format": format,
    }
    settings = _options.chunk_settings(chunk, tables)
    try:
        made, markdown = _native.curate(places, settings, _options.config_path(config), jobs, on_progress)
        told = json.loads(made)
        _options.tell_notes(told["notes"])
        _ensure_read(told, named)
        os.replace(part, place)
    finally:
        part.unlink(missing_ok=True)
    if report is not None:
        Path(report).write_bytes(markdown.encode())
    return RunReport(told, markdown)


def _ensure_read(told: Mapping[str, Any], paths: Sequence[str]) -> None:
    totals = told["totals"]
    if totals["documents"] > totals["failed"]:
        return
    reasons = [f"{d['source']}: {d['error']['message']}" for d in told["documents"]]
    reasons += [f"{s['source']}: {s['reason']}" for s in told["skipped"]]
    named = ", ".join(paths) or "the configured sources"
    raise InputError("; ".join([f"no readable document: {named}", *reasons[:20]]))

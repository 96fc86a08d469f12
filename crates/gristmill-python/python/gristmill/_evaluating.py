"""Settings compared on questions whose evidence is known."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Optional, Union

from . import _html, _native, _options
from ._errors import InputError, UsageError
from ._files import listed
from ._options import StrPath
from ._told import Told

Retriever = Literal["hybrid", "dense", "bm25"]

#: Rows of a report: a setting under questions each, a setting each, or a question each.
Rows = Literal["ranking", "synthetic", "settings", "worst", "missing"]

#: What a grid varies: the values of each key, or ``"target=200,400;overlap=0,60"``.
Grid = Union[str, Mapping[str, Sequence[Union[int, str]]], None]


class EvalReport(Told):
    """What a comparison found, in the shape of ``gristmill eval --format json``: ``settings``, ``questions`` and so on."""

    def __init__(self, told: dict[str, Any], html: str) -> None:
        super().__init__(told)
        #: The comparison as one page, with the questions for which least is found over the source.
        self.html = html

    @property
    def chosen(self) -> str:
        """The name of the chosen setting; empty where only one was measured."""
        return str(next(row["setting"] for row in self.records(self._decisive) if row["chosen"]))

    @property
    def left_out(self) -> list[dict[str, str]]:
        """The questions whose evidence was not found, each with its ``id`` and the ``reason``."""
        return list(self._told["left_out"])

    def records(self, rows: Rows = "ranking") -> list[dict[str, Any]]:
        """Flat rows, as a data frame takes them.

        ``ranking``: a setting under the questions that were asked each, the best first, with every figure and its interval
        (``recall@2048``, ``recall@2048_low``, ``recall@2048_high``) and what it costs; ``synthetic``: the same under questions
        made by rule; ``settings``: how whole the chunks of each setting are; ``worst``: the questions for which the chosen
        setting finds least; ``missing``: key items that no chunk holds whole.
        """
        settings = self._told["settings"]
        if rows == "settings":
            return [_setting(setting) for setting in settings]
        if rows == "missing":
            return [{"setting": s["name"], **item} for s in settings for item in s["intrinsic"]["missing"]]
        if rows == "worst":
            comparison = self._told["questions" if self._decisive == "ranking" else "synthetic"]
            keys = ("id", "question", "source", "line", "rank", "found")
            return [{key: worst[key] for key in keys} for worst in comparison["worst"]]
        if rows not in ("ranking", "synthetic"):
            raise UsageError(
                f"there are no rows of this name: {rows}", "choose ranking, synthetic, settings, worst or missing"
            )
        comparison = self._told["questions" if rows == "ranking" else "synthetic"]
        return [_measured(row, settings) for row in (comparison or {"ranking": []})["ranking"]]

    def to_pandas(self, rows: Rows = "ranking") -> Any:
        """The same as a ``DataFrame`` of pandas, which has to be installed."""
        try:
            pandas = importlib.import_module("pandas")
        except ImportError as error:
            raise UsageError("pandas is not installed", "install it, or take the rows of `records()`") from error
        return pandas.DataFrame(self.records(rows))

    @property
    def _decisive(self) -> Rows:
        return "ranking" if self._told["questions"] else "synthetic"

    def __repr__(self) -> str:
        kind = "questions" if self._told["questions"] else "synthetic questions"
        comparison = self._told["questions"] or self._told["synthetic"]
        return (
            f"<EvalReport: {len(comparison['ranking']):,} settings, {comparison['asked']:,} {kind}, "
            f"{self._told['documents']:,} documents>"
        )

    def _repr_html_(self) -> str:
        names = ("setting", "rank", "recall@2048", "precision@5", "recall@10", "mrr", "ndcg@10", "chunks", "tokens")
        rows = [[_shown(row[name]) for name in names] for row in self.records(self._decisive)]
        return _html.table(repr(self)[1:-1], names, rows)


def evaluate(
    paths: Union[StrPath, Sequence[StrPath], None] = None,
    questions: Union[StrPath, Iterable[Mapping[str, Any]], None] = None,
    *,
    strategies: Sequence[str] = (),
    grid: Grid = None,
    retrievers: Sequence[Retriever] = ("hybrid",),
    synthetic: bool = False,
    html: Optional[StrPath] = None,
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
    embed: Optional[Mapping[str, Any]] = None,
    config: Optional[StrPath] = None,
    jobs: Optional[int] = None,
) -> EvalReport:
    """Measures which settings find most in documents: every combination of ``strategies`` and the values of ``grid``.

    ``paths`` are files and folders; without them the sources of ``config`` are read. ``questions`` is a file with one JSON
    object a line, or mappings, each with ``question``, ``doc`` and ``spans`` (code points of the source) or ``quotes``.
    Without them, and with ``synthetic`` besides them, questions are made by rule; these are never mixed with others. What
    holds for all settings is said as for ``chunk``; ``clean`` and ``embed`` are tables as in ``gristmill.toml``. ``html`` is
    a file for the comparison as a page. All is local, and no language model is asked, unless ``embed`` names a service.
    """
    told: Optional[str] = None
    called = "questions"
    if isinstance(questions, (str, os.PathLike)):
        called, told = os.fspath(questions), _read(questions)
    elif questions is not None:
        told = _lines(questions)
    files = [config, html, questions if isinstance(questions, (str, os.PathLike)) else None]
    chunk: dict[str, Any] = dict(max=max, target=target, min=min, overlap=overlap, unit=unit, tokenizer=tokenizer, strategy=strategy)
    chunk.update(context=context, sentences_per_chunk=sentences_per_chunk, topic_threshold=topic_threshold)
    chunk.update(preset=preset, ocr=ocr, ocr_lang=ocr_lang)
    comparison = {
        "paths": [] if paths is None else listed(paths),
        "root": None if source_root is None else os.fspath(source_root),
        "own": [os.fspath(own) for own in files if own is not None],
        "questions": told,
        "called": called,
        "synthetic": synthetic,
        "strategies": list(strategies),
        "grid": _grid(grid),
        "retrievers": list(dict.fromkeys(retrievers)),
    }
    settings = _options.chunk_settings(chunk, dict(clean=clean, embed=embed))
    made, notes, page = _native.evaluate(comparison, settings, _options.config_path(config), jobs)
    _options.tell_notes(json.loads(notes))
    report = EvalReport(json.loads(made), page)
    if html is not None:
        Path(html).write_bytes(page.encode())
    return report


def _read(path: StrPath) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the questions cannot be read: {os.fspath(path)}: {error}") from error


def _lines(questions: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(json.dumps(dict(question)) for question in questions)


def _grid(grid: Grid) -> Optional[str]:
    if grid is None or isinstance(grid, str):
        return grid
    return ";".join(f"{key}={','.join(map(str, values))}" for key, values in grid.items())


def _measured(row: Mapping[str, Any], settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    flat = {"setting": row["name"], "rank": row["rank"], "chosen": row["chosen"], "p": row["p"]}
    for name, interval in row["figures"].items():
        flat.update({name: interval["mean"], f"{name}_low": interval["low"], f"{name}_high": interval["high"]})
    return {**flat, **settings[row["setting"]]["cost"]}


def _setting(setting: Mapping[str, Any]) -> dict[str, Any]:
    flat = {key: value for key, value in setting.items() if key not in ("name", "cost", "intrinsic")}
    whole = {key: value for key, value in setting["intrinsic"].items() if isinstance(value, (int, float))}
    return {"setting": setting["name"], **flat, **setting["cost"], **whole}


def _shown(value: object) -> object:
    return f"{value:.3f}" if isinstance(value, float) else value

"""Checking and repairing chunks of any splitter."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, TypedDict, TypeVar, Union, overload

from . import _lines, _native, _tables
from ._errors import GristmillWarning, UsageError
from ._kinds import Kind, kind_of, known_kind
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

#: Names of rules: one, or several.
Rules = Union[str, Sequence[str], None]


class LintOptions(TypedDict, total=False):
    """What is looked for."""

    #: Rules to check; all where nothing is said.
    select: Rules
    #: Rules not to check.
    ignore: Rules
    #: Rules to check besides those of ``select``.
    extend_select: Rules
    #: Chunks with more characters are too large, and no repair makes one; 4,000 where nothing is said.
    max_chars: Optional[int]
    #: Chunks with fewer characters of prose are too small; 20 where nothing is said.
    min_chars: Optional[int]
    #: The model that is to embed the chunks, such as ``text-embedding-3-small``: gives ``max_tokens`` and ``tokenizer``.
    model: Optional[str]
    #: Chunks with more tokens are too large; what ``model`` takes where nothing is said.
    max_tokens: Optional[int]
    #: Counts the tokens: a name or the path of a ``tokenizer.json``; that of ``model`` where nothing is said.
    tokenizer: Optional[str]
    #: Whether repairs are made that change what can be found.
    unsafe: bool
    #: Number of threads.
    jobs: Optional[int]


def check(
    chunks: Any,
    *,
    select: Rules = None,
    ignore: Rules = None,
    extend_select: Rules = None,
    max_chars: Optional[int] = None,
    min_chars: Optional[int] = None,
    model: Optional[str] = None,
    max_tokens: Optional[int] = None,
    tokenizer: Optional[str] = None,
    unsafe: bool = False,
    jobs: Optional[int] = None,
) -> Report:
    """Finds what is wrong with chunks. They stay as they are.

    Takes a list of texts, mappings, ``Chunk``, documents of LangChain, LlamaIndex or Haystack, or an Arrow table. The
    order of the list is the order within a source, unless the chunks say otherwise. ``select`` and ``ignore`` name
    rules, ``max_chars`` and ``max_tokens`` (counted by ``tokenizer``) or ``model`` what is too large. With ``unsafe``,
    repairs that change what can be found count as well.
    """
    options = _settings(select, ignore, extend_select, max_chars, min_chars, model, max_tokens, tokenizer)
    if _tables.is_table(chunks):
        return _reported(_native.check_table(_tables.of_chunks(chunks), options, unsafe, jobs))
    lines = _told(_listed(chunks))[1]
    return _reported(_native.check(_joined(lines), options, unsafe, jobs))


@overload
def repair(chunks: Sequence[T], **options: Unpack[LintOptions]) -> tuple[list[T], Report]: ...


@overload
def repair(chunks: Any, **options: Unpack[LintOptions]) -> tuple[Any, Report]: ...


def repair(
    chunks: Any,
    *,
    select: Rules = None,
    ignore: Rules = None,
    extend_select: Rules = None,
    max_chars: Optional[int] = None,
    min_chars: Optional[int] = None,
    model: Optional[str] = None,
    max_tokens: Optional[int] = None,
    tokenizer: Optional[str] = None,
    unsafe: bool = False,
    jobs: Optional[int] = None,
) -> tuple[Any, Report]:
    """Repairs chunks without loss; gives the repaired chunks, of the kind they came in, and a report of what is left.

    What was given stays as it is; chunks that needed no repair are given back themselves. Where chunks were merged, the
    one that is left names the others in ``metadata["merged_ids"]``. The report's ``fixed`` tells what was mended.
    """
    options = _settings(select, ignore, extend_select, max_chars, min_chars, model, max_tokens, tokenizer)
    if _tables.is_table(chunks):
        table, native = _native.repair_table(_tables.of_chunks(chunks), options, unsafe, jobs)
        return _tables.like(chunks, table), _reported(native)
    values = _listed(chunks)
    kinds, lines = _told(values)
    left, report = _repaired(lines, options, unsafe, jobs)
    clean = [
        _lines.unchanged(kinds[at], values[at], at)
        if line == lines[at]
        else _lines.changed(kinds[at], values[at], at, lines[at], line, part)
        for at, part, line in left
    ]
    return clean, report


def _listed(chunks: Any) -> list[Any]:
    if known_kind(chunks) is not None or not isinstance(chunks, Iterable):
        raise UsageError("chunks come in a list", "put a single one in a list")
    return list(chunks)


def _told(values: Sequence[Any]) -> tuple[list[Kind], list[str]]:
    kinds = [kind_of(value, index) for index, value in enumerate(values)]
    return kinds, [_lines.line(kind, value, index) for index, (kind, value) in enumerate(zip(kinds, values))]


def _repaired(
    before: Sequence[str], options: str, unsafe: bool, jobs: Optional[int]
) -> tuple[list[tuple[int, int, str]], Report]:
    """The place of each chunk that is left, which part of the one given it is, and its line."""
    left, after, native = _native.repair(_joined(before), options, unsafe, jobs)
    firsts = {place: at for at, place in reversed(list(enumerate(left)))}
    parts = [at - firsts[place] for at, place in enumerate(left)]
    return list(zip(left, parts, after.split("\n"))), _reported(native)


def _joined(lines: Sequence[str]) -> bytes:
    return "\n".join(lines).encode()


def _reported(native: _native.Findings) -> Report:
    for fault in native.faults:
        warnings.warn(f"a repair was taken back, please report it: {fault}", GristmillWarning, stacklevel=4)
    if native.stale_vectors:
        told = f"vectors of the old text are left at changed chunks, embed them again: {native.stale_vectors}"
        warnings.warn(told, GristmillWarning, stacklevel=4)
    return Report(native)


def _settings(
    select: Rules,
    ignore: Rules,
    extend_select: Rules,
    max_chars: Optional[int],
    min_chars: Optional[int],
    model: Optional[str],
    max_tokens: Optional[int],
    tokenizer: Optional[str],
) -> str:
    names = {"select": select, "ignore": ignore, "extend_select": extend_select}
    lint: dict[str, Any] = {name: _names(given) for name, given in names.items() if given is not None}
    limits: dict[str, Any] = {"max_chars": max_chars, "min_chars": min_chars, "max_tokens": max_tokens}
    limits.update(model=model, tokenizer=tokenizer)
    lint.update({name: value for name, value in limits.items() if value is not None})
    return json.dumps({"lint": lint})


def _names(rules: Union[str, Sequence[str]]) -> list[str]:
    return [rules] if isinstance(rules, str) else list(rules)

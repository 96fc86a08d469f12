"""Checking and repairing chunks of any splitter."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, TypedDict, TypeVar, Union, overload

from . import _native, _tables
from ._chunk import Chunk
from ._errors import GristmillWarning, UsageError
from ._kinds import Kind, kind_of, known_kind
from ._report import Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")

#: Names of rules: one, or several.
Rules = Union[str, Sequence[str], None]

#: What a record has beside its metadata, and no other chunk: the form in which chunks of ours are told to the rules.
HASH = "normalized_text_hash"


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
    #: Chunks with more tokens are too large.
    max_tokens: Optional[int]
    #: Counts the tokens: a name or the path of a ``tokenizer.json``.
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
    max_tokens: Optional[int] = None,
    tokenizer: Optional[str] = None,
    unsafe: bool = False,
    jobs: Optional[int] = None,
) -> Report:
    """Finds what is wrong with chunks. They stay as they are.

    Takes a list of texts, mappings, ``Chunk``, documents of LangChain, LlamaIndex or Haystack, or an Arrow table. The
    order of the list is the order within a source, unless the chunks say otherwise. ``select`` and ``ignore`` name
    rules, ``max_chars`` and ``max_tokens`` (counted by ``tokenizer``) what is too large. With ``unsafe``, repairs that
    change what can be found count as well.
    """
    options = _settings(select, ignore, extend_select, max_chars, min_chars, max_tokens, tokenizer)
    rows = _tables.read(chunks)[1] if _tables.is_table(chunks) else _read(_listed(chunks))[1]
    return _reported(_native.check(_lines(rows), options, unsafe, jobs))


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
    max_tokens: Optional[int] = None,
    tokenizer: Optional[str] = None,
    unsafe: bool = False,
    jobs: Optional[int] = None,
) -> tuple[Any, Report]:
    """Repairs chunks without loss; gives the repaired chunks, of the kind they came in, and a report of what is left.

    What was given stays as it is; chunks that needed no repair are given back themselves. Where chunks were merged, the
    one that is left names the others in ``metadata["merged_ids"]``. The report's ``fixed`` tells what was mended.
    """
    options = _settings(select, ignore, extend_select, max_chars, min_chars, max_tokens, tokenizer)
    if _tables.is_table(chunks):
        return _table(chunks, options, unsafe, jobs)
    values = _listed(chunks)
    kinds, read = _read(values)
    left, report = _repaired(read, options, unsafe, jobs)
    clean = [_given_back(kinds[at], values[at], read[at], chunk, at) for at, chunk in left]
    return clean, report


def _listed(chunks: Any) -> list[Any]:
    if known_kind(chunks) is not None or not isinstance(chunks, Iterable):
        raise UsageError("chunks come in a list", "put a single one in a list")
    return list(chunks)


def _read(values: Sequence[Any]) -> tuple[list[Kind], list[Chunk]]:
    kinds = [kind_of(value, index) for index, value in enumerate(values)]
    return kinds, [kind.read(value, index) for index, (kind, value) in enumerate(zip(kinds, values))]


def _repaired(
    read: Sequence[Chunk], options: str, unsafe: bool, jobs: Optional[int]
) -> tuple[list[tuple[int, Optional[Chunk]]], Report]:
    """The place of each chunk that is left, and the chunk where it changed."""
    before = _lines(read)
    left, after, native = _native.repair(before, options, unsafe, jobs)
    lines = before.decode().split("\n")
    made = [
        (at, None if line == lines[at] else _of_line(line, read[at]))
        for at, line in zip(left, after.split("\n"))
    ]
    return made, _reported(native)


def _given_back(kind: Kind, value: Any, given: Chunk, chunk: Optional[Chunk], index: int) -> Any:
    held = given if chunk is None else chunk
    named = Chunk(held.id or f"#{index}", held.text, held.source, max(held.order, 0), held.metadata)
    return kind.unchanged(value, named) if chunk is None else kind.write(value, named)


def _table(source: Any, options: str, unsafe: bool, jobs: Optional[int]) -> tuple[Any, Report]:
    table, rows = _tables.read(source)
    left, report = _repaired(rows, options, unsafe, jobs)
    result = table.take([at for at, _ in left])
    result = result.with_texts(_tables.text_column(table), [(chunk or rows[at]).text for at, chunk in left])
    merged = [chunk.metadata.get("merged_ids") if chunk else None for _, chunk in left]
    if any(merged):
        result = result.with_texts("merged_ids", [json.dumps(ids) if ids else None for ids in merged])
    return _tables.like(source, result), report


def _lines(chunks: Iterable[Chunk]) -> bytes:
    return "\n".join(map(_line, chunks)).encode()


def _line(chunk: Chunk) -> str:
    if HASH in chunk.metadata and "parts" in chunk.metadata:
        metadata = {name: value for name, value in chunk.metadata.items() if name != HASH}
        record: dict[str, Any] = {"chunk_id": chunk.id, "content": chunk.text, "metadata": metadata}
        record.update({"token_count": metadata.get("token_count"), HASH: chunk.metadata[HASH]})
        return json.dumps(record, ensure_ascii=False, default=_unknown)
    told: dict[str, Any] = {"text": chunk.text, "metadata": _plain(chunk.metadata)}
    if chunk.id:
        told["id"] = chunk.id
    if chunk.source:
        told["source"] = chunk.source
    if chunk.order >= 0:
        told["order"] = chunk.order
    return json.dumps(told, ensure_ascii=False)


def _of_line(line: str, given: Chunk) -> Chunk:
    told = json.loads(line)
    if HASH in told:
        metadata = {**told["metadata"], HASH: told[HASH]}
        return Chunk(told["chunk_id"], told["content"], metadata["source"], metadata["chunk_index"], metadata)
    new: dict[str, Any] = told["metadata"]
    old = _plain(given.metadata)
    metadata = {name: value for name, value in given.metadata.items() if name in new or name not in old}
    metadata.update({name: value for name, value in new.items() if name not in old or old[name] != value})
    return Chunk(told.get("id", given.id), told["text"], given.source, told.get("order", given.order), metadata)


def _plain(metadata: dict[str, Any]) -> dict[str, Any]:
    """What of metadata can be told as JSON."""
    return {str(name): value for name, value in metadata.items() if _is_plain(value)}


def _is_plain(value: object) -> bool:
    if value is None or isinstance(value, (str, bool, int)):
        return True
    if isinstance(value, float):
        return value - value == 0
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(isinstance(name, str) and _is_plain(inner) for name, inner in value.items())
    return False


def _unknown(value: object) -> str:
    return str(value)


def _reported(native: _native.Findings) -> Report:
    for fault in native.faults:
        warnings.warn(f"a repair was taken back, please report it: {fault}", GristmillWarning, stacklevel=4)
    return Report(native)


def _settings(
    select: Rules,
    ignore: Rules,
    extend_select: Rules,
    max_chars: Optional[int],
    min_chars: Optional[int],
    max_tokens: Optional[int],
    tokenizer: Optional[str],
) -> str:
    names = {"select": select, "ignore": ignore, "extend_select": extend_select}
    lint: dict[str, Any] = {name: _names(given) for name, given in names.items() if given is not None}
    sizes = {"max_chars": max_chars, "min_chars": min_chars, "max_tokens": max_tokens, "tokenizer": tokenizer}
    lint.update({name: value for name, value in sizes.items() if value is not None})
    return json.dumps({"lint": lint})


def _names(rules: Union[str, Sequence[str]]) -> list[str]:
    return [rules] if isinstance(rules, str) else list(rules)

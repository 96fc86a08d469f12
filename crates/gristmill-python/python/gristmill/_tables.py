"""Arrow tables as chunks and back, by the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from ._chunk import ID_KEYS, ORDER_KEYS, SOURCE_KEYS, TEXT_KEYS, Chunk
from ._errors import InputError
from ._native import Table


def is_table(value: object) -> bool:
    """True for what exports an Arrow stream."""
    return hasattr(value, "__arrow_c_stream__")


def read(value: Any) -> tuple[Table, list[Chunk]]:
    """A table and its rows as chunks; ``id`` is empty and ``order`` is -1 where a row has none."""
    table = value if isinstance(value, Table) else Table(value)
    texts = _chunk_texts(table)
    size = len(texts)
    ids = _texts(table, ID_KEYS) or [None] * size
    sources = _texts(table, SOURCE_KEYS) or [None] * size
    orders = _numbers(table, ORDER_KEYS) or [None] * size
    rows = zip(texts, ids, sources, orders)
    return table, [Chunk(i or "", t, s or "", -1 if o is None else o, {}) for t, i, s, o in rows]


def of_chunks(value: Any) -> Table:
    """A table of which each row has a text."""
    table = value if isinstance(value, Table) else Table(value)
    _chunk_texts(table)
    return table


def _chunk_texts(table: Table) -> list[str]:
    key = text_column(table)
    texts = table.texts(key)
    if texts is None:
        raise InputError(f"the column of text is none: {key}")
    found = [text for text in texts if text is not None]
    if len(found) < len(texts):
        raise InputError(f"no text in the row at index {texts.index(None)} of the column: {key}")
    return found


def text_column(table: Table) -> str:
    """The column of text."""
    names = table.names()
    for key in TEXT_KEYS:
        if key in names:
            return key
    raise InputError(
        f"no column of text in the table: {', '.join(names)}", f"the text goes by one of the names {', '.join(TEXT_KEYS)}"
    )


def column(table: Table, keys: Sequence[str]) -> str:
    """The column that goes by one of the names; the first name where none does."""
    names = table.names()
    return next((key for key in keys if key in names), keys[0])


def like(value: object, table: Table) -> Any:
    """A table as the kind that was given, where that is one of pyarrow, pandas or Polars; else itself."""
    package = type(value).__module__.partition(".")[0]
    if package == "pyarrow":
        import pyarrow

        return pyarrow.table(table)
    if package == "polars":
        import polars

        return polars.DataFrame(table)
    if package == "pandas":
        import pyarrow

        return pyarrow.table(table).to_pandas()
    return table


def _texts(table: Table, keys: Sequence[str]) -> Optional[list[Optional[str]]]:
    for name in _present(table, keys):
        texts = table.texts(name)
        if texts is None:
            numbers = table.numbers(name)
            texts = None if numbers is None else [None if n is None else str(n) for n in numbers]
        if texts is not None:
            return texts
    return None


def _numbers(table: Table, keys: Sequence[str]) -> Optional[list[Optional[int]]]:
    return next((found for name in _present(table, keys) if (found := table.numbers(name)) is not None), None)


def _present(table: Table, keys: Sequence[str]) -> list[str]:
    names = set(table.names())
    return [name for name in (*keys, *(f"metadata.{key}" for key in keys)) if name in names]

"""Tables in, tables out: what engines such as Ray Data, Spark and Daft run on each batch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional

from . import _native, _options, _tables
from ._checking import LintOptions, check
from ._chunking import chunk
from ._errors import UsageError
from ._native import Table
from ._options import CallOptions, StrPath

if TYPE_CHECKING:
    from typing_extensions import Unpack


def chunk_table(table: Any, **options: Unpack[CallOptions]) -> Any:
    """The chunks of the rows of an Arrow table: its columns, with ``chunk_id`` and ``chunk_index``."""
    _ensure_table(table)
    return chunk(table, **options)


def scan_table(table: Any, **options: Unpack[LintOptions]) -> Any:
    """What is wrong with the chunks of an Arrow table, one row a finding.

    Its columns are always the same: the texts ``rule``, ``severity``, ``chunk_id``, ``message`` and ``related`` (a JSON
    list), and the numbers ``index`` (the row of the chunk) and ``fixable`` (0 or 1).
    """
    _ensure_table(table)
    report = check(table, **options)
    found = Table.empty(len(report))
    found = found.with_texts("rule", [finding.rule for finding in report])
    found = found.with_texts("severity", [finding.severity for finding in report])
    found = found.with_texts("chunk_id", [finding.chunk_id for finding in report])
    found = found.with_numbers("index", [finding.index for finding in report])
    found = found.with_texts("message", [finding.message for finding in report])
    found = found.with_numbers("fixable", [int(finding.fixable) for finding in report])
    found = found.with_texts("related", [json.dumps(finding.related) for finding in report])
    return _tables.like(table, found)


def embed_table(
    table: Any, *, vector: str = "vector", embed: Optional[Mapping[str, Any]] = None, config: Optional[StrPath] = None
) -> Any:
    """The rows of an Arrow table with the vector of each text, a list of 32-bit numbers in the column ``vector``.

    ``embed`` is the table of that name in ``gristmill.toml``; without it and ``config`` the built-in model is used. A text
    that is blank or that the model knows nothing of has none. Raises when a text cannot be embedded.
    """
    _ensure_table(table)
    read, rows = _tables.read(table)
    settings = json.dumps({} if embed is None else {"embed": dict(embed)}, default=_options.plain)
    vectors = _native.embed([row.text for row in rows], settings, _options.config_path(config))
    return _tables.like(table, read.with_vectors(vector, vectors))


def _ensure_table(table: object) -> None:
    if not _tables.is_table(table):
        name = f"{type(table).__module__}.{type(table).__qualname__}"
        raise UsageError(f"no Arrow table: {name}", "what has `__arrow_c_stream__` is one")

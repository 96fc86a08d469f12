"""Views for notebooks. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: Rows that a view shows; what it leaves out is counted.
SHOWN = 100


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with its caption, its first rows and how many more there are."""
    all_rows = list(rows)
    shown = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in all_rows[:SHOWN])
    names = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in head)
    more = len(all_rows) - SHOWN
    rest = f"<p>… and {more:,} more</p>" if more > 0 else ""
    return (
        f"<table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{names}</tr></thead><tbody>{shown}</tbody></table>{rest}"
    )


def _cell(value: object) -> str:
    return f"<td style='text-align:left;white-space:pre-wrap'>{escape(str(value))}</td>"

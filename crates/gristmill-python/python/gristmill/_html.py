"""Views for notebooks. All text is escaped. Colours let light and dark backgrounds shine through."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

#: Rows that a view shows; what it leaves out is counted.
SHOWN = 100

#: Behind the name of a severity.
_COLOURS = {
    "high": "rgba(229, 57, 53, .28)",
    "medium": "rgba(251, 140, 0, .28)",
    "low": "rgba(66, 133, 244, .24)",
    "info": "rgba(128, 128, 128, .24)",
    "repaired": "rgba(67, 160, 71, .28)",
}
_CELL = "text-align:left;vertical-align:top;padding:3px 10px;border-bottom:1px solid rgba(128,128,128,.25)"
_TEXT = f"{_CELL};white-space:pre-wrap;overflow-wrap:anywhere;max-width:60em"


class Html(str):
    """Markup, which is not escaped again."""


class Word(str):
    """A name, which is not broken into lines."""


def badge(text: str, colour: str) -> Html:
    """A text on the colour of a severity."""
    style = f"background:{_COLOURS[colour]};border-radius:4px;padding:1px 7px;white-space:nowrap"
    return Html(f"<span style='{style}'>{escape(text)}</span>")


def prose(text: str) -> Html:
    """A message: what stands between backticks is code."""
    parts = re.split(r"(?<!`)`([^`\n]+)`(?!`)", text)
    return Html("".join(f"<code>{escape(part)}</code>" if at % 2 else escape(part) for at, part in enumerate(parts)))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with its caption, its first rows and how many more there are; without rows the caption alone."""
    all_rows = list(rows)
    if not all_rows:
        return f"<p style='padding:4px 10px;margin:0'>{_text(caption)}</p>"
    shown = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in all_rows[:SHOWN])
    names = "".join(f"<th style='{_CELL};white-space:nowrap'>{escape(name)}</th>" for name in head)
    more = len(all_rows) - SHOWN
    rest = f"<p>… and {more:,} more</p>" if more > 0 else ""
    return (
        "<table style='border-collapse:collapse;margin:0'>"
        f"<caption style='caption-side:top;text-align:left;padding:4px 10px'>{_text(caption)}</caption>"
        f"<thead><tr>{names}</tr></thead><tbody>{shown}</tbody></table>{rest}"
    )


def _cell(value: object) -> str:
    style = f"{_CELL};white-space:nowrap" if isinstance(value, Word) else _TEXT
    return f"<td style='{style}'>{_text(value)}</td>"


def _text(value: object) -> str:
    return value if isinstance(value, Html) else escape(str(value))

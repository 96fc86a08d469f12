"""Documents and chunks that the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

#: Two sections, of which the first has a table.
GUIDE = """\
---
title: Pump guide
author: Ada
---
# Pumps

Check the valve before you start.

| part | price |
| --- | --- |
| seal | 4 |

## Storage

Keep it dry. Keep it warm.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two documents and a file that is none."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "guide.md").write_text(GUIDE, encoding="utf-8")
    (docs / "notes.txt").write_text("The pump hums at night.\n", encoding="utf-8")
    (docs / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    return docs


@pytest.fixture
def cut() -> list[dict[str, object]]:
    """A sentence that is cut in two, and a chunk without text."""
    return [
        {"id": "a", "text": "Revenue grew by", "source": "q3.md", "order": 0},
        {"id": "b", "text": "40% year over year.", "source": "q3.md", "order": 1},
        {"id": "c", "text": "   ", "source": "q3.md", "order": 2},
    ]


#: The two as they were before they were cut.
WHOLE = "Revenue grew by 40% year over year."

"""What a run tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


class Told(Mapping[str, Any]):
    """What a run tells, as a mapping."""

    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told

    def __getitem__(self, name: str) -> Any:
        return self._told[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._told)

    def __len__(self) -> int:
        return len(self._told)

    def to_dict(self) -> dict[str, Any]:
        """The same as a mapping of Python's."""
        return dict(self._told)

"""Chunks: as objects of their own, and as plain values that know where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

from . import _html

#: Names of the text in a mapping, the first that is there counts.
TEXT_KEYS = ("text", "page_content", "content")
#: Names of the identity in a mapping.
ID_KEYS = ("id", "chunk_id")
#: Names of the place within the source, in a mapping or its metadata.
ORDER_KEYS = ("order", "chunk_index")
#: Names of the source, in a mapping or its metadata.
SOURCE_KEYS = ("source", "file_path", "file", "file_name", "filename", "path", "url", "document_id", "doc_id")


@dataclass
class Chunk:
    """A piece of a document.

    ``text`` is exactly what is to be embedded, ``order`` its place among the chunks of ``source``, from 0.
    """

    id: str
    text: str
    source: str = ""
    order: int = 0
    metadata: dict[str, Any] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The same as a mapping."""
        return {
            "id": self.id,
            "text": self.text,
            "source": self.source,
            "order": self.order,
            "metadata": dict(self.metadata),
        }

    def _repr_html_(self) -> str:
        shown = {name: value for name, value in self.metadata.items() if name != "parts" and value not in (None, [], {})}
        facts = [("id", self.id), ("source", self.source), ("order", self.order), *shown.items()]
        return _html.table("chunk", ("field", "value"), [("text", self.text), *facts])


class ChunkDict(dict[str, Any]):
    """A mapping that was given, or one like it, with the fields of a chunk as attributes."""

    @property
    def text(self) -> str:
        """Exactly what is to be embedded."""
        return str(self.get(text_key(self) or "text", ""))

    @property
    def id(self) -> str:
        """Its identity; empty without one."""
        return str(_first(self, ID_KEYS) or "")

    @property
    def source(self) -> str:
        """Where it comes from; empty when nothing says."""
        return str(_either(self, SOURCE_KEYS) or "")

    @property
    def order(self) -> int:
        """Its place among the chunks of its source; 0 when nothing says."""
        order = _either(self, ORDER_KEYS)
        return order if isinstance(order, int) else 0

    @property
    def metadata(self) -> dict[str, Any]:
        """What is known of it."""
        metadata: dict[str, Any] = self.get("metadata") or {}
        return metadata


class ChunkStr(str):
    """A text with the fields of a chunk as attributes."""

    id: str = ""
    source: str = ""
    order: int = 0
    metadata: dict[str, Any]

    def __new__(cls, chunk: Chunk) -> ChunkStr:
        """The text of a chunk."""
        made = super().__new__(cls, chunk.text)
        made.id, made.source, made.order, made.metadata = chunk.id, chunk.source, chunk.order, chunk.metadata
        return made

    def __reduce__(self) -> tuple[type[ChunkStr], tuple[Chunk]]:
        return ChunkStr, (Chunk(self.id, str(self), self.source, self.order, self.metadata),)

    @property
    def text(self) -> str:
        """The text alone."""
        return str(self)


def text_key(mapping: Mapping[Any, Any]) -> Optional[str]:
    """The name of the text in a mapping."""
    return next((key for key in TEXT_KEYS if key in mapping), None)


def source_of(mapping: Mapping[Any, Any]) -> str:
    """The source that a mapping names; empty without one."""
    source = _first(mapping, SOURCE_KEYS)
    return "" if source is None else str(source)


def order_of(mapping: Mapping[Any, Any]) -> Optional[int]:
    """The place that a mapping names."""
    order = _first(mapping, ORDER_KEYS)
    return order if isinstance(order, int) and not isinstance(order, bool) else None


def _first(mapping: Mapping[Any, Any], keys: tuple[str, ...]) -> Any:
    return next((mapping[key] for key in keys if mapping.get(key) is not None), None)


def _either(mapping: Mapping[Any, Any], keys: tuple[str, ...]) -> Any:
    own = _first(mapping, keys)
    metadata = mapping.get("metadata")
    return _first(metadata, keys) if own is None and isinstance(metadata, Mapping) else own

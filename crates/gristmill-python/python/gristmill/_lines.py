"""Chunks as the rules are told of them, one a line as JSON, and what becomes of a chunk when its line has changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ._chunk import TEXT_KEYS, Chunk, ChunkDict
from ._errors import InputError
from ._kinds import Kind, PlainMapping

#: What a record has beside its metadata, and no other chunk.
HASH = "normalized_text_hash"

#: Objects that exports of other packages put around a chunk.
WRAPPERS = ("kwargs", "node", "__data__", "text_resource")


def line(kind: Kind, value: Any, index: int) -> str:
    """A chunk as a line."""
    if isinstance(kind, PlainMapping):
        if not any(key in value for key in (*TEXT_KEYS, *WRAPPERS)):
            hint = f"the text goes by one of the names {', '.join(TEXT_KEYS)}"
            raise InputError(f"no text in the mapping at index {index}", hint)
        if any(key in value for key in TEXT_KEYS):
            kind.read(value, index)
        return _text(value)
    return line_of(kind.read(value, index))


def line_of(chunk: Chunk) -> str:
    """A chunk of ours as a line; one that is a record as that record."""
    if HASH in chunk.metadata and "parts" in chunk.metadata:
        metadata = dict(chunk.metadata)
        record = {"chunk_id": chunk.id, "content": chunk.text, "token_count": metadata.get("token_count")}
        return _text({**record, HASH: metadata.pop(HASH), "metadata": metadata})
    told: dict[str, Any] = {"text": chunk.text, "metadata": chunk.metadata}
    if chunk.id:
        told["id"] = chunk.id
    if chunk.source:
        told["source"] = chunk.source
    if chunk.order >= 0:
        told["order"] = chunk.order
    return _text(told)


def unchanged(kind: Kind, value: Any, index: int) -> Any:
    """A chunk whose line is what it was, as it is given back."""
    if isinstance(kind, PlainMapping):
        return ChunkDict(value)
    return kind.unchanged(value, _named(kind.read(value, index), index))


def changed(kind: Kind, value: Any, index: int, before: str, after: str, part: int = 0) -> Any:
    """A chunk whose line has changed, as the kind that it came in; ``part`` counts the parts of one that was split."""
    if isinstance(kind, PlainMapping):
        return ChunkDict(_patched(value, json.loads(before), json.loads(after)))
    return kind.write(value, _named(_chunk_of(kind.read(value, index), before, after), index, part))


def _chunk_of(given: Chunk, before: str, after: str) -> Chunk:
    """A chunk of ours whose line has changed."""
    old, new = json.loads(before), json.loads(after)
    metadata = _patched(given.metadata, old["metadata"], new["metadata"])
    if HASH in new:
        metadata[HASH] = new[HASH]
        return Chunk(new["chunk_id"], new["content"], given.source, metadata["chunk_index"], metadata)
    return Chunk(new.get("id", given.id), new["text"], given.source, new.get("order", given.order), metadata)


def _named(chunk: Chunk, index: int, part: int = 0) -> Chunk:
    name = f"#{index}-{part + 1}" if part else f"#{index}"
    return Chunk(chunk.id or name, chunk.text, chunk.source, max(chunk.order, 0), chunk.metadata)


def _patched(value: Mapping[Any, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[Any, Any]:
    """The value with what differs between the two; all else of it stays, also what is no JSON."""
    made = {key: inner for key, inner in value.items() if key in after or key not in before}
    for key, new in after.items():
        old = before.get(key)
        if key in before and old == new:
            continue
        inner = value.get(key)
        if isinstance(inner, Mapping) and isinstance(old, Mapping) and isinstance(new, Mapping):
            made[key] = _patched(inner, old, new)
        else:
            made[key] = new
    return made


def _text(told: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(told, ensure_ascii=False, allow_nan=False)
        text.encode()
        return text
    except (TypeError, ValueError):
        return json.dumps(_plain(told), ensure_ascii=False)


def _plain(value: Mapping[Any, Any]) -> dict[str, Any]:
    """What of a mapping can be told as JSON."""
    plain: dict[str, Any] = {}
    for key, inner in value.items():
        if isinstance(key, str) and isinstance(inner, Mapping):
            plain[key] = _plain(inner)
        elif isinstance(key, str) and _is_plain(inner):
            plain[key] = inner
    return plain


def _is_plain(value: object) -> bool:
    if value is None or isinstance(value, (bool, int)):
        return True
    if isinstance(value, str):
        return value.isascii() or _is_unicode(value)
    if isinstance(value, float):
        return value - value == 0
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and _is_plain(inner) for key, inner in value.items())
    return isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)) and all(map(_is_plain, value))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

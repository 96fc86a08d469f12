"""The kinds of value that chunks may come in, and how a chunk is given back as the kind it came in.

Classes of other packages are known by where they were defined; none of those packages is imported.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Optional

from ._chunk import ID_KEYS, ORDER_KEYS, TEXT_KEYS, Chunk, ChunkDict, ChunkStr, order_of, source_of, text_key
from ._errors import InputError, UsageError


class Kind:
    """How one kind of value is read as a chunk and written back."""

    def read(self, value: Any, index: int) -> Chunk:
        """The value as a chunk; ``id`` is empty and ``order`` is -1 where it has none."""
        raise NotImplementedError

    def write(self, value: Any, chunk: Chunk) -> Any:
        """The value with text and metadata of the chunk; the value itself stays as it is."""
        raise NotImplementedError

    def unchanged(self, value: Any, chunk: Chunk) -> Any:
        """The value as it is given back when nothing was wrong with it."""
        return value

    def part(self, value: Any, chunk: Chunk) -> Any:
        """A new value for a chunk that was cut from this one."""
        return self.write(value, chunk)


class PlainChunk(Kind):
    """Our own."""

    def read(self, value: Chunk, index: int) -> Chunk:
        return Chunk(value.id, _text(value.text, index), value.source, value.order, dict(value.metadata))

    def write(self, value: Chunk, chunk: Chunk) -> Chunk:
        return Chunk(chunk.id, chunk.text, value.source, chunk.order, chunk.metadata)


class PlainText(Kind):
    """A text and nothing more."""

    def read(self, value: str, index: int) -> Chunk:
        if isinstance(value, ChunkStr):
            return Chunk(value.id, _text(str(value), index), value.source, value.order, dict(value.metadata))
        return Chunk("", _text(value, index), "", -1, {})

    def write(self, value: str, chunk: Chunk) -> ChunkStr:
        return ChunkStr(chunk)

    def unchanged(self, value: str, chunk: Chunk) -> ChunkStr:
        return ChunkStr(chunk)


class PlainMapping(Kind):
    """A mapping; what is not known of it is kept."""

    def read(self, value: Mapping[str, Any], index: int) -> Chunk:
        key = text_key(value)
        if key is None:
            hint = f"the text goes by one of the names {', '.join(TEXT_KEYS)}"
            raise InputError(f"no text in the mapping at index {index}", hint)
        metadata = _metadata(value.get("metadata"), index)
        identity = next((value[key] for key in ID_KEYS if value.get(key) is not None), "")
        order = order_of(value)
        order = order_of(metadata) if order is None else order
        return Chunk(
            str(identity),
            _text(value[key], index),
            source_of(value) or source_of(metadata),
            -1 if order is None else order,
            metadata,
        )

    def write(self, value: Mapping[str, Any], chunk: Chunk) -> ChunkDict:
        made = ChunkDict(value)
        made[text_key(value) or "text"] = chunk.text
        if chunk.metadata or "metadata" in value:
            made["metadata"] = chunk.metadata
        return made

    def part(self, value: Mapping[str, Any], chunk: Chunk) -> ChunkDict:
        made = self.write(value, chunk)
        made[next((key for key in ID_KEYS if key in value), "id")] = chunk.id
        made[next((key for key in ORDER_KEYS if key in value), "order")] = chunk.order
        return made


class LangChain(Kind):
    """``Document`` of LangChain."""

    def read(self, value: Any, index: int) -> Chunk:
        metadata = _metadata(value.metadata, index)
        order = order_of(metadata)
        identity = getattr(value, "id", None) or metadata.get("chunk_id") or ""
        return Chunk(
            str(identity),
            _text(value.page_content, index),
            source_of(metadata),
            -1 if order is None else order,
            metadata,
        )

    def write(self, value: Any, chunk: Chunk) -> Any:
        identity = {"id": chunk.id} if getattr(value, "id", None) else {}
        return value.model_copy(update={"page_content": chunk.text, "metadata": chunk.metadata, **identity})

    def part(self, value: Any, chunk: Chunk) -> Any:
        return type(value)(id=chunk.id, page_content=chunk.text, metadata=chunk.metadata)


class LlamaIndex(Kind):
    """``TextNode`` and ``Document`` of LlamaIndex."""

    def read(self, value: Any, index: int) -> Chunk:
        metadata = _metadata(value.metadata, index)
        source = source_of(metadata) or str(value.ref_doc_id or "")
        order = order_of(metadata)
        text = value.get_content()
        return Chunk(str(value.node_id), _text(text, index), source, -1 if order is None else order, metadata)

    def write(self, value: Any, chunk: Chunk) -> Any:
        made = value.model_copy(deep=True)
        made.metadata = chunk.metadata
        if made.node_id != chunk.id:
            made.id_ = chunk.id
        if made.get_content() != chunk.text:
            made.set_content(chunk.text)
            made.embedding = None
            if hasattr(made, "start_char_idx"):
                made.start_char_idx = made.end_char_idx = None
        return made

    def part(self, value: Any, chunk: Chunk) -> Any:
        from llama_index.core.schema import NodeRelationship, TextNode

        return TextNode(
            id_=chunk.id,
            text=chunk.text,
            metadata=chunk.metadata,
            excluded_embed_metadata_keys=list(value.excluded_embed_metadata_keys),
            excluded_llm_metadata_keys=list(value.excluded_llm_metadata_keys),
            relationships={NodeRelationship.SOURCE: value.as_related_node_info()},
        )


class Haystack(Kind):
    """``Document`` of Haystack."""

    def read(self, value: Any, index: int) -> Chunk:
        if value.content is None:
            raise InputError(f"no text in the document at index {index}: {value.id}")
        metadata = _metadata(value.meta, index)
        order = order_of(metadata)
        return Chunk(
            str(value.id),
            _text(value.content, index),
            source_of(metadata) or str(metadata.get("source_id", "")),
            -1 if order is None else order,
            metadata,
        )

    def write(self, value: Any, chunk: Chunk) -> Any:
        same = value.content == chunk.text
        kept = {"score": value.score, "blob": value.blob}
        embeddings = {"embedding": value.embedding, "sparse_embedding": value.sparse_embedding} if same else {}
        return type(value)(id=chunk.id, content=chunk.text, meta=chunk.metadata, **kept, **embeddings)

    def part(self, value: Any, chunk: Chunk) -> Any:
        return type(value)(content=chunk.text, meta={**chunk.metadata, "source_id": value.id})


def kind_of(value: object, index: int = 0) -> Kind:
    """The kind of a value."""
    kind = known_kind(value)
    if kind is None:
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        hint = "texts, mappings, `Chunk`, and documents of LangChain, LlamaIndex and Haystack are taken"
        raise UsageError(f"no chunk at index {index}: {name}", hint)
    return kind


def known_kind(value: object) -> Optional[Kind]:
    """The kind of a value, where it is one of those that chunks come in."""
    if isinstance(value, str):
        return PlainText()
    if isinstance(value, Chunk):
        return PlainChunk()
    if isinstance(value, Mapping):
        return PlainMapping()
    for base in type(value).__mro__:
        kind = _FOREIGN.get((base.__module__.partition(".")[0], base.__name__))
        if kind is not None:
            return kind
    return None


#: By the package and name of a class.
_FOREIGN: dict[tuple[str, str], Kind] = {
    ("langchain_core", "Document"): LangChain(),
    ("llama_index", "BaseNode"): LlamaIndex(),
    ("haystack", "Document"): Haystack(),
}


def _text(text: object, index: int) -> str:
    if not isinstance(text, str):
        raise InputError(f"the text at index {index} is no string: {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the text at index {index} is no Unicode: lone surrogate at position {error.start}") from error
    return text


def _metadata(metadata: object, index: int) -> dict[str, Any]:
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        raise InputError(f"the metadata at index {index} is no mapping: {type(metadata).__name__}")
    return copy.deepcopy(dict(metadata))

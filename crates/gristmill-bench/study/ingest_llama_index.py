"""LlamaIndex's `IngestionPipeline` over a folder: `ingest_llama_index.py FOLDER STATE CHARACTERS`.

The store of documents is its own, kept as JSON; rows go into an SQLite file that does nothing but keep them.
"""
import array
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

from llama_index.core import Document
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQueryResult

folder, state, size = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
embedded = 0


class Constant(BaseEmbedding):
    def _get_text_embeddings(self, texts):
        global embedded
        embedded += len(texts)
        return [[0.05] * 384 for _ in texts]

    def _get_text_embedding(self, text):
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query):
        return [0.05] * 384

    async def _aget_query_embedding(self, query):
        return [0.05] * 384


class Rows(BasePydanticVectorStore):
    stores_text: bool = True
    _db: Any = PrivateAttr()

    def __init__(self, path: Path):
        super().__init__()
        self._db = sqlite3.connect(path)
        self._db.execute("CREATE TABLE IF NOT EXISTS rows(id TEXT PRIMARY KEY, document TEXT, text TEXT, vector BLOB)")
        self._db.execute("CREATE INDEX IF NOT EXISTS by_document ON rows(document)")

    @property
    def client(self):
        return self._db

    def add(self, nodes, **_):
        packed = ((n.node_id, n.ref_doc_id, n.get_content(), array.array("f", n.embedding).tobytes()) for n in nodes)
        self._db.executemany("INSERT OR REPLACE INTO rows VALUES(?, ?, ?, ?)", packed)
        self._db.commit()
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id, **_):
        self._db.execute("DELETE FROM rows WHERE document = ?", (ref_doc_id,))
        self._db.commit()

    def query(self, query, **_):
        return VectorStoreQueryResult(nodes=[], similarities=[], ids=[])


kept = state / "documents.json"
pipeline = IngestionPipeline(
    transformations=[SentenceSplitter(chunk_size=size, chunk_overlap=size // 10, tokenizer=list), Constant(embed_batch_size=100)],
    docstore=SimpleDocumentStore.from_persist_path(str(kept)) if kept.exists() else SimpleDocumentStore(),
    docstore_strategy=DocstoreStrategy.UPSERTS_AND_DELETE,
    vector_store=Rows(state / "rows.sqlite"),
    disable_cache=True,
)
documents = [
    Document(text=path.read_text(encoding="utf-8"), doc_id=str(path.relative_to(folder)))
    for path in sorted(folder.rglob("*.md"))
]
pipeline.run(documents=documents)
pipeline.docstore.persist(str(kept))
print(json.dumps({"embedded": embedded}))

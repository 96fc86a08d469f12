"""LangChain's `index(cleanup="full")` over a folder: `ingest_langchain.py FOLDER STATE CHARACTERS`.

The record manager is its own, in SQLite; rows go into an SQLite file that does nothing but keep them.
"""
import array
import json
import sqlite3
import sys
from pathlib import Path

from langchain_classic.indexes import SQLRecordManager
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.indexing import index
from langchain_core.vectorstores import VectorStore
from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

folder, state, size = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])


class Constant(Embeddings):
    embedded = 0

    def embed_documents(self, texts):
        Constant.embedded += len(texts)
        return [[0.05] * 384 for _ in texts]

    def embed_query(self, text):
        return [0.05] * 384


class Rows(VectorStore):
    def __init__(self, path: Path):
        self.db = sqlite3.connect(path)
        self.db.execute("CREATE TABLE IF NOT EXISTS rows(id TEXT PRIMARY KEY, source TEXT, text TEXT, vector BLOB)")

    def add_documents(self, documents, ids=None, **_):
        vectors = Constant().embed_documents([document.page_content for document in documents])
        packed = [array.array("f", vector).tobytes() for vector in vectors]
        rows = zip(ids, (d.metadata["source"] for d in documents), (d.page_content for d in documents), packed)
        self.db.executemany("INSERT OR REPLACE INTO rows VALUES(?, ?, ?, ?)", rows)
        self.db.commit()
        return ids

    def delete(self, ids=None, **_):
        self.db.executemany("DELETE FROM rows WHERE id = ?", ((one,) for one in ids))
        self.db.commit()
        return True

    def add_texts(self, texts, metadatas=None, **_):
        raise NotImplementedError

    def similarity_search(self, query, k=4, **_):
        return []

    @classmethod
    def from_texts(cls, texts, embedding, metadatas=None, **_):
        raise NotImplementedError


records = SQLRecordManager("bench", db_url=f"sqlite:///{state / 'records.sqlite'}")
records.create_schema()
documents = [
    Document(page_content=path.read_text(encoding="utf-8"), metadata={"source": str(path.relative_to(folder))})
    for path in sorted(folder.rglob("*.md"))
]
splitter = RecursiveCharacterTextSplitter.from_language(Language.MARKDOWN, chunk_size=size, chunk_overlap=size // 10)
rows = Rows(state / "rows.sqlite")
index(
    splitter.split_documents(documents),
    records,
    rows,
    cleanup="full",
    source_id_key="source",
    batch_size=100,
    key_encoder="sha256",
)
print(json.dumps({"embedded": Constant.embedded}))

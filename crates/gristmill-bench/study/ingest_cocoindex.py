"""CocoIndex over a folder: `ingest_cocoindex.py FOLDER STATE CHARACTERS`. Its state is its own; rows go into SQLite."""
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Iterator

os.environ.setdefault("COCOINDEX_DISABLE_USAGE_TRACKING", "1")

import cocoindex as coco
import numpy as np
from cocoindex.connectors import localfs, sqlite
from cocoindex.ops.text import RecursiveSplitter
from cocoindex.resources.chunk import Chunk
from cocoindex.resources.file import FileLike, PatternFilePathMatcher
from cocoindex.resources.id import IdGenerator

folder, state, size = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
VECTOR = np.full(384, 0.05, dtype=np.float32).tobytes()
DATABASE = coco.ContextKey[sqlite.ManagedConnection]("study_database")
FOLDER = coco.ContextKey[Path]("study_folder")
splitter = RecursiveSplitter()
embedded = 0


# As its own embedders do, so that no text of a changed file is embedded again.
@coco.fn(memo=True, version=1, logic_tracking="self")
async def embed(text: str) -> bytes:
    global embedded
    embedded += 1
    return VECTOR


@dataclass
class Row:
    id: int
    source: str
    text: str
    vector: Annotated[bytes, sqlite.SqliteType("BLOB")]


@coco.lifespan
def lifespan(builder: coco.EnvironmentBuilder) -> Iterator[None]:
    builder.settings.db_path = state / "cocoindex.db"
    builder.provide(FOLDER, folder)
    with sqlite.managed_connection(str(state / "rows.sqlite"), load_vec=False) as database:
        builder.provide(DATABASE, database)
        yield


@coco.fn
async def keep(chunk: Chunk, source: str, ids: IdGenerator, table) -> None:
    row = Row(id=await ids.next_id(chunk.text), source=source, text=chunk.text, vector=await embed(chunk.text))
    table.declare_row(row=row)


@coco.fn(memo=True)
async def one(file: FileLike, table) -> None:
    text = await file.read_text()
    chunks = splitter.split(text, chunk_size=size, chunk_overlap=size // 10, language="markdown")
    await coco.map(keep, chunks, str(file.file_path.path), IdGenerator(), table)


@coco.fn
async def main() -> None:
    schema = await sqlite.TableSchema.from_class(Row, primary_key=["id"])
    table = await sqlite.mount_table_target(DATABASE, "chunks", schema)
    files = localfs.walk_dir(FOLDER, recursive=True, path_matcher=PatternFilePathMatcher(included_patterns=["**/*.md"]))
    await coco.mount_each(one, files.items(), table)


coco.App(coco.AppConfig(name="Study"), main).update_blocking()
print(json.dumps({"embedded": embedded}))

"""The same work on Ray Data, Spark and Daft, with two workers each, as in one process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pyarrow
import pytest
from pyarrow import parquet

import gristmill as gm

SIZES: dict[str, Any] = {"max": 60, "unit": "chars"}

#: Documents of one to 61 sentences.
DOCUMENTS = pyarrow.table(
    {
        "source": [f"d/{n}.md" for n in range(40)],
        "text": [
            f"# Pump {n}\n\n" + " ".join(f"It moves {k} liters of water." for k in range(n % 7 * 10 + 1)) for n in range(40)
        ],
        "weight": [float(n) for n in range(40)],
    }
)


def place(row: dict[str, Any]) -> Any:
    """Where a chunk stands among all."""
    return row["source"], row["chunk_index"]


def alone() -> list[dict[str, Any]]:
    """The chunks, cut in this process."""
    return sorted(gm.chunk_table(DOCUMENTS, **SIZES).to_pylist(), key=place)


def settings(store: Path) -> dict[str, Any]:
    """A store of its own."""
    return {"store": {"path": str(store)}, "chunk": SIZES}


def exported(store: Path) -> list[Any]:
    """All that a store holds, with vectors."""
    command = [sys.executable, "-m", "gristmill", "export", "--store", str(store), "--format", "jsonl", "--with-vectors"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True, cwd=store.parent).stdout.splitlines()
    return sorted((json.loads(line) for line in lines), key=lambda point: json.dumps(point, sort_keys=True))


@pytest.fixture(scope="session")
def one_process(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What the store holds after a run over the same documents as files."""
    folder = tmp_path_factory.mktemp("files")
    for row in DOCUMENTS.to_pylist():
        file = folder / "docs" / row["source"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(row["text"], encoding="utf-8")
    store = folder / "store.db"
    pipeline = gm.Pipeline(source=[{"path": str(folder / "docs")}], **settings(store))
    assert pipeline.apply()["files"]["new"] == len(DOCUMENTS)
    return exported(store)


def damaged() -> pyarrow.Table:
    """Chunks of two documents, of which one has a sentence that is cut in two."""
    return pyarrow.table(
        {
            "id": ["a", "b", "c"],
            "source": ["x.md", "x.md", "y.md"],
            "text": ["Revenue grew by", "40% year over year, as it did in all the years before.", "All is well in the east."],
            "order": [0, 1, 0],
        }
    )


def kill_once(marker: Path) -> Callable[[], None]:
    """Kills the process that calls it first."""

    def kill() -> None:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        os.kill(os.getpid(), 9)

    return kill


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Two workers."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """Two workers; a task may fail three times."""
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.skip("Spark needs Java: install Java 17 or newer, such as Debian's openjdk-17-jre-headless, to run this")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "8")
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.driver.bindAddress", "127.0.0.1")
    session = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.mark.usefixtures("cluster")
class TestRay:
    """On Ray Data."""

    def test_chunks_are_the_same(self, tmp_path: Path) -> None:
        import ray

        import gristmill.ray

        for half in range(2):
            parquet.write_table(DOCUMENTS.slice(half * 20, 20), tmp_path / f"{half}.parquet")
        dataset = ray.data.read_parquet(str(tmp_path))
        gristmill.ray.chunk(dataset, batch_size=8, **SIZES).write_parquet(str(tmp_path / "out"))
        made = parquet.read_table(tmp_path / "out").to_pylist()
        assert sorted(made, key=place) == alone()

    def test_a_killed_worker_loses_and_doubles_nothing(self, tmp_path: Path, one_process: list[Any]) -> None:
        import ray

        import gristmill.ray

        kill = kill_once(tmp_path / "killed")

        def step(table: pyarrow.Table) -> pyarrow.Table:
            if "d/7.md" in table["source"].to_pylist():
                kill()
            return table

        dataset = ray.data.from_arrow([DOCUMENTS.slice(0, 20), DOCUMENTS.slice(20)])
        dataset = dataset.map_batches(step, batch_size=8, batch_format="pyarrow")
        store = tmp_path / "store.db"
        report = gristmill.ray.ingest(dataset, settings=settings(store), batch_size=8)
        assert (tmp_path / "killed").exists() and report.is_complete
        assert exported(store) == one_process
        again = gristmill.ray.ingest(
            ray.data.from_arrow(DOCUMENTS.slice(0, 30)), settings=settings(store), batch_size=8, keep=True
        )
        assert (again["files"]["unchanged"], again["files"]["deleted"], again["chunks"]["upserted"]) == (30, 10, 0)

    def test_chunks_of_a_document_are_looked_at_together(self) -> None:
        import ray

        import gristmill.ray

        found = gristmill.ray.scan(ray.data.from_arrow(damaged()), select=["mid-sentence-start"]).take_all()
        assert found == gm.scan_table(damaged(), select=["mid-sentence-start"]).to_pylist() and found

    def test_vectors_are_the_same(self) -> None:
        import ray

        import gristmill.ray

        rows = gristmill.ray.embed(ray.data.from_arrow(DOCUMENTS), batch_size=8).take_all()
        vectors = {row["source"]: list(row["vector"]) for row in rows}
        assert vectors == {row["source"]: row["vector"] for row in gm.embed_table(DOCUMENTS).to_pylist()}


class TestSpark:
    """On Spark."""

    def test_chunks_are_the_same(self, session: Any, tmp_path: Path) -> None:
        import gristmill.spark

        parquet.write_table(DOCUMENTS, tmp_path / "in.parquet")
        frame = session.read.parquet(str(tmp_path / "in.parquet")).repartition(2)
        gristmill.spark.chunk(frame, **SIZES).write.parquet(str(tmp_path / "out"))
        made = [row.asDict() for row in session.read.parquet(str(tmp_path / "out")).collect()]
        assert sorted(made, key=place) == alone()

    def test_a_killed_worker_loses_and_doubles_nothing(
        self, session: Any, tmp_path: Path, one_process: list[Any]
    ) -> None:
        import gristmill.spark

        kill = kill_once(tmp_path / "killed")

        def step(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
            for batch in batches:
                yield batch
                if "d/7.md" in batch["source"].to_pylist():
                    kill()

        frame = session.createDataFrame(DOCUMENTS).repartition(2)
        frame = frame.mapInArrow(step, frame.schema)
        store = tmp_path / "store.db"
        report = gristmill.spark.ingest(frame, settings=settings(store))
        assert (tmp_path / "killed").exists() and report.is_complete
        assert exported(store) == one_process
        fewer = session.createDataFrame(DOCUMENTS.slice(0, 30)).repartition(2)
        again = gristmill.spark.ingest(fewer, settings=settings(store), keep=True)
        assert (again["files"]["unchanged"], again["files"]["deleted"], again["chunks"]["upserted"]) == (30, 10, 0)

    def test_chunks_of_a_document_are_looked_at_together(self, session: Any) -> None:
        import gristmill.spark

        frame = session.createDataFrame(damaged()).repartition(2)
        found = [row.asDict() for row in gristmill.spark.scan(frame, select=["mid-sentence-start"]).collect()]
        assert found == gm.scan_table(damaged(), select=["mid-sentence-start"]).to_pylist() and found

    def test_vectors_are_the_same(self, session: Any) -> None:
        import gristmill.spark

        rows = gristmill.spark.embed(session.createDataFrame(DOCUMENTS).repartition(2)).collect()
        vectors = {row["source"]: row["vector"] for row in rows}
        assert vectors == {row["source"]: row["vector"] for row in gm.embed_table(DOCUMENTS).to_pylist()}


class TestDaft:
    """On Daft, which runs functions of Python\'s in threads or processes as it sees fit."""

    def test_chunks_are_the_same(self, tmp_path: Path) -> None:
        import daft

        import gristmill.daft

        for half in range(2):
            parquet.write_table(DOCUMENTS.slice(half * 20, 20), tmp_path / f"{half}.parquet")
        frame = daft.read_parquet(str(tmp_path / "*.parquet"))
        gristmill.daft.chunk(frame, batch_size=8, **SIZES).write_parquet(str(tmp_path / "out"))
        made = parquet.read_table(tmp_path / "out").to_pylist()
        assert sorted(made, key=place) == alone()

    def test_the_store_is_the_same(self, tmp_path: Path, one_process: list[Any]) -> None:
        import daft

        import gristmill.daft

        store = tmp_path / "store.db"
        report = gristmill.daft.ingest(daft.from_arrow(DOCUMENTS), settings=settings(store), batch_size=8)
        assert report["files"]["new"] == 40 and exported(store) == one_process
        fewer = daft.from_arrow(DOCUMENTS.slice(0, 30))
        again = gristmill.daft.ingest(fewer, settings=settings(store), batch_size=8, keep=True)
        assert (again["files"]["unchanged"], again["files"]["deleted"], again["chunks"]["upserted"]) == (30, 10, 0)

    def test_chunks_of_a_document_are_looked_at_together(self) -> None:
        import daft

        import gristmill.daft

        found = gristmill.daft.scan(daft.from_arrow(damaged()), select=["mid-sentence-start"]).to_pylist()
        assert found == gm.scan_table(damaged(), select=["mid-sentence-start"]).to_pylist() and found

    def test_vectors_are_the_same(self) -> None:
        import daft

        import gristmill.daft

        rows = gristmill.daft.embed(daft.from_arrow(DOCUMENTS), batch_size=8).to_pylist()
        vectors = {row["source"]: row["vector"] for row in rows}
        assert vectors == {row["source"]: row["vector"] for row in gm.embed_table(DOCUMENTS).to_pylist()}

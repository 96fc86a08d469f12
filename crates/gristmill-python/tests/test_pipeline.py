"""A store kept in step and asked, from Python."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow
import pytest

import gristmill as gm


@pytest.fixture
def config(folder: Path) -> Path:
    """Settings beside the two documents."""
    file = folder.parent / "gristmill.toml"
    file.write_text('version = 1\n[[source]]\npath = "docs"\n[store]\npath = "store.db"\n', encoding="utf-8")
    return file


def test_a_plan_is_shown_then_done_and_nothing_is_left(config: Path, folder: Path) -> None:
    told: list[tuple[int, int]] = []
    with gm.Pipeline.from_config(config) as pipeline:
        plan = pipeline.plan()
        assert plan["files"]["new"] == 2 and not plan.is_empty
        assert repr(plan) == "<Plan: 2 new>" and "guide.md" in plan._repr_html_()
        report = pipeline.apply(plan, on_progress=lambda done, all, path: told.append((done, all)))
        assert report["files"]["new"] == 2 and report.is_complete and told[-1] == (2, 2)
        assert report["chunks"]["embedded"] == report["chunks"]["upserted"] > 1
        assert pipeline.plan().is_empty
        assert [document["source"] for document in pipeline.documents()] == ["guide.md", "notes.txt"]
        (folder / "notes.txt").write_text("The valve hums.\n", encoding="utf-8")
        with pytest.raises(gm.Error, match="plan"):
            pipeline.apply(plan)
        assert pipeline.apply()["chunks"]["embedded"] == 1


def test_search_finds_and_filters(config: Path) -> None:
    pipeline = gm.Pipeline(config=config)
    pipeline.apply()
    hits = pipeline.search("night", k=1, retriever="bm25")["hits"]
    assert [hit["source"] for hit in hits] == ["notes.txt"] and hits[0]["record"]["content"] == "The pump hums at night."
    found = pipeline.search("pump", filter={"source": "guide.md"}, expand=1, budget=100)
    assert {hit["source"] for hit in found["hits"]} == {"guide.md"}
    assert sum(passage["tokens"] for passage in found["passages"]) <= 100
    with pytest.raises(gm.UsageError, match="retriever"):
        pipeline.search("pump", retriever="best")  # type: ignore[arg-type]


def test_guards_stop_what_nobody_meant(config: Path, folder: Path) -> None:
    pipeline = gm.Pipeline(config=config)
    pipeline.apply()
    (folder / "notes.txt").unlink()
    with pytest.raises(gm.GuardError):
        pipeline.apply(max_delete=10)
    assert len(pipeline.documents()) == 2
    assert pipeline.apply(max_delete=50)["files"]["deleted"] == 1
    with pytest.raises(gm.GuardError, match="1 of 1 documents"):
        pipeline.keep([])
    assert pipeline.keep([], max_delete=100)["files"]["deleted"] == 1


def test_rows_are_documents(tmp_path: Path, config: Path) -> None:
    sources = gm.Pipeline(config=config)
    sources.apply()
    pipeline = gm.Pipeline(store={"path": tmp_path / "rows.db"})
    names = ["guide.md", "notes.txt"]
    texts = [(config.parent / "docs" / name).read_text(encoding="utf-8") for name in names]
    table = pyarrow.table({"source": names, "text": texts})
    assert pipeline.ingest_table(table)["files"]["new"] == 2
    assert pipeline.documents() == sources.documents()
    assert pipeline.ingest_table(table.slice(1), gone=["guide.md"])["files"]["deleted"] == 1
    assert [document["source"] for document in pipeline.documents()] == ["notes.txt"]
    with pytest.raises(gm.InputError, match="no source in the row at index 0"):
        pipeline.ingest_table(pyarrow.table({"text": ["x"]}))


def test_it_travels_to_other_processes(config: Path) -> None:
    assert pickle.loads(pickle.dumps(gm.Pipeline(config=config))).plan()["files"]["new"] == 2


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    with pytest.raises(gm.ConfigError, match="nosuch"):
        gm.Pipeline(source=[{"path": str(tmp_path)}], store={"type": "nosuch"}).plan()
    with pytest.raises(gm.UsageError, match="nothing to read"):
        gm.Pipeline(store={"path": tmp_path / "s.db"}).plan()


def test_texts_get_their_vectors() -> None:
    table = pyarrow.table({"text": ["The pump hums.", "", "The pump hums."], "n": [1, 2, 3]})
    made = gm.embed_table(table, vector="v")
    assert isinstance(made, pyarrow.Table) and made.column_names == ["text", "n", "v"]
    assert made.schema.field("v").type == pyarrow.list_(pyarrow.float32())
    first, blank, again = made["v"].to_pylist()
    assert blank is None and first == again and sum(x * x for x in first) == pytest.approx(1, abs=1e-5)
    with pytest.raises(gm.ConfigError, match="nosuch"):
        gm.embed_table(table, embed={"provider": "nosuch"})
    with pytest.raises(gm.UsageError, match="no Arrow table"):
        gm.embed_table(["text"])

"""Arrow tables, from whatever exports them."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
from pyarrow import parquet

import gristmill as gm

from conftest import WHOLE


@pytest.fixture
def table(cut: list[dict[str, Any]]) -> pyarrow.Table:
    """The cut sentence, with a column that nobody knows."""
    return pyarrow.Table.from_pylist([{**row, "weight": float(n)} for n, row in enumerate(cut)])


EXPECTED = {"id": "a", "text": WHOLE, "source": "q3.md", "order": 0, "weight": 0.0, "merged_ids": '["b"]'}


def test_pyarrow(table: pyarrow.Table) -> None:
    clean, report = gm.repair(table)
    assert isinstance(clean, pyarrow.Table) and clean.to_pylist() == [EXPECTED]
    assert report == gm.repair(table.to_pylist())[1]
    assert clean.schema.field("weight").type == pyarrow.float64()


def test_record_batches(table: pyarrow.Table) -> None:
    clean, _ = gm.repair(pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1)))
    assert clean.to_pylist() == [EXPECTED]


def test_polars(table: pyarrow.Table) -> None:
    clean, _ = gm.repair(polars.DataFrame(table))
    assert isinstance(clean, polars.DataFrame) and clean.to_dicts() == [EXPECTED]


def test_pandas(table: pyarrow.Table) -> None:
    clean, _ = gm.repair(table.to_pandas())
    assert isinstance(clean, pandas.DataFrame) and clean.to_dict("records") == [EXPECTED]


def test_duckdb(table: pyarrow.Table) -> None:
    clean, _ = gm.repair(duckdb.sql("from table_view", connection=_with(table)))
    assert hasattr(clean, "__arrow_c_stream__") and len(clean) == 1
    assert pyarrow.table(clean).to_pylist() == [EXPECTED]


def _with(table: pyarrow.Table) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("table_view", table)
    return connection


def test_check_leaves_a_table_alone(table: pyarrow.Table) -> None:
    before = table.to_pylist()
    assert gm.check(table) == gm.check(before)
    assert table.to_pylist() == before


@pytest.mark.parametrize("kind", [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()])
def test_every_type_of_text_keeps_its_type(kind: pyarrow.DataType) -> None:
    table = pyarrow.table({"content": pyarrow.array(["One two. Three four."], kind), "x": [b"\xff"]})
    parts = gm.chunk(table, max=9, unit="chars", overlap=0)
    assert parts.schema.field("content").type == kind
    assert parts["content"].to_pylist() == ["One two.", "Three", "four."]
    assert parts["x"].to_pylist() == [b"\xff"] * 3
    assert parts["chunk_index"].to_pylist() == [0, 1, 2]


def test_rows_of_our_own_files_are_known(tmp_path: Any) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOne two three four five six. Seven eight nine ten.\n")
    gm.curate(tmp_path / "a.md", tmp_path / "a.parquet", max=10, overlap=0, context="none")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.num_rows > 1
    assert gm.check(table).chunks == table.num_rows


def test_facts_of_a_row_count_as_those_of_a_mapping(tmp_path: Any) -> None:
    (tmp_path / "a.md").write_text("# Sales\n\n" + "The revenue of the company grew by 40% year over year. " * 6)
    sizes = {"max": 12, "overlap": 3, "min": 0, "strategy": "fixed"}
    for name in ("a.parquet", "a.jsonl"):
        gm.curate(tmp_path / "a.md", tmp_path / name, **sizes)
    table = parquet.read_table(tmp_path / "a.parquet")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert gm.check(table) == gm.check(rows)
    clean, report = gm.repair(table)
    expected, same = gm.repair(rows)
    assert report == same and report.fixed
    assert clean.schema == table.schema
    for row, other in zip(clean.to_pylist(), expected):
        assert row["content"] == other["content"]
        assert row["normalized_text_hash"] == other["normalized_text_hash"]
        for fact in ("token_count", "char_start", "char_end", "chunk_index", "prev_chunk_id", "content_hash"):
            assert row["metadata"][fact] == other["metadata"][fact], fact
        assert (row["metadata"]["merged_ids"] or []) == other["metadata"].get("merged_ids", [])
    again, second = gm.repair(clean)
    assert again == clean and not second.fixed


def test_metadata_without_a_place_for_it_leave_the_merged_to_a_column(cut: list[dict[str, Any]]) -> None:
    table = pyarrow.Table.from_pylist([{"id": c["id"], "text": c["text"], "metadata": {"source": "q3"}} for c in cut])
    clean, _ = gm.repair(table)
    assert clean.to_pylist() == [{"id": "a", "text": WHOLE, "metadata": {"source": "q3"}, "merged_ids": '["b"]'}]
    again, report = gm.repair(clean)
    assert again == clean and not report.fixed


def test_vectors_of_the_old_text_are_told_of(table: pyarrow.Table) -> None:
    vectors = pyarrow.array([[0.5, 1.0]] * 3, pyarrow.list_(pyarrow.float32(), 2))
    with pytest.warns(gm.GristmillWarning, match="embed them again: 1"):
        clean, _ = gm.repair(table.append_column("embedding", vectors))
    assert clean.num_rows == 1
    with pytest.warns(gm.GristmillWarning, match="embed them again: 1"):
        gm.repair([{**row, "embedding": [0.5, 1.0]} for row in table.to_pylist()])


def test_bytes_that_are_no_unicode_are_told(table: pyarrow.Table) -> None:
    broken = pyarrow.StringArray.from_buffers(
        1, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff")
    )
    with pytest.raises(gm.InputError, match="cannot be used"):
        gm.check(pyarrow.table({"text": ["sound"], "note": broken}))


def test_what_is_no_table_of_chunks_is_told() -> None:
    with pytest.raises(gm.InputError, match="a, b"):
        gm.check(pyarrow.table({"a": [1], "b": [2]}))
    with pytest.raises(gm.InputError, match="index 1"):
        gm.check(pyarrow.table({"text": ["a", None]}))
    with pytest.raises(gm.InputError, match="text"):
        gm.check(pyarrow.table({"text": [1, 2]}))


def test_an_empty_table_is_fine() -> None:
    table = pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
    assert gm.repair(table)[0].num_rows == 0


def test_a_table_can_be_taken_more_than_once(table: pyarrow.Table) -> None:
    ours = gm.Table(table)
    assert pyarrow.table(ours) == pyarrow.table(ours) == table
    with pytest.raises(ValueError, match="no row"):
        ours.take([9])


def test_a_table_becomes_a_table_of_chunks(table: pyarrow.Table) -> None:
    whole = pyarrow.table({"content": ["One two. Three four."], "weight": [1.5]})
    assert gm.chunk_table(whole, max=9, unit="chars", overlap=0) == gm.chunk(whole, max=9, unit="chars", overlap=0)
    with pytest.raises(gm.UsageError, match="Arrow"):
        gm.chunk_table("text")


def test_findings_are_a_table(table: pyarrow.Table) -> None:
    found = gm.scan_table(table, ignore="missing-heading")
    report = gm.check(table, ignore="missing-heading")
    assert isinstance(found, pyarrow.Table) and found.num_rows == len(report)
    for row, finding in zip(found.to_pylist(), report):
        told = (row["rule"], row["severity"], row["chunk_id"], row["index"], row["message"], row["fixable"] == 1)
        assert told == (
            finding.rule, finding.severity, finding.chunk_id, finding.index, finding.message, finding.fixable
        )
    sound = gm.scan_table(table.slice(0, 0))
    assert sound.num_rows == 0 and sound.schema == found.schema

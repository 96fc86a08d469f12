"""Settings compared on questions with evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas
import polars
import pytest

import gristmill as gm

QUESTIONS: list[dict[str, Any]] = [
    {"id": "valve", "question": "what is checked before the start", "quotes": ["Check the valve before you start."]},
    {"id": "dry", "question": "how is it kept", "doc": "guide.md", "quotes": ["Keep it dry."]},
    {"id": "hum", "question": "what hums at night", "quotes": ["The pump hums at night."]},
    {"id": "gone", "question": "who", "quotes": ["A sentence that stands nowhere."]},
]


def test_settings_are_ranked(folder: Path) -> None:
    report = gm.evaluate(folder, QUESTIONS, strategies=["markdown", "fixed"], grid={"max": [60, 300]})
    rows = report.records()
    assert len(rows) == 4 and report["questions"]["asked"] == 3 and report["synthetic"] is None
    assert [left["id"] for left in report.left_out] == ["gone"]
    assert report.chosen in [row["setting"] for row in rows]
    assert all(0 <= row["recall@2048_low"] <= row["recall@2048"] <= row["recall@2048_high"] <= 1 for row in rows)
    # All of both documents fits into 2,048 tokens.
    assert {row["recall@2048"] for row in rows} == {1.0}
    assert repr(report).startswith("<EvalReport: 4 settings, 3 questions, 2 documents")
    assert "recall@2048" in report._repr_html_()


def test_rows_become_data_frames(folder: Path) -> None:
    report = gm.evaluate(folder, QUESTIONS, retrievers=["hybrid", "bm25"])
    frame = report.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 2 and "mrr" in frame.columns
    assert polars.DataFrame(report.records("settings"))["coverage"].to_list() == [1.0, 1.0]
    assert report.records("missing") == [] and report.records("synthetic") == []
    with pytest.raises(gm.UsageError):
        report.records("rank")  # type: ignore[arg-type]


def test_questions_of_a_file_and_those_made_by_rule_stay_apart(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "questions.jsonl"
    place.write_text('{"question": "hum", "quotes": ["The pump hums at night."]}\n', encoding="utf-8")
    page = tmp_path / "page.html"
    report = gm.evaluate(folder, place, synthetic=True, html=page)
    assert report["questions"]["asked"] == 1 and report["synthetic"]["asked"] > 0
    assert page.read_text(encoding="utf-8") == report.html


def test_what_is_wrong_is_told(folder: Path) -> None:
    with pytest.raises(gm.InputError, match="the questions cannot be read"):
        gm.evaluate(folder, "absent.jsonl")
    with pytest.raises(gm.InputError, match="questions:1"):
        gm.evaluate(folder, [{"question": "why"}])
    with pytest.raises(gm.UsageError, match="retriever"):
        gm.evaluate(folder, QUESTIONS, retrievers=["words"])  # type: ignore[list-item]
    with pytest.raises(gm.UsageError, match="taget"):
        gm.evaluate(folder, QUESTIONS, grid="taget=3")

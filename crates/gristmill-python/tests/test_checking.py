"""Checking and repairing."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import gristmill as gm

from conftest import WHOLE


def test_the_report_counts(cut: list[dict[str, Any]]) -> None:
    report = gm.check(cut)
    assert report.chunks == 3
    assert report.count("high") == 2
    assert report.by_rule()["empty-chunk"] == report.by_rule()["mid-sentence-start"] == 1
    assert report.fails("medium") and report.fails("high")
    assert report.count() == len(report) == len(list(report)) == len(report.findings) == sum(report.by_rule().values())
    assert sum(report.by_severity().values()) == len(report)


def test_a_finding_says_what_and_where(cut: list[dict[str, Any]]) -> None:
    (finding,) = [finding for finding in gm.check(cut) if finding.rule == "mid-sentence-start"]
    assert (finding.severity, finding.chunk_id, finding.index, finding.fixable) == ("high", "b", 1, True)
    assert finding.related == ("a",)
    assert "40%" in finding.message
    assert finding.to_dict()["related"] == ["a"]


def test_repair_joins_what_was_cut(cut: list[dict[str, Any]]) -> None:
    before = copy.deepcopy(cut)
    clean, report = gm.repair(cut)
    assert cut == before, "what was given stays as it is"
    assert clean[0].text == WHOLE
    assert clean[0].metadata["merged_ids"] == ["b"]
    assert [chunk["id"] for chunk in clean] == ["a"]
    assert report.chunks == 1 and not report.fails("low")
    assert {finding.rule for finding in report.fixed} >= {"empty-chunk", "mid-sentence-start"}


def test_what_is_fixable_is_gone_after_repair(cut: list[dict[str, Any]]) -> None:
    fixable = {(finding.rule, finding.index) for finding in gm.check(cut) if finding.fixable}
    assert fixable
    clean, report = gm.repair(cut)
    assert report.fixable == 0
    again, second = gm.repair(clean)
    assert again == clean and not second.fixed


def test_repaired_chunks_of_ours_are_up_to_date() -> None:
    words = gm.chunk("# Sales\n\nRevenue grew by 40% year over year. Costs fell.", context="none")
    (whole,) = words
    start = whole.text.index("40%")
    halves = [
        gm.Chunk("1", whole.text[:start].rstrip(), "q3.md", 0, {"heading_path": ["Sales"]}),
        gm.Chunk("2", whole.text[start:], "q3.md", 1, {"heading_path": ["Sales"]}),
    ]
    clean, _ = gm.repair(halves)
    assert [chunk.text for chunk in clean] == [whole.text]
    assert isinstance(clean[0], gm.Chunk) and clean[0].metadata["merged_ids"] == ["2"]


def test_sound_chunks_are_given_back_themselves() -> None:
    chunks = gm.chunk("# Pumps\n\nCheck the valve before you start the pump in the cellar.")
    clean, report = gm.repair(chunks)
    assert clean[0] is chunks[0]
    assert not report.fixed


def test_records_keep_hash_and_counts_true(tmp_path: Any) -> None:
    text = "# Sales\n\nThe revenue of the company grew by 40% year over year, and costs fell by half in the same time."
    chunks = gm.chunk(text, max=12, overlap=0, min=0, strategy="fixed", context="none")
    clean, report = gm.repair(chunks)
    assert report.fixed and len(clean) < len(chunks)
    for place, chunk in enumerate(clean):
        assert chunk.metadata["token_count"] == gm.tokens(chunk.text)
        assert (chunk.order, chunk.metadata["total_chunks"]) == (place, len(clean))


def test_rules_can_be_chosen(cut: list[dict[str, Any]]) -> None:
    assert set(gm.check(cut, select="empty-chunk").by_rule()) == {"empty-chunk"}
    assert "empty-chunk" not in gm.check(cut, ignore=["empty-chunk"]).by_rule()
    with pytest.raises(gm.UsageError) as caught:
        gm.check(cut, select="emty-chunk")
    assert caught.value.hint and "empty-chunk" in caught.value.hint


def test_sizes_can_be_chosen() -> None:
    long = [{"text": "The pump is checked once a year by the keeper of the house. " * 3}]
    assert "oversized-chunk" not in gm.check(long).by_rule()
    assert gm.check(long, max_chars=100).by_rule()["oversized-chunk"] == 1
    assert gm.check(long, max_tokens=10, tokenizer="cl100k_base").fails("high")


def test_a_model_brings_its_limit() -> None:
    long = [{"text": "The pump is checked once a year by the keeper of the house. " * 700}]
    small = "text-embedding-3-small"
    assert gm.tokens(long[0]["text"], "cl100k_base") > 8191
    found = gm.check(long, select="oversized-chunk", max_chars=100_000, model=small)
    assert found.fails("high") and "8191" in found[0].message.replace(",", "")
    assert not gm.check(long, select="oversized-chunk", max_chars=100_000, model=small, max_tokens=10_000)
    with pytest.raises(gm.UsageError, match="bge") as caught:
        gm.repair(long, model="bge")
    assert caught.value.hint and "max_tokens" in caught.value.hint


def test_the_report_is_written_in_every_format(cut: list[dict[str, Any]]) -> None:
    report = gm.check(cut)
    assert str(report).startswith("3 chunks scanned") and "[high] b" in str(report)
    assert json.loads(report.render("sarif"))["version"] == "2.1.0"
    assert report.to_dict()["chunks"] == 3
    assert repr(report).startswith("<Report of 3 chunks: 2 high")
    with pytest.raises(gm.UsageError, match="yaml"):
        report.render("yaml")  # type: ignore[arg-type]
    with pytest.raises(gm.UsageError, match="severe"):
        report.fails("severe")  # type: ignore[arg-type]


def test_a_report_is_seen_in_notebooks(cut: list[dict[str, Any]]) -> None:
    view = gm.check([*cut, {"id": "<b>", "text": "null", "source": "x.md"}])._repr_html_()
    assert view.index("high") < view.index("mid-sentence-start") < view.index("missing-text")
    assert "merge it into chunk <code>a</code>" in view
    assert "&lt;b&gt;" in view and "<b>" not in view
    mended = gm.repair(cut)[1]._repr_html_()
    assert "1 chunk " in mended and "repaired" in mended and "empty-chunk" in mended
    assert "no findings" in gm.check([])._repr_html_() and "<td" not in gm.check([])._repr_html_()


def test_reports_of_sound_chunks_are_false() -> None:
    report = gm.check(gm.chunk("# Pumps\n\nCheck the valve before you start the pump in the cellar."))
    assert not report and len(report) == 0 and not report.fails("info")


def test_no_chunks_are_fine() -> None:
    assert gm.check([]).chunks == 0
    assert gm.repair([])[0] == []


@pytest.mark.parametrize(
    ("chunks", "says"),
    [
        ([{"text": 3}], "index 0"),
        (["fine", {"id": 1}], "index 1"),
        (["\ud800"], "surrogate"),
        (["fine", 3], "index 1"),
        ([{"text": "a", "metadata": []}], "index 0"),
    ],
)
def test_what_is_no_chunk_is_told_with_its_index(chunks: list[Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        gm.check(chunks)


def test_a_single_chunk_is_no_list() -> None:
    for single in ("text", {"text": "text"}, gm.Chunk("a", "text")):
        with pytest.raises(gm.UsageError, match="list"):
            gm.check(single)


def test_texts_know_where_they_came_from(cut: list[dict[str, Any]]) -> None:
    clean, _ = gm.repair([chunk["text"] for chunk in cut])
    assert clean == [WHOLE] and isinstance(clean[0], str)
    assert clean[0].text == WHOLE and clean[0].id == "#0" and clean[0].metadata["merged_ids"] == ["#1"]
    copied = pickle.loads(pickle.dumps(clean[0]))
    assert copied == WHOLE and copied.metadata == clean[0].metadata


def test_parts_of_what_was_split_have_names_of_their_own() -> None:
    long = "The mill stands at the river. It is old.\n\nThe stone is new. It came by boat."
    options: Any = {"select": "oversized-chunk", "max_chars": 45, "unsafe": True}
    texts, report = gm.repair([long, "A mill is here."], **options)
    assert texts == ["The mill stands at the river. It is old.", "The stone is new. It came by boat.", "A mill is here."]
    assert [text.id for text in texts] == ["#0", "#0-2", "#1"]
    assert report.chunks == 3 and [finding.rule for finding in report.fixed] == ["oversized-chunk"]
    chunks, _ = gm.repair([gm.Chunk("a", long, "a.md", 0), gm.Chunk("b", "A mill is here.", "a.md", 1)], **options)
    assert [(chunk.id, chunk.order) for chunk in chunks] == [("a", 0), ("a-2", 1), ("b", 2)]

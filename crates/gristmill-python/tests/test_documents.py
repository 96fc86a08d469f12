"""Reading, cutting and curating."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import gristmill as gm

from conftest import GUIDE


def test_tokens_are_those_of_the_tokenizer() -> None:
    # As `tiktoken` counts them.
    assert gm.tokens("hello world") == 2
    assert gm.tokens("hello world", tokenizer="cl100k_base") == 2
    assert gm.tokens("") == 0


def test_a_document_has_text_blocks_and_sections(folder: Path) -> None:
    document = gm.extract(folder / "guide.md")
    assert (document.title, document.source, document.format) == ("Pump guide", "guide.md", "markdown")
    assert document.metadata == {"title": "Pump guide", "author": "Ada"}
    assert [section.title for section in document.sections] == ["", "Pumps", "Storage"]
    assert document.sections[2].path == ("Pumps", "Storage")
    kinds = [block.kind for block in document.blocks]
    assert kinds == ["heading", "paragraph", "table", "row", "heading", "paragraph"]
    for block in document.blocks:
        assert document.text[slice(*block.span)] == block.text
    assert document.blocks[3].text == "| seal | 4 |"


def test_positions_count_code_points() -> None:
    document = gm.extract("# Überschrift 🙂\n\nEin Äpfel.\n".encode(), name="a.md")
    heading, paragraph = document.blocks
    assert (heading.span, paragraph.span) == ((0, 15), (17, 27))
    assert paragraph.text == "Ein Äpfel."


def test_bytes_need_a_name() -> None:
    with pytest.raises(gm.UsageError, match="name"):
        gm.extract(b"text")


def test_a_text_becomes_chunks() -> None:
    chunks = gm.chunk("# Pumps\n\nCheck the valve.")
    assert [(chunk.text, chunk.order) for chunk in chunks] == [("# Pumps\n\nCheck the valve.", 0)]
    assert chunks[0].metadata["heading_path"] == ["Pumps"]


def test_sizes_are_kept() -> None:
    chunks = gm.chunk("One two three four. " * 30, max=60, unit="chars", overlap=0)
    assert len(chunks) >= 10
    assert all(len(chunk.text) <= 60 for chunk in chunks)
    assert [chunk.order for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_a_document_a_path_and_its_text_are_cut_alike(folder: Path) -> None:
    path = folder / "guide.md"
    by_path = gm.chunk(path, max=60, unit="chars", overlap=0)
    by_document = gm.chunk(gm.extract(path), max=60, unit="chars", overlap=0)
    by_text = gm.chunk(GUIDE, max=60, unit="chars", overlap=0)
    assert by_path == by_document
    assert [chunk.text for chunk in by_text] == [chunk.text for chunk in by_path]


def test_a_list_may_hold_several_kinds(folder: Path) -> None:
    mixed = [folder / "notes.txt", "Plain text.", gm.extract(folder / "notes.txt"), {"content": "Mapped.", "page": 3}]
    first, second, third, fourth = gm.chunk(mixed)
    assert (first.text, second.text, third.text) == ("The pump hums at night.", "Plain text.", "The pump hums at night.")
    assert fourth["content"] == "Mapped." and fourth["page"] == 3 and fourth["order"] == 0


def test_a_folder_gives_the_chunks_of_its_documents(folder: Path) -> None:
    assert [chunk.source for chunk in gm.chunk(folder)] == ["guide.md", "notes.txt"]


def test_texts_of_one_source_have_identities_of_their_own() -> None:
    page = {"text": "The same page.", "source": "book.pdf"}
    one, two = gm.chunk([page, dict(page)])
    assert one["id"] != two["id"]


def test_the_same_call_gives_the_same_chunks() -> None:
    text = GUIDE * 20
    assert gm.chunk(text, max=50, jobs=1) == gm.chunk(text, max=50, jobs=4)


def test_chunks_are_values() -> None:
    (chunk,) = gm.chunk("A <b>text</b>.")
    assert chunk == pickle.loads(pickle.dumps(chunk))
    assert chunk.to_dict()["text"] == "A <b>text</b>."
    assert json.dumps(chunk.to_dict())
    assert repr(chunk).startswith("Chunk(id='") and "metadata" not in repr(chunk)
    assert "A &lt;b&gt;text&lt;/b&gt;." in chunk._repr_html_()


def test_views_of_documents_are_escaped(folder: Path) -> None:
    (folder / "guide.md").write_text("# A <script>\n\nText & more.\n", encoding="utf-8")
    view = gm.extract(folder / "guide.md")._repr_html_()
    assert "<script>" not in view and "Text &amp; more." in view


def test_a_text_that_is_a_file_name_is_warned_of(folder: Path) -> None:
    with pytest.warns(gm.GristmillWarning, match="pathlib.Path"):
        gm.chunk(str(folder / "guide.md"))


def test_settings_that_cannot_hold_are_warned_of() -> None:
    with pytest.warns(gm.GristmillWarning, match="size-lowered"):
        gm.chunk("text", max=100, min=200)


def test_only_a_named_settings_file_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "gristmill.toml").write_text("version = 1\n[chunk]\nmax = 20\nunit = \"chars\"\noverlap = 0\n")
    monkeypatch.chdir(folder)
    text = "One two three. Four five six."
    assert len(gm.chunk(text)) == 1
    assert len(gm.chunk(text, config="gristmill.toml")) == 2


def test_curate_writes_chunks_and_reports(folder: Path, tmp_path: Path) -> None:
    output, report = tmp_path / "out" / "chunks.jsonl", tmp_path / "quality.md"
    seen: list[tuple[int, int, str]] = []
    made = gm.curate(folder, output, report=report, on_progress=lambda *told: seen.append(told))
    records = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    assert len(records) == made.chunks == made["totals"]["chunks"] == 2
    assert [done for done, _, _ in seen] == [1, 2, 3] and {total for _, total, _ in seen} == {3}
    assert report.read_text(encoding="utf-8") == made.markdown
    assert made.markdown.startswith("# Quality report")
    assert not made.failed and "guide.md" in made._repr_html_()
    assert sorted(path.name for path in output.parent.iterdir()) == ["chunks.jsonl"]


def test_curate_does_not_read_what_it_writes(folder: Path) -> None:
    for _ in range(2):
        made = gm.curate(folder, folder / "chunks.json", report=folder / "quality.md")
        assert [document["source"] for document in made["documents"]] == ["guide.md", "notes.txt"]


def test_curate_leaves_the_output_alone_when_nothing_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\0")
    output = tmp_path / "chunks.json"
    output.write_text("old")
    with pytest.raises(gm.InputError, match="binary"):
        gm.curate(tmp_path / "logo.png", output)
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chunks.json", "logo.png"]


def test_curate_takes_the_tables_of_a_settings_file(folder: Path, tmp_path: Path) -> None:
    made = gm.curate(folder / "guide.md", tmp_path / "a.json", enrich={"copy": ["author"]}, max=300)
    (record,) = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert record["metadata"]["attributes"] == {"author": "Ada"}
    used = {setting["name"]: setting["used"] for setting in made["configuration"]}
    assert used["chunk.max"] == 300


def test_topics_end_where_the_threshold_says() -> None:
    text = "The pump moves water. The pump needs power. Bread is made of flour. Bread is baked in an oven. " * 3
    sizes = {"strategy": "semantic", "unit": "words", "max": 60, "target": 60, "min": 0, "overlap": 0}
    fewest, most = (len(gm.chunk(text, topic_threshold=limit, **sizes)) for limit in (-1, "100%"))
    assert fewest < most
    with pytest.raises(gm.ConfigError):
        gm.chunk(text, topic_threshold="5 per cent")


def test_pictures_are_read_where_asked_for(folder: Path) -> None:
    assert gm.extract(folder / "guide.md", ocr="auto", ocr_lang="deu").title == "Pump guide"
    for call in (gm.extract, gm.chunk):
        with pytest.raises(gm.ConfigError):
            call(folder / "guide.md", ocr="auto", ocr_lang="--psm")

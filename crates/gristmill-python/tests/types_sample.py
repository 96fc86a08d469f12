"""A program that uses the package, for a type checker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gristmill as gm

document: gm.Document = gm.extract("a.md")
level: int = document.sections[0].level
chunks: list[gm.Chunk] = gm.chunk(document, max=600, overlap="10%", unit="tokens")
more: list[gm.Chunk] = gm.chunk([Path("a.md"), "text"], config="gristmill.toml")
mapped: list[dict[str, Any]] = gm.chunk([{"text": "a"}], max=3)
report: gm.Report = gm.check(chunks, select=["empty-chunk"], max_chars=400)
clean, left = gm.repair(chunks)
first: gm.Chunk = clean[0]
worst: bool = left.fails("medium")
rules: dict[str, int] = report.by_rule()
messages: list[str] = [finding.message for finding in report]
run: gm.RunReport = gm.curate("docs/", output="chunks.json", report="quality.md", max=300)
scan: gm.Document = gm.extract("scan.pdf", ocr="auto", ocr_lang="eng+deu")
topics: list[gm.Chunk] = gm.chunk(scan, strategy="semantic", topic_threshold="10%", ocr="images")
count: int = gm.tokens(first.text, tokenizer="cl100k_base")
compared: gm.EvalReport = gm.evaluate("docs/", "questions.jsonl", strategies=["markdown"], grid={"target": [200, 400]})
rows: list[dict[str, Any]] = compared.records("ranking")

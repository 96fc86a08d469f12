#!/usr/bin/env python3
"""Draws findings of `gristmill scan` for a reader to judge, each with the text of its document on both sides of the border.

    sample.py --sources DIR --seed 42 --size 200 FOLDER > sample.jsonl

FOLDER holds, for every splitter, its chunks (`NAME.jsonl`) and what scan finds in them (`NAME.scan.json`). The draw goes
round the splitters and languages of each rule in turn, so that the small ones are seen, too; the same finding in the same
chunk of two splitters is taken once. The same files and seed give the same sample.
"""
import argparse
import json
import random
import re
from collections import defaultdict
from pathlib import Path

from borders import Document, locate

# Rules about borders, and the most findings of each. What is left of the sample is of the last one.
QUOTAS = {
    "mid-sentence-end": 2,
    "split-list-item": 10,
    "orphan-table": 20,
    "split-code": 30,
    "split-word": 32,
    "unclosed-fence": 32,
    "mid-sentence-start": None,
}
SHOWN = 40


def language(source):
    found = re.search(r"[/-](en|zh|ko|ja)/", source)
    return found[1] if found else "en"


def read(folder):
    """Chunks by splitter, and findings by rule, splitter and language."""
    chunks, cells = {}, defaultdict(list)
    for path in sorted(folder.glob("*.scan.json")):
        name = path.name.removesuffix(".scan.json")
        rows = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").split("\n") if line.strip()]
        chunks[name] = rows
        for finding in json.loads(path.read_text(encoding="utf-8"))["findings"]:
            if finding["rule"] in QUOTAS:
                cells[finding["rule"], name, language(rows[finding["index"]]["source"])].append(finding)
    return chunks, cells


def draw(chunks, cells, seed, size):
    rng = random.Random(seed)
    picked = []
    for rule, quota in QUOTAS.items():
        keys = sorted(key for key in cells if key[0] == rule)
        for key in keys:
            rng.shuffle(cells[key])
        rng.shuffle(keys)
        wanted = min(quota or size, size - len(picked))
        taken, seen = 0, set()
        while taken < wanted and any(cells[key] for key in keys):
            for key in keys:
                if taken == wanted or not cells[key]:
                    continue
                finding = cells[key].pop()
                same = chunks[key[1]][finding["index"]]["text"], chunks[key[1]][finding["index"] - 1]["text"]
                if same not in seen:
                    seen.add(same)
                    picked.append((key, finding))
                    taken += 1
    return picked


def place(rows, index, document):
    """Where a chunk lies in its document, all chunks before it looked up in turn."""
    first = index
    while first > 0 and rows[first - 1]["source"] == rows[index]["source"]:
        first -= 1
    span, before = None, (0, 0)
    for row in rows[first:index + 1]:
        span = locate(row["text"], document, before)
        before = span or before
    return span


def excerpt(text, at):
    return [text[max(0, at - SHOWN):at], text[at:at + SHOWN]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, help="folder of the documents")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    chunks, cells = read(options.folder)
    for number, ((rule, name, lang), finding) in enumerate(draw(chunks, cells, options.seed, options.size)):
        rows, index = chunks[name], finding["index"]
        document = Document((options.sources / rows[index]["source"]).read_text(encoding="utf-8", errors="replace"))
        span = place(rows, index, document)
        shown = {"number": number, "rule": rule, "splitter": name, "language": lang, "chunk": rows[index]["id"]}
        shown |= {"fixable": finding["fixable"], "message": finding["message"]}
        if span:
            shown["start"] = excerpt(document.text, document.places[span[0]])
            shown["end"] = excerpt(document.text, document.places[span[1] - 1] + 1)
        print(json.dumps(shown, ensure_ascii=False))


if __name__ == "__main__":
    main()

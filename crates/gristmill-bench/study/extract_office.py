#!/usr/bin/env python3
"""Scores Markdown made from office files against reference Markdown, for several tools side by side.

    extract_office.py REFERENCE NAME=FOLDER [NAME=FOLDER ...]

REFERENCE holds <kind>/<file>.md; each FOLDER holds <file>.md or <stem>.md. Needs nothing but Python.

nid   similarity of the words: twice the longest common subsequence over the words of both
head  F1 of the texts of headings, marks and letter case left out
tab   F1 of pairs of neighbouring cells, to the right and below, blank cells left out
Figures are means over the files for which the reference has something to compare.
"""

import re
import sys
from collections import Counter
from pathlib import Path


def words(text):
    text = re.sub(r"<!--.*?-->", " ", text)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", r" \1 ", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r" \1 ", text)
    text = re.sub(r"<br\s*/?>|</?(u|sub|sup|b|i)>", " ", text)
    text = re.sub(r"^\s*\|?[\s:|-]*-[\s:|-]*\|?\s*$", " ", text, flags=re.M)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    text = re.sub(r"^\s*(#+|>|[-*+](?=\s)|\d+[.)](?=\s))", " ", text, flags=re.M)
    return re.findall(r"\w+", text.replace("_", " ").replace("&amp;", "&"))


def common(a, b):
    """Length of the longest common subsequence, bit-parallel (Hyyrö 2004)."""
    places = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    full = (1 << len(a)) - 1
    v = full
    for word in b:
        u = v & places.get(word, 0)
        v = ((v + u) | (v - u)) & full
    return bin(~v & full).count("1")


def nid(reference, text):
    a, b = words(reference), words(text)
    return 2 * common(a, b) / (len(a) + len(b)) if a or b else 1.0


def headings(text):
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1\s*$", "", text, flags=re.M | re.S)
    found = re.findall(r"^#{1,6}\s+(.*?)\s*#*$", text, flags=re.M)
    return Counter(" ".join(words(title)).lower() for title in found)


def cells(line):
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [" ".join(words(" " + cell)) or cell.strip() for cell in re.split(r"(?<!\\)\|", line)]


def pairs(text):
    rows, found = [], Counter()
    for line in text.splitlines() + [""]:
        if line.strip().startswith("|"):
            if not re.fullmatch(r"[\s:|-]+", line):
                rows.append(cells(line))
            continue
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                if cell and x + 1 < len(row) and row[x + 1]:
                    found[(cell, "right", row[x + 1])] += 1
                if cell and y + 1 < len(rows) and x < len(rows[y + 1]) and rows[y + 1][x]:
                    found[(cell, "below", rows[y + 1][x])] += 1
        rows = []
    return found


def f1(reference, found):
    if not reference:
        return None
    hits = sum((reference & found).values())
    return 2 * hits / (sum(reference.values()) + sum(found.values()))


def compare(reference, tools, kinds=None, verbose=True):
    """Prints the means of every kind of file for every tool, and its files. `tools` is a list of names and folders."""
    reference, listed = Path(reference), []
    for kind in kinds or sorted(p.name for p in reference.iterdir() if p.is_dir()):
        scores = {tool: ([], [], []) for tool, _ in tools}
        for path in sorted((reference / kind).glob("*.md")):
            truth = path.read_text(encoding="utf-8")
            for tool, folder in tools:
                name = path.name.removesuffix(".md")
                options = [Path(folder, name + ".md"), Path(folder, Path(name).stem + ".md")]
                made = next((p.read_text(encoding="utf-8") for p in options if p.exists()), None)
                if made is None:
                    continue
                row = nid(truth, made), f1(headings(truth), headings(made)), f1(pairs(truth), pairs(made))
                for score, value in zip(scores[tool], row):
                    if value is not None:
                        score.append(value)
                listed.append((kind, name, tool, row))
        for tool, (n, h, t) in scores.items():
            mean = lambda values: f"{sum(values) / len(values):.3f}" if values else "–"
            if n:
                print(f"{kind:7} {tool:10} files {len(n):2}  nid {mean(n)}  head {mean(h)}  tab {mean(t)}")
    for kind, name, tool, row in listed if verbose else []:
        shown = "  ".join("–    " if value is None else f"{value:.3f}" for value in row)
        print(f"{kind:7} {name:40} {tool:10} {shown}")


if __name__ == "__main__":
    compare(sys.argv[1], [arg.split("=", 1) for arg in sys.argv[2:]])

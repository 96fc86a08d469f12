#!/usr/bin/env python3
"""Scores Markdown made from PDF files against references, for several tools side by side.

    pdf_score.py GOLD NAME=FOLDER [NAME=FOLDER ...]

`pdf.py` runs the tools and calls this.

GOLD holds `STEM--*.md` or `.txt` (reference text), `STEM--*.xml` (tables as in the ICDAR 2013 table competition) or `.csv`
(one table); each FOLDER holds `STEM.md` of one tool. Figures: `nid`, 2 LCS / (n + m) over words; `head`, F1 of the texts of
headings; `tab`, F1 of pairs of cells that are neighbours, empty ones passed over; `hyph`, words still cut by a hyphen and a blank.
"""
import csv
import io
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path


def words(text):
    text = unicodedata.normalize("NFKC", re.sub(r"<!--.*?-->", " ", text, flags=re.S)).replace("\\", "")
    return re.findall(r"\w+", text)


def lcs(a, b):
    """Length of the longest common subsequence, by bits (Hyyrö)."""
    where = {}
    for i, word in enumerate(a):
        where[word] = where.get(word, 0) | 1 << i
    full = (1 << len(a)) - 1
    row = full
    for word in b:
        hit = row & where.get(word, 0)
        row = (row + hit | row - hit) & full
    return len(a) - bin(row).count("1")


def nid(gold, made):
    a, b = words(gold), words(made)
    return 2 * lcs(a, b) / (len(a) + len(b)) if a or b else 1.0


def f1(gold, made):
    gold, made = Counter(gold), Counter(made)
    both = sum((gold & made).values())
    return 2 * both / (sum(gold.values()) + sum(made.values())) if gold or made else None


def headings(text):
    out, fenced = [], False
    for line in text.splitlines():
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        found = None if fenced else re.match(r"#{1,6}\s+(.*)", line)
        if found:
            out.append(" ".join(words(found[1].lower())))
    return [title for title in out if title]


def tables(text):
    out, rows = [], []
    for line in text.splitlines() + [""]:
        line = line.strip()
        if line.startswith("|") and line.count("|") > 1:
            cells = [fold(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not all(re.fullmatch(r":?-*:?", cell) for cell in cells) or not rows:
                rows.append(cells)
        elif rows:
            out.append(rows)
            rows = []
    return out


def fold(cell):
    cell = re.sub(r"<br ?/?>", " ", cell)
    return "".join(words(cell.lower().replace("*", "").replace("_", " "))) or re.sub(r"[\s\\]", "", cell)


def pairs(table):
    """Neighbours to the right and below, over empty cells."""
    out = []
    width = max(map(len, table), default=0)
    grid = [row + [""] * (width - len(row)) for row in table]
    for lines, way in ((grid, ">"), (list(map(list, zip(*grid))), "v")):
        for line in lines:
            full = [cell for cell in line if cell]
            out += [(a, way, b) for a, b in zip(full, full[1:])]
    return out


def xml_tables(path):
    out = []
    for table in ET.parse(path).getroot().iter("table"):
        for region in table.iter("region"):
            cells = {}
            for cell in region.iter("cell"):
                at = int(cell.get("start-row")), int(cell.get("start-col"))
                cells[at] = fold(cell.findtext("content") or "")
            if cells:
                high, wide = max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1
                out.append([[cells.get((r, c), "") for c in range(wide)] for r in range(high)])
    return out


def gold_tables(path):
    if path.suffix == ".xml":
        return xml_tables(path)
    if path.suffix == ".csv":
        return [[[fold(cell) for cell in row] for row in csv.reader(io.StringIO(path.read_text("utf-8")))]]
    return tables(path.read_text("utf-8"))


def cut_words(text):
    """Words that a hyphen at a line's end still cuts."""
    return len(re.findall(r"[a-zäöüß]{2}[-\u2010\u00ad]\s+(?!and |or |und |oder |bzw)[a-zäöüß]{2}|\u00ad", text))


class Gold:
    """One reference and what it can be asked."""

    def __init__(self, path):
        self.stem = "--".join(path.stem.split("--")[:2])
        self.text = path.read_text("utf-8") if path.suffix in (".md", ".txt") else None
        self.heads = headings(self.text) if path.suffix == ".md" else []
        self.pairs = [] if path.suffix == ".txt" else [pair for table in gold_tables(path) for pair in pairs(table)]

    def scores(self, made):
        out = {"nid": nid(self.text, made)} if self.text else {}
        if self.heads:
            out["head"] = f1(self.heads, headings(made))
        if self.pairs:
            out["tab"] = f1(self.pairs, [pair for table in tables(made) for pair in pairs(table)])
        return out


FIGURES = ("nid", "head", "tab")


def row(label, cells):
    shown = ("".join(f"{'' if cell.get(key) is None else format(cell[key], '.3f'):>7}" for key in FIGURES) + " |" for cell in cells)
    return f"{label[:40]:41}|" + "".join(shown)


def report(gold, tools, stems=None):
    """Prints a row for each reference (of the files `stems`, when given) and the means; gives the means by tool."""
    made = {name: [] for name, _ in tools}
    print(f"{'':41}|" + "".join(f"{name[:20]:>21} |" for name, _ in tools))
    print(f"{'':41}|" + ("".join(f"{key:>7}" for key in FIGURES) + " |") * len(tools))
    for reference in map(Gold, sorted(Path(gold).iterdir())):
        if stems is not None and reference.stem not in stems:
            continue
        for name, folder in tools:
            path = Path(folder) / f"{reference.stem}.md"
            text = path.read_text("utf-8", "replace") if path.exists() else ""
            made[name].append(reference.scores(text))
        print(row(reference.stem, [made[name][-1] for name, _ in tools]))
    means = {}
    for name, scores in made.items():
        given = {key: [s[key] for s in scores if key in s] for key in FIGURES}
        means[name] = {key: sum(values) / max(1, len(values)) for key, values in given.items()}
    print(row("mean", [means[name] for name, _ in tools]))
    return means


if __name__ == "__main__":
    report(sys.argv[1], [arg.split("=", 1) for arg in sys.argv[2:]])

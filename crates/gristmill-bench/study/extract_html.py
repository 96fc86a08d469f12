#!/usr/bin/env python3
"""Scores text taken from web pages, for several tools side by side.

    extract_html.py articles GOLD.json NAME=FOLDER …     F1 over runs of four words; GOLD as in article-extraction-benchmark
    extract_html.py segments GOLD.json NAME=FOLDER …     segments that must and must not be in the text
    extract_html.py readability CORPUS NAME=FOLDER …     F1 over runs of four words against expected.html
    extract_html.py structures REFERENCE NAME=FOLDER …   words, cells, items and code lines of the reference that are lost
    extract_html.py trafilatura OUT PAGE …               lets trafilatura read the pages, and says how fast

A FOLDER holds `STEM.md` (Markdown, marks are taken out) or `STEM.txt` of one tool for each page. With `-v` before the
first word, the worst pages are listed.
"""
import html
import json
import re
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path


def plain(markdown):
    """What a reader of the Markdown sees, but for images."""
    text = re.sub(r"!\[((?:\\.|[^\]\\])*)\]\([^)]*\)", " ", markdown)
    text = re.sub(r"(?<!\\)\[((?:\\.|[^\]\\])*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\\[!-/:-@\[-`{-~])|[*`]|~~", lambda mark: (mark[1] or " ")[1:], text)
    return html.unescape(text)


def load(folder, stem, without=None):
    made = Path(folder) / f"{stem}.md"
    if made.exists():
        text = made.read_text()
        return plain(re.sub(r"\A# .*\n", "", text) if without else text)
    made = Path(folder) / f"{stem}.txt"
    return made.read_text() if made.exists() else ""


def shingles(text, n=4):
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[i:i + n]) for i in range(max(1, len(words) - n + 1)))


def match(gold, made):
    a, b = shingles(gold), shingles(made)
    tp = sum((a & b).values())
    return tp, sum(b.values()) - tp, sum(a.values()) - tp


def f1(counts):
    precisions = [tp / (tp + fp) for tp, fp, _ in counts if tp + fp]
    recalls = [tp / (tp + fn) for tp, _, fn in counts if tp + fn]
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return 2 * p * r / (p + r) if p + r else 0.0, p, r


def runs(pairs, name, verbose):
    counts = {stem: match(gold, made) for stem, (gold, made) in pairs.items()}
    score, p, r = f1(list(counts.values()))
    print(f"{name:16} F1 {score:.4f}  precision {p:.4f}  recall {r:.4f}  pages {len(counts)}")
    if verbose:
        worst = sorted(counts.items(), key=lambda item: f1([item[1]])[0])[:verbose]
        for stem, (tp, fp, fn) in worst:
            print(f"    {stem[:12]}  right {tp}  too much {fp}  missing {fn}")


def articles(gold, tools, verbose):
    gold = json.loads(Path(gold).read_text())
    for name, folder in tools:
        for label, without in ((name, False), (f"{name} no title", True)):
            pairs = {stem: (page["articleBody"], load(folder, stem, without)) for stem, page in gold.items()}
            runs(pairs, label, verbose)


def segments(gold, tools, verbose):
    gold = json.loads(Path(gold).read_text())
    fold = lambda text: " ".join(text.split())
    for name, folder in tools:
        tp = fn = fp = tn = 0
        for page, want in gold.items():
            text = fold(load(folder, Path(page).stem))
            for part in want["with"]:
                found = fold(part) in text
                tp, fn = tp + found, fn + (not found)
                if verbose and not found:
                    print(f"    {page} lacks {part!r}")
            for part in want["without"]:
                found = fold(part) in text
                fp, tn = fp + found, tn + (not found)
                if verbose and found:
                    print(f"    {page} keeps {part!r}")
        p, r = tp / (tp + fp), tp / (tp + fn)
        print(f"{name:16} F1 {2 * p * r / (p + r):.4f}  precision {p:.4f}  recall {r:.4f}  accuracy {(tp + tn) / (tp + fn + fp + tn):.4f}")


def readability(corpus, tools, verbose):
    strip = lambda text: html.unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", " ", text, flags=re.S)))
    for name, folder in tools:
        pages = [page for page in sorted(Path(corpus).iterdir()) if (page / "expected.html").exists()]
        runs({p.name: (strip((p / "expected.html").read_text()), load(folder, p.name)) for p in pages}, name, verbose)


def squeezed(markdown):
    """Letters and figures alone; figures above and below the line as others."""
    return re.sub(r"\W+", "", unicodedata.normalize("NFKC", plain(markdown)))


def structures(reference, tools, verbose):
    for name, folder in tools:
        lost = Counter()
        whole = Counter()
        for path in sorted(Path(reference).glob("*.md")):
            stem = path.name.split(".")[0]
            want = re.sub(r"<!--.*?-->", "", path.read_text())
            made = Path(folder) / f"{stem}.md"
            # The texts of images are among what the reference has.
            there = squeezed(made.read_text().replace("![", "["))
            for line in want.splitlines():
                rows = re.match(r"\s*\|", line) and not re.match(r"[\s|:-]*$", line)
                kind = "cell" if rows else "item" if re.match(r"\s*([-*]|\d+\.) ", line) else "heading" if line.startswith("#") else "line"
                for part in line.strip().strip("|").split("|") if rows else [line]:
                    key = squeezed(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", part))
                    whole[kind] += bool(key)
                    if key and key not in there:
                        lost[kind] += 1
                        if verbose:
                            print(f"    {stem} lacks {kind}: {part.strip()[:100]}")
        print(f"{name:16} " + "  ".join(f"{kind} {whole[kind] - lost[kind]}/{whole[kind]}" for kind in sorted(whole)))


def trafilatura(out, pages):
    import trafilatura as tool
    texts = [(Path(page).stem, Path(page).read_bytes()) for page in pages]
    tool.extract(texts[0][1])
    start = time.process_time()
    made = [(stem, tool.extract(page) or "") for stem, page in texts]
    spent = time.process_time() - start
    size = sum(len(page) for _, page in texts)
    print(f"{len(texts) / spent:.1f} CPU pages/s, {size / spent / 1e6:.2f} MB/s")
    for stem, text in made:
        (Path(out) / f"{stem}.txt").write_text(text)


def main():
    args = sys.argv[1:]
    verbose = 12 if args[:1] == ["-v"] else 0
    kind, first, *rest = args[1:] if verbose else args
    if kind == "trafilatura":
        return trafilatura(first, rest)
    tools = [tuple(tool.split("=", 1)) for tool in rest]
    {"articles": articles, "segments": segments, "readability": readability, "structures": structures}[kind](first, tools, verbose)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Counts damage at the borders of chunks, before and after `gristmill fix`, against the documents they were made of.

    borders.py --sources DIR BEFORE.jsonl AFTER.jsonl

Chunks are objects with `text` and `source`, a path below DIR, in the order of the document. Nothing here comes from
gristmill: every chunk is looked up in its document, white space left out, and the document says what stands at its border.
What a repair put in (a path of headings, a header of a table, a line with a fence) is left out for the look-up.

  mid-sentence   the text begins inside a paragraph, list entry or heading where no sentence ends
  in a code line the text begins inside a line of code
  bare rows      rows of a table in chunks that show no header line of that table before them
  open fences    chunks that read alone leave a code block open, or begin or end inside one without its fences
  lost           characters of the documents that chunks showed before and do not show after
"""
import argparse
import bisect
import json
import re
import statistics
from collections import defaultdict
from pathlib import Path

FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)$")
HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")
ENTRY = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
DASHES = re.compile(r"^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
QUIET = re.compile(r"^[ \t]*(?:<[a-zA-Z/!]|:::|\{%|\{\{|\{\*|---+\s*$|===+\s*$|\*\*\*+\s*$|!\[|\[\^?[^\]]+\]:)")
LOST = "\ufffd"
STOPS, WIDE_STOPS = ".!?…", "。！？｡"
CLOSERS = "\"'”’)]}*_`»」』】）》〉~"
ABBREVIATIONS = {"e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "st", "no", "fig", "cf", "approx", "ca", "sec", "inc", "ltd", "prof"}


def opens(line):
    """Mark and length of the fence that a line opens."""
    found = FENCE.match(line)
    if not found or found[1][0] == "`" and "`" in found[2]:
        return None
    return found[1][0], len(found[1])


def closes(line, fence):
    found = FENCE.match(line)
    return bool(found) and found[1][0] == fence[0] and len(found[1]) >= fence[1] and not found[2].strip()


class Document:
    """Lines of a document by kind, and its text without white space."""

    def __init__(self, text):
        self.text = text
        self.blocks = []  # (start, end, kind): text, code, row, quiet
        self.headers = {}  # start of a row -> header line, without white space
        self.read()
        self.starts = [block[0] for block in self.blocks]
        self.places = [at for at, c in enumerate(text) if not c.isspace()]
        self.bare = "".join(text[at] for at in self.places)

    def read(self):
        lines, at = [], 0
        for line in self.text.split("\n"):
            lines.append((at, line))
            at += len(line) + 1
        fence = header = None
        front = bool(lines) and lines[0][1].strip() == "---"
        open_text = False
        for number, (start, line) in enumerate(lines):
            end, kind = start + len(line), "text"
            before = lines[number - 1][1] if number else ""
            if front:
                kind = "quiet"
                front = number == 0 or line.strip() not in ("---", "...")
            elif fence:
                kind = "code"
                fence = None if closes(line, fence) else fence
            elif opens(line):
                kind, fence, header = "code", opens(line), None
            elif not line.strip(" \t>"):
                header, kind = None, None
            elif header is not None and "|" in line:
                kind = "row"
                self.headers[start] = header
            elif "|" in line and DASHES.match(line) and "|" in before and before.strip():
                kind, header = "quiet", squeeze(before)
                if self.blocks and self.blocks[-1][2] == "text":
                    self.blocks[-1] = (*self.blocks[-1][:2], "quiet")
            elif QUIET.match(line):
                kind = "quiet"
            alone = HEADING.match(line) or ENTRY.match(line)
            goes_on = open_text and kind == "text" and not alone and self.blocks and self.blocks[-1][1] == start - 1
            if goes_on:
                self.blocks[-1] = (self.blocks[-1][0], end, "text")
            elif kind:
                self.blocks.append((start, end, kind))
            open_text = kind == "text" and not HEADING.match(line)

    def block(self, at):
        """The block that holds the character at `at`."""
        found = bisect.bisect_right(self.starts, at) - 1
        return self.blocks[found] if found >= 0 and at < self.blocks[found][1] else None

    def in_code(self, at):
        """True when characters of one code block stand on both sides of `at`."""
        def fence_of(place):
            block = self.block(place)
            return block if block and block[2] == "code" else None
        end = at
        while end < len(self.text) and self.text[end].isspace():
            end += 1
        first = at - 1
        while first >= 0 and self.text[first].isspace():
            first -= 1
        if not (fence_of(end) and fence_of(first)):
            return False
        return self.depth(end)

    def depth(self, at):
        """True when a code block is open before the line that holds `at`, or in it after its opening fence."""
        fence = None
        for start, _, kind in self.blocks:
            if start > at:
                break
            if kind != "code":
                continue
            line = self.text[start:self.text.find("\n", start) if "\n" in self.text[start:] else len(self.text)]
            within = start <= at < start + len(line)
            if fence and closes(line, fence):
                if within:
                    return True
                fence = None
            elif fence is None:
                fence = opens(line)
                if within:
                    return at > start + len(line) - len(line.lstrip())
        return fence is not None


def squeeze(text):
    return "".join(text.split())


def sentence_ends(text, start, at):
    """True when a sentence of the block that begins at `start` ends before `at`, or none was begun."""
    left = text[start:at]
    mark = ENTRY.match(left) or re.match(r"[ \t>#]*", left)
    body = left[mark.end():].rstrip()
    right = text[at:].lstrip()
    if not body or not right or not re.search(r"\w", body):
        return True
    gap = left != left.rstrip() or text[at:] != right
    bare = body.rstrip(CLOSERS)
    if not bare:
        return True
    if bare[-1] in WIDE_STOPS or body[-1] in WIDE_STOPS:
        return True
    next_letter = right.lstrip("\"'“‘([{*_`«「『（")[:1]
    if bare[-1] in STOPS:
        wide = next_letter > "\u2e80"
        word = re.search(r"[\w.]*$", bare[:-1])[0].lower()
        short = word in ABBREVIATIONS or len(word) == 1 and word.isalpha()
        code = right[:1] in "`<" or re.match(r"[a-z]+[A-Z_.(]", right)
        return (gap or wide) and not short and (bool(code) or not next_letter.islower())
    # A hard line break ends a line as an author wanted it.
    return "\n" in left[len(left.rstrip()):] and (left.rstrip(" \n") + "  \n" in left or body.endswith(("\\", "<br>", "<br/>")))


def locate(text, document, before):
    """(first, last) places in the bare text, or None. `before` are those of the chunk before."""
    lines = [line for line in text.split("\n") if line.strip()]
    for front, tail in put_in(lines):
        bare = squeeze("".join(lines[front:len(lines) - tail])).strip(LOST)
        # Text that stands twice is looked for where the chunk before ended first.
        for place in (before[1], before[1] + 1):
            if span := find(bare, document, place, only_there=True):
                return span
        if span := find(bare, document, before[0]):
            return span
    return None


def put_in(lines):
    """How many lines at the start and end a repair may have put in: none first."""
    fronts, at = [0], 0
    if lines and re.match(r"\[.*\]$", lines[0]):
        fronts.append(at := 1)
    if len(lines) > at and opens(lines[at]):
        fronts.append(at + 1)
    if len(lines) > at + 1 and DASHES.match(lines[at + 1]):
        fronts.append(at + 2)
    tails = [0, 1] if lines and FENCE.match(lines[-1]) else [0]
    return [(front, tail) for tail in tails for front in fronts if front + tail < len(lines)]


def find(bare, document, after, only_there=False):
    parts = [part for part in re.split(LOST + "+", bare) if part]
    if not parts:
        return None
    found = document.bare.find(parts[0], after, after + len(parts[0]) if only_there else len(document.bare))
    while found >= 0:
        end = found + len(parts[0])
        for part in parts[1:]:
            # One or two characters were lost; where their parts met, none.
            start = next((end + lost for lost in (1, 0, 2) if document.bare.startswith(part, end + lost)), None)
            if start is None:
                break
            end = start + len(part)
        else:
            return found, end
        if only_there:
            return None
        found = document.bare.find(parts[0], found + 1)
    return None


def fences_alone(text, starts_inside):
    """(begins without its fence, ends open) of a text that is read alone."""
    fence, first = None, True
    bad_start = starts_inside
    for line in text.split("\n"):
        if not line.strip():
            continue
        if fence:
            fence = None if closes(line, fence) else fence
        elif opens(line):
            fence = opens(line)
            if first:
                bad_start = False
        first = first and bool(re.match(r"\[.*\]$", line))
    return bad_start, fence is not None


def measure(path, documents):
    figures = defaultdict(int)
    shown, sizes, place = defaultdict(set), [], defaultdict(lambda: (0, 0))
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line.strip():
            continue
        row = json.loads(line)
        text, source = row["text"], row["source"]
        document = documents(source)
        figures["chunks"] += 1
        sizes.append(len(text))
        span = locate(text, document, place[source])
        if span is None:
            note(figures, "not found", bool(text.strip(LOST + " \n")), row["id"])
            continue
        first, last = span
        place[source] = span
        shown[source].update(range(first, last))
        count(figures, text, document, document.places[first], document.places[last - 1] + 1, first, row["id"])
    figures["median"] = int(statistics.median(sizes))
    figures["longest"] = max(sizes)
    return figures, shown


def note(figures, figure, is_so, name):
    if is_so:
        figures[figure] += 1
        figures.setdefault("names", defaultdict(list))[figure].append(name)


def count(figures, text, document, start, end, first, name):
    block = document.block(start)
    if block and first:
        begins = block[0]
        inside = document.text[begins:start].strip(" \t>")
        if block[2] == "text" and inside:
            note(figures, "mid-sentence", not sentence_ends(document.text, begins, start), name)
        if block[2] == "code" and inside:
            note(figures, "in a code line", True, name)
    bad_start, bad_end = fences_alone(text, first > 0 and document.in_code(start))
    note(figures, "open fences", bad_start or bad_end, name)
    lines = [squeeze(line) for line in text.split("\n")]
    for row_start in rows(document, start, end):
        header = document.headers[row_start]
        row = squeeze(document.text[row_start:document.text.find("\n", row_start) % (len(document.text) + 1)])
        at = lines.index(row) if row in lines else len(lines) if row_start > start else 0
        figures["rows"] += 1
        note(figures, "bare rows", header not in lines[:at], name)


def rows(document, start, end):
    for block in document.blocks[max(0, bisect.bisect_right(document.starts, start) - 1):]:
        if block[0] >= end:
            return
        if block[2] == "row" and block[1] > start:
            yield block[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, help="folder of the documents")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--list", metavar="FIGURE", help="name the chunks, too, that count for this figure")
    options = parser.parse_args()
    known = {}

    def documents(source):
        if source not in known:
            text = (options.sources / source).read_text(encoding="utf-8", errors="replace")
            known[source] = Document(text.replace("\r\n", "\n"))
        return known[source]

    (old, was), (new, now) = (measure(path, documents) for path in (options.before, options.after))
    missing = sum(len(places - now[source]) for source, places in was.items())
    print("| figure | before | after | fall |\n|---|---:|---:|---:|")
    for name in ("mid-sentence", "in a code line", "bare rows", "open fences"):
        fall = f"{100 * (1 - new[name] / old[name]):.1f} %" if old[name] else ""
        print(f"| {name} | {old[name]} | {new[name]} | {fall} |")
    for name in ("rows", "chunks", "not found", "median", "longest"):
        print(f"| {name} | {old[name]} | {new[name]} | |")
    print(f"| lost | | {missing} | |")
    if options.list:
        for when, figures in (("before", old), ("after", new)):
            print(f"\n{when}:", *figures.get("names", {}).get(options.list, []), sep="\n")


if __name__ == "__main__":
    main()

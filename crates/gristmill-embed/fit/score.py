#!/usr/bin/env python3
"""How well tables find passages: on one half of the documents of each set for choosing, on the other for telling.

    score.py encode --teacher FOLDER --work FOLDER SET...
    score.py choose --teacher FOLDER --work FOLDER SET...
    score.py fixtures --work FOLDER --new FOLDER --texts FILE
    score.py tell   --teacher FOLDER --work FOLDER --old FOLDER --new FOLDER SET...

A set is a folder with `docs/` and `questions.jsonl` (`question`, `doc`, `spans` in code points, `language`). A question belongs to the
half of its document (even or odd in order of names); it is asked of the passages of all documents of the set. A table is a folder
with a `.bin` and `tokenizer.json`.
"""

import argparse
import json
import math
import re
import struct
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

import fit
from fit import unit

#: Characters of a passage, about.
PASSAGE = {"zh": 250, "zh-Hans": 250, "zh-Hant": 250, "ja": 250, "ko": 330, "th": 600, "ar": 600, "hi": 650}
#: Share of the vectors in the hybrid, as in gristmill-store/src/fusion.rs.
DENSE = 0.3
LEVELS = (1, 5, 10)


class Set:
    def __init__(self, folder, work):
        folder = Path(folder)
        self.name = folder.name.removeprefix("retrieval-")
        lines = [json.loads(line) for line in open(folder / "questions.jsonl", encoding="utf-8")]
        self.language = lines[0]["language"]
        self.passages, places = [], {}
        files = sorted(path.name for path in (folder / "docs").iterdir())
        for file in files:
            places[file] = []
            text = (folder / "docs" / file).read_text(encoding="utf-8")
            for start, end in passages(text, PASSAGE.get(self.language, 750)):
                places[file].append((start, end, len(self.passages)))
                self.passages.append(text[start:end])
        self.questions = [line["question"] for line in lines]
        self.half = np.array([files.index(line["doc"]) % 2 for line in lines])
        self.right = np.zeros((len(lines), len(self.passages)), dtype=bool)
        for row, line in enumerate(lines):
            for start, end, number in places[line["doc"]]:
                self.right[row, number] = any(start < b and a < end for a, b in line["spans"])
        self.documents = np.array([files.index(line["doc"]) for line in lines])
        (work / "sets").mkdir(parents=True, exist_ok=True)
        self.cache = work / "sets" / self.name
        kept = Path(f"{self.cache}.bm25.npy")
        if not kept.exists():
            np.save(kept, bm25(self.passages, self.questions))
        self.bm25 = np.load(kept)

    def teacher(self):
        return [np.load(f"{self.cache}.{what}.npy").astype(np.float64) for what in ("questions", "passages")]


def passages(text, length):
    """Ranges of about `length` characters, cut at line ends, or at sentence ends where a paragraph is longer."""
    cuts = [0] + [match.end() for match in re.finditer(r"\n+|(?<=[.!?؟।])\s+|(?<=[。！？])|(?<=[ก-๛]) ", text)] + [len(text)]
    start = 0
    for before, cut in zip(cuts, cuts[1:]):
        if cut - start > length and before > start:
            yield start, before
            start = before
    if text[start:].strip():
        yield start, len(text)


def words(text):
    """The words of gristmill-store/src/words.rs: folded; scripts without blanks, and Hangul, as pairs of characters."""
    text = unicodedata.normalize("NFKC", text).lower()
    for run in re.findall(r"[\u0e01-\u0e3a\u0e40-\u0e4e]+|[\uac00-\ud7fb\u1100-\u11ff]+|[\u3005-\u3007\u3041-\u309f\u30a1-\u30ff"
                          r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[a-z]*\d+(?:\.\d+)+|(?:(?![\u0e00-\u0e7f\uac00-\ud7fb\u3005-\u30ff"
                          r"\u3400-\u9fff])(?:[^\W_]|[\u0300-\u036f\u0610-\u065f\u0900-\u0903\u093a-\u094f]))+", text):
        if re.match(r"[\u0e00-\u0e7f\uac00-\ud7fb\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]", run) and len(run) > 1:
            yield from (run[i:i + 2] for i in range(len(run) - 1))
        else:
            yield run


def bm25(texts, questions, k1=1.2, b=0.75):
    counts = [Counter(words(text)) for text in texts]
    lengths = np.array([sum(count.values()) for count in counts], dtype=float)
    room = k1 * (1 - b + b * lengths / lengths.mean())
    index = defaultdict(list)
    for number, count in enumerate(counts):
        for word, times in count.items():
            index[word].append((number, times))
    scores = np.zeros((len(questions), len(texts)))
    for row, question in enumerate(questions):
        for word in set(words(question)):
            found = index.get(word, [])
            rare = max(math.log((len(texts) - len(found) + 0.5) / (len(found) + 0.5)), 1e-6)
            for number, times in found:
                scores[row, number] += rare * times * (k1 + 1) / (times + room[number])
    return scores


def standard(scores):
    deviation = scores.std(1, keepdims=True)
    return np.where(deviation > 1e-9, (scores - scores.mean(1, keepdims=True)) / np.maximum(deviation, 1e-9), 0)


def fused(dense, lexical):
    return DENSE * standard(dense) + (1 - DENSE) * standard(lexical)


def hits(scores, right):
    """For each question: found at each level, and nDCG at 10. Of equal scores the earlier passage comes first."""
    order = np.argsort(-scores, axis=1, kind="stable")[:, :max(LEVELS)]
    found = np.take_along_axis(right, order, axis=1)
    gain = 1 / np.log2(np.arange(2, max(LEVELS) + 2))
    best = np.array([gain[:min(n, max(LEVELS))].sum() for n in right.sum(1)])
    columns = [found[:, :level].any(1) for level in LEVELS] + [(found * gain).sum(1) / np.maximum(best, 1e-9)]
    return np.stack(columns, axis=1).astype(float)


def encode(sets, args):
    teacher = fit.Teacher(args.teacher)
    for one in sets:
        began = time.process_time()
        np.save(f"{one.cache}.questions.npy", teacher.vectors(one.questions))
        np.save(f"{one.cache}.passages.npy", teacher.vectors(one.passages))
        texts = len(one.questions) + len(one.passages)
        print(f"{one.name}: {len(one.passages)} passages, {texts / (time.process_time() - began):.0f} texts a second", flush=True)


class Table:
    """A table of the program, read by this program's own means."""

    def __init__(self, folder):
        from tokenizers import Tokenizer

        data = next(Path(folder).glob("*.bin")).read_bytes()
        count, width = struct.unpack_from("<II", data)
        scales = np.frombuffer(data, "<f2", count, 8).astype(np.float32)
        packed = np.frombuffer(data, np.uint8, count * width // 2, 8 + 2 * count).reshape(count, width // 2)
        rows = np.empty((count, width), dtype=np.float32)
        rows[:, 0::2], rows[:, 1::2] = (packed & 15).astype(np.float32) - 8, (packed >> 4).astype(np.float32) - 8
        self.rows = rows * scales[:, None]
        self.tokenizer = Tokenizer.from_file(str(next(Path(folder).glob("tokenizer.json"))))

    def rows_of(self, text):
        # The reference knows the blank only as white space.
        return self.tokenizer.encode(" ".join(text.split()), add_special_tokens=False).ids

    def vectors(self, texts):
        out = np.zeros((len(texts), self.rows.shape[1]))
        for row, text in enumerate(texts):
            ids = np.array(self.rows_of(text), dtype=int)
            ids = ids[ids >= fit.CONTROL]
            if len(ids):
                out[row] = self.rows[ids].sum(0)
        return unit(out)


def choose(sets, args):
    """Half A: means over sets of nDCG@10, of the vectors alone and of the hybrid, for each way to make a table."""
    work = Path(args.work)
    vocabulary = fit.Vocabulary(args.teacher)
    texts, targets, alone = fit.taught(work)
    chance = vocabulary.chance()
    bags = {}
    print("| rows | thai | arabic | a | ridge | dimensions | bits | fit | " + " | ".join(s.name for s in sets) + " | mean |")
    print("| --- " * (9 + len(sets)) + "|", flush=True)
    for line in args.ways.split(";"):
        rows, thai, arabic, a, ridge, dimensions, bits = (json.loads(x) for x in line.split(","))
        kept = vocabulary.keep(rows, thai, arabic)
        key = (rows, thai, arabic)
        if key not in bags:
            tokenizer = vocabulary.tokenizer(kept)
            bags.clear()
            bags[key] = fit.bags(tokenizer, texts, len(chance)), [
                [fit.bags(tokenizer, what, len(chance)) for what in (s.questions, s.passages)] for s in sets]
        bag, asked = bags[key]
        made, share = fit.table(bag, targets, alone, a / (a + chance), ridge, fit.CHOSEN["steps"], dimensions)
        mask = np.zeros(len(chance))
        mask[kept] = 1
        made *= mask[:, None]
        made = fit.quantised(made)[2] if bits == 4 else made
        figures = []
        for one, (q, p) in zip(sets, asked):
            dense = unit(q @ made) @ unit(p @ made).T
            own = one.half == 0
            figures.append([hits(dense[own], one.right[own])[:, 3].mean(),
                            hits(fused(dense, one.bm25)[own], one.right[own])[:, 3].mean()])
        cells = [f"{d:.3f} {h:.3f}" for d, h in [*figures, np.mean(figures, axis=0)]]
        print(f"| {len(kept)} | {thai} | {arabic} | {a} | {ridge} | {dimensions} | {bits} | {share:.3f} | " + " | ".join(cells) + " |",
              flush=True)


def bounds(differences, documents):
    """The range of 95 % of 2,000 draws of documents, of a mean of differences."""
    chance = np.random.default_rng(1)
    names = np.unique(documents)
    sums = np.array([differences[documents == name].sum() for name in names])
    sizes = np.array([(documents == name).sum() for name in names])
    if len(names) < 6:
        # Too few documents to draw from: questions are drawn.
        sums, sizes = differences, np.ones(len(differences))
    draws = chance.integers(0, len(sums), (2000, len(sums)))
    means = sums[draws].sum(1) / sizes[draws].sum(1)
    return np.quantile(means, [0.025, 0.975])


def tell(sets, args):
    """Half B: the old table, the new one, and the teacher."""
    old, new = Table(args.old), Table(args.new)
    print("| set | language | passages | questions | BM25 | old alone | new alone | teacher alone | old hybrid | new hybrid | teacher hybrid | "
          "new − old, alone | new − old, hybrid |")
    print("| --- " * 13 + "|")
    for one in sets:
        own = one.half == 1
        right, lexical = one.right[own], one.bm25[own]
        dense = {"old": old.vectors, "new": new.vectors}
        asked = [question for question, is_own in zip(one.questions, own) if is_own]
        dense = {name: vectors(asked) @ vectors(one.passages).T for name, vectors in dense.items()}
        if Path(f"{one.cache}.passages.npy").exists():
            q, p = one.teacher()
            dense["teacher"] = unit(q[own]) @ unit(p).T
        alone = {name: hits(scores, right) for name, scores in dense.items()}
        both = {name: hits(fused(scores, lexical), right) for name, scores in dense.items()}
        show = lambda found: " / ".join(f"{x:.3f}" for x in found.mean(0))  # noqa: E731
        cells = [one.name, one.language, str(len(one.passages)), str(int(own.sum())), show(hits(lexical, right))]
        cells += [show(found[name]) if name in found else "–" for found in (alone, both) for name in ("old", "new", "teacher")]
        for found in (alone, both):
            gain = found["new"][:, 3] - found["old"][:, 3]
            low, high = bounds(gain, one.documents[own])
            cells.append(f"{gain.mean():+.3f} ({low:+.3f} to {high:+.3f})")
        print("| " + " | ".join(cells) + " |", flush=True)


def fixtures(_, args):
    """Rows and the beginning of the vector of each text of the tests, by this program's own means."""
    made = Table(args.new)
    path = Path(args.texts)
    entries = []
    for entry in json.loads(path.read_text(encoding="utf-8")):
        text = entry["text"]
        vector = [round(float(x), 6) for x in made.vectors([text])[0][:8]]
        entries.append({"text": text, "ids": made.rows_of(text), "vector": vector})
    body = ",\n".join("  " + json.dumps(entry, ensure_ascii=False) for entry in entries)
    path.write_text(f"[\n{body}\n]\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in (("encode", encode), ("choose", choose), ("tell", tell), ("fixtures", fixtures)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--work", required=True)
        command.add_argument("--teacher")
        command.add_argument("sets", nargs="*")
        if name == "tell":
            command.add_argument("--old", required=True)
        if name in ("tell", "fixtures"):
            command.add_argument("--new", required=True)
        if name == "fixtures":
            command.add_argument("--texts", required=True, help="a file of tests, whose texts stay")
        if name == "choose":
            command.add_argument("--ways", required=True, help="ROWS,THAI,ARABIC,A,RIDGE,DIMENSIONS,BITS;…")
    args = parser.parse_args()
    args.run([Set(folder, Path(args.work)) for folder in args.sets], args)


if __name__ == "__main__":
    sys.exit(main())

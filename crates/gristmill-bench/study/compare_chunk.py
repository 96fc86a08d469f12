#!/usr/bin/env python3
# /// script
# dependencies = [
#     "chonkie==1.7.0",
#     "semchunk==4.1.1",
#     "semantic-text-splitter==0.33.1",
#     "langchain-text-splitters==1.1.3",
#     "llama-index-core==0.14.25",
#     "tiktoken==0.14.0",
#     "bpe-openai==0.1.4",
# ]
# ///
"""Markdown cut into chunks of 512 tokens of `cl100k_base`, without overlap, by gristmill and by public splitters.

    compare_chunk.py GRISTMILL CORPORA WORK

Speed: megabytes in a second of the processor. gristmill's is that of the whole command on one thread: start, listing and
reading of files, cleaning, cutting, hashing and writing of records. Those of the others hold the work alone, without start,
imports, reading and writing. The first line is the fastest public tokenizer alone, which cuts nothing; as a crate, without
Python's lists, it is in `cargo bench -p gristmill-bench`. All run once before, then in turn, five times; medians are shown.
Once more with eight copies of the files, where the start of the command weighs less: beside the tokenizer, and two threads
beside one by the clock.

Quality: what stands at the borders, by `borders.py`, which looks every chunk up in its document. Chunks above the bound are
counted by tiktoken. What the splitters call headings is not compared here. Chunks are not found in their documents where a
splitter puts something in; gristmill repeats the text of a link whose address is above the bound on its own.
"""
import importlib.metadata
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import borders

MAX = 512
ROUNDS = 5
COUNTER = "bpe-openai"
COPIES = 8


def tiktoken_of():
    """tiktoken's vocabulary comes from the copy that llama-index-core carries: nothing is downloaded."""
    import importlib.util
    for folder in importlib.util.find_spec("llama_index").submodule_search_locations:
        os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(folder) / "core/_static/tiktoken_cache")
    import tiktoken
    return tiktoken.get_encoding("cl100k_base")


def by_chonkie(encoding):
    from chonkie import RecursiveChunker
    from chonkie.types import RecursiveLevel, RecursiveRules
    # The shape of its Markdown recipe, which it would download.
    marks = [["\n# ", "\n## ", "\n### ", "\n#### "], ["\n\n", "\n```"], ["\n"], [". ", "! ", "? ", "。", "！", "？"]]
    levels = [RecursiveLevel(delimiters=mark, include_delim="next" if mark is marks[0] else "prev") for mark in marks]
    rules = RecursiveRules(levels=[*levels, RecursiveLevel(whitespace=True), RecursiveLevel()])
    chunker = RecursiveChunker(encoding, chunk_size=MAX, rules=rules)
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def by_semchunk(encoding):
    import semchunk
    return semchunk.chunkerify(lambda text: len(encoding.encode_ordinary(text)), MAX)


def by_text_splitter(encoding):
    import semantic_text_splitter
    return semantic_text_splitter.MarkdownSplitter.from_tiktoken_model("gpt-4", MAX).chunks


def by_langchain(encoding):
    from langchain_text_splitters import MarkdownTextSplitter
    made = MarkdownTextSplitter.from_tiktoken_encoder(encoding_name="cl100k_base", chunk_size=MAX, chunk_overlap=0)
    return made.split_text


def by_llama_index(encoding):
    from llama_index.core import Document
    from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
    by_headings = MarkdownNodeParser()
    by_size = SentenceSplitter(chunk_size=MAX, chunk_overlap=0, tokenizer=encoding.encode_ordinary)

    def cut(text):
        nodes = by_size.get_nodes_from_documents(by_headings.get_nodes_from_documents([Document(text=text)]))
        return [node.get_content() for node in nodes]
    return cut


PEERS = {
    "chonkie": (by_chonkie, "RecursiveChunker, rules for Markdown"),
    "semchunk": (by_semchunk, "chunkerify"),
    "semantic-text-splitter": (by_text_splitter, "MarkdownSplitter"),
    "langchain-text-splitters": (by_langchain, "MarkdownTextSplitter"),
    "llama-index-core": (by_llama_index, "MarkdownNodeParser, then SentenceSplitter"),
}


def by_counter(_):
    import bpe_openai
    encoding = bpe_openai.get_encoding("cl100k_base")
    return lambda text: [str(len(encoding.encode_ordinary(text)))]


def stage(corpora, folder, copy=""):
    """The Markdown of every set, as one folder."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for place in sorted(corpora.glob("md-*")):
        for path in sorted(place.rglob("*.md")):
            data = path.read_bytes()
            name = f"{copy}{place.name}--{'--'.join(path.relative_to(place).parts)}"
            (folder / name).write_bytes(data)
            sizes[name] = len(data)
    return sizes


def ours(program, folder, out, threads=1):
    """Processor seconds and seconds of the command; chunks go to `out`."""
    made = out.with_suffix(".records")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "chunk", str(folder), "-j", str(threads), "--max", str(MAX), "--overlap", "0", "--context", "none",
               "--tokenizer", "cl100k_base", "--format", "jsonl", "--quiet", "-o", str(made)]
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    passed = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with made.open() as records, out.open("w") as rows:
        for number, line in enumerate(records):
            record = json.loads(line)
            row = {"id": number, "text": record["content"], "source": record["metadata"]["source"]}
            rows.write(json.dumps(row) + "\n")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, passed


def theirs(tool, folder, out):
    command = [sys.executable, __file__, "--peer", tool, str(folder), str(out)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1])


def peer(tool, folder, out):
    """The work of a process of its own: it writes chunks and prints its processor seconds."""
    cut = by_counter(None) if tool == COUNTER else PEERS[tool][0](tiktoken_of())
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir())}
    cut(next(iter(texts.values())))
    begun = time.process_time()
    made = {name: list(cut(text)) for name, text in texts.items()}
    spent = time.process_time() - begun
    with Path(out).open("w") as rows:
        number = 0
        for name, chunks in made.items():
            for text in chunks:
                rows.write(json.dumps({"id": number, "text": text, "source": name}) + "\n")
                number += 1
    print(spent)


def quality(tool, out, folder, encoding):
    known = {}

    def documents(source):
        if source not in known:
            text = (folder / source).read_text(encoding="utf-8", errors="replace")
            known[source] = borders.Document(text.replace("\r\n", "\n"))
        return known[source]

    figures, _ = borders.measure(out, documents)
    rows = [json.loads(line)["text"] for line in out.read_text().split("\n") if line]
    above = sum(len(encoding.encode_ordinary(text)) > MAX for text in rows)
    names = ("chunks", "mid-sentence", "in a code line", "bare rows", "open fences", "not found")
    return [figures[name] for name in names] + [above]


def of_copies(program, folder, out, megabytes):
    one, two, clock, alone = [], [], [], []
    for _ in range(ROUNDS):
        seconds, passed = ours(program, folder, out)
        one.append(seconds)
        clock.append(passed)
        two.append(ours(program, folder, out, 2)[1])
        alone.append(theirs(COUNTER, folder, out))
    one, two, clock, alone = map(statistics.median, (one, two, clock, alone))
    print(f"\n{COPIES} copies, {megabytes:.1f} MB: gristmill {megabytes / one:.2f} MB/s of the processor, {COUNTER} "
          f"{megabytes / alone:.2f}, {alone / one:.2f} times as fast; by the clock {clock:.2f} s with one thread, {two:.2f} s with two, "
          f"{clock / two:.2f} times as fast")


def main():
    program, corpora, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    folder, copies = work / "in", work / "copies"
    for old in (folder, copies):
        shutil.rmtree(old, ignore_errors=True)
    sizes = stage(corpora, folder)
    for copy in range(COPIES):
        stage(corpora, copies, f"{copy}--")
    megabytes = sum(sizes.values()) / 1e6
    encoding = tiktoken_of()
    spent = defaultdict(list)
    for round in range(ROUNDS + 1):
        seconds, _ = ours(program, folder, work / "gristmill.jsonl")
        if round:
            spent["gristmill"].append(seconds)
        for tool in (COUNTER, *PEERS):
            seconds = theirs(tool, folder, work / f"{tool}.jsonl")
            if round:
                spent[tool].append(seconds)
    own = statistics.median(spent["gristmill"])
    print(f"{len(sizes)} Markdown files, {megabytes:.2f} MB; at most {MAX} tokens of cl100k_base, no overlap\n")
    print("| | MB/s of the processor | its seconds, in those of gristmill | chunks | begin inside a sentence | inside a line of code "
          "| rows without header | open fences | not found in the document | above the bound |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for tool in (COUNTER, "gristmill", *PEERS):
        seconds = statistics.median(spent[tool])
        what = {COUNTER: "tokens alone, no chunks"}.get(tool) or PEERS.get(tool, ("", ""))[1]
        name = "gristmill, whole command" if tool == "gristmill" else f"{tool} {importlib.metadata.version(tool)}: {what}"
        cells = [f"{megabytes / seconds:.2f}", f"{seconds / own:.2f}"]
        if tool != COUNTER:
            cells += [f"{count:,}" for count in quality(tool, work / f"{tool}.jsonl", folder, encoding)]
        print(f"| {name} | {' | '.join(cells)} |" + " |" * (9 - len(cells)))
    of_copies(program, copies, work / "copies.jsonl", megabytes * COPIES)


if __name__ == "__main__":
    peer(*sys.argv[2:]) if sys.argv[1:2] == ["--peer"] else main()

#!/usr/bin/env python3
"""What keeping a store in step costs, beside CocoIndex, LangChain and LlamaIndex, with a model that costs no time.

    ingest.py --ours EXAMPLE [--peers FOLDER] [--work FOLDER] [--files 5000] [--bytes 50000000] [--corpora FOLDER]
              [--gristmill BINARY] [--plan 10000,100000,1000000]

EXAMPLE is what `cargo build --release -p gristmill-bench --example ingest` makes. The tree is made of the Markdown of the
corpora with small changes, so that no two files are equal; without corpora, of made-up text. Each program does six runs
over a tree of its own: the first; nothing changed; 1 % of the files with a sentence more in one paragraph; 20 files moved;
20 deleted and 20 added; all times of change set anew. Seconds are those of the processor and of the clock, memory the
most of the process, both as the system tells of a program that has ended. The others are installed from the package
index into folders of their own below PEERS; one that cannot be is named as not measured. With a BINARY, `gristmill plan` is
measured over stores of so many chunks, with the model inside the program. Standard library only.
"""
import argparse
import json
import os
import platform
import random
import shutil
import subprocess
import sys
from pathlib import Path

import ingest_plan

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
PHASES = ["first", "nothing changed", "1 % changed", "20 moved", "20 deleted, 20 added", "times only"]
CHARACTERS = 2000
WORDS = "index chunk record stream vector schema tenant window policy branch module kernel".split()
PEERS = {
    "CocoIndex": ("ingest_cocoindex.py", "cocoindex", ["cocoindex==1.0.26", "numpy"]),
    "LangChain index()": (
        "ingest_langchain.py",
        "langchain-core",
        ["langchain-core==1.8.3", "langchain-classic==1.0.8", "langchain-text-splitters", "greenlet"],
    ),
    "LlamaIndex IngestionPipeline": ("ingest_llama_index.py", "llama-index-core", ["llama-index-core==0.14.25"]),
}


def sources(corpora: Path) -> list[str]:
    paths = sorted(path for folder in sorted(corpora.glob("md-*")) for path in folder.rglob("*.md"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    texts = [text for text in texts if 1500 <= len(text.encode()) <= 60_000]
    if texts:
        return texts
    rnd = random.Random(3)
    sentence = lambda: " ".join(rnd.choice(WORDS) for _ in range(12)).capitalize() + "."
    section = lambda n: f"## Part {n}\n\n" + "\n\n".join(" ".join(sentence() for _ in range(5)) for _ in range(4))
    return ["# Title\n\n" + "\n\n".join(section(n) for n in range(rnd.randrange(1, 12))) for _ in range(300)]


def varied(text: str, rnd: random.Random) -> str:
    """Half of the paragraphs that are prose get other words here and there."""
    paragraphs = text.split("\n\n")
    for at, paragraph in enumerate(paragraphs):
        if rnd.random() < 0.5 and len(paragraph) > 80 and "```" not in paragraph:
            words = paragraph.split(" ")
            for _ in range(max(1, len(words) // 40)):
                words[rnd.randrange(len(words))] = rnd.choice(WORDS)
            paragraphs[at] = " ".join(words)
    return "\n\n".join(paragraphs)


def make(tree: Path, texts: list[str], files: int, size: int) -> int:
    rnd, written = random.Random(7), 0
    for number in range(files):
        small = written > size / files * number
        for _ in range(50):
            text = rnd.choice(texts)
            if (len(text.encode()) < size / files) == small:
                break
        path = tree / f"s{number % 50:02}" / f"doc{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = f"# Document {number}\n\n{varied(text, rnd)}".encode()
        path.write_bytes(body)
        written += len(body)
    return written


def change(tree: Path, phase: str) -> None:
    paths = sorted(tree.rglob("*.md"))
    rnd = random.Random(11)
    some = rnd.sample(paths, min(len(paths), max(40, len(paths) // 100)))
    if phase == "1 % changed":
        for path in some[: len(paths) // 100]:
            paragraphs = path.read_text(encoding="utf-8").split("\n\n")
            middle = len(paragraphs) // 2
            paragraphs[middle] += f"\nA sentence more, with the number {rnd.randrange(10**9)}."
            path.write_text("\n\n".join(paragraphs), encoding="utf-8")
    elif phase == "20 moved":
        (tree / "moved").mkdir()
        for path in some[:20]:
            path.rename(tree / "moved" / path.name)
    elif phase.startswith("20 deleted"):
        for number, path in enumerate(some[:40]):
            if number < 20:
                path.unlink()
            else:
                new = tree / "moved" / f"new{number}.md"
                new.write_text(f"# New {number}\n\n{varied(path.read_text(encoding='utf-8'), rnd)}", encoding="utf-8")
    elif phase == "times only":
        for path in paths:
            os.utime(path)


def timed(command: list[str]) -> dict:
    """What a command printed last, as JSON, with its seconds and megabytes."""
    printed, told = ingest_plan.run(command)
    return json.loads(printed.strip().splitlines()[-1]) | told


def installed(folder: Path, package: str, wanted: list[str]) -> tuple[Path, str] | None:
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    got = subprocess.run([python, "-m", "pip", "install", "-q", *wanted], capture_output=True)
    if got.returncode != 0:
        return None
    tell = f"import importlib.metadata as m; print(m.version('{package}'))"
    return python, subprocess.run([python, "-c", tell], capture_output=True, text=True, check=True).stdout.strip()


def measure(name: str, command, original: Path, work: Path) -> list[str]:
    tree, state = work / "tree", work / "state"
    shutil.rmtree(state, ignore_errors=True)
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(original, tree)
    state.mkdir()
    cells = []
    for phase in PHASES:
        change(tree, phase)
        told = timed(command(tree, state))
        cells.append(f"{told['cpu']:.2f} / {told['wall']:.2f} / {told['peak']:.0f} / {told['embedded']:,}")
        print(f"{name}, {phase}: {cells[-1]}", file=sys.stderr, flush=True)
    shutil.rmtree(tree)
    shutil.rmtree(state)
    return cells


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} × {named[0] if named else platform.machine()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, type=Path)
    parser.add_argument("--peers", type=Path, default=PROJECT / "target" / "peers")
    parser.add_argument("--work", type=Path, default=PROJECT / "target" / "ingest-study")
    parser.add_argument("--corpora", type=Path, default=PROJECT.parent / "shared" / "corpora")
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--bytes", type=int, default=50_000_000)
    parser.add_argument("--gristmill", type=Path)
    parser.add_argument("--plan", default="10000,100000,1000000")
    given = parser.parse_args()
    work = given.work.resolve() / "run"
    shutil.rmtree(work, ignore_errors=True)
    ours = str(given.ours.resolve())
    written = make(work / "original", sources(given.corpora), given.files, given.bytes)
    size = str(CHARACTERS)
    programs = [
        (f"gristmill, {CHARACTERS:,} characters", lambda tree, state: [ours, str(tree), str(state / "s.db"), size]),
        ("gristmill, its defaults", lambda tree, state: [ours, str(tree), str(state / "s.db")]),
    ]
    missing = []
    for name, (script, package, wanted) in PEERS.items():
        found = installed(given.peers / package, package, wanted)
        if found is None:
            missing.append(name)
            continue
        head = [str(found[0]), str(HERE / script)]
        command = lambda tree, state, head=head: [*head, str(tree), str(state), size]
        programs.append((f"{name} {found[1]}", command))
    rows = [(name, measure(name, command, work / "original", work)) for name, command in programs]
    load = os.getloadavg()[0]
    print(f"{given.files:,} files, {written / 1e6:.1f} MB; {processor()}; {platform.system()}, Python "
          f"{platform.python_version()}; load {load:.1f}\n")
    print("| CPU s / clock s / peak MB / texts embedded | " + " | ".join(PHASES) + " |")
    print("|---" * (len(PHASES) + 1) + "|")
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(cells) + " |")
    for name in missing:
        print(f"| {name} | not measured: it could not be installed" + " | " * len(PHASES) + "|")
    if given.gristmill:
        print()
        ingest_plan.table(str(given.gristmill.resolve()), work, [int(size) for size in given.plan.split(",")])
    shutil.rmtree(work)


if __name__ == "__main__":
    main()

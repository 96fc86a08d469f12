"""What `gristmill plan` costs when nothing has changed, by the number of chunks in the store."""
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

SECTIONS = 20
WORDS = "index chunk record stream vector schema tenant window policy branch module kernel table cursor".split()
# A section is a chunk: two of them are above the limit.
SIZES = ["--unit", "chars", "--max", "600", "--target", "600", "--min", "0", "--overlap", "0"]


def run(command: list[str]) -> tuple[str, dict]:
    """What a command printed, and its seconds and megabytes as the system tells of a program that has ended."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"failed: {' '.join(command)}")
    cpu = usage.ru_utime + usage.ru_stime
    return printed, {"cpu": cpu, "wall": time.perf_counter() - begun, "peak": usage.ru_maxrss / 1024}


def section(number: int, rnd: random.Random) -> str:
    words = " ".join(rnd.choice(WORDS) for _ in range(70))
    return f"## Section {number}\n\n{words.capitalize()}, said with the number {rnd.randrange(10**12)}.\n"


def make(tree: Path, chunks: int, sections: int = SECTIONS) -> int:
    """Documents of so many chunks each; gives their bytes."""
    rnd, written = random.Random(5), 0
    for number in range(chunks // sections):
        path = tree / f"s{number // 500:04}" / f"doc{number:06}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = "\n".join(section(n, rnd) for n in range(sections)).encode()
        path.write_bytes(body)
        written += len(body)
    return written


def row(gristmill: str, work: Path, chunks: int) -> str:
    """One line of the table."""
    tree, store = work / "plan-tree", work / "plan-store" / "s.db"
    written = make(tree, chunks)
    size = ["--store", str(store), "--format", "json", *SIZES]
    told, first = run([gristmill, "ingest", str(tree), *size])
    stored = json.loads(told)["chunks"]["embedded"]
    told, plan = run([gristmill, "plan", str(tree), *size])
    unchanged = json.loads(told)["files"]["unchanged"]
    if json.loads(told)["documents"] or unchanged != chunks // SECTIONS:
        sys.exit(f"the plan is not empty: {told[:500]}")
    _, again = run([gristmill, "ingest", str(tree), *size])
    megabytes = sum(path.stat().st_size for path in store.parent.iterdir()) / 1e6
    shutil.rmtree(tree)
    shutil.rmtree(store.parent)
    cell = lambda told: f"{told['cpu']:.2f} / {told['wall']:.2f} / {told['peak']:.0f}"
    return (f"| {stored:,} | {unchanged:,} | {written / 1e6:.0f} | {megabytes:,.0f} | {cell(first)} | {cell(plan)} "
            f"| {plan['cpu'] / stored * 1e6:.2f} | {cell(again)} |")


def table(gristmill: str, work: Path, sizes: list[int]) -> None:
    print("| chunks | documents | MB of text | MB of store | first ingest, CPU s / clock s / peak MB | plan | plan, CPU µs a "
          "chunk | ingest, nothing changed |")
    print("|---:" * 8 + "|", flush=True)
    for chunks in sizes:
        print(row(gristmill, work, chunks), flush=True)

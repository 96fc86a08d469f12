#!/usr/bin/env python3
"""How long `gristmill scan` and `fix` take over made-up chunk sets, and chunklint beside them where it is named.

    speed.py --gristmill BINARY [--chunklint BINARY] [--sizes 1000,20000] TEXT...

Chunks of 2,000 characters are made of words of the TEXT files; every twentieth is a copy of an earlier one with a word more.
chunklint compares all pairs: it runs on sizes it can finish (125, 250, 500), and its time for the others is extrapolated from
the last by the square of the size. Times are those of the processor. Standard library only.
"""
import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def write(path: Path, count: int, words: list[str], paragraphs: list[str]) -> None:
    random.seed(7)
    kept: list[str] = []
    with path.open("w", encoding="utf-8") as out:
        for n in range(count):
            if n % 20 == 19:
                copy = random.choice(kept[-5000:]).split(" ")
                at = random.randrange(len(copy))
                copy[at] += " indeed"
                text = " ".join(copy)
            else:
                chosen = [random.choice(words) for _ in range(300)]
                for at in range(12, 300, 13):
                    chosen[at] = chosen[at].rstrip(".,;:") + "."
                text = " ".join(chosen)
                if n % 3 == 0:
                    text = random.choice(paragraphs)[:900] + "\n\n" + text[:1100]
            text = text[:2000]
            kept.append(text)
            if len(kept) > 6000:
                del kept[:1000]
            chunk = {"id": f"c{n}", "text": text, "source": f"d{n // 40}.md", "order": n % 40}
            out.write(json.dumps(chunk, ensure_ascii=False) + "\n")


def timed(*command: str) -> tuple[float, float]:
    """Processor seconds and the most memory in MB of a command and what it starts."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gristmill", required=True)
    parser.add_argument("--chunklint")
    parser.add_argument("--sizes", default="1000,20000")
    parser.add_argument("texts", nargs="+", type=Path)
    given = parser.parse_args()
    text = "\n\n".join(path.read_text(encoding="utf-8", errors="replace") for path in given.texts)
    words = text.split()
    paragraphs = [p for p in text.split("\n\n") if len(p) > 200] or [text]
    with tempfile.TemporaryDirectory() as folder:
        sizes = [int(size) for size in given.sizes.split(",")]
        last = None
        for size in (125, 250, 500) if given.chunklint else ():
            path = Path(folder) / f"{size}.jsonl"
            write(path, size, words, paragraphs)
            seconds, memory = timed(given.chunklint, "scan", str(path))
            last = (size, seconds)
            print(f"chunklint  {size:>9,} chunks  {seconds:8.2f} s  {memory:6.0f} MB", flush=True)
        for size in sizes:
            path = Path(folder) / f"{size}.jsonl"
            write(path, size, words, paragraphs)
            scan, held = timed(given.gristmill, "scan", str(path), "--statistics")
            fix, held_fix = timed(given.gristmill, "fix", str(path), "-q")
            line = f"gristmill  {size:>9,} chunks  scan {scan:.2f} s, {held:.0f} MB  fix {fix:.2f} s, {held_fix:.0f} MB"
            if last:
                extrapolated = last[1] * (size / last[0]) ** 2
                line += f"  chunklint would take {extrapolated:,.0f} s: {extrapolated / (scan + fix):,.0f} times as long"
            print(line, flush=True)
            path.unlink()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()

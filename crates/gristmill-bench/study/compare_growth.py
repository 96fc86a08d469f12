#!/usr/bin/env python3
"""How time and memory of `chunk`, `scan` and `plan` grow over three decades: made-up documents of 20 sections, one chunk each.

The last row is of many chunks in few documents.

    compare_growth.py GRISTMILL CORPORA WORK [SIZES]

SIZES are numbers of chunks, `1000,10000,100000,1000000` by default. One thread; seconds are those of the processor.
"""
import shutil
import sys
from pathlib import Path

import ingest_plan

SIZES = "1000,10000,100000,1000000"
MANY, FEW = 100_000, 100


def main():
    program, work = sys.argv[1], Path(sys.argv[3])
    print("| chunks | documents | MB of text | `chunk` s | µs a chunk | peak MB | `scan` s | µs a chunk | peak MB "
          "| `plan`, nothing changed, s | µs a chunk | peak MB |")
    print("|---:" * 12 + "|", flush=True)
    for chunks in map(int, (sys.argv[4:] or [SIZES])[0].split(",")):
        print(row(program, work / "growth", chunks, chunks // ingest_plan.SECTIONS), flush=True)
    print(row(program, work / "growth", MANY, FEW), flush=True)


def row(program, work, chunks, documents):
    shutil.rmtree(work, ignore_errors=True)
    tree, records, store = work / "tree", work / "chunks.jsonl", work / "s.db"
    tree.mkdir(parents=True)
    megabytes = ingest_plan.make(tree, chunks, chunks // documents) / 1e6
    one = ["-j", "1", "--quiet"]
    _, chunk = ingest_plan.run([program, "chunk", str(tree), *one, "--format", "jsonl", "-o", str(records), *ingest_plan.SIZES])
    _, scan = ingest_plan.run([program, "scan", str(records), *one, "--fail-on", "never", "-o", str(work / "report.txt")])
    sync = [str(tree), "--store", str(store), "--format", "json", *one, *ingest_plan.SIZES]
    ingest_plan.run([program, "ingest", *sync])
    _, plan = ingest_plan.run([program, "plan", *sync])
    shutil.rmtree(work)
    cells = [f"{chunks:,}", f"{documents:,}", f"{megabytes:,.1f}"]
    for told in (chunk, scan, plan):
        cells += [f"{told['cpu']:.2f}", f"{told['cpu'] / chunks * 1e6:.1f}", f"{told['peak']:.0f}"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs `gristmill eval` over folders with `docs/` and `questions.jsonl`, and prints the tables of docs/study/retrieval.md.

    sets.py GRISTMILL FOLDER...
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GRID = ["--strategies", "markdown,recursive,fixed", "--grid", "target=150,400;overlap=0,60"]


def measure(gristmill, folder, more):
    """The report of one run, and its seconds."""
    command = [gristmill, "eval", folder / "docs", "--questions", folder / "questions.jsonl", "--format", "json", "-q", *more]
    # No settings file of the place where this runs has a say.
    with tempfile.TemporaryDirectory() as place:
        began = time.monotonic()
        ran = subprocess.run([str(part) for part in command], capture_output=True, check=False, cwd=place)
        seconds = time.monotonic() - began
    if ran.returncode:
        sys.exit(f"{folder}: {ran.stderr.decode()}")
    return json.loads(ran.stdout), seconds


def mean(measured, name):
    return measured["figures"][name]["mean"]


def defaults(folders, gristmill):
    print("| set | documents | questions | precision@5 (best) | recall@10 (best) | recall@2048 | MRR | completeness | coverage | break rate | uniformity |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for folder in folders:
        report, _ = measure(gristmill, folder, [])
        one, whole = report["questions"]["ranking"][0], report["settings"][0]["intrinsic"]
        print(
            f"| {folder.name.removeprefix('retrieval-')} | {report['documents']} | {report['questions']['asked']} "
            f"| {mean(one, 'precision@5'):.3f} ({mean(one, 'best-precision@5'):.3f}) "
            f"| {mean(one, 'recall@10'):.3f} ({mean(one, 'best-recall@10'):.3f}) | {mean(one, 'recall@2048'):.3f} "
            f"| {mean(one, 'mrr'):.3f} | {whole['completeness']:.4f} | {whole['coverage']:.4f} | {whole['break_rate']:.4f} "
            f"| {whole['uniformity']:.3f} |",
            flush=True,
        )


def settings(folders, gristmill):
    print("| set | rank | setting | recall@2048 | 95 % | recall@512 | nDCG@10 | IoU@5 | chunks | tokens | index MB | seconds for all |")
    print("| --- | ---: | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for folder in folders:
        report, seconds = measure(gristmill, folder, GRID)
        for place, one in enumerate(report["questions"]["ranking"]):
            cost, main = report["settings"][one["setting"]]["cost"], one["figures"]["recall@2048"]
            print(
                f"| {folder.name.removeprefix('retrieval-') if place == 0 else ''} | {'* ' if one['chosen'] else ''}{one['rank']} "
                f"| {one['name'].replace('strategy=', '')} | {main['mean']:.3f} | {main['low']:.3f}–{main['high']:.3f} "
                f"| {mean(one, 'recall@512'):.3f} | {mean(one, 'ndcg@10'):.3f} | {mean(one, 'iou@5'):.3f} | {cost['chunks']} "
                f"| {cost['tokens']} | {cost['index_bytes'] / 1e6:.1f} | {f'{seconds:.0f}' if place == 0 else ''} |",
                flush=True,
            )


def retrievers(folders, gristmill):
    print("| set | hybrid | bm25 | dense |")
    print("| --- | ---: | ---: | ---: |")
    for folder in folders:
        report, _ = measure(gristmill, folder, ["--retrievers", "hybrid,bm25,dense"])
        by = {one["name"]: mean(one, "recall@2048") for one in report["questions"]["ranking"]}
        found = " | ".join(f"{by[f'retriever={name}']:.3f}" for name in ("hybrid", "bm25", "dense"))
        print(f"| {folder.name.removeprefix('retrieval-')} | {found} |", flush=True)


def main():
    gristmill, *folders = sys.argv[1:]
    folders = [Path(folder).resolve() for folder in folders]
    gristmill = Path(gristmill).resolve()
    for table in (defaults, settings, retrievers):
        table(folders, gristmill)
        print()


main()

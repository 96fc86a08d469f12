#!/usr/bin/env python3
"""Runs `gristmill eval` over folders with `docs/` and `questions.jsonl`, and prints the tables of docs/study/retrieval.md.

    sets.py GRISTMILL TABLE FOLDER...

TABLE is `defaults` (the settings as they come, beside what is wanted), `settings` (strategies and sizes), `changes` (one thing
changed at a time), or `retrievers`.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SETTINGS = ["--strategies", "markdown,recursive,fixed", "--grid", "max=200,400,600,900"]
#: The size of the first table that is the default.
DEFAULT = "strategy=markdown max=600"
CHANGES = {
    "default": [],
    "overlap 0": ["--grid", "overlap=0"],
    "overlap 20 %": ["--grid", "overlap=20%"],
    "no headings": ["--grid", "context=none"],
    "paragraph": ["--strategies", "paragraph"],
    "sentence": ["--strategies", "sentence"],
}


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


def short(folder):
    return folder.name.removeprefix("retrieval-")


def head(*names, left=1):
    print(f"| {' | '.join(names)} |")
    print("| " + " | ".join("---" if at < left else "---:" for at in range(len(names))) + " |")


def defaults(gristmill, folders):
    head("set", "documents", "questions", "P@5 (best)", "R@10 (best)", "recall@2048", "MRR", "completeness", "coverage", "break rate", "uniformity")
    for folder in folders:
        report, _ = measure(gristmill, folder, [])
        one, whole = report["questions"]["ranking"][0], report["settings"][0]["intrinsic"]
        print(
            f"| {short(folder)} | {report['documents']} | {report['questions']['asked']} "
            f"| {mean(one, 'precision@5'):.3f} ({mean(one, 'best-precision@5'):.3f}) "
            f"| {mean(one, 'recall@10'):.3f} ({mean(one, 'best-recall@10'):.3f}) | {mean(one, 'recall@2048'):.3f} "
            f"| {mean(one, 'mrr'):.3f} | {whole['completeness']:.4f} | {whole['coverage']:.4f} | {whole['break_rate']:.4f} "
            f"| {whole['uniformity']:.3f} |",
            flush=True,
        )


def settings(gristmill, folders):
    top = 0
    head("set", "setting", "rank", "recall@2048", "95 %", "recall@512", "nDCG@10", "IoU@5", "chunks", "tokens", "index MB", "seconds", left=2)
    for folder in folders:
        report, seconds = measure(gristmill, folder, SETTINGS)
        for place, one in enumerate(report["questions"]["ranking"]):
            cost, main = report["settings"][one["setting"]]["cost"], one["figures"]["recall@2048"]
            name = one["name"].replace("strategy=", "") + (" *" if one["chosen"] else "")
            top += one["name"] == DEFAULT and one["rank"] == 1
            print(
                f"| {short(folder) if place == 0 else ''} | {f'**{name}**' if one['name'] == DEFAULT else name} | {one['rank']} "
                f"| {main['mean']:.3f} | {main['low']:.3f}–{main['high']:.3f} | {mean(one, 'recall@512'):.3f} "
                f"| {mean(one, 'ndcg@10'):.3f} | {mean(one, 'iou@5'):.3f} | {cost['chunks']} | {cost['tokens']} "
                f"| {cost['index_bytes'] / 1e6:.1f} | {f'{seconds:.0f}' if place == 0 else ''} |",
                flush=True,
            )
    print(f"\nThe default shares the top rank in {top} of {len(folders)} sets.")


def changes(gristmill, folders):
    """Each change by itself against all questions: nothing is chosen, so none are set aside."""
    head("set", *CHANGES)
    for folder in folders:
        found = []
        for more in CHANGES.values():
            report, _ = measure(gristmill, folder, more)
            one = report["questions"]["ranking"][0]
            found.append(f"{mean(one, 'recall@2048'):.3f} / {mean(one, 'recall@512'):.3f}")
        print(f"| {short(folder)} | {' | '.join(found)} |", flush=True)


def retrievers(gristmill, folders):
    head("set", "hybrid", "bm25", "dense")
    for folder in folders:
        found = []
        for name in ("hybrid", "bm25", "dense"):
            report, _ = measure(gristmill, folder, ["--retrievers", name])
            one = report["questions"]["ranking"][0]
            found.append(f"{mean(one, 'recall@2048'):.3f} / {mean(one, 'mrr'):.3f}")
        print(f"| {short(folder)} | {' | '.join(found)} |", flush=True)


TABLES = {"defaults": defaults, "settings": settings, "changes": changes, "retrievers": retrievers}


def main():
    gristmill, table, *folders = sys.argv[1:]
    TABLES[table](Path(gristmill).resolve(), [Path(folder).resolve() for folder in folders])


main()

#!/usr/bin/env python3
"""Counts the figures of `gristmill eval` anew, character by character, from what was found for each question.

    gristmill eval DOCS --questions Q --format json -o report.json --rankings rankings.jsonl
    recount.py report.json rankings.jsonl [--published]

The report has to be of one setting, so that its figures are of all questions. With `--published`, the length of a chunk is that
of its range in the source, as in the published definitions of token-wise recall, precision, IoU and precision-omega; that is the
same as ours where nothing stands before a chunk, nothing is repeated (`--grid "context=none;overlap=0"`) and nothing is cleaned
(`[clean]` with `blanks = false` and so on).

Exits 1 when a figure differs by more than 1e-9.
"""

import json
import sys


def characters(doc, ranges):
    return {(doc, at) for start, end in ranges for at in range(start, end)}


def found(evidence, hits):
    seen = set()
    for hit in hits:
        seen |= characters(hit["doc"], hit["ranges"])
    return len(evidence & seen)


def length(hit, published):
    return sum(end - start for start, end in hit["ranges"]) if published else hit["characters"]


def relevant(hit, line):
    own = characters(hit["doc"], hit["ranges"])
    spans = [characters(line["doc"], [span]) for span in line["spans"]]
    return any(2 * len(span & own) >= len(span) for span in spans)


def figures(line, published):
    evidence = characters(line["doc"], line["spans"])
    hits = line["hits"]
    five = hits[:5]
    part = found(evidence, five)
    total = sum(length(hit, published) for hit in five)
    out = {
        "evidence-recall@5": part / len(evidence),
        "token-precision@5": part / total if total else 0.0,
        "iou@5": part / (total + len(evidence) - part),
        "precision@5": sum(relevant(hit, line) for hit in five) / 5,
        "mrr": next((1 / (rank + 1) for rank, hit in enumerate(hits) if relevant(hit, line)), 0.0),
    }
    touching = set()
    for ranges in line["touching"]:
        touching |= characters(line["doc"], ranges)
    out["precision-omega"] = len(evidence & touching) / len(evidence | touching)
    for budget in (512, 1024, 2048, 4096):
        fitting, used = [], 0
        for hit in hits:
            used += hit["tokens"]
            if used > budget:
                break
            fitting.append(hit)
        out[f"recall@{budget}"] = found(evidence, fitting) / len(evidence)
    return out


def main():
    published = "--published" in sys.argv
    report_path, rankings_path = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    with open(rankings_path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    if len(report["settings"]) != 1:
        sys.exit("the report has to be of one setting")
    told = (report["questions"] or report["synthetic"])["ranking"][0]["figures"]
    counted = [figures(line, published) for line in lines]
    wrong = 0
    for name in counted[0]:
        mean = sum(line[name] for line in counted) / len(counted)
        differs = abs(mean - told[name]["mean"]) > 1e-9
        wrong += differs
        print(f"{name:20} {mean:.12f} {told[name]['mean']:.12f}{'  DIFFERS' if differs else ''}")
    sys.exit(1 if wrong else 0)


main()

#!/usr/bin/env python3
"""Reads PDF files with this project's reader, unpdf and pymupdf4llm in one run, and scores what they make.

    pdf.py CORPUS --ours BINARY --python PYTHON [--out FOLDER] [--only TOOL,...] [--match TEXT,...] [--rounds 1] [--keep]

CORPUS holds `files/*.pdf` and `gold/` (see `pdf_score.py`). BINARY is the example `extract` of gristmill-read, built with the
feature `pdf`; PYTHON is an interpreter with `unpdf-markdown` and `pymupdf` (which has pymupdf4llm in it since 2.0). pymupdf4llm
runs twice: as it comes, and at its best for these figures, without OCR and without heads and feet. `pdftotext` (poppler) counts
line ends and words. Printed are the figures of each reference, words that a hyphen still cuts, running heads that are left, and
the time of the processor over all files, start of the program included (the median of the rounds). With `--keep`, a tool whose folder in OUT is there already does not run again.
"""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import pdf_score

PEER = """
import os, sys
name, out = sys.argv[1:3]
if name == "unpdf":
    from unpdf import to_markdown as read
else:
    import pymupdf4llm
    options = {} if name == "pymupdf4llm" else {"use_ocr": False, "header": False, "footer": False}
    read = lambda path: pymupdf4llm.to_markdown(path, **options)
for path in sys.argv[3:]:
    try:
        text = read(path)
    except Exception as error:
        print(os.path.basename(path), repr(error)[:200])
        continue
    with open(os.path.join(out, os.path.splitext(os.path.basename(path))[0] + ".md"), "w") as file:
        file.write(text)
"""
TOOLS = ("gristmill", "unpdf", "pymupdf4llm-plain", "pymupdf4llm")


def run(tool, args, out, files):
    """Seconds of the processor that the tool takes over all files. What it says is kept beside its folder."""
    out.mkdir(parents=True, exist_ok=True)
    own = [args.ours, str(out)] if tool == "gristmill" else [args.python, "-c", PEER, tool, str(out)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(f"{out}.log", "w") as log:
        subprocess.run([*own, *map(str, files)], stdout=log, stderr=subprocess.STDOUT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def kept_times(out, tool):
    """The seconds of an earlier run."""
    path = out / f"{tool}.seconds"
    return json.loads(path.read_text()) if path.exists() else []


def printed(path):
    """The lines of each page, as poppler sees them."""
    done = subprocess.run(["pdftotext", "-q", str(path), "-"], capture_output=True, check=False)
    return [page.splitlines() for page in done.stdout.decode("utf-8", "replace").split("\f")[:-1]]


def running(pages):
    """Lines at the top or the bottom of three pages and more, figures aside."""
    count = Counter()
    for lines in pages:
        lines = [line.strip() for line in lines if line.strip()]
        count.update({re.sub(r"\d+", "#", line) for line in lines[:2] + lines[-2:] if re.search(r"[^\W\d_]{3}", line)})
    return [line for line, on in count.items() if on >= 3]


def left(heads, text):
    """How often running heads are in the text beyond the first time."""
    text = re.sub(r"\d+", "#", text.replace("\\", ""))
    return sum(max(0, text.count(f"\n{head}\n") - 1) for head in heads)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default=",".join(TOOLS))
    parser.add_argument("--match", default="", help="only files with one of these texts in their names")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    out = args.out or Path(tempfile.mkdtemp())
    parts = args.match.split(",")
    files = [path for path in sorted((args.corpus / "files").glob("*.pdf")) if any(part in path.name for part in parts)]
    tools = [tool for tool in TOOLS if tool in args.only.split(",")]
    times = {tool: kept_times(out, tool) if args.keep else [] for tool in tools}
    due = [tool for tool in tools if not times[tool]]
    for _ in range(args.rounds):
        for tool in due:
            times[tool].append(run(tool, args, out / tool, files))
            (out / f"{tool}.seconds").write_text(json.dumps(times[tool]))
    pdf_score.report(args.corpus / "gold", [(tool, out / tool) for tool in tools], {path.stem for path in files})
    pages = {path.stem: printed(path) for path in files}
    ends = sum(len(lines) for all_lines in pages.values() for lines in all_lines)
    count = sum(map(len, pages.values()))
    heads = {stem: running(of) for stem, of in pages.items()}
    print(f"\n{len(files)} files, {count} pages, {ends} line ends")
    for tool in tools:
        made = {stem: (out / tool / f"{stem}.md") for stem in pages}
        texts = {stem: path.read_text("utf-8", "replace") for stem, path in made.items() if path.exists()}
        cut = sum(map(pdf_score.cut_words, texts.values()))
        kept = sum(left(heads[stem], text) for stem, text in texts.items())
        seconds = sorted(times[tool])[len(times[tool]) // 2]
        print(f"{tool:18} read {len(texts):3}  cut words {cut:4} ({cut / ends:.2%} of line ends)  running heads left {kept:4}"
              f"  {seconds:8.2f} s  {count / seconds:7.1f} pages/s")


if __name__ == "__main__":
    os.environ.setdefault("OMP_THREAD_LIMIT", "1")
    main()

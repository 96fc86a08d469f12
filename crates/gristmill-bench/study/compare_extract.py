#!/usr/bin/env python3
# /// script
# dependencies = [
#     "trafilatura==2.3.1",
#     "lxml-html-clean>=0.4",
#     "pymupdf==2.0",
#     "tabulate>=0.9",
#     "unpdf-markdown==0.51.0",
#     "undoc==0.27.1",
#     "markitdown[docx,pptx,xlsx]==0.1.9",
# ]
# ///
"""Text taken from web pages, PDF and office files by gristmill and by public tools, on the files with gold.

    compare_extract.py GRISTMILL CORPORA WORK

Times are CPU seconds of a process that does the work alone, medians of five rounds in turn; of one round for PDF, where one tool
takes minutes. gristmill's hold the start of the program; those of the others
do not hold their start.
"""
import gzip
import importlib.metadata
import json
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import extract_html
import extract_office
import pdf_score


def by_trafilatura(path):
    import trafilatura
    return trafilatura.extract(path.read_bytes()) or ""


def by_undoc(path):
    import undoc
    with undoc.parse_file(path) as document:
        return document.to_markdown()


def by_markitdown(path, held=[]):
    from markitdown import MarkItDown
    held or held.append(MarkItDown())
    return held[0].convert(path).text_content


def by_pymupdf4llm(path):
    import pymupdf4llm
    return pymupdf4llm.to_markdown(str(path), use_ocr=False, header=False, footer=False)


def by_unpdf(path):
    import unpdf
    return unpdf.to_markdown(str(path))


ROUNDS = 5
PEERS = {
    "trafilatura": by_trafilatura,
    "undoc": by_undoc,
    "markitdown": by_markitdown,
    "unpdf": by_unpdf,
    "pymupdf4llm": by_pymupdf4llm,
}
PACKAGES = ["trafilatura", "undoc", "markitdown", "unpdf-markdown", "pymupdf"]


def spent(command, **options):
    """CPU seconds of a process, and what it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if not done.stdout:
        sys.exit(f"nothing came from: {' '.join(command)[:200]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def staged(files, folder, name):
    """Copies of the files, unpacked, that are called as the references call them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = []
    for path in files:
        packed = path.suffix == ".gz"
        own = path.with_suffix("") if packed else path
        place = folder / (path.parent.name + own.suffix if name == "folder" else own.name)
        place.write_bytes(gzip.decompress(path.read_bytes()) if packed else path.read_bytes())
        made.append(str(place))
    return made


def ours(program, files, out):
    """Lets gristmill read all files at once."""
    seconds, told = spent([program, "extract", "--format", "json", "--quiet", *files])
    for line in told.splitlines():
        text = json.loads(line)
        (out / f"{Path(text['source']).stem}.md").write_text(text["text"])
    return seconds


def theirs(tool, files, out):
    """Lets a tool read all files, in a process of its own."""
    seconds, told = spent([sys.executable, __file__, "--peer", tool, str(out), *files])
    return float(told.split()[-1])


def peer(tool, out, *files):
    """The work of that process: it writes the texts and prints its CPU seconds without imports."""
    read = PEERS[tool]
    for path in map(Path, files[:1]):
        try:
            read(path)
        except Exception:
            pass
    total, failed = 0.0, []
    for path in map(Path, files):
        start = time.process_time()
        try:
            text = read(path)
        except Exception as error:
            text = ""
            failed.append(f"{path.name}: {error}".splitlines()[0][:200])
        total += time.process_time() - start
        (Path(out) / f"{path.stem}.md").write_text(text)
    if failed:
        print(f"{tool} fails on {len(failed)} of {len(files)} files, such as {failed[0]}", file=sys.stderr)
    if len(failed) == len(files):
        sys.exit(1)
    print(total)


def read_all(program, work, tools, files, name, rounds=ROUNDS):
    """All texts, each tool's in a folder. Answers with (tool, folder) and prints the times."""
    files = staged(files, work / "in", name)
    size = sum(Path(file).stat().st_size for file in files)
    made = {tool: work / tool for tool in ["gristmill", *tools]}
    for out in made.values():
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
    times = {tool: [] for tool in made}
    for _ in range(rounds):
        for tool, out in made.items():
            times[tool].append(ours(program, files, out) if tool == "gristmill" else theirs(tool, files, out))
    own = statistics.median(times["gristmill"])
    for tool in made:
        seconds = statistics.median(times[tool])
        print(f"{tool:16} {len(files)} files, {size / 1e6:.1f} MB: {seconds:.3f} s CPU, {len(files) / seconds:.1f} files/s, "
              f"{seconds / own:.1f} times that of gristmill", flush=True)
    return [(tool, str(out)) for tool, out in made.items()]


def main():
    program, corpora, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for tool in PACKAGES:
        print(f"{tool} {importlib.metadata.version(tool)}")
    pages = corpora / "html-articles"
    print("\n== html-articles: F1 over runs of four words, with and without the line of the title")
    made = read_all(program, work / "articles", ["trafilatura"], sorted((pages / "html").iterdir()), "file")
    extract_html.articles(pages / "ground-truth.json", made, 0)
    pages = corpora / "html-segments"
    print("\n== html-segments: segments that must and must not be in the text")
    made = read_all(program, work / "segments", ["trafilatura"], sorted((pages / "html").iterdir()), "file")
    extract_html.segments(pages / "segments.json", made, 0)
    pages = corpora / "html-readability"
    print("\n== html-readability: F1 over runs of four words")
    made = read_all(program, work / "readability", ["trafilatura"], sorted(pages.glob("*/source.html")), "folder")
    extract_html.readability(pages, made, 0)
    pages = corpora / "html-structures"
    print("\n== html-structures: what of the reference is there")
    made = read_all(program, work / "structures", ["trafilatura"], sorted((pages / "html").iterdir()), "file")
    extract_html.structures(pages / "reference", made, 0)
    print("\n== office: similarity of words, headings, adjacent cells of tables")
    office = corpora / "office"
    for kind, tools in {"docx": ["undoc", "markitdown"], "pptx": ["undoc", "markitdown"], "xlsx": ["undoc", "markitdown"]}.items():
        made = read_all(program, work / kind, tools, sorted((office / kind).iterdir()), "file")
        extract_office.compare(office / "reference", made, [kind], verbose=False)
    print("\n== pdf: similarity of words, headings, adjacent cells of tables, words cut by a hyphen")
    files = corpora / "pdf"
    gold = {path.name.split("--", 2)[0] + "--" + path.name.split("--", 2)[1] for path in (files / "gold").iterdir()}
    # Without OCR, heads and feet pymupdf4llm is at its best here.
    made = read_all(program, work / "pdf", ["unpdf", "pymupdf4llm"], sorted(p for p in (files / "files").iterdir() if p.stem in gold), "file", 1)
    pdf_score.report(files / "gold", made)


if __name__ == "__main__":
    peer(*sys.argv[2:]) if sys.argv[1:2] == ["--peer"] else main()

#!/usr/bin/env python3
# /// script
# dependencies = [
#     "trafilatura==2.0.0",
#     "pymupdf4llm==0.2.2",
#     "undoc==0.27.1",
#     "markitdown[docx,pptx,xlsx]==0.1.3",
# ]
# ///
"""Text taken from web pages, PDF and office files by gristmill and by public tools, on the files with gold.

    compare_extract.py GRISTMILL CORPORA WORK

Times are CPU seconds of a process that does the work alone. gristmill's hold the start of the program; those of the others
do not hold their start.
"""
import importlib.metadata
import json
import resource
import shutil
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
    return pymupdf4llm.to_markdown(path, show_progress=False)


PEERS = {"trafilatura": by_trafilatura, "undoc": by_undoc, "markitdown": by_markitdown, "pymupdf4llm": by_pymupdf4llm}


def spent(command, **options):
    """CPU seconds of a process, and what it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def ours(program, files, out, name):
    """Lets gristmill read all files at once."""
    seconds, told = spent([program, "extract", "--format", "json", "--quiet", *files])
    texts = [json.loads(line) for line in told.splitlines()]
    for text in texts:
        path = Path(text["source"])
        (out / f"{path.parent.name if name == 'folder' else path.stem if name == 'stem' else path.name}.md").write_text(text["text"])
    return seconds


def theirs(tool, files, out, name):
    """Lets a tool read all files, in a process of its own."""
    seconds, told = spent([sys.executable, __file__, "--peer", tool, str(out), name, *files])
    return float(told.split()[-1])


def peer(tool, out, name, *files):
    """The work of that process: it writes the texts and prints its CPU seconds without imports."""
    read = PEERS[tool]
    for path in map(Path, files[:1]):
        try:
            read(path)
        except Exception:
            pass
    total = 0.0
    for path in map(Path, files):
        start = time.process_time()
        try:
            text = read(path)
        except Exception as error:
            text = ""
            print(f"{tool}: {path.name}: {error}".splitlines()[0][:200], file=sys.stderr)
        total += time.process_time() - start
        stem = path.parent.name if name == "folder" else path.stem if name == "stem" else path.name
        (Path(out) / f"{stem}.md").write_text(text)
    print(total)


def read_all(program, work, tools, files, name):
    """All texts, each tool's in a folder. Answers with (tool, folder) and prints the times."""
    made = []
    files = [str(file) for file in files]
    size = sum(Path(file).stat().st_size for file in files)
    for tool in ["gristmill", *tools]:
        out = work / tool
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        seconds = ours(program, files, out, name) if tool == "gristmill" else theirs(tool, files, out, name)
        print(f"{tool:16} {len(files)} files, {size / 1e6:.1f} MB: {seconds:.2f} s CPU, {len(files) / seconds:.1f} files/s")
        made.append((tool, str(out)))
    return made


def main():
    program, corpora, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    for tool in PEERS:
        print(f"{tool} {importlib.metadata.version(tool)}")
    pages = corpora / "html-articles"
    print("\n== html-articles: F1 over runs of four words, with and without the line of the title")
    made = read_all(program, work / "articles", ["trafilatura"], sorted((pages / "html").iterdir()), "stem")
    extract_html.articles(pages / "ground-truth.json", made, 0)
    pages = corpora / "html-segments"
    print("\n== html-segments: segments that must and must not be in the text")
    made = read_all(program, work / "segments", ["trafilatura"], sorted((pages / "html").iterdir()), "stem")
    extract_html.segments(pages / "segments.json", made, 0)
    pages = corpora / "html-readability"
    print("\n== html-readability: F1 over runs of four words")
    made = read_all(program, work / "readability", ["trafilatura"], sorted(pages.glob("*/source.html")), "folder")
    extract_html.readability(pages, made, 0)
    pages = corpora / "html-structures"
    print("\n== html-structures: what of the reference is there")
    made = read_all(program, work / "structures", ["trafilatura"], sorted((pages / "html").iterdir()), "stem")
    extract_html.structures(pages / "reference", made, 0)
    print("\n== office: similarity of words, headings, adjacent cells of tables")
    office = corpora / "office"
    for kind, tools in {"docx": ["undoc", "markitdown"], "pptx": ["undoc", "markitdown"], "xlsx": ["undoc", "markitdown"]}.items():
        made = read_all(program, work / kind, tools, sorted((office / kind).iterdir()), "name")
        extract_office.compare(office / "reference", made, [kind], verbose=False)
    print("\n== pdf: similarity of words, headings, adjacent cells of tables, words cut by a hyphen")
    files = corpora / "pdf"
    made = read_all(program, work / "pdf", ["pymupdf4llm"], sorted((files / "files").rglob("*.pdf")), "stem")
    pdf_score.report(files / "gold", made)


if __name__ == "__main__":
    peer(*sys.argv[2:]) if sys.argv[1:2] == ["--peer"] else main()

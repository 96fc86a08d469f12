#!/usr/bin/env python3
"""Keeping a store in step, beside CocoIndex, LangChain's `index()` and LlamaIndex: see `ingest.py`, which installs them.

What `plan` costs over large stores is in `compare_growth.py`.

    compare_ingest.py GRISTMILL CORPORA WORK
"""
import subprocess
import sys
from pathlib import Path


def main():
    program, corpora, work = (Path(given) for given in sys.argv[1:4])
    build = ["cargo", "build", "--release", "--quiet", "-p", "gristmill-bench", "--example", "ingest"]
    subprocess.run(build, check=True)
    ours = program.parent / "examples" / "ingest"
    script = Path(__file__).with_name("ingest.py")
    folders = ["--peers", work.parent / "peers", "--work", work, "--corpora", corpora]
    sys.exit(subprocess.run([sys.executable, script, "--ours", ours, *folders]).returncode)


if __name__ == "__main__":
    main()

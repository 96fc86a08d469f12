#!/usr/bin/env python3
# /// script
# dependencies = [
#     "chunklint==0.1.0",
# ]
# ///
"""`gristmill scan` and `fix` over made-up sets of 1,000 to 100,000 chunks, with chunklint beside them: see `speed.py`.

    compare_scan.py GRISTMILL CORPORA WORK
"""
import subprocess
import sys
from pathlib import Path

TEXTS = ("md-rust-book", "md-fastapi", "md-site-policy")
SIZES = "1000,20000,100000"


def main():
    program, corpora = sys.argv[1], Path(sys.argv[2])
    texts = [str(path) for name in TEXTS for path in sorted((corpora / name).rglob("*.md"))]
    speed = Path(__file__).with_name("speed.py")
    chunklint = Path(sys.executable).with_name("chunklint")
    command = [sys.executable, speed, "--gristmill", program, "--chunklint", chunklint, "--sizes", SIZES, *texts]
    sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()

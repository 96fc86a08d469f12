"""``python -m gristmill``: the command that is installed beside the package."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def _command() -> Path:
    """The command that was installed with this package."""
    name = "gristmill.exe" if os.name == "nt" else "gristmill"
    schemes = sysconfig.get_scheme_names()
    folders = [sysconfig.get_path("scripts"), *(sysconfig.get_path("scripts", scheme) for scheme in schemes)]
    places = [Path(folder) / name for folder in folders]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        sys.exit(f"error: the command is not installed beside the package: {places[0]}")
    return found


if __name__ == "__main__":
    sys.exit(subprocess.run([_command(), *sys.argv[1:]]).returncode)

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
    schemes = {sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")}
    folders = [Path(sysconfig.get_path("scripts", scheme)) for scheme in schemes]
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if found is None:
        sys.exit(f"error: the command is not installed beside the package: {folders[0] / name}")
    return found


if __name__ == "__main__":
    sys.exit(subprocess.run([_command(), *sys.argv[1:]]).returncode)

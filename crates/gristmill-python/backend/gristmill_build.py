"""Builds the wheel: maturin's backend, with the command laid beside the extension.

The command is a program of its own, built from the same workspace. A wheel installs what lies in the `scripts` folder of
its data, which is how `pip install` gives a working `gristmill`.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from maturin import (  # noqa: F401
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from maturin import build_editable as _build_editable
from maturin import build_wheel as _build_wheel

FOLDER = Path(__file__).resolve().parent.parent
SCRIPTS = FOLDER / "gristmill.data" / "scripts"

# Maturin asks for the folder even where it only writes metadata, and takes no licence from above the package.
SCRIPTS.mkdir(parents=True, exist_ok=True)
for name in ("LICENSE", "NOTICE"):
    if (FOLDER.parent.parent / name).is_file():
        shutil.copy2(FOLDER.parent.parent / name, FOLDER)

#: The profile of cargo that extension and command are built in.
PROFILE = os.environ.get("GRISTMILL_BUILD_PROFILE", "release")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel, with the command."""
    _lay_command()
    return _build_wheel(wheel_directory, _with_profile(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel that points at this folder, with the command."""
    _lay_command()
    return _build_editable(wheel_directory, _with_profile(config_settings), metadata_directory)


def _lay_command():
    manifest = FOLDER.parent / "gristmill-cli" / "Cargo.toml"
    cargo = [os.environ.get("CARGO", "cargo"), "build", "--locked", "--profile", PROFILE, "--manifest-path", str(manifest)]
    print("building the command:", " ".join(cargo), file=sys.stderr)
    built = subprocess.run([*cargo, "--message-format", "json"], check=True, stdout=subprocess.PIPE)
    messages = map(json.loads, built.stdout.splitlines())
    program = next(made["executable"] for made in messages if made.get("executable"))
    shutil.rmtree(SCRIPTS.parent, ignore_errors=True)
    SCRIPTS.mkdir(parents=True)
    shutil.copy2(program, SCRIPTS)


def _with_profile(config_settings):
    settings = dict(config_settings or {})
    settings.setdefault("build-args", f"--profile {PROFILE}")
    return settings

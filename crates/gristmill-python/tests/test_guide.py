"""The Python of the guide runs as it is shown."""

import re
import shutil
from pathlib import Path

import gristmill as gm
import pytest

ROOT = Path(__file__).parents[3]


def test_the_start_in_python(tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    (shown,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/guide/start.md").read_text(), re.S)
    with pytest.warns(gm.GristmillWarning, match="firmware.md: code fence is never closed"):
        exec(compile(shown, "start.md", "exec"), {})  # noqa: S102
    first, found, *hits = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d+ .+", first) and int(first.split()[0]) > 20
    assert found.isdigit() and len(hits) == 3
    assert hits[0].startswith("en/maintenance.md ")

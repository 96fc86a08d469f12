"""The package as it is installed: its command, its types, its manners."""

from __future__ import annotations

import doctest
import importlib
import os
import pickle
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import gristmill as gm
from gristmill import _native

HERE = Path(__file__).parent


def run(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_brings_the_command(folder: Path) -> None:
    command = str(Path(sysconfig.get_path("scripts")) / "gristmill")
    assert run(command, "--version").split() == ["gristmill", gm.__version__]
    assert run(sys.executable, "-m", "gristmill", "--version") == run(command, "--version")
    assert run(command, "chunk", str(folder)).count("\n") == len(gm.chunk(folder))


def test_there_are_no_dependencies() -> None:
    from importlib.metadata import requires, version

    assert not requires("gristmill")
    assert version("gristmill") == gm.__version__


def test_other_packages_names_are_stood_in_for() -> None:
    import gristmill.compat

    gristmill.compat.install("rag_hygiene")
    hygiene = importlib.import_module("rag_hygiene")
    clean, report = hygiene.repair([hygiene.Chunk("a", "Revenue grew by"), hygiene.Chunk("b", "40% year over year.")])
    assert clean[0].text == "Revenue grew by 40% year over year." and isinstance(report, hygiene.Report)
    assert not hygiene.check(clean).fails("high")
    with pytest.raises(gm.UsageError, match="chunklint"):
        gristmill.compat.install("chunklint")


def test_errors_have_classes_and_hints() -> None:
    with pytest.raises(gm.ConfigError, match="no strategy `x`") as caught:
        gm.chunk("text", strategy="x")
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, gm.Error)
    assert caught.value.hint and "markdown" in caught.value.hint and caught.value.hint in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.hint) == (gm.ConfigError, str(caught.value), caught.value.hint)


def test_a_panic_is_a_clear_exception() -> None:
    panic = getattr(_native, "_panic_on_purpose", None)
    if panic is None:
        pytest.skip("this wheel was built for release: `cargo xtask python` builds and tests one that can panic on purpose")
    with pytest.raises(gm.BugError, match="on purpose"):
        panic()


def test_other_threads_work_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        # One call that never comes back to Python: with the lock held, the thread would stand still, but for once or
        # twice between the counting and the call. A busy machine may leave the thread standing once, too.
        assert any(ticked(lambda: ticks) > 3 for _ in range(20))
    finally:
        done.set()
        thread.join()


def ticked(count: Callable[[], int]) -> int:
    """How far a count comes during a call."""
    before = count()
    _native.tokens("The pump hums at night. " * 100_000, "o200k_base")
    return count() - before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send to oneself: run this test on Linux or macOS")
def test_an_interrupt_stops_the_work() -> None:
    code = (
        "import gristmill as gm, os, signal\n"
        "text = 'One two three four.\\n\\n' * 20000\n"
        "def told(done, total, source): os.kill(os.getpid(), signal.SIGINT)\n"
        "import tempfile, pathlib\n"
        "folder = pathlib.Path(tempfile.mkdtemp())\n"
        "for n in range(3): (folder / f'{n}.md').write_text(text)\n"
        "try:\n"
        "    gm.curate(folder, folder / 'out.json', max=20, unit='chars', validate={'duplicates': 'keep'},\n"
        "              clean={'repeated_blocks': 'keep'}, overlap=0, on_progress=told)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', sorted(p.name for p in folder.iterdir()))\n"
    )
    assert run(sys.executable, "-c", code).strip() == "stopped ['0.md', '1.md', '2.md']"


def test_an_exception_of_the_caller_comes_through(folder: Path, tmp_path: Path) -> None:
    def told(done: int, total: int, source: str) -> None:
        raise LookupError(source)

    with pytest.raises(LookupError, match="guide.md"):
        gm.curate(folder, tmp_path / "out.json", on_progress=told)
    assert not (tmp_path / "out.json").exists()


def test_the_examples_are_true() -> None:
    assert doctest.testmod(gm) == (0, 2)


def test_types_are_those_that_are_told() -> None:
    mypy = (sys.executable, "-m", "mypy", "--no-incremental", "--config-file", str(HERE.parent / "pyproject.toml"))
    run(*mypy, str(HERE / "types_sample.py"))
    run(*mypy, str(HERE.parent / "python/gristmill"))


def test_stubs_are_those_of_the_extension() -> None:
    allowed = str(HERE / "stubtest_allowed.txt")
    run(sys.executable, "-m", "mypy.stubtest", "gristmill._native", "--allowlist", allowed, "--ignore-unused-allowlist")

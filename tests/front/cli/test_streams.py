"""Where a command may not read or write: a .git folder that may not be entered, and standard
streams that are closed, that nobody reads, or that cannot be written to."""

import ctypes
import io
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from clawgit.core.resources import own_program
from clawgit.terminal import output
from tests.conftest import Git, run_to_end
from tests.front.cli.typed import Terminal

DROP, DAC_OVERRIDE, DAC_READ_SEARCH = 24, 1, 2


def without_override() -> None:
    """Root enters every folder by these two capabilities; after this the next program lacks
    them."""
    libc = ctypes.CDLL(None)
    for capability in (DAC_OVERRIDE, DAC_READ_SEARCH):
        libc.prctl(DROP, capability, 0, 0, 0)


@pytest.mark.parametrize("command", [("status",), ("doctor", "--fix")], ids=" ".join)
def test_a_shut_git_folder_is_said(ws: Git, command: tuple[str, ...]) -> None:
    (ws.root / ".git").chmod(0)
    call = (sys.executable, "-m", "clawgit", "-C", str(ws.root), *command)
    done = run_to_end(*call, preexec_fn=without_override if os.geteuid() == 0 else None)
    (ws.root / ".git").chmod(0o755)
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert ".git" in said
    assert "chmod" in said or "permissions" in said
    assert "bug" not in said


READING, WRITING = ("status",), ("memory", "add", "Ana likes tea.")
EACH = pytest.mark.parametrize("words", [READING, WRITING], ids=" ".join)


@pytest.fixture
def ready(ws: Git) -> Git:
    """A workspace with an edit that nobody has committed yet."""
    ws.commit_file("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n", "settings")
    ws.write("memory/2026-02-14.md", "# 2026-02-14\n\n- Ana drinks tea.\n")
    return ws


def ran(
    ws: Git, words: tuple[str, ...], *, out: int | None, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*own_program(), *words], cwd=ws.root, stdin=subprocess.DEVNULL, stdout=out,
        stderr=subprocess.PIPE, preexec_fn=before, text=True, check=False,
    )  # fmt: skip


@EACH
def test_without_a_standard_output_or_a_reader_a_command_does_its_work(
    ready: Git, words: tuple[str, ...]
) -> None:
    before = ready.head()
    done = ran(ready, words, out=None, before=partial(os.close, 1))
    assert (done.returncode, done.stderr) == (0, "")
    assert (ready.head() != before) == (words == WRITING)
    reading, writing = os.pipe()  # as with `| head`
    os.close(reading)
    done = ran(ready, words, out=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
    assert ready("fsck", "--strict") == ""


@EACH
def test_an_answer_that_cannot_be_written_is_told_from_a_change_that_was_not_made(
    ready: Git, words: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = ran(ready, words, out=full.fileno())
    assert done.returncode == 1
    assert "could not be written: No space left on device." in done.stderr
    assert "run the command again" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_no_file_gets_the_number_of_a_standard_stream() -> None:
    """What a library or another process says would go into it."""
    code = (
        "import os; from clawgit.core.surroundings import put_in_order; put_in_order({}); "
        "import sys; sys.exit(os.open('.', os.O_RDONLY))"
    )
    argv = [*own_program()[:2], "-c", code]
    done = subprocess.run(argv, preexec_fn=partial(os.close, 0), check=False)
    assert done.returncode > 2


# What every command's printing keeps to: one palette, and only where a terminal has colours.


@pytest.mark.parametrize(
    ("env", "terminal", "expected"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
    ],
)
def test_colour_is_for_terminals_that_have_it(
    env: dict[str, str], terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert output.use_color(Terminal() if terminal else io.StringIO()) is expected


# A job that takes longer than a moment says so on a terminal, and leaves nothing behind.


END = "\r\x1b[K"


def test_a_long_job_is_seen_and_then_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(output, "_PATIENCE", 0.0)
    monkeypatch.setattr(output, "_PACE", 0.0)
    with output.progress("looking") as told:
        told(0, 0)
        told.label = f"reading {'x' * 90}"
        told(3, 1200)
    first, second, last = screen.getvalue().split(END)[1:]
    assert (first, last) == ("looking", "")
    assert second.startswith("reading xxx")
    assert len(second) == 39

"""A job that takes longer than a moment says so on a terminal, and leaves nothing behind."""

import io
import sys

import pytest

from clawgit.terminal import output

END = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Called by the test itself: pytest puts its own stream there after the fixtures."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    return screen


def test_a_long_job_is_seen_and_then_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
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

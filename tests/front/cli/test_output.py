"""What every command's printing keeps to: one palette, and only where a terminal has colours."""

import io
import sys

import pytest

from clawgit.terminal import output


class Stream(io.StringIO):
    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


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
    assert output.use_color(Stream(terminal=terminal)) is expected


# A job that takes longer than a moment says so on a terminal, and leaves nothing behind.


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

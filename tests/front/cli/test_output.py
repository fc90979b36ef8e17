"""What every command's printing keeps to: one palette, and only where a terminal has colours."""

import io
import sys

import pytest

from clawgit.terminal import output
from tests.front.cli.typed import Terminal


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

"""A job that takes longer than a moment says so on a terminal, and leaves nothing behind."""

import io
import sys
from threading import Event

import pytest

from clawgit.cli import output, ticker
from clawgit.cli.ticker import Ticker


class Terminal(io.StringIO):
    """A terminal that knows when this was drawn."""

    def __init__(self, awaited: str) -> None:
        super().__init__()
        self.drawn, self._awaited = Event(), awaited

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        length = super().write(text)
        if self._awaited in text:
            self.drawn.set()
        return length


def terminal(monkeypatch: pytest.MonkeyPatch, awaited: str = "looking") -> Terminal:
    """Called by the test itself: pytest puts its own stream there after the fixtures."""
    stream = Terminal(awaited)
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_a_long_job_is_seen_and_then_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticker, "PATIENCE", 0.0)
    screen = terminal(monkeypatch, "reading  3 of 1,200")
    with output.progress("looking") as told:
        told.phase("reading")
        told(3, 1200)
        assert screen.drawn.wait(20)
    shown = screen.getvalue()
    assert shown.endswith("\r\x1b[K")
    assert "\n" not in shown


def test_a_short_job_is_not_seen_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with output.progress("looking") as told:
        told(1, 2)
    assert screen.getvalue() == ""


def test_a_job_that_fails_leaves_no_line_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticker, "PATIENCE", 0.0)
    screen = terminal(monkeypatch)

    def job() -> None:
        with output.progress("looking"):
            assert screen.drawn.wait(20)
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        job()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_nobody_watches_what_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress("looking") as told:
        told.phase("reading")
        told(1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_line_fits_the_terminal_and_is_masked() -> None:
    line = Ticker("x" * 200, io.StringIO(), lambda text: text.replace("secret", "…"))
    assert len(line.line(1, 80)) == 79
    line.phase("secret")
    line(1, 2)
    assert line.line(61.2, 80) == "…  1 of 2  61 s"
    line.phase("other")
    assert line.line(61.2, 80) == "other  61 s"

"""The progress line of a terminal, which disappears when the job ends."""

from collections.abc import Callable
from time import monotonic
from typing import TextIO

from clawgit.doors import shutil, threading

PATIENCE = 1.0
"""Seconds before the line appears."""

_PACE = 0.2
_ERASE = "\r\x1b[K"


class Ticker:
    """Draws the line from a thread of its own, since the job itself may be silent.

    The job calls it with how much is done, of how much; `label` says what is being done.
    """

    def __init__(
        self,
        label: str,
        stream: TextIO,
        mask: Callable[[str], str],
    ) -> None:
        self.label = label
        self._stream, self._mask = stream, mask
        self._done = self._total = 0
        self._ended = threading.Event()
        self._since = monotonic()
        self._thread = threading.Thread(target=self._draw, daemon=True, name="ticker")

    def __call__(self, done: int, total: int) -> None:
        self._done, self._total = done, total

    def phase(self, label: str) -> None:
        self.label, self._done, self._total = label, 0, 0

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        """Waits until the line is gone."""
        self._ended.set()
        self._thread.join()

    def line(self, seconds: float, width: int) -> str:
        """What is done, how much of how much, and for how long."""
        parts = [self.label]
        if self._done < self._total:
            parts.append(f"{self._done:,} of {self._total:,}")
        parts.append(f"{seconds:.0f} s")
        return self._mask("  ".join(parts))[: width - 1]

    def _draw(self) -> None:
        if self._ended.wait(PATIENCE):
            return
        while not self._ended.is_set():
            width = shutil.get_terminal_size().columns
            self._write(_ERASE + self.line(monotonic() - self._since, width))
            self._ended.wait(_PACE)
        self._write(_ERASE)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

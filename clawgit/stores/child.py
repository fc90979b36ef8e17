"""A program that runs beside us: what it said last, how long it takes, and an end to it with all it started."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

_LONGEST_WORD = 500


class Child:
    """Started at once, in a process group of its own. OSError where it cannot be."""

    def __init__(self, command: Sequence[str], cwd: Path, env: Mapping[str, str]) -> None:
        self.since = monotonic()
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the child has ended
        null = subprocess.DEVNULL
        self._running = subprocess.Popen(
            command, cwd=cwd, env=dict(env), stdin=null, stdout=null, stderr=self._words, start_new_session=True
        )

    @property
    def pid(self) -> int:
        return self._running.pid

    def ended(self) -> int | None:
        """Its exit code, None while it runs."""
        return self._running.poll()

    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        file = self._words.fileno()
        size = os.fstat(file).st_size
        return os.pread(file, _LONGEST_WORD, max(0, size - _LONGEST_WORD)).decode("utf-8", "replace").strip()

    def ask_to_end(self) -> None:
        """Sends SIGTERM, which a program can answer."""
        if self._running.poll() is None:
            self._running.terminate()

    def wait(self, seconds: float) -> int | None:
        """Its exit code once it has ended, None where that takes longer."""
        with suppress(subprocess.TimeoutExpired):
            return self._running.wait(seconds)
        return None

    def end(self) -> None:
        """Ends it, and all that it started."""
        if self._running.poll() is None:  # else the number could be somebody else's
            with suppress(ProcessLookupError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
        self._words.close()

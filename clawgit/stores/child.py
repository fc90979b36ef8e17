"""A child process: started, watched, and ended with everything that it started."""

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from clawgit.doors import subprocess, tempfile

_LAST_WORDS = 500


class Child:
    """Started at once, in its own process group; OSError if it cannot be started.

    It reads from `stdin` and writes to `stdout`.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        env: Mapping[str, str],
        stdin: IO[bytes] | None = None,
        stdout: IO[bytes] | None = None,
    ) -> None:
        # A file, not a pipe: a full pipe that nobody reads would stop the program.
        self._words = tempfile.TemporaryFile()
        # Not None: then the program would share our own input and output.
        null = subprocess.DEVNULL
        try:
            self._running = subprocess.Popen(
                [*command], cwd=folder, env=dict(env), stdin=stdin or null, stdout=stdout or null,
                    stderr=self._words,
                start_new_session=True,
            )  # fmt: skip
        except OSError:
            self._words.close()
            raise

    @property
    def pid(self) -> int:
        return self._running.pid

    def ended(self) -> int | None:
        """Its exit code, None while it runs."""
        return self._running.poll()

    def wait(self, seconds: float) -> int | None:
        """Its exit code once it has ended, None where that takes longer."""
        with suppress(subprocess.TimeoutExpired):
            return self._running.wait(seconds)
        return None

    @property
    def complaint(self) -> int:
        """How many bytes it wrote to standard error."""
        return os.fstat(self._words.fileno()).st_size

    def last_words(self) -> str:
        """The end of what it wrote to standard error."""
        at = max(0, self.complaint - _LAST_WORDS)
        words = os.pread(self._words.fileno(), _LAST_WORDS, at).decode("utf-8", "replace")
        # Half a word may be half a key, which no mask recognises.
        return (words if at == 0 else "".join(words.split(maxsplit=1)[1:])).strip()

    def ask_to_end(self) -> None:
        """Sends SIGTERM, which a program can answer."""
        if self._running.poll() is None:
            self._running.terminate()

    def end(self) -> None:
        """Ends it if it still runs, and then everything that it started."""
        if self._running.poll() is None:  # else the number could be somebody else's
            with suppress(ProcessLookupError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
        self._words.close()

"""A child process: started, watched, and ended with everything that it started."""

import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self

from clawgit.doors import subprocess, tempfile

_LAST_WORDS = 500


class Child:
    """A program in its own process group, which `start` starts; it reads from `stdin` and writes
    to `stdout`.

    Call `end` in any case, even if `start` raises: OSError, or what a signal raises.
    """

    _running: "subprocess.Popen[bytes]"

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        env: Mapping[str, str],
        stdin: IO[bytes] | None = None,
        stdout: IO[bytes] | None = None,
    ) -> None:
        self._command, self._folder, self._env = [*command], folder, dict(env)
        # Not None: then the program would share our own input and output.
        self._in, self._out = stdin or subprocess.DEVNULL, stdout or subprocess.DEVNULL
        # A file, not a pipe: a full pipe that nobody reads would stop the program.
        self._words = tempfile.TemporaryFile()
        self.pid = 0

    def start(self) -> Self:
        with _interrupted_later():
            self._running = subprocess.Popen(
                self._command, cwd=self._folder, env=self._env, stdin=self._in, stdout=self._out,
                stderr=self._words, start_new_session=True,
            )  # fmt: skip
            self.pid = self._running.pid
        return self

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
        # Once it has ended, the number could be somebody else's.
        if self.pid and self._running.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self._running.wait()
        self._words.close()


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Lets Ctrl-C and SIGTERM wait: a child that had started, and that nobody knew of yet, would
    stay behind.

    The handlers are exchanged, because the child would inherit signals that are blocked.
    """
    came: list[int] = []
    # Handlers run in the main thread only, and what is ignored must be so in the child too.
    is_main = threading.current_thread() is threading.main_thread()
    current = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    handlers = {number: told for number, told in current.items() if is_main and callable(told)}
    try:
        for number in handlers:
            signal.signal(number, lambda number, _: came.append(number))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)

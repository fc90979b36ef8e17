"""Runs a program as a child process: watched, ended with everything that it started, and, if it is
the operator's, within limits of time and of the length of its answer.
"""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import IO, Self

from clawgit.core import NamedTuple
from clawgit.core.doors import json, subprocess, tempfile, threading
from clawgit.core.errors import ClawgitError
from clawgit.safety.rules.secrets import masked

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
        with _signals_wait():
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

    def error(self) -> str:
        """What a command of ours said was wrong, or the last line of one that was killed."""
        lines = self.last_words().splitlines()
        errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
        return (errors or lines or [""])[-1]

    def ask_to_end(self, *, with_all: bool = False) -> None:
        """Sends SIGTERM, which a program can answer: what it started it may still need, to finish
        what it does. `with_all`: to that, too, since it would outlive a program that answers.
        """
        if self._running.poll() is None:
            with suppress(ProcessLookupError):
                (os.killpg if with_all else os.kill)(self.pid, signal.SIGTERM)

    def end(self) -> None:
        """Ends it if it still runs, and then everything that it started."""
        # Once it has ended, the number could be somebody else's.
        if self.pid and self._running.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self._running.wait()
        self._words.close()


@contextmanager
def _signals_wait() -> Iterator[None]:
    """What a signal raises comes at the end of the block: before that, what is started there has no
    number yet by which somebody could end it.
    """
    heard: list[int] = []
    theirs = {}
    try:
        # No other thread hears a signal.
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(signal.getsignal(number)):
                    theirs[number] = signal.signal(number, lambda heeded, _: heard.append(heeded))
        yield
    finally:
        for number, handler in theirs.items():
            signal.signal(number, handler)
        for heeded in heard:
            signal.raise_signal(heeded)


_MOMENT = 0.05
_MOST = 8 * 1024 * 1024


class ProgramError(Exception):
    """A program cannot be started, writes too much, or takes too long; the message says which."""


class Ran(NamedTuple):
    """The exit code of a program, its answer, and the last line of stderr without secrets."""

    code: int
    answer: bytes
    words: str


def run_program(
    argv: Sequence[str],
    text: bytes,
    *,
    folder: Path,
    env: Mapping[str, str],
    seconds: float,
    most: int = _MOST,
) -> Ran:
    """Runs it in a folder.

    If it is too slow or writes too much, it is ended with everything that it started. If it ends by
    itself, what it left running stays.
    """
    # Files on both sides: a full pipe stops its writer, and a file shows its size.
    with tempfile.TemporaryFile() as input_file, tempfile.TemporaryFile() as output_file:
        input_file.write(text)
        input_file.seek(0)
        child = Child(argv, folder, env, input_file, output_file)
        try:
            _begin(child)
            code = _waited_for(child, output_file, seconds, most)
            lines = child.last_words().splitlines() or [""]
            # Read from the start: the program shares the file's offset with us, and left it at the
            # end.
            return Ran(code, os.pread(output_file.fileno(), most, 0), masked(lines[-1]))
        finally:
            child.end()


def _begin(child: Child) -> None:
    try:
        child.start()
    except OSError as error:
        raise ProgramError(f"cannot be run: {error.strerror}") from error


def _waited_for(child: Child, output_file: IO[bytes], seconds: float, most: int) -> int:
    until = monotonic() + seconds
    while True:
        code = child.wait(_MOMENT)
        # Also checked when it has ended: it may have written too much at the end.
        if max(os.fstat(output_file.fileno()).st_size, child.complaint) > most:
            raise ProgramError(f"wrote too much, more than {most:,} bytes")
        if code is not None:
            return code
        if monotonic() > until:
            raise ProgramError(f"took longer than {seconds:g} s")


class Limits(NamedTuple):
    """How long an answer may take, and how many bytes it may have."""

    seconds: float = 2.0
    size: int = 256 * 1024


class OutsideError(ClawgitError):
    """A program gives no answer that can be used."""

    kind = "outside"


def from_program(
    argv: Sequence[str],
    question: Mapping[str, object],
    folder: Path,
    env: Mapping[str, str],
    limits: Limits,
) -> str:
    """The output of a program, which gets the question as JSON on its standard input."""
    name = argv[0]
    try:
        ran = run_program(
            argv,
            json.dumps(question, ensure_ascii=False).encode("utf-8", "replace"),
            folder=folder,
            env=env,
            seconds=limits.seconds,
            most=limits.size,
        )
    except ProgramError as error:
        raise OutsideError(
            f"{name} {error}.", hint="Try it by hand; it must be quick and brief."
        ) from error
    if ran.code:
        raise OutsideError(f"{name} ended with {ran.code}.", hint="Try it by hand.")
    try:
        text = ran.answer.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise OutsideError(
            f"{name} answers with something other than UTF-8 text.", hint="Make it send text."
        )
    return text

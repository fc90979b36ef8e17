"""A program of the operator's: told something on its standard input, heard out, and not waited for too long."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple

_MOMENT = 0.05
_MOST = 8 * 1024 * 1024
_LAST_WORDS = 500


class ProgramError(Exception):
    """A program that cannot be started, talks without end, or takes too long; its words say which."""


class Ran(NamedTuple):
    """How a program ended, what it answered, and the last line of what it complained of."""

    code: int
    answer: bytes
    words: str


def run_program(
    argv: Sequence[str], told: bytes, *, folder: Path, env: Mapping[str, str], seconds: float, most: int = _MOST
) -> Ran:
    """Runs it in a folder, with all that it starts in one group, which is ended with it."""
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as words:
        asked.write(told)
        asked.seek(0)
        try:
            running = subprocess.Popen(
                [*argv], cwd=folder, env=dict(env), stdin=asked, stdout=said, stderr=words, start_new_session=True
            )
        except OSError as error:
            raise ProgramError(f"cannot be run: {error.strerror}") from error
        with running:
            try:
                _wait(running, (said, words), seconds, most)
            finally:
                _end_with_all_it_started(running)
        return Ran(running.returncode, _start_of(said, most), _last_words(words))


def _wait(running: "subprocess.Popen[bytes]", outputs: Sequence[IO[bytes]], seconds: float, most: int) -> None:
    until = monotonic() + seconds
    while True:
        with suppress(subprocess.TimeoutExpired):
            running.wait(_MOMENT)
        if max(os.fstat(one.fileno()).st_size for one in outputs) > most:
            raise ProgramError(f"wrote too much, more than {most:,} bytes")
        if running.returncode is not None:
            return
        if monotonic() > until:
            raise ProgramError(f"took longer than {seconds:g} s")


def _end_with_all_it_started(running: "subprocess.Popen[bytes]") -> None:
    """Only where it has not ended by itself: then the number could be somebody else's."""
    if running.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)


def _start_of(file: IO[bytes], most: int) -> bytes:
    return os.pread(file.fileno(), most, 0)


def _last_words(file: IO[bytes]) -> str:
    size = os.fstat(file.fileno()).st_size
    said = os.pread(file.fileno(), _LAST_WORDS, max(0, size - _LAST_WORDS)).decode("utf-8", "replace").strip()
    return said.splitlines()[-1] if said else ""

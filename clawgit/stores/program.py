"""Runs a program of the operator: input on stdin, limits for the answer's length and for the
time.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple

from clawgit.domain.safety.secrets import masked
from clawgit.doors import tempfile
from clawgit.stores.child import Child

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

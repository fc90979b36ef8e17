"""Asks a program of the operator, within limits of time and size."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.stores.program import ProgramError, run_program


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
    return _text(ran.answer, name)


def _text(answer: bytes, name: str) -> str:
    try:
        text = answer.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise OutsideError(
            f"{name} answers with something other than UTF-8 text.", hint="Make it send text."
        )
    return text

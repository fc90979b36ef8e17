"""Asks a program or a server of the operator, within limits of time and size."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from clawgit.errors import ClawgitError
from clawgit.stores.http_client import NoReplyError, send
from clawgit.stores.program import ProgramError, run_program


class Limits(NamedTuple):
    """How long an answer may take, and how many bytes it may have."""

    seconds: float = 2.0
    size: int = 256 * 1024


class OutsideError(ClawgitError):
    """A program or a server gives no answer that can be used."""

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
            _as_json(question),
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


def from_server(url: str, question: Mapping[str, object], limits: Limits) -> str:
    """The answer of a server to a POST of the question as JSON. No redirect is followed."""
    outcome: list[str | OutsideError] = []

    def ask() -> None:
        try:
            outcome.append(_post(url, question, limits))
        except OutsideError as error:
            outcome.append(error)

    # In a thread that may be abandoned: the time limit of a socket begins again with every byte, so
    # a slow server could block us for ever.
    thread = Thread(target=ask, name="crm", daemon=True)
    thread.start()
    thread.join(limits.seconds)
    if not outcome:
        raise _late(url, limits)
    if isinstance(outcome[0], OutsideError):
        raise outcome[0]
    return outcome[0]


def _post(url: str, question: Mapping[str, object], limits: Limits) -> str:
    try:
        reply = send(url, _as_json(question), {}, seconds=limits.seconds, most=limits.size + 1)
    except NoReplyError as error:
        if error.is_late:
            raise _late(url, limits) from error
        raise OutsideError(f"{url} does not answer: {error}.", hint="Is it running?") from error
    if not reply.is_success:
        raise OutsideError(f"{url} answers {reply.status} {reply.reason}.", hint="Look at its log.")
    if len(reply.body) > limits.size:
        raise OutsideError(
            f"{url} answers with more than {limits.size:,} bytes.", hint="Make it send less."
        )
    return _text(reply.body, url)


def _as_json(question: Mapping[str, object]) -> bytes:
    return json.dumps(question, ensure_ascii=False).encode("utf-8", "replace")


def _late(url: str, limits: Limits) -> OutsideError:
    return OutsideError(
        f"{url} took longer than {limits.seconds:g} s.", hint="Make it answer faster."
    )


def _text(answer: bytes, name: str) -> str:
    try:
        text = answer.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OutsideError(
            f"{name} answers with something other than UTF-8 text.", hint="Make it send text."
        ) from error
    if "\0" in text:
        raise OutsideError(
            f"{name} answers with something other than text.", hint="Make it send text."
        )
    return text

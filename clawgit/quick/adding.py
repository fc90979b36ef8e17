"""Has the service write a fact, and returns what to print."""

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING

from clawgit.domain.change.ids import change_id
from clawgit.stores.asking import (
    JSON,
    LONGEST,
    TEXT,
    WRITING_PATIENCE,
    Asked,
    ask,
    git_standpoint,
    standpoint,
)

if TYPE_CHECKING:
    from clawgit.quick.entry import PlainAdd


def add(folder: str, adding: "PlainAdd") -> "tuple[str | None, Asked | None]":
    """What to print; else None, and the change that was asked for, if the service may still make
    it. A caller that then makes it first looks whether history has its id.
    """
    ident = change_id(int.from_bytes(os.urandom(4), "big"))
    question = _question(adding, ident)
    if len(adding.text) > LONGEST:
        return None, None
    try:
        answer = ask(folder, question, WRITING_PATIENCE)
    except TimeoutError:
        return None, Asked(ident, is_silent=True)
    if answer is None:
        return None, None
    return _printed(answer), Asked(ident)


def _question(adding: "PlainAdd", ident: str) -> dict[str, object]:
    options = dict(adding.options)
    actor, _ = options.pop("actor"), options.pop("directory")
    now = datetime.now().astimezone().isoformat()
    # The same as `Path.home`, with which the service compares it.
    home = os.path.normpath(os.path.expanduser("~"))  # noqa: PTH111 - pathlib takes 5 ms to load
    arguments = {
        **options,
        "text": adding.text,
        "evidence": adding.evidence,
        "allow_secret": False,
        "ident": ident,
        "actor": actor,
        "now": now,
        "git": git_standpoint(os.environ),
    }
    return {
        "op": "remember",
        "arguments": arguments,
        "printed": JSON if adding.as_json else TEXT,
        **standpoint(os.environ, home, now),
    }


def _printed(answer: bytes) -> str | None:
    """What to print.

    None if a character of it could act on a terminal, since the listener may not be our service:
    the usual way then prints it.
    """
    try:
        printed = json.loads(answer)["printed"] if answer else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    is_plain = isinstance(printed, str) and all(map(str.isprintable, printed.split("\n")))
    return printed if is_plain else None

"""Has the service write a fact, and returns what to print."""

import os
import time
from _json import encode_basestring_ascii, scanstring

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from clawgit.quick.entry import Plain

_AGENT = "agent"
"""The caller's name, if none is given."""

_BEGINNING = '{"printed": '
"""How the service begins an answer that is to be printed."""


def add(folder: str, typed: "Plain") -> "tuple[str | None, Asked | None]":
    """What to print; else None, and the change that was asked for, if the service may still make
    it. A caller that then makes it first looks whether history has its id.
    """
    ident = change_id(int.from_bytes(os.urandom(4), "big"))
    question = _question(typed, ident)
    if len(typed.words[0]) > LONGEST:
        return None, None
    try:
        answer = ask(folder, _as_json(question), WRITING_PATIENCE)
    except TimeoutError:
        return None, Asked(ident, is_silent=True)
    if answer is None:
        return None, None
    return _printed(answer), Asked(ident)


def _question(typed: "Plain", ident: str) -> dict[str, object]:
    now = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    # The same as `Path.home`, with which the service compares it.
    home = os.path.normpath(os.path.expanduser("~"))  # noqa: PTH111 - pathlib takes 5 ms to load
    arguments = {
        **{name: typed.last(name) for name in ("tag", "to", "source", "session")},
        "text": typed.words[0],
        "evidence": typed.options.get("evidence", ()),
        "allow_secret": False,
        "ident": ident,
        "actor": typed.last("actor") or _AGENT,
        "now": now,
        "git": git_standpoint(os.environ),
    }
    return {
        "op": "remember",
        "arguments": arguments,
        "printed": JSON if typed.as_json else TEXT,
        **standpoint(os.environ, home, now),
    }


def _as_json(value: object) -> str:
    # `json` itself loads `re` and `enum`, which takes 5 ms.
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_as_json(name)}: {_as_json(of)}' for name, of in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_as_json, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    raise TypeError(value)


def _printed(answer: bytes) -> str | None:
    """What to print.

    None if a character of it could act on a terminal, since the listener may not be our service:
    the usual way then prints it.
    """
    try:
        line = answer.decode()
        printed, end = scanstring(line, len(_BEGINNING) + 1)
    except ValueError:
        return None
    is_ours = line.startswith(f'{_BEGINNING}"') and line[end:] == "}\n"
    return printed if is_ours and all(map(str.isprintable, printed.split("\n"))) else None

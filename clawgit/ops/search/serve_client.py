"""Asks the process that `serve` keeps warm; without an answer the caller does the work itself.

A search that gets no answer is made again. A write is not: it has an id before it is asked for, and
whoever makes it again looks first whether history has that id.
"""

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from clawgit import __version__
from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import change_id
from clawgit.errors import BusyError
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.unixsocket import ask

_PATIENCE = 5.0
_WRITING_PATIENCE = 30.0
"""Seconds: much longer than the process itself waits for another writer."""
_WEIGHTY = ("CLAWGIT_", "OPENCLAW_", "CHROMA_", "XDG_", "HOME", "TZ", "LC_", "LANG")
_GIT = ("GIT_CONFIG", "GIT_AUTHOR", "GIT_COMMITTER")
_FREE = frozenset({"CLAWGIT_WORKSPACE", "CLAWGIT_NOW"})


def asked(
    workspace: Workspace, op: str, arguments: Mapping[str, object]
) -> Mapping[str, Any] | None:
    """A warm process's answer as JSON; None if there is none, or it may not speak for us."""
    try:
        return _result(_answer(workspace, op, arguments, _PATIENCE))
    except TimeoutError:
        return None


class Written(NamedTuple):
    """What a warm process made of a write.

    Without a `result` the caller makes it itself: under `ident`, if the process was asked and may
    have made it.
    """

    result: Mapping[str, Any] | None = None
    ident: str = ""


def written(workspace: Workspace, op: str, arguments: Mapping[str, object]) -> Written:
    """Has a warm process make a change, for anybody but the operator.

    That process cannot know whether it is the operator who asks; only a terminal tells.
    """
    caller = workspace.caller
    if caller.actor == OPERATOR:
        return Written()
    ident = change_id(int.from_bytes(os.urandom(4), "big"))
    asking = {
        **arguments,
        "ident": ident,
        "actor": caller.actor.slug,
        "now": caller.now.isoformat(),
        "git": git_standpoint(caller),
    }
    try:
        answer = _answer(workspace, op, asking, _WRITING_PATIENCE)
    except TimeoutError as error:
        # Made here as well, it would stand there twice as soon as that process goes on.
        raise BusyError(
            "`clawgit run serve` has taken this change, but does not answer.",
            hint="See whether `clawgit log -n 1` shows it before you run this again.",
        ) from error
    if answer is None:
        return Written()
    return Written(_result(answer), ident)


def git_standpoint(caller: Caller) -> str:
    """What a commit depends on besides: git's own variables."""
    env = sorted((name, value) for name, value in caller.env.items() if name.startswith(_GIT))
    return sha256(json.dumps(env).encode()).hexdigest()


def _answer(
    workspace: Workspace, op: str, arguments: Mapping[str, object], patience: float
) -> bytes | None:
    place = workspace.place
    if not _is_there(place):
        return None
    question = {"op": op, "arguments": dict(arguments), **standpoint(workspace.caller)}
    return ask(place, json.dumps(question).encode(), patience)


def _result(answer: bytes | None) -> Mapping[str, Any] | None:
    try:
        result = json.loads(answer)["result"] if answer else None
    except (ValueError, KeyError, TypeError):
        return None
    return result if isinstance(result, dict) else None


def standpoint(caller: Caller) -> dict[str, str]:
    """What an answer depends on besides the question: version, environment and clock."""
    env = sorted(
        (name, value)
        for name, value in caller.env.items()
        if (name.startswith(_WEIGHTY) or name.endswith("_API_KEY")) and name not in _FREE
    )
    digest = sha256(json.dumps([env, str(caller.home)]).encode()).hexdigest()
    return {"version": __version__, "environment": digest, "now": caller.now.isoformat()}


def _is_there(place: RepoPlace) -> bool:
    return (place.private / "serve.sock").exists()

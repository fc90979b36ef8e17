"""Asks the process of `clawgit run --serve`; without an answer the caller does the work itself.

A search can simply be repeated. A write gets its id before it is sent, so a caller that repeats it
first looks whether history has that id.
"""

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.ids import change_id
from clawgit.errors import BusyError
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores import asking
from clawgit.stores.asking import WRITING_PATIENCE
from clawgit.stores.git.place import RepoPlace

_PATIENCE = 5.0


def asked(
    workspace: Workspace, op: str, arguments: Mapping[str, object]
) -> Mapping[str, Any] | None:
    """The answer of a warm process as JSON; None if there is none, or if the process may not answer
    for us.
    """
    try:
        return _result(_answer(workspace, op, arguments, _PATIENCE))
    except TimeoutError:
        return None


class Written(NamedTuple):
    """The result of a write by a warm process.

    Without a `result` the caller makes the write itself; with the id `ident`, if the process was
    asked and may have made it.
    """

    result: Mapping[str, Any] | None = None
    ident: str = ""


def written(workspace: Workspace, op: str, arguments: Mapping[str, object]) -> Written:
    """Has a warm process make a change, for anybody but the operator.

    It cannot know whether the operator asks, since only a terminal shows that.
    """
    caller = workspace.caller
    if caller.actor == OPERATOR or not _is_there(workspace.place):
        return Written()
    ident = change_id(int.from_bytes(os.urandom(4), "big"))
    wanted = {
        **arguments,
        "ident": ident,
        "actor": caller.actor.slug,
        "now": caller.now.isoformat(),
        "git": git_standpoint(caller),
    }
    try:
        answer = _answer(workspace, op, wanted, WRITING_PATIENCE)
    except TimeoutError as error:
        # If it were made here too, it would be made twice as soon as that process goes on.
        raise BusyError(
            "`clawgit run --serve` took this change, but does not answer.",
            hint="See whether `clawgit log -n 1` shows it before you run this again.",
        ) from error
    if answer is None:
        return Written()
    return Written(_result(answer), ident)


def git_standpoint(caller: Caller) -> str:
    """What else a commit depends on: git's own variables."""
    return asking.git_standpoint(caller.env)


def _answer(
    workspace: Workspace, op: str, arguments: Mapping[str, object], patience: float
) -> bytes | None:
    place = workspace.place
    if not _is_there(place):
        return None
    question = {"op": op, "arguments": dict(arguments), **standpoint(workspace.caller)}
    return asking.ask(str(place.private), json.dumps(question), patience)


def _result(answer: bytes | None) -> Mapping[str, Any] | None:
    try:
        result = json.loads(answer)["result"] if answer else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return result if isinstance(result, dict) else None


def standpoint(caller: Caller) -> dict[str, str]:
    """What an answer depends on apart from the question: version, environment and clock."""
    return asking.standpoint(caller.env, str(caller.home), caller.now.isoformat())


def _is_there(place: RepoPlace) -> bool:
    return (place.private / asking.NAME).exists()

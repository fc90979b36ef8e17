"""Runs an operator's script that CONFIG.md names, with JSON on its standard input."""

import json
import os

from clawgit.agents.contract import Call
from clawgit.domain.conversation.chat import Message
from clawgit.errors import ClawgitError
from clawgit.ops.workspace.reach import expanded
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.program import ProgramError, run_program

SECONDS = 10.0
"""How long a script may take."""

_LONGEST_TEXT = 16_000
"""Characters of a message that it is given."""

_MOST_WORDS = 64 * 1024 * 1024
"""Bytes of its output that are read."""


class ScriptError(ClawgitError):
    """A script that does not exist, fails, or takes too long."""

    kind = "script_failed"


def run_script(workspace: Workspace, route: str, call: Call, seconds: float = SECONDS) -> None:
    """Gives a call to a script; a relative path starts at the workspace.

    ScriptError if it fails.
    """
    path = expanded(workspace, route)
    try:
        ran = run_program(
            [os.fspath(path)],
            _told(call),
            folder=workspace.root,
            env=workspace.caller.env,
            seconds=seconds,
            most=_MOST_WORDS,
        )
    except ProgramError as error:
        raise ScriptError(
            f"{route} {error}.",
            hint="Try it by hand; it should start what takes long in the background.",
        ) from error
    if ran.code:
        words = f": {ran.words}" if ran.words else "."
        raise ScriptError(f"{route} ended with {ran.code}{words}", hint=f"Try it: {path}")


def _told(call: Call) -> bytes:
    payload = {
        "queue": call.queue,
        "confidence": call.confidence,
        "triggers": [trigger._asdict() for trigger in call.triggers],
        "message": _shape(call.message),
        "exchange": [_shape(message) for message in call.exchange],
    }
    return json.dumps(payload, ensure_ascii=False).encode()


def _shape(message: Message) -> dict[str, object]:
    shape = {
        name: value for name, value in message._asdict().items() if name not in ("live", "record")
    }
    return {**shape, "text": message.text[:_LONGEST_TEXT], "time": message.time.isoformat()}

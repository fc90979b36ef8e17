"""Answers Claude Code's hooks: with a context, a request to write memory down, or nothing.

Each kind of event is answered by a module of its own, which is imported when such an event comes:
a hook waits for the answer, and no event needs what the others need.
"""

import importlib
import json
from collections.abc import Mapping
from typing import Any

from clawgit.errors import UsageError
from clawgit.ops.workspace.workspace import Workspace

_ANSWERS = {
    "SessionStart": "connect_session_start:answer",
    "UserPromptSubmit": "connect_prompt:answer",
    "Stop": "connect_stop:answer",
}
"""Which function answers an event, as `module:name` in this folder."""


def heard(workspace: Workspace, event: Mapping[str, Any]) -> str:
    """What to print. Other events are answered with nothing."""
    where = _ANSWERS.get(str(event.get("hook_event_name")))
    if where is None:
        return ""
    session = f"claude-code:{event.get('session_id') or 'unknown'}"
    module, _, name = where.partition(":")
    function = getattr(importlib.import_module(f"clawgit.ops.clients.{module}"), name)
    answer: str = function(workspace, session, event)
    return answer


def event_in(text: str) -> Mapping[str, Any]:
    """The event that a hook gets on standard input."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise UsageError(
            "There is no event on standard input.",
            hint="Only Claude Code's hooks call this.",
        )
    return event

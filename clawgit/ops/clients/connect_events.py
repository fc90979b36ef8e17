"""Answers Claude Code's hooks: with a context, a request to write to memory, or nothing."""

import importlib
import json
from collections.abc import Mapping
from typing import Any

from clawgit.errors import UsageError
from clawgit.ops.conversation.heartbeat import heartbeat
from clawgit.ops.conversation.queue import start_worker
from clawgit.ops.workspace.workspace import Workspace

_LATE = {"SessionStart": "connect_session_start", "Stop": "connect_stop"}
"""By name: the context and the session take long to load, and a prompt does not need them."""

Event = Mapping[str, Any]


def answer_to(workspace: Workspace, event: Event) -> str:
    """What to print; "" for events that are not known."""
    name = str(event.get("hook_event_name"))
    session = f"claude-code:{event.get('session_id') or 'unknown'}"
    if name == "UserPromptSubmit":
        _log_prompt(workspace, session, str(event.get("prompt") or ""))
    if name not in _LATE:
        return ""
    late = importlib.import_module(f"clawgit.ops.clients.{_LATE[name]}")
    answer: str = late.answer(workspace, session, event)
    return answer


def event_in(text: str) -> Event:
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


def _log_prompt(workspace: Workspace, session: str, prompt: str) -> None:
    """Logs and queues a prompt. A worker does the work: the user does not wait."""
    if prompt.strip() and heartbeat(workspace, prompt, session=session).queued:
        start_worker(workspace, "any", {"any": ("run", "--queue")})

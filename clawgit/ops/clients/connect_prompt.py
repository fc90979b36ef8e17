"""Answers a user's prompt in Claude Code: it is logged and queued, and nothing is printed."""

from collections.abc import Mapping
from typing import Any

from clawgit.ops.conversation.heartbeat import heartbeat
from clawgit.ops.conversation.queue import start_worker
from clawgit.ops.workspace.workspace import Workspace

_WORKERS = {"any": ("queue", "work")}


def answer(workspace: Workspace, session: str, event: Mapping[str, Any]) -> str:
    """Always "". A worker process does the work, so that the user does not wait for it."""
    prompt = str(event.get("prompt") or "")
    if not prompt.strip():
        return ""
    done = heartbeat(workspace, prompt, session=session)
    if done.queued:
        start_worker(workspace, "any", _WORKERS)
    return ""

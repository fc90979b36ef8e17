"""What a hook of Claude Code says, and the answer to a prompt: it is logged, nothing more."""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from clawgit.core.errors import UsageError
from clawgit.run.heartbeat import heartbeat, start_worker
from clawgit.workspace.workspace import Workspace

Event = Mapping[str, Any]


def event_in(text: str) -> Event:
    """The event that a hook gets on standard input."""
    with suppress(ValueError, RecursionError):
        if isinstance(event := json.loads(text), dict):
            return event
    raise UsageError(
        "There is no event on standard input.", hint="Only Claude Code's hooks call this."
    )


def prompted(workspace: Workspace, session: str, event: Event) -> str:
    """Logs and queues a prompt. A worker does the work: the user does not wait."""
    prompt = str(event.get("prompt") or "")
    if prompt.strip() and heartbeat(workspace, prompt, session=session).queued:
        start_worker(workspace, "run", "--queue")
    return ""

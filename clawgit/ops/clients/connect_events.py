"""What Claude Code tells its hooks, and what it is answered: a context, nothing, or a request to
write memory down.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clawgit.errors import UsageError
from clawgit.ops.workspace.workspace import Workspace

_CHARACTERS = 10_000
"""What a hook prints beyond that, Claude Code puts into a file and shows the model a preview of."""

_ASSISTANT = "assistant"
_FIRST_BUDGET = 2_400
_USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
_COMPACTED = b'"compact_boundary"'
_WORKERS = {"any": ("queue", "work")}


class Tail(NamedTuple):
    """The end of a transcript: what was said last, how full the context is, how often it was
    compacted.
    """

    text: str = ""
    ident: str = ""
    tokens: int = 0
    compactions: int = 0


def heard(workspace: Workspace, event: Mapping[str, Any]) -> str:
    """What to print. A moment that nobody listens to is answered with nothing."""
    session = f"claude-code:{event.get('session_id') or 'unknown'}"
    moment = event.get("hook_event_name")
    if moment == "SessionStart":
        return "" if event.get("source") == "resume" else _context(workspace, session)
    if moment == "UserPromptSubmit":
        return _prompted(workspace, session, str(event.get("prompt") or ""))
    if moment == "Stop":
        return _stopped(workspace, session, event)
    return ""


def event_in(text: str) -> Mapping[str, Any]:
    """The event that a hook is told on standard input."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise UsageError(
            "There is no event on standard input.",
            hint="Claude Code's hooks call this, nobody else.",
        )
    return event


def tail_of(file: Path) -> Tail:
    """Read as far as it can be: a transcript is another program's, and its shape may change."""
    last, compactions = b"", 0
    try:
        with file.open("rb") as lines:
            for line in lines:
                if b'"assistant"' in line and b'"isSidechain":true' not in line:
                    last = line
                elif _COMPACTED in line:
                    compactions, last = compactions + 1, b""
    except (OSError, ValueError):  # no path can have a NUL in it
        return Tail()
    return _told(last)._replace(compactions=compactions)


def _told(line: bytes) -> Tail:
    try:
        entry = json.loads(line)
        message = entry["message"]
        parts = message["content"]
        usage = message.get("usage") or {}
        said = (
            [parts]
            if isinstance(parts, str)
            else [part["text"] for part in parts if part.get("type") == "text"]
        )
        return Tail(
            "\n".join(said),
            str(entry.get("uuid") or ""),
            sum(int(usage.get(name) or 0) for name in _USED),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return Tail()


def _context(workspace: Workspace, session: str) -> str:
    """As much as is shown to the model whole."""
    from clawgit.ops.context.asking import ContextRequest  # noqa: PLC0415
    from clawgit.ops.context.context import context, whole  # noqa: PLC0415 - the other moments need none of it

    budget = min(_FIRST_BUDGET, workspace.config.settings.context_budget_tokens)
    while budget:
        text = whole(context(workspace, ContextRequest(session=session, budget=budget)))
        if len(text) <= _CHARACTERS:
            return text
        budget = budget * _CHARACTERS // (len(text) + 1)
    return ""


def _prompted(workspace: Workspace, session: str, prompt: str) -> str:
    """Whoever the message calls works on alone: the user waits for nobody."""
    if not prompt.strip():
        return ""
    from clawgit.ops.conversation.heartbeat import heartbeat  # noqa: PLC0415 - the other moments need none of it
    from clawgit.ops.conversation.queue import start_worker  # noqa: PLC0415

    done = heartbeat(workspace, prompt, session=session)
    if done.queued or done.heard:
        start_worker(workspace, "any", _WORKERS)
    return ""


def _stopped(workspace: Workspace, session: str, event: Mapping[str, Any]) -> str:
    from clawgit.ops.conversation.chat import log  # noqa: PLC0415 - the other moments need none of it

    named = event.get("transcript_path")
    tail = tail_of(Path(named)) if isinstance(named, str) and named else Tail()
    said = str(event.get("last_assistant_message") or tail.text)
    if said.strip():
        log(workspace, said, session=session, role=_ASSISTANT, ident=tail.ident, forward=False)
    # A stop that follows upon our own request must not ask again.
    if event.get("stop_hook_active") or not tail.tokens:
        return ""
    return _flush(workspace, session, tail)


def _flush(workspace: Workspace, session: str, tail: Tail) -> str:
    from clawgit.ops.conversation.session import flush_check  # noqa: PLC0415 - most stops need none of it
    from clawgit.ops.conversation.session_reading import Where  # noqa: PLC0415

    settings = workspace.config.settings
    where = Where(session, lines=())
    found = flush_check(
        workspace, where, settings, tokens=tail.tokens, compactions=tail.compactions
    )
    if not found.flush:
        return ""
    reason = f"{found.system_prompt}\n{found.prompt}\nThat file lies in {workspace.root}."
    return json.dumps({"decision": "block", "reason": reason}, ensure_ascii=False)

"""Answers the start and the end of a turn of Claude Code: with the context, and with a request to
write to memory if its own is nearly full.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from clawgit.core import NamedTuple
from clawgit.talk.chat import log
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context, whole
from clawgit.talk.ingest import Where
from clawgit.talk.session import flush_check
from clawgit.workspace.workspace import Workspace

_CHARACTERS = 10_000
"""How much a hook may print. If it is more, Claude Code shows the model only a preview."""

_FIRST_BUDGET = 2_400

_USED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")

Event = Mapping[str, Any]


class Tail(NamedTuple):
    """The end of a transcript: the last reply, the size of the context, the compactions so far."""

    text: str = ""
    ident: str = ""
    tokens: int = 0
    compactions: int = 0


def started(workspace: Workspace, session: str, event: Event) -> str:
    """As much of the context as Claude Code shows to the model."""
    if event.get("source") == "resume":
        return ""  # the model has it already
    budget = min(_FIRST_BUDGET, workspace.settings.context_budget_tokens)
    while budget:
        text = whole(context(workspace, ContextRequest(session=session, budget=budget)))
        if len(text) <= _CHARACTERS:
            return text
        # A token has no fixed number of characters, so the next budget follows the excess.
        budget = budget * _CHARACTERS // (len(text) + 1)
    return ""


def stopped(workspace: Workspace, session: str, event: Event) -> str:
    """Logs the reply, and asks for memory to be written if the context is nearly full."""
    path = event.get("transcript_path")
    tail = tail_of(Path(path)) if isinstance(path, str) and path else Tail()
    reply = str(event.get("last_assistant_message") or tail.text)
    if reply.strip():
        log(workspace, reply, session=session, role="assistant", ident=tail.ident, forward=False)
    # A stop that follows our own request must not ask again: the session would never end.
    if event.get("stop_hook_active") or not tail.tokens:
        return ""
    check = flush_check(
        workspace, Where(session, lines=()), tokens=tail.tokens, compactions=tail.compactions
    )
    if not check.flush:
        return ""
    reason = f"{check.system_prompt}\n{check.prompt}\nThat file is in {workspace.root}."
    return json.dumps({"decision": "block", "reason": reason}, ensure_ascii=False)


def tail_of(file: Path) -> Tail:
    """Reads what it can: another program writes the transcript, and its format may change."""
    last, compactions = b"", 0
    try:
        with file.open("rb") as lines:
            for line in lines:
                # Bytes are compared and only the last line is parsed: transcripts grow long.
                if b'"assistant"' in line and b'"isSidechain":true' not in line:
                    last = line
                elif b'"compact_boundary"' in line:
                    # The tokens of a reply before a compaction say nothing about the context now.
                    compactions, last = compactions + 1, b""
    except (OSError, ValueError):  # ValueError: a path with a NUL in it
        return Tail()
    return _parsed(last)._replace(compactions=compactions)


def _parsed(line: bytes) -> Tail:
    with suppress(ValueError, KeyError, TypeError, AttributeError):
        entry = json.loads(line)
        usage, content = entry["message"].get("usage") or {}, entry["message"]["content"]
        if not isinstance(content, str):
            content = "\n".join(part["text"] for part in content if part.get("type") == "text")
        tokens = sum(int(usage.get(name) or 0) for name in _USED)
        return Tail(content, str(entry.get("uuid") or ""), tokens)
    return Tail()

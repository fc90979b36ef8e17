"""A session as its model sees it: the messages that a transcript holds, and which of them are in
its context.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from clawgit.domain.conversation.transcript import TranscriptEntry, moment
from clawgit.domain.model.tokens import estimate_tokens

USER = "user"
ASSISTANT = "assistant"
TOOL = "tool"
SYSTEM = "system"
SUMMARY = "summary"
NO_REPLY = "NO_REPLY"
"""What an agent answers where nothing is to be told to anybody."""

_ROLES = {
    "user": USER, "human": USER, "assistant": ASSISTANT, "ai": ASSISTANT,
    "toolResult": TOOL, "tool": TOOL, "bashExecution": TOOL, "system": SYSTEM, "developer": SYSTEM,
    "compactionSummary": SUMMARY, "branchSummary": SUMMARY,
}  # fmt: skip
_COMPACTION = "compaction"
_RESET = "reset"
_SUMMARIES = {_COMPACTION: "compactionSummary", "branch_summary": "branchSummary"}
_TEXTS = ("content", "text", "output", "summary")
_TOTAL = ("totalTokens", "total_tokens")
_USED = (
    "input", "output", "cacheRead", "cacheWrite", "input_tokens", "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens", "prompt_tokens", "completion_tokens",
)  # fmt: skip
_AROUND = 4
_IMAGE = 1200
"""Tokens that a message costs beside its words, and roughly those of a picture."""


class SessionMessage(NamedTuple):
    """One message: `value` is all of it as it came. `used` are the tokens of the context up to and
    with it, where the model told them.
    """

    id: str
    role: str
    time: datetime | None
    value: Mapping[str, Any]
    used: int = 0


class SessionContext(NamedTuple):
    """What the model of a session has before it. `cycle` names the last compaction or reset, ""
    before the first.
    """

    messages: tuple[SessionMessage, ...]
    cycle: str


class Count(NamedTuple):
    """How many tokens, and whether they rest on the model's own `usage` or on an `estimate`."""

    tokens: int
    by: str


def said_in(entry: TranscriptEntry) -> SessionMessage | None:
    """What was said in an entry of OpenClaw's, or in a line `{"role", "text" or "content", "time",
    "id"}`.
    """
    value = _message(entry)
    role = value.get("role") if value else None
    if value is None or not isinstance(role, str):
        return None
    times = (value.get("timestamp"), entry.said.get("timestamp"), value.get("time"))
    time = next(filter(None, map(moment, times)), None)
    return SessionMessage(entry.id, _ROLES.get(role, role), time, value, _used(value))


def context(entries: Iterable[TranscriptEntry]) -> SessionContext:
    """The messages since the last reset; of those before the last compaction the summary and what
    it kept.
    """
    messages: list[SessionMessage] = []
    cycle = ""
    for entry in entries:
        said = said_in(entry)
        if entry.type in (_COMPACTION, _RESET) or (said and said.role == SUMMARY and not messages):
            cycle = digest(entry.said)
        if entry.type == _RESET:
            messages = []
        elif entry.type == _COMPACTION:
            messages = _kept(messages, entry.said.get("firstKeptEntryId"))
            messages[:0] = [said] if said else []
        elif said:
            messages.append(said)
    return SessionContext(tuple(messages), cycle)


def tokens_in(messages: Sequence[SessionMessage]) -> Count:
    """By the last count of the model and an estimate of what came after it; without one by an
    estimate of all.
    """
    last = next((at for at in reversed(range(len(messages))) if messages[at].used), None)
    if last is None:
        return Count(sum(map(tokens_of, messages)), "estimate")
    return Count(messages[last].used + sum(map(tokens_of, messages[last + 1 :])), "usage")


def tokens_of(said: SessionMessage) -> int:
    """What one message costs, thinking and calls of tools included."""
    return (
        _AROUND
        + sum(map(_part_tokens, parts_of(said)))
        + sum(map(_json_tokens, _foreign_calls(said)))
    )


def text_of(said: SessionMessage) -> str:
    """Its words alone: no thinking, no calls, no pictures."""
    return "\n".join(text for part in parts_of(said) if (text := _text(part)))


def parts_of(said: SessionMessage) -> list[Mapping[str, Any]]:
    """Its content as parts, however it came."""
    content = said.value.get(field_of(said.value))
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    listed = content if isinstance(content, list) else []
    told = ({"type": "text", "text": part} if isinstance(part, str) else part for part in listed)
    return [part for part in told if isinstance(part, Mapping)]


def field_of(value: Mapping[str, Any]) -> str:
    """The key under which a message has its content."""
    return next((name for name in _TEXTS if value.get(name)), _TEXTS[0])


def calls_of(said: SessionMessage) -> Iterator[str]:
    """The ids of the calls of tools in it."""
    calls = [
        *(part for part in parts_of(said) if part.get("type") == "toolCall"),
        *_foreign_calls(said),
    ]
    return (str(call["id"]) for call in calls if call.get("id"))


def answered_by(said: SessionMessage) -> str:
    """The id of the call that it is the result of, "" where it is none."""
    return str(said.value.get("toolCallId") or said.value.get("tool_call_id") or "")


def digest(value: Mapping[str, Any]) -> str:
    """A short name for what has none."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8", "replace")).hexdigest()[
        :16
    ]


def _message(entry: TranscriptEntry) -> Mapping[str, Any] | None:
    said = entry.said
    if entry.type == "message" and isinstance(said.get("message"), Mapping):
        inner: Mapping[str, Any] = said["message"]
        return inner
    if entry.type in _SUMMARIES:
        return {"role": _SUMMARIES[entry.type], "summary": said.get("summary") or ""}
    if entry.type == "custom_message":
        return {"role": "custom", "content": said.get("content") or ""}
    return said if "role" in said else None


def _kept(messages: list[SessionMessage], first: object) -> list[SessionMessage]:
    """From the message on that a compaction names. How full the context was then says nothing about
    now.
    """
    at = next((at for at, said in enumerate(messages) if said.id == first), len(messages))
    return [said._replace(used=0) for said in messages[at:]]


def _used(value: Mapping[str, Any]) -> int:
    usage = value.get("usage")
    if not isinstance(usage, Mapping) or value.get("stopReason") in ("error", "aborted"):
        return 0
    total = next((count for name in _TOTAL if (count := _number(usage.get(name)))), 0)
    return total or sum(_number(usage.get(name)) for name in _USED)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _text(part: Mapping[str, Any]) -> str:
    text = part.get("text") if part.get("type", "text") == "text" else None
    return text if isinstance(text, str) else ""


def _part_tokens(part: Mapping[str, Any]) -> int:
    if part.get("type") == "image":
        return _IMAGE
    text = part.get("text", part.get("thinking"))
    return estimate_tokens(text) if isinstance(text, str) else _json_tokens(part)


def _json_tokens(value: Mapping[str, Any]) -> int:
    return estimate_tokens(json.dumps(value, ensure_ascii=False))


def _foreign_calls(said: SessionMessage) -> list[Mapping[str, Any]]:
    """Calls of tools as runtimes write them that keep them beside the content."""
    calls = said.value.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []

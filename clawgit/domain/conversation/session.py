"""A session as its model sees it: the messages of a transcript that are in its context."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from clawgit.domain.conversation.transcript import TranscriptEntry, body_of, moment
from clawgit.domain.model.tokens import estimate_tokens

USER = "user"
ASSISTANT = "assistant"
TOOL = "tool"
SYSTEM = "system"
SUMMARY = "summary"
NO_REPLY = "NO_REPLY"
"""The answer of an agent that has nothing to say."""

_ROLES = {
    "user": USER, "human": USER, "assistant": ASSISTANT, "ai": ASSISTANT,
    "toolResult": TOOL, "tool": TOOL, "bashExecution": TOOL, "system": SYSTEM, "developer": SYSTEM,
    "compactionSummary": SUMMARY, "branchSummary": SUMMARY,
}  # fmt: skip
_COMPACTION = "compaction"
_RESET = "reset"
_TEXTS = ("content", "text", "output", "summary")
_TOTAL = ("totalTokens", "total_tokens")
_USED = (
    "input", "output", "cacheRead", "cacheWrite", "input_tokens", "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens", "prompt_tokens", "completion_tokens",
)  # fmt: skip
_AROUND = 4
"""The tokens that a message takes besides its words."""

_IMAGE = 1200
"""Tokens of a picture, roughly."""


class SessionMessage(NamedTuple):
    """One message: `value` is the whole of it, unchanged.

    `used` are the tokens of the context up to this message, if the model reported them.
    """

    id: str
    role: str
    time: datetime | None
    value: Mapping[str, Any]
    used: int = 0


class SessionContext(NamedTuple):
    """The context of a session. `cycle` identifies the last compaction or reset, if any."""

    messages: tuple[SessionMessage, ...]
    cycle: str


class Count(NamedTuple):
    """A number of tokens; `by` is "usage" if the model reported it, else "estimate"."""

    tokens: int
    by: str


def said_in(entry: TranscriptEntry) -> SessionMessage | None:
    """The message of an OpenClaw entry, or of a line with `role`, `text` or `content`, `time`."""
    value = body_of(entry)
    if value is None:
        return None
    role = value["role"]
    times = (value.get("timestamp"), entry.said.get("timestamp"), value.get("time"))
    time = next(filter(None, map(moment, times)), None)
    return SessionMessage(entry.id, _ROLES.get(role, role), time, value, _used(value))


def context(entries: Iterable[TranscriptEntry]) -> SessionContext:
    """The messages since the last reset.

    Of those before the last compaction, only its summary and what it kept.
    """
    messages: list[SessionMessage] = []
    cycle = ""
    for entry in entries:
        message = said_in(entry)
        # A transcript may also begin with the summary of a compaction in an older file.
        begins_with_summary = message and message.role == SUMMARY and not messages
        if entry.type in (_COMPACTION, _RESET) or begins_with_summary:
            cycle = digest(entry.said)
        if entry.type == _RESET:
            messages = []
        elif entry.type == _COMPACTION:
            messages = _kept(messages, entry.said.get("firstKeptEntryId"))
            messages[:0] = [message] if message else []
        elif message:
            messages.append(message)
    return SessionContext(tuple(messages), cycle)


def tokens_in(messages: Sequence[SessionMessage]) -> Count:
    """The last count of the model plus an estimate of what came after it, else all estimated."""
    last = next((at for at in reversed(range(len(messages))) if messages[at].used), None)
    if last is None:
        return Count(sum(map(tokens_of, messages)), "estimate")
    return Count(messages[last].used + sum(map(tokens_of, messages[last + 1 :])), "usage")


def tokens_of(message: SessionMessage) -> int:
    """The tokens of one message, with thinking and tool calls."""
    parts = sum(map(_part_tokens, parts_of(message)))
    calls = sum(map(_json_tokens, _foreign_calls(message)))
    return _AROUND + parts + calls


def text_of(message: SessionMessage) -> str:
    """The words of a message alone: no thinking, tool calls or pictures."""
    return "\n".join(text for part in parts_of(message) if (text := _text(part)))


def parts_of(message: SessionMessage) -> list[Mapping[str, Any]]:
    """The content of a message as parts, even if it is plain text."""
    content = message.value.get(field_of(message.value))
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    listed = content if isinstance(content, list) else []
    parts = ({"type": "text", "text": part} if isinstance(part, str) else part for part in listed)
    return [part for part in parts if isinstance(part, Mapping)]


def field_of(value: Mapping[str, Any]) -> str:
    """The key of a message's content."""
    return next((name for name in _TEXTS if value.get(name)), _TEXTS[0])


def calls_of(message: SessionMessage) -> Iterator[str]:
    """The ids of the tool calls in a message."""
    calls = [
        *(part for part in parts_of(message) if part.get("type") == "toolCall"),
        *_foreign_calls(message),
    ]
    return (str(call["id"]) for call in calls if call.get("id"))


def answered_by(message: SessionMessage) -> str:
    """The id of the tool call that a message is the result of; "" if it is not a result."""
    return str(message.value.get("toolCallId") or message.value.get("tool_call_id") or "")


def digest(value: Mapping[str, Any]) -> str:
    """An id for a message that has none, made from its content."""
    data = json.dumps(value, sort_keys=True).encode("utf-8", "replace")
    return hashlib.sha256(data).hexdigest()[:16]


def _kept(messages: list[SessionMessage], first: object) -> list[SessionMessage]:
    """The messages from the one on that a compaction names."""
    matches = (at for at, message in enumerate(messages) if message.id == first)
    start = next(matches, len(messages))
    # The context is smaller now, so the counts of then are wrong.
    return [message._replace(used=0) for message in messages[start:]]


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


def _foreign_calls(message: SessionMessage) -> list[Mapping[str, Any]]:
    """Tool calls of runtimes that keep them beside the content."""
    calls = message.value.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []

"""A session as its model sees it: the messages that are in its context, what keeps them within the
window, and when the session ends. A transcript stays as it is.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import dropwhile
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.doors import hashlib
from clawgit.core.tiers import note_path
from clawgit.core.tokens import estimate_tokens
from clawgit.safety.rules.masks import both_ends
from clawgit.talk.rules.chat import ANOTHER, ASSISTANT, USER, Message
from clawgit.talk.rules.transcript import TranscriptEntry, body_of, moment

TOOL = "tool"
SYSTEM = "system"
SUMMARY = "summary"
ASKING = (USER, ANOTHER)
"""The roles of those whom the agent answers."""

NO_REPLY = "NO_REPLY"
"""The answer of an agent that has nothing to say."""

RESET = "reset"

_ROLES = {
    "toolResult": TOOL,
    "bashExecution": TOOL,
    "compactionSummary": SUMMARY,
    "branchSummary": SUMMARY,
}
_COMPACTION = "compaction"
_TEXTS = ("content", "text", "output", "summary")
_USED = ("input", "output", "cacheRead", "cacheWrite")
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


def said_in(entry: TranscriptEntry) -> SessionMessage | None:
    """The message of an OpenClaw entry, or of a line with `role`, `text` or `content`, `time`."""
    value = body_of(entry)
    if value is None:
        return None
    times = (value.get("timestamp"), entry.said.get("timestamp"), value.get("time"))
    said_at = next(filter(None, map(moment, times)), None)
    role = value["role"]
    return SessionMessage(entry.id, _ROLES.get(role, role), said_at, value, _used(value))


def context(entries: Iterable[TranscriptEntry]) -> SessionContext:
    """The messages since the last reset.

    Of those before the last compaction, only its summary and what it kept.
    """
    messages: list[SessionMessage] = []
    cycle = ""
    for entry in entries:
        message = said_in(entry)
        if entry.type in (_COMPACTION, RESET):
            cycle = digest(entry.said)
            messages = _from(messages, entry.said.get("firstKeptEntryId"))
        # The summary of a compaction stands before what it kept.
        if message:
            messages.insert(0 if entry.type == _COMPACTION else len(messages), message)
    return SessionContext(tuple(messages), cycle)


def _from(messages: list[SessionMessage], first: object) -> list[SessionMessage]:
    """The messages from the one with that id on; none without it."""
    kept = dropwhile(lambda old: old.id != first, messages)
    # The context is smaller now, so the counts of then are wrong.
    return [message._replace(used=0) for message in kept]


def tokens_in(messages: Sequence[SessionMessage]) -> tuple[int, str]:
    """The last count of the model plus an estimate of what came after it, else all estimated; and
    "usage" or "estimate".
    """
    last = max((at for at, message in enumerate(messages) if message.used), default=None)
    if last is None:
        return tokens_of(*messages), "estimate"
    return messages[last].used + tokens_of(*messages[last + 1 :]), "usage"


def tokens_of(*messages: SessionMessage) -> int:
    """An estimate of the tokens of messages, with thinking and tool calls."""
    return sum(_AROUND + sum(map(_part_tokens, parts_of(message))) for message in messages)


def text_of(message: SessionMessage) -> str:
    """The words of a message alone: no thinking, tool calls or pictures."""
    texts = (part.get("text") for part in parts_of(message))
    return "\n".join(text for text in texts if text and isinstance(text, str))


def parts_of(message: SessionMessage) -> list[Mapping[str, Any]]:
    """The content of a message as parts, even if it is plain text."""
    content = message.value.get(_field_of(message))
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    listed = content if isinstance(content, list) else []
    return [part for part in listed if isinstance(part, Mapping)]


def _field_of(message: SessionMessage) -> str:
    """The key of a message's content."""
    return next((name for name in _TEXTS if message.value.get(name)), _TEXTS[0])


def calls_of(message: SessionMessage) -> list[str]:
    """The ids of the tool calls in a message."""
    calls = (part.get("id") for part in parts_of(message) if part.get("type") == "toolCall")
    return [str(ident) for ident in calls if ident]


def answered_by(message: SessionMessage) -> str:
    """The id of the tool call that a message is the result of; "" if it is not a result."""
    return str(message.value.get("toolCallId") or "")


def turns_in(messages: Sequence[Message | SessionMessage]) -> int:
    return sum(message.role in ASKING for message in messages)


def digest(value: Mapping[str, Any]) -> str:
    """An id for a message that has none, made from its content."""
    data = json.dumps(value, sort_keys=True).encode("utf-8", "replace")
    return hashlib.sha256(data).hexdigest()[:16]


def _used(value: Mapping[str, Any]) -> int:
    usage = value.get("usage")
    if not isinstance(usage, Mapping) or value.get("stopReason") in ("error", "aborted"):
        return 0
    return _number(usage.get("totalTokens")) or sum(_number(usage.get(name)) for name in _USED)


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _part_tokens(part: Mapping[str, Any]) -> int:
    if part.get("type") == "image":
        return _IMAGE
    text = part.get("text", part.get("thinking"))
    return estimate_tokens(text if isinstance(text, str) else json.dumps(part, ensure_ascii=False))


# The flush of memory before a compaction

RESERVE = 24_000
"""Tokens of the window that are free when a flush is due: 20,000 for the compaction, as in
OpenClaw, and 4,000 for the flush.
"""

_PROMPT = (
    "This conversation is about to be condensed. Append what must last to {path}: decisions, "
    "facts, preferences, open tasks, with real dates. Only add; change nothing that is there. "
    "Nothing worth keeping? Reply {no_reply}."
)
_SYSTEM = (
    "The context is nearly full. This turn is for saving memory only: write to {path} what would "
    "be lost, then reply {no_reply}. The user sees nothing of it."
)


def why_not(tokens: int, window: int) -> str:
    """Why no flush is due; "" if one is."""
    threshold = window - RESERVE
    if threshold <= 0:
        return f"a window of {window:,} tokens is not larger than what must stay free of it"
    return f"{threshold - tokens:,} tokens are left until then" if tokens < threshold else ""


def flush_prompts(day: date) -> tuple[str, str]:
    """The prompt for the agent, and the one for the system. Both name NO_REPLY."""
    named = {"path": note_path(day), "no_reply": NO_REPLY}
    return _PROMPT.format(**named), _SYSTEM.format(**named)


# The reset

DAILY = "daily"
RESET_HOUR = 4
"""By the operator's clock, as in OpenClaw."""

IDLE = "idle"
IDLE_MINUTES = 60

RESET_RULES = (DAILY, IDLE, f"{DAILY}+{IDLE}")


class DueReset(NamedTuple):
    """When a session is due, and by which rule."""

    at: datetime
    rule: str


def due(last: datetime, rule: str, zone: tzinfo) -> DueReset:
    """When a session is due by one of `RESET_RULES` if nothing is said after `last`."""
    # In UTC, since local times around a change of clocks do not compare well.
    last = last.astimezone(UTC)
    rules: dict[datetime, str] = {}
    if DAILY in rule:
        rules[_next_reset(last, zone)] = DAILY
    if IDLE in rule:
        rules[last + timedelta(minutes=IDLE_MINUTES)] = IDLE
    first = min(rules)
    return DueReset(first.astimezone(zone), rules[first])


def _next_reset(last: datetime, zone: tzinfo) -> datetime:
    """The first time after a moment at which local time is the hour of the reset.

    An hour that is skipped in spring is the next one; of an hour that comes twice in autumn, the
    first counts.
    """
    here = last.astimezone(zone)
    moments = (
        datetime.combine(here.date() + timedelta(days=days), time(RESET_HOUR), zone).astimezone(UTC)
        for days in range(3)
    )
    return next(moment for moment in moments if moment > last)


# Shorter results of tools

SAFE_ANSWERS = 3
"""Results of tools since the third-last answer stay as they are."""

LONGEST_RESULT = 4000
RESULT_ENDS = 1500
CLEARED = "[an old tool result was cleared here]"
CACHED_SECONDS = 600
"""How long a model keeps a prompt."""


def cold_since(messages: Sequence[SessionMessage]) -> datetime | None:
    """When the model's cache has run out, by its last answer; None if no answer has a time."""
    times = (message.time for message in reversed(messages) if message.role == ASSISTANT)
    last = next(filter(None, times), None)
    return last + timedelta(seconds=CACHED_SECONDS) if last else None


def prune(messages: Sequence[SessionMessage], room: int) -> list[SessionMessage]:
    """All messages, with long results of old tool calls cut in the middle. If they still take more
    than `room` tokens, whole results are cleared, the oldest first.
    """
    answers = [at for at, message in enumerate(messages) if message.role == ASSISTANT]
    end = answers[-SAFE_ANSWERS] if len(answers) >= SAFE_ANSWERS else 0
    old = [at for at in range(end) if _is_plain_result(messages[at])]
    pruned = [*messages]
    for at in old:
        text = text_of(pruned[at])
        if len(text) > LONGEST_RESULT:
            pruned[at] = _with_text(pruned[at], both_ends(text, RESULT_ENDS, RESULT_ENDS))
    excess = tokens_of(*pruned) - room
    # A result that is shorter than the placeholder stays as it is.
    for at in (at for at in old if len(text_of(pruned[at])) > len(CLEARED)):
        if excess > 0:
            excess -= tokens_of(pruned[at])
            pruned[at] = _with_text(pruned[at], CLEARED)
            excess += tokens_of(pruned[at])
    return pruned


def _is_plain_result(message: SessionMessage) -> bool:
    is_text = all(part.get("type", "text") == "text" for part in parts_of(message))
    return message.role == TOOL and is_text


def _with_text(message: SessionMessage, text: str) -> SessionMessage:
    name = _field_of(message)
    # The content keeps its shape: a list stays a list, even with one text in it.
    is_plain = isinstance(message.value.get(name), str)
    content: Any = text if is_plain else [{"type": "text", "text": text}]
    return message._replace(value={**message.value, name: content})

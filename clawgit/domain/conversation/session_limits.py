"""How a session is kept within its model's context, and when it ends: the flush of memory before a
compaction, the summary in place of the older part, shorter results of tools, and the reset. A
transcript stays as it is.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, NamedTuple

from clawgit.domain.conversation.session import (
    ASSISTANT,
    NO_REPLY,
    SUMMARY,
    SYSTEM,
    TOOL,
    USER,
    SessionMessage,
    answered_by,
    calls_of,
    digest,
    field_of,
    parts_of,
    text_of,
    tokens_of,
)
from clawgit.domain.conversation.session_summary import HEAD
from clawgit.domain.safety.masks import both_ends


class PruneRule(NamedTuple):
    """Results longer than `soft` characters keep their `head` and `tail`. Where all messages still
    take more than `room` tokens, whole results give way to the placeholder, the oldest first; None
    clears none.
    """

    room: int | None = None
    keep: int = 3
    soft: int = 4000
    head: int = 1500
    tail: int = 1500
    placeholder: str = "[an old tool result was cleared here]"


class PrunedSession(NamedTuple):
    """All messages, as many as before; how many were cut in the middle, and how many cleared."""

    messages: tuple[SessionMessage, ...]
    trimmed: int
    cleared: int


CACHED_SECONDS = 600
"""How long a model keeps a prompt."""


def cold_since(messages: Sequence[SessionMessage], ttl: int = CACHED_SECONDS) -> datetime | None:
    """When the model's cache has run out, by its last answer; None if no answer has a time."""
    times = (message.time for message in reversed(messages) if message.role == ASSISTANT)
    last = next(filter(None, times), None)
    return last + timedelta(seconds=ttl) if last else None


def prune(messages: Sequence[SessionMessage], rule: PruneRule) -> PrunedSession:
    """Shortens results of tools before the last `keep` answers of the assistant.

    Results with a picture stay as they are.
    """
    pruned = [*messages]
    old = [*_old_results(messages, rule.keep)]
    for at in old:
        pruned[at] = _trimmed(pruned[at], rule)
    trimmed = {at for at in old if pruned[at] is not messages[at]}
    cleared = {*_cleared(pruned, old, rule)}
    return PrunedSession(tuple(pruned), len(trimmed - cleared), len(cleared))


def _old_results(messages: Sequence[SessionMessage], keep: int) -> Iterator[int]:
    answers = [at for at, message in enumerate(messages) if message.role == ASSISTANT]
    if len(answers) < keep:
        return
    # `answers[-0]` would be the first answer, and not the end.
    end = answers[-keep] if keep else len(messages)
    for at in range(end):
        if messages[at].role == TOOL and _is_text(messages[at]):
            yield at


def _is_text(message: SessionMessage) -> bool:
    """Whether a result holds text only: a picture cannot be shortened."""
    return all(part.get("type", "text") == "text" for part in parts_of(message))


def _trimmed(message: SessionMessage, rule: PruneRule) -> SessionMessage:
    text = text_of(message)
    if len(text) <= rule.soft:
        return message
    return _with_text(message, both_ends(text, rule.head, rule.tail))


def _cleared(messages: list[SessionMessage], old: Sequence[int], rule: PruneRule) -> Iterator[int]:
    """Replaces texts by the placeholder until all fits; returns the places of those replaced."""
    if rule.room is None:
        return
    tokens = sum(map(tokens_of, messages))
    for at in old:
        if tokens <= rule.room:
            return
        cleared = _with_text(messages[at], rule.placeholder)
        # A result that is shorter than the placeholder stays as it is.
        if cleared is not messages[at]:
            tokens -= tokens_of(messages[at]) - tokens_of(cleared)
            messages[at] = cleared
            yield at


def _with_text(message: SessionMessage, text: str) -> SessionMessage:
    """The message with another text, unless that is longer."""
    if len(text) >= len(text_of(message)):
        return message
    name = field_of(message.value)
    # The content keeps its shape: a list stays a list, even with one text in it.
    content: Any = (
        text if isinstance(message.value.get(name), str) else [{"type": "text", "text": text}]
    )
    return message._replace(value={**message.value, name: content})


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


_PROMPT = (
    "This conversation is about to be condensed. Append what must last to {path}: decisions, "
    "facts, preferences, open tasks, with real dates. Only add; change nothing that is there. "
    "Nothing worth keeping? Reply {no_reply}."
)
_SYSTEM = (
    "The context is nearly full. This turn is for saving memory only: write to {path} what would "
    "be lost, then reply {no_reply}. The user sees nothing of it."
)


class Limit(NamedTuple):
    """The tokens of a context window: `reserve` stays free, and `soft` is left for the flush."""

    window: int
    reserve: int = 20_000
    soft: int = 4000

    @property
    def threshold(self) -> int:
        return self.window - self.reserve - self.soft


class FlushPrompts(NamedTuple):
    prompt: str
    system_prompt: str


def why_not(tokens: int, limit: Limit, *, asked: bool) -> str:
    """Why no flush is due; "" if one is. `asked`: one was asked for since the last compaction."""
    if limit.threshold <= 0:
        return f"a window of {limit.window:,} tokens is not larger than what must stay free of it"
    if tokens < limit.threshold:
        return f"{limit.threshold - tokens:,} tokens are left until then"
    return "it was already asked for since the last compaction" if asked else ""


def flush_prompts(day: date) -> FlushPrompts:
    """The prompts for the agent. Both name NO_REPLY."""
    named = {"path": daily_note(day), "no_reply": NO_REPLY}
    return FlushPrompts(_PROMPT.format(**named), _SYSTEM.format(**named))


def daily_note(day: date) -> str:
    return f"memory/{day.isoformat()}.md"


Summarise = Callable[[Sequence[SessionMessage], int], str]
"""Summarises messages, by rules or by a model, in at most the given tokens; "" if there is nothing
to summarise.
"""


class CompactedSession(NamedTuple):
    """What goes to the model now. `told` messages were summarised; if 0, nothing has changed."""

    messages: tuple[SessionMessage, ...]
    summary: str
    told: int
    first_kept: str


def compact(
    messages: Sequence[SessionMessage], keep: int, budget: int, summarise: Summarise
) -> CompactedSession:
    """Replaces what is between the leading instructions and the last `keep` turns by a summary.

    Nothing changes if that would save nothing.
    """
    roles = [message.role for message in messages]
    lead = next((at for at, role in enumerate(roles) if role != SYSTEM), len(messages))
    cut = max(lead, cut_before(messages, keep))
    older = messages[lead:cut]
    unchanged = CompactedSession(tuple(messages), "", 0, messages[0].id if messages else "")
    # Only summaries, or nothing at all: there is no new message to summarise.
    if all(message.role == SUMMARY for message in older):
        return unchanged
    summary = _summary(older, summarise(older, budget))
    if tokens_of(summary) >= sum(map(tokens_of, older)):
        return unchanged
    kept = (message._replace(used=0) for message in messages[cut:])
    first = messages[cut].id if cut < len(messages) else ""
    return CompactedSession(
        (*messages[:lead], summary, *kept), summary.value["summary"], len(older), first
    )


def cut_before(messages: Sequence[SessionMessage], keep: int) -> int:
    """Where the last `keep` turns begin. A turn is a message of the user with all that follows.

    A tool's result is never separated from its call, so the cut may move further up.
    """
    turns = [at for at, message in enumerate(messages) if message.role == USER]
    if len(turns) < keep:
        return 0
    cut = turns[-keep] if keep else len(messages)
    calls = _places_of_calls(messages)
    while True:
        answered = [calls.get(answered_by(message), cut) for message in messages[cut:]]
        first = min(answered, default=cut)
        if first >= cut:
            return cut
        # What now stands after the cut may answer a call before it: look again.
        cut = first


def _places_of_calls(messages: Sequence[SessionMessage]) -> dict[str, int]:
    """Which message made each tool call, by the id of the call."""
    places: dict[str, int] = {}
    for at, message in enumerate(messages):
        places |= dict.fromkeys(calls_of(message), at)
    return places


def turns_in(messages: Sequence[SessionMessage]) -> int:
    return sum(message.role == USER for message in messages)


def _summary(older: Sequence[SessionMessage], account: str) -> SessionMessage:
    times = [message.time for message in older if message.time]
    span = f", {min(times):%Y-%m-%d %H:%M} to {max(times):%Y-%m-%d %H:%M} UTC" if times else ""
    text = f"{HEAD} ({len(older)} messages{span}):\n{account}".rstrip()
    value = {
        "role": "compactionSummary",
        "summary": text,
        "tokensBefore": sum(map(tokens_of, older)),
    }
    return SessionMessage(digest(value), SUMMARY, max(times, default=None), value)

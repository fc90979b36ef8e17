"""Compacts a context: a summary replaces the older part. The transcript stays as it is."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.domain.conversation.session import (
    SUMMARY,
    SYSTEM,
    USER,
    SessionMessage,
    answered_by,
    calls_of,
    digest,
    tokens_of,
)
from clawgit.domain.conversation.session_summary import HEAD

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

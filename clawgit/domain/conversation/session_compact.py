"""Compaction of a context: the older part told in short, the last turns left whole; a transcript
stays as it is.
"""

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
"""Tells messages in at most so many tokens, "" where there is nothing to tell: by rules, or by a
model."""


class CompactedSession(NamedTuple):
    """What goes to the model now. Where `told` is 0, that is what went to it before."""

    messages: tuple[SessionMessage, ...]
    summary: str
    told: int
    first_kept: str


def compact(
    messages: Sequence[SessionMessage], keep: int, budget: int, summarise: Summarise
) -> CompactedSession:
    """Leaves instructions at the head and the last `keep` turns as they are; what is between
    becomes one summary, unless that would save nothing.
    """
    lead = next((at for at, said in enumerate(messages) if said.role != SYSTEM), len(messages))
    cut = max(lead, cut_before(messages, keep))
    older = messages[lead:cut]
    unchanged = CompactedSession(tuple(messages), "", 0, messages[0].id if messages else "")
    if all(said.role == SUMMARY for said in older):
        return unchanged
    said = _summary(older, summarise(older, budget))
    if tokens_of(said) >= sum(map(tokens_of, older)):
        return unchanged
    kept = (one._replace(used=0) for one in messages[cut:])
    first = messages[cut].id if cut < len(messages) else ""
    return CompactedSession(
        (*messages[:lead], said, *kept), said.value["summary"], len(older), first
    )


def cut_before(messages: Sequence[SessionMessage], keep: int) -> int:
    """Where the last `keep` turns begin. A turn is a message of the user with all that follows.

    A tool's result is never separated from its call, so the cut may move further up.
    """
    turns = [at for at, said in enumerate(messages) if said.role == USER]
    if len(turns) < keep:
        return 0
    cut = turns[-keep] if keep else len(messages)
    calls = {call: at for at, said in enumerate(messages) for call in calls_of(said)}
    while True:
        first = min((calls.get(answered_by(said), cut) for said in messages[cut:]), default=cut)
        if first >= cut:
            return cut
        # What now stands behind the cut may answer a call before it: look again.
        cut = first


def turns_in(messages: Sequence[SessionMessage]) -> int:
    return sum(said.role == USER for said in messages)


def _summary(older: Sequence[SessionMessage], told: str) -> SessionMessage:
    times = [said.time for said in older if said.time]
    span = f", {min(times):%Y-%m-%d %H:%M} to {max(times):%Y-%m-%d %H:%M} UTC" if times else ""
    text = f"{HEAD} ({len(older)} messages{span}):\n{told}".rstrip()
    value = {
        "role": "compactionSummary",
        "summary": text,
        "tokensBefore": sum(map(tokens_of, older)),
    }
    return SessionMessage(digest(value), SUMMARY, max(times, default=None), value)

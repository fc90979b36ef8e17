"""Pruning: old results of tools made shorter before messages go to a model again; a transcript
stays as it is.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from clawgit.domain.conversation.session import (
    ASSISTANT,
    TOOL,
    SessionMessage,
    field_of,
    parts_of,
    text_of,
    tokens_of,
)
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

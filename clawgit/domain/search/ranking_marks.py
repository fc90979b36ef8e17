"""Whether an item's own text makes it a likely answer: its speaker, and what it asks or states."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from clawgit.domain.search.fields import FIELD, gives_field
from clawgit.domain.search.ranking_weights import Weights
from clawgit.domain.search.wanted import gives
from clawgit.language.lazily import lazily

if TYPE_CHECKING:
    from clawgit.domain.search.question import SearchQuestion

_TAIL = 30
"""A question mark is looked for in this many characters at the end of a text."""

_SPEAKER = lazily(
    r"\W{0,3}(?:\*\*([^*\n:]{1,60})(?::\*\*|\*\*:)|(user|assistant|human|ai|agent)(?:\*\*)?:)\s",
    re.IGNORECASE,
)

_LONGEST_NAME = 70
"""So many characters hold the longest name, its stars and its colon."""

_MERE_QUESTION = 140
"""A turn of more characters that ends in a question says something before it asks."""

ROLES = frozenset({"user", "human", "assistant", "ai", "agent"})
"""Names of speakers that are no label of anything else."""

_LEAST_BRIEF = 0.25
"""A note counts no less than one with this share of the usual length."""


def factors(
    question: "SearchQuestion",
    text: str,
    weights: Weights,
    usual: int = 0,
    *,
    itself: bool = True,
    is_brief: bool = False,
) -> Iterator[tuple[str, float]]:
    """The factors by which an item counts more or less than its words alone, each with its name.

    `usual` is the length of most texts that were found, 0 for a turn of a conversation. `is_brief`:
    the question is, and the item is no turn.

    `itself`: the item has a word of the question or its meaning. If only its neighbours do, a time
    or a figure in it is probably that of something else.
    """
    if is_brief and gives_field(question, text):
        yield FIELD, weights.field
    elif len(text) < usual:
        yield "brief", max(len(text) / usual, _LEAST_BRIEF) ** weights.brief
    for kind in question.wanted if itself else ():
        if gives(kind, question.text, text):
            yield kind, weights.wanted


def speaker(text: str) -> str:
    """The name before a turn of a conversation, or the label before a line; "" if there is none."""
    match = _SPEAKER.match(text) if ":" in text[:_LONGEST_NAME] else None
    if not match:
        return ""
    return match[1] or match[2]


def asks(text: str) -> bool:
    """Whether a text does nothing but ask. A name or a label before it says nothing: “Ready?: yes”
    does not ask.
    """
    if len(text) > _MERE_QUESTION:
        return False
    match = _SPEAKER.match(text)
    end = text[max(len(text) - _TAIL, match.end() if match else 0) :]
    return "?" in end or "？" in end

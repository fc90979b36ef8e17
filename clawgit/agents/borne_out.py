"""Checks what a language model says against the texts that it was shown."""

import re
from collections.abc import Sequence

from clawgit.domain.conversation.chat import USER, Message, unwrapped
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive

_FIGURE = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")
_GROUPING = re.compile(r"[.,:]")

_SHORTEST_QUOTE = 2
"""A single character stands in almost any message, so it proves nothing."""


def sentence(text: str) -> str:
    """What a model says, on one line and without tags: the category is not the model's to set."""
    return untagged(text)


def unfit(text: str, shown: str) -> str:
    """Why a model's text cannot be kept: a secret, an injection or an invented figure; else ""."""
    if is_sensitive(text) or any(finding.hold for finding in poison("", text)):
        return "it holds a secret, or orders for the agent"
    invented = figures(text) - figures(shown)
    if invented:
        return f"{', '.join(sorted(invented))} was not shown"
    return ""


def unproven(number: int, words: str, shown: Sequence[Message]) -> str:
    """Why a model's quote proves nothing, "" if it stands in the operator's message `number`.

    Messages are numbered from 1.
    """
    if not 0 < number <= len(shown) or shown[number - 1].role != USER:
        return "it cites no message of the operator"
    message = " ".join(unwrapped(shown[number - 1].text).lower().split())
    quote = " ".join(words.lower().split())
    if len(quote) < _SHORTEST_QUOTE or quote not in message:
        return "the words that it quotes are not in that message"
    return ""


def figures(text: str) -> set[str]:
    """The numbers in a text, without their separators. Single digits are left out.

    Models write “two” as 2 and the other way round, so a single digit says nothing.
    """
    numbers = (_GROUPING.sub("", match) for match in _FIGURE.findall(text))
    return {number for number in numbers if len(number) > 1}


_FIGURE = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")

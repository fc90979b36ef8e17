"""How far what a language model says is borne out by the texts that it was shown."""

import re
from collections.abc import Sequence

from clawgit.domain.conversation.chat import USER, Message, unwrapped
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive

_FEWEST = 2


def sentence(text: str) -> str:
    """What a model says on one line, and as what it counts is not for the model to say: its
    categories are gone.
    """
    return untagged(text)


def unfit(text: str, shown: str) -> str:
    """Why what a model says cannot be kept, "" where it can: no secret, no orders, and no figure
    that it invented.
    """
    if is_sensitive(text) or any(one.hold for one in poison("", text)):
        return "it holds a secret, or orders for the agent"
    invented = figures(text) - figures(shown)
    return f"{', '.join(sorted(invented))} was not shown" if invented else ""


def unproven(number: int, words: str, shown: Sequence[Message]) -> str:
    """Why words that a model quotes prove nothing, "" where they stand in that message, from 1, of
    the operator's.
    """
    if not 0 < number <= len(shown) or shown[number - 1].role != USER:
        return "it cites no message of the operator"
    said, quoted = (
        " ".join(text.lower().split()) for text in (unwrapped(shown[number - 1].text), words)
    )
    stands = len(quoted) >= _FEWEST and quoted in said
    return "" if stands else "the words that it quotes do not stand in that message"


def figures(text: str) -> set[str]:
    """The numbers of a text without what groups their digits; those too small to mislead are left
    out.
    """
    return {
        digits for found in _FIGURE.findall(text) if len(digits := re.sub(r"[.,:]", "", found)) > 1
    }


_FIGURE = re.compile(r"[0-9]+(?:[.,:][0-9]+)*")

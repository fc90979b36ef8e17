"""Slugs: one or two words of a conversation that can stand in the name of a file."""

import re
from collections import Counter
from collections.abc import Iterable

from clawgit.language.files import PLAIN_WORDS, listed, small_words
from clawgit.language.terms import folded

_WORDS = 2
_LONGEST = 40
_TALK = frozenset(listed(PLAIN_WORDS, "talk"))
"""Words of any conversation, beside those of any question."""

_NOISE = re.compile(
    r"```.*?(?:```|\Z)|https?://\S+|\S*[/\\]\S*|\[[^\]\n]*\](?:\s*\w+:)?", re.DOTALL
)
_WORD = re.compile(r"[a-z][a-z0-9]*(?:['’][a-z]+)?")
_SHORTEST = 3


def slug(text: str) -> str:
    """A text as a slug, "" if no letter or digit of it can stand in a file name anywhere."""
    words = re.findall("[a-z0-9]+", folded(text))[:_WORDS]
    # The cut may leave a hyphen at the end.
    return "-".join(words)[:_LONGEST].strip("-")


def keywords(texts: Iterable[tuple[int, str]]) -> str:
    """What some texts, each with its weight, are about: their two weightiest words."""
    weights: Counter[str] = Counter()
    for weight, text in texts:
        words = _WORD.findall(folded(_NOISE.sub(" ", text)))
        for word in dict.fromkeys(words):
            if not _is_empty(word):
                weights[word] += weight
    # Of those that weigh the same the first: what a talk begins with is what it is about.
    weightiest = {word for word, _ in weights.most_common(_WORDS)}
    return slug(" ".join(word for word in weights if word in weightiest))


def _is_empty(word: str) -> bool:
    return len(word) < _SHORTEST or not word.isalnum() or word in small_words() or word in _TALK

"""The month whose name is another word, too: “in May” is a month, “may I” is not."""

from functools import cache

from clawgit.language.files import SEARCH, listed
from clawgit.language.lazily import lazily

MAY = "may"

_MAY = lazily(
    r"\bM(?:ay|AY)\b|(?<=\w )may(?=\W*\Z)|\b(?:[Ii]n|[Oo]f|[Ss]ince|[Uu]ntil|[Dd]uring) may\b"
)
"""In small letters, it is the month at the end of a question, or after one of these words."""

_SUBJECT = lazily(r"\s+([^\W\d_]+)")

_MARKUP = " \t>#*+_-[]"
"""Signs that may stand in front of a sentence."""


def says_may(text: str) -> bool:
    """Whether a text names the month."""
    return any(not _begins_request(text, *match.span()) for match in _MAY.finditer(text))


def _begins_request(text: str, start: int, end: int) -> bool:
    """Whether it begins a sentence such as “May we park here?”."""
    before = text[:start].rstrip(_MARKUP)
    if before and before[-1] not in ".!?:\n":
        return False
    behind = _SUBJECT.match(text, end)
    return behind is not None and behind[1].casefold() in _subjects()


@cache
def _subjects() -> frozenset[str]:
    return frozenset(listed(SEARCH, "may_subjects"))

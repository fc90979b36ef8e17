"""The name that was probably meant by a mistyped one, if one is near enough."""

from collections.abc import Iterable

from clawgit.doors import rapidfuzz

_LONG = 7
"""A word of this many letters may have two slips, a shorter one has one at most."""

_HEAD = 3
"""This many letters from the beginning of a name may stand for it."""

_ONLY_HEAD = 9
"""Counts as more slips than any that are allowed."""


def slips(word: str, name: str) -> int | None:
    """How many letters are wrong, missing, too many or swapped; None if it is another word."""
    word, name = word.lower(), name.lower()
    allowed = 1 if len(word) < _LONG else 2
    count: int = rapidfuzz.distance.OSA.distance(word, name, score_cutoff=allowed)
    if count <= allowed:
        return count
    return _ONLY_HEAD if len(word) >= _HEAD and name.startswith(word) else None


def nearest_name(word: str, names: Iterable[str]) -> str:
    """The name with the fewest slips, empty if none is near."""
    counted = [
        # Of two equally near names, the one with the same first letter: people seldom mistype that.
        (count, name[:1].lower() != word[:1].lower(), name)
        for name in names
        if (count := slips(word, name)) is not None
    ]
    return min(counted)[-1] if counted else ""


def near(word: str, names: Iterable[str]) -> str:
    """A hint that names the closest of `names`, empty if none is close."""
    name = nearest_name(word, names)
    return f"Did you mean {name}?" if name else ""

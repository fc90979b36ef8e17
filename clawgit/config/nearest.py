"""The name that was probably meant by a mistyped one, if one is near enough."""

from collections.abc import Iterable

from clawgit.doors import difflib

_HEAD = 3
"""This many letters from the beginning of a name may stand for it."""

_ALIKE = 0.66
"""Two letters of three, in their order: `lgo` is meant for `log`."""


def closest(word: str, names: Iterable[str]) -> list[str]:
    """The names that begin with a word, else the one most like it; empty if none is near."""
    word, known = word.lower(), {name.lower(): name for name in names}
    begun = [name for name in known if len(word) >= _HEAD and name.startswith(word)]
    return [known[name] for name in begun or difflib.get_close_matches(word, known, 1, _ALIKE)]


def near(word: str, names: Iterable[str]) -> str:
    """A hint that names the closest of `names`, empty if none is close."""
    found = closest(word, names)
    return f"Did you mean {found[0]}?" if found else ""

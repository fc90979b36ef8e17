"""The shape of the tables by which a language is read: signs that a sentence is worth keeping, or is not."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

_NEVER = r"(?!)"


class Sign(NamedTuple):
    """`weight` is what a pattern says for keeping a sentence as a `kind`. Below zero it speaks against it, and `kind`
    is the reason. Of weight zero it only names a kind for a sentence that has enough in it without.
    """

    kind: str
    weight: int
    pattern: str


class Language(NamedTuple):
    """A language as tables. What `opens` and `closes` a sentence says nothing and is cut off, and so are `asides`
    between two commas, and `triggers`, which say only that the rest is to be kept. `agrees` is how a proposal is taken,
    `proposes` how one begins, `taken` what it is then, `checks` how the assistant asks whether it understood, and
    `chooses` how one takes what it has named. `goes_on` opens a sentence that belongs to the one before it, where that
    is kept; one that `leans` says nothing at all without it; `turns` opens one that speaks of something else.
    `passing` are the small words of what is told of a day. `concrete` is what can be wanted again: a number, a place, a
    name of a thing. `taught`: labelled conversations have taught what its words say for keeping.
    """

    signs: tuple[Sign, ...]
    opens: str
    closes: str
    triggers: str
    agrees: str
    proposes: str
    taken: str
    concrete: str
    checks: str = _NEVER
    chooses: str = _NEVER
    goes_on: str = _NEVER
    passing: str = _NEVER
    leans: str = _NEVER
    asides: str = _NEVER
    turns: str = _NEVER
    taught: bool = False


def sign(kind: str, weight: int, pattern: str) -> Sign:
    """A row of a table."""
    return Sign(kind, weight, tight(pattern))


def tight(pattern: str) -> str:
    """A pattern as it is: its line ends and the blanks behind them mean nothing."""
    return re.sub(r"\n *", "", pattern)


def signs_in(signs: Iterable[Sign], sentence: str) -> Iterator[Sign]:
    """Those of the signs that a sentence has."""
    return (one for one in signs if compiled(one.pattern).search(sentence))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)

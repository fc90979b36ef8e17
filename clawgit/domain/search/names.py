"""Other names that the memory gives: `Robert (aka Bob)`, `- WB = workbench`, `Nickname: Bob`.

A question that says one of them looks for the words of the others, too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.terms import in_order
from clawgit.language.lazily import lazily

Group = tuple[str, ...]
"""The names of one thing, as they are written."""

MARKERS = ("aka", "alias", "nickname", "known", "又名", "별명")
"""Words that introduce another name: the index finds items that give names by them."""

PROFILE = "USER.md"
"""It is about the operator."""

_SAYS = r"(?:aka|a\.k\.a\.|also known as|also called|nickname|short for|known as|又名|별명)"

_NAME = r"([^\W\d_][\w.'-]{0,40}(?: [^\W\d_][\w.'-]{0,40}){0,2})"

_BETWEEN = lazily(r"\s*(?:,| or |、)\s*")

_PATTERNS = (
    (
        lazily(rf"\((?i:{_SAYS})"),
        lazily(rf"{_NAME}\*{{0,2}} ?\((?i:{_SAYS}):? ([^()\n]{{1,200}})\)"),
    ),
    (lazily(" = "), lazily(rf"^[-*+] {_NAME} = {_NAME}[ \t]*(?:<!--.*)?$", re.MULTILINE)),
)
"""Each with what every match has: a text that begins with a name is tried at each of its words."""

_LABELLED = lazily(
    r"^[ \t]*(?:[-*+][ \t]+)?\**(name|full name|(?:what to )?call them|nicknames?|alias(?:es)?|aka"
    r"|also known as|又名|별명)\**[:：]\**[ \t]*([^\s*][^\n]{0,200}?)[ \t]*(?:<!--.*)?$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of a profile or of a page about somebody that says a name."""

_OWN = frozenset({"name", "full name"})

_OPERATOR = "{} (aka my human, my user, my operator)"
"""What an agent calls the one whom USER.md names, whatever the title of that file says."""


class NameBook(NamedTuple):
    """The names that mean the same, and the operator's own, whom USER.md is about."""

    groups: tuple[Group, ...] = ()
    operator: str = ""


NO_BOOK = NameBook()


def naming(profile: str, *notebooks: str) -> list[str]:
    """The texts that give names: USER.md, the notebooks, and what an agent calls the operator."""
    name = operators_name(profile)
    return [profile, *notebooks, *([_OPERATOR.format(name)] if name else [])]


def groups_in(text: str, title: tuple[str, ...] = ()) -> Iterator[Group]:
    """The names that a text gives to the same thing, group by group.

    What its labels say is about its title, or about the person that a label names.
    """
    for cue, pattern in _PATTERNS:
        if cue.search(text):
            for name, others in pattern.findall(text):
                yield (name, *_BETWEEN.split(others))
    values: dict[bool, list[str]] = {True: [], False: []}
    for label, value in _LABELLED.findall(text):
        values[label.casefold() in _OWN] += _BETWEEN.split(value)
    own = values[True] or title
    if own and values[False]:
        yield (*own, *values[False])


def other_names(text: str, groups: Iterable[Group]) -> Mapping[str, tuple[str, ...]]:
    """For each word of a name that stands in a text, the words of its other names.

    A name of several common words stands as a whole, and none of them for it.
    """
    said = in_order(text)
    others: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for group in groups:
        for spoken, new in _told(said, group):
            for word in spoken:
                others[word] = tuple(dict.fromkeys((*others[word], *new)))
    return others


def _told(said: Sequence[str], group: Group) -> Iterator[tuple[Iterable[str], Sequence[str]]]:
    """For each name of a group, the words by which it is said, and those of the proper others."""
    proper = dict.fromkeys(chain.from_iterable(map(in_order, filter(_is_proper, group))))
    for name in group:
        words = in_order(name)
        known = {*words, *said, *STOP}
        new = [word for word in proper if word not in known]
        yield _spoken(said, words, proper=_is_proper(name)), new


def _spoken(said: Sequence[str], name: Sequence[str], *, proper: bool) -> Iterable[str]:
    """The words by which a text says a name: any word of a proper one, else all of it."""
    if proper:
        return [word for word in name if word in said]
    ends = range(len(name), len(said) + 1)
    return name if any(said[end - len(name) : end] == name for end in ends) else ()


def _is_proper(name: str) -> bool:
    """Whether a name is one word, or each of its words begins with a capital."""
    return not in_order(name)[1:] or all(part[0].isupper() for part in name.split())

"""The names that the memory itself gives: `Robert (aka Bob)`, `- WB = workbench`.

An item that begins with its names is about what has these names. A question that says one of them
means that item, however little else of it the question holds.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple, Protocol

from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.search.question import SearchQuestion
from clawgit.domain.search.question_words import STOP
from clawgit.domain.search.slips import is_slip
from clawgit.domain.search.snippet import FRONT, stem
from clawgit.domain.search.terms import in_order
from clawgit.language.lazily import lazily

Name = tuple[str, ...]
"""The words of a name, in order."""

Group = tuple[str, ...]
"""The names of one thing, as they are written."""

MARKERS = ("aka", "alias", "nickname", "known", "又名", "별명")
"""Words that introduce another name: the index finds items that give names by them."""

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

_LEADING = lazily(rf"\W{{0,4}}([^\n()*:]{{1,80}}?)\*{{0,2}} ?\((?i:{_SAYS}):? ([^()\n]{{1,200}})\)")
_FRONT = lazily(r"([^\n()]{1,120}) \(([^()\n]{1,400})\)")

_LABELLED = lazily(
    r"^[ \t]*(?:[-*+][ \t]+)?\**(name|full name|(?:what to )?call them|nicknames?|alias(?:es)?|aka"
    r"|also known as|又名|별명)\**[:：]\**[ \t]*([^\s*][^\n]{0,200}?)[ \t]*(?:<!--.*)?$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line of a profile or of a page about somebody that says a name."""

_OWN = frozenset({"name", "full name"})


PROFILE = "USER.md"
"""It is about the operator."""

_OPERATOR = "{} (aka my human, my user, my operator)"
"""What an agent calls the one whom USER.md names, whatever the title of that file says."""


class Bearer(Protocol):
    """An item that may begin with its names."""

    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def headings(self) -> tuple[str, ...]: ...


class NameBook(NamedTuple):
    """The items that begin with their names, and the names that mean the same. `operator` is the
    operator's own, whom USER.md is about.
    """

    names: Mapping[int, tuple[Name, ...]] = {}
    groups: tuple[Group, ...] = ()
    operator: str = ""

    @property
    def words_of_operator(self) -> frozenset[str]:
        """The words by which a question may name the operator: “Ana” for Ana de Souza."""
        return frozenset(in_order(self.operator)) - STOP


class NamedItems(NamedTuple):
    """`meant` are the items whose name a question says.

    `others` are about something else: they have names of their own, and either lack those that the
    question says, or hold no more of the question than the items that it means. No name of theirs
    is a part of a name of such an item.
    """

    meant: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()


class _Speech(NamedTuple):
    """A text in which names are looked for, with the places of its words.

    `unknown` are those that may be a slip.
    """

    words: Sequence[str]
    places: Mapping[str, Sequence[int]]
    unknown: AbstractSet[str] = frozenset()

    def says(self, name: Name) -> bool:
        """Whether a name stands here, as a whole and in order."""
        begins = self.places.get(name[0].removesuffix("s"), ())
        slips = (at for word in self.unknown for at in self.places.get(word.removesuffix("s"), ()))
        return any(
            _is_name(self.words[at : at + len(name)], name, self.unknown)
            for at in (*begins, *slips)
        )

    def says_any(self, names: Iterable[Name]) -> bool:
        return any(map(self.says, names))


NO_BOOK = NameBook()
NO_NAMES = NamedItems()


def naming(profile: str, *notebooks: str) -> list[str]:
    """The texts that give names: USER.md, the notebooks, and what an agent calls the operator."""
    name = operators_name(profile)
    return [profile, *notebooks, *([_OPERATOR.format(name)] if name else [])]


def book_of(items: Iterable[Bearer], texts: Iterable[str] = ()) -> NameBook:
    """The names that these items give, and those in the texts of profiles and notebooks."""
    names: dict[int, tuple[Name, ...]] = {}
    groups = [group for text in texts for group in groups_in(text)]
    for item in items:
        if own := names_of(item):
            names[item.id] = own
        groups += groups_in(item.text, item.headings[:1])
    return NameBook(names, tuple(dict.fromkeys(groups)))


def spoken(
    question: SearchQuestion, names: Mapping[int, tuple[Name, ...]]
) -> dict[int, list[Name]]:
    """The items whose names a question says, with these names."""
    speech = _speech(in_order(question.text), question.unknown)
    said = ((item, [name for name in own if speech.says(name)]) for item, own in names.items())
    return {item: own for item, own in said if own}


def named(
    question: SearchQuestion,
    said: Mapping[int, Sequence[Name]],
    names: Mapping[int, tuple[Name, ...]],
    texts: Mapping[int, str],
) -> NamedItems:
    """Which items a question names, where it has `said` some of their names.

    `texts` are those of the items that could be hits.
    """
    if not said:
        return NO_NAMES
    sought = {name for own in said.values() for name in own}
    within = [_speech(name) for item in said for name in names[item]]
    known = frozenset[str]().union(*(_held(question, texts.get(item, "")) for item in said))
    others = frozenset(
        item
        for item in (names.keys() & texts.keys()) - said.keys()
        if not any(name.says_any(names[item]) for name in within)
        if not _adds(question, texts[item], sought, known)
    )
    return NamedItems(frozenset(said), others)


def _adds(
    question: SearchQuestion, text: str, sought: Iterable[Name], known: AbstractSet[str]
) -> bool:
    """Whether a text speaks of what is named, and says more of the question than is known."""
    return _speech(in_order(text)).says_any(sought) and not _held(question, text) <= known


def _held(question: SearchQuestion, text: str) -> frozenset[str]:
    """The words of a question that a text holds, whatever their endings."""
    stems = {stem(word) for word in in_order(text)}
    return frozenset(forms[0] for forms in question.words if not stems.isdisjoint(map(stem, forms)))


def names_of(item: Bearer) -> tuple[Name, ...]:
    """The names with which an item begins, if it gives more than one; () otherwise."""
    if "(" not in item.text:
        return ()
    found = (_FRONT if item.kind == FRONT else _LEADING).match(item.text)
    if not found:
        return ()
    names = (found[1], *_BETWEEN.split(found[2]))
    return tuple(words for name in names if (words := tuple(in_order(name))))


def groups_in(text: str, title: tuple[str, ...] = ()) -> Iterator[Group]:
    """The names that a text gives to the same thing, group by group.

    What its labels say is about its title, or about the person that a label names.
    """
    for cue, pattern in _PATTERNS:
        if cue.search(text):
            for name, others in pattern.findall(text):
                yield (name, *_BETWEEN.split(others))
    yield from _labelled(text, title)


def _labelled(text: str, title: tuple[str, ...]) -> Iterator[Group]:
    values: dict[bool, list[str]] = {True: [], False: []}
    for label, value in _LABELLED.findall(text):
        values[label.casefold() in _OWN] += _BETWEEN.split(value)
    if others := values[False]:
        own = values[True] or title
        if own:
            yield (*own, *others)


def other_names(text: str, groups: Iterable[Group]) -> Mapping[str, tuple[str, ...]]:
    """For each word of a name that stands in a text, the words of its other names.

    A name of several common words stands as a whole, and none of them for it.
    """
    speech = _speech(in_order(text))
    others: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for group in groups:
        names = _worded(group)
        proper = [*chain(*(name for name, is_one in names.items() if is_one))]
        for name, is_proper in names.items():
            new = tuple(_unsaid(speech, proper, name))
            others |= {word: others[word] + new for word in _told(speech, name, proper=is_proper)}
    return {word: tuple(dict.fromkeys(words)) for word, words in others.items()}


def _worded(group: Group) -> dict[Name, bool]:
    """The names of a group that have words, and whether each is a proper one."""
    worded = ((tuple(in_order(name)), name) for name in group)
    return {words: _is_proper(name) for words, name in worded if words}


def _unsaid(speech: _Speech, proper: Sequence[str], name: Name) -> Iterator[str]:
    """The words of other names that neither this one has nor the text."""
    return (word for word in proper if word not in {*name, *speech.words, *STOP})


def _told(speech: _Speech, name: Name, *, proper: bool) -> Iterable[str]:
    """The words by which a text says a name: any word of a proper one, else all of it."""
    if proper:
        return [word for word in name if word in speech.words]
    return name if speech.says(name) else ()


def _is_proper(name: str) -> bool:
    """Whether a name is one word, or each of its words begins with a capital."""
    return len(in_order(name)) == 1 or all(part[0].isupper() for part in name.split())


def _speech(words: Sequence[str], unknown: AbstractSet[str] = frozenset()) -> _Speech:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(words):
        places[word.removesuffix("s")].append(at)
    return _Speech(words, places, unknown)


def _is_name(said: Sequence[str], name: Name, unknown: AbstractSet[str]) -> bool:
    if len(said) < len(name):
        return False
    wrong = [pair for pair in zip(said, name, strict=True) if not _is_same(*pair)]
    if not wrong:
        return True
    [(word, meant), *more] = wrong
    return not more and word in unknown and is_slip(word, meant, loosely=len(name) > 1)


def _is_same(word: str, other: str) -> bool:
    """Whether two words are the same, but for an s at the end of one."""
    return word == other or (word.removesuffix("s") == other.removesuffix("s") != "")

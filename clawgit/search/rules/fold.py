"""Fold: what is said twice is one hit. What was kept comes before what was only written down."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from clawgit.core.markdown.entry import content_key
from clawgit.core.markdown.excerpt import label_of
from clawgit.core.markdown.frames import SPEAKER
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import untagged
from clawgit.core.tiers import dated
from clawgit.language.lazily import lazily
from clawgit.language.terms import in_order
from clawgit.memory.rules.confidence import origins
from clawgit.search.rules.row import ROLES, speaker
from clawgit.search.rules.standing import is_correction, is_log, stale_reason

_COMPARED = 60
"""At most so many lines are compared with what others say."""

_LONGEST = 2_000
"""At most this many characters of a text are compared."""

_LEAST_WORDS = 5
"""Shorter texts are parts of too many others."""

_COPIES = frozenset({"archive", "expired"})
"""Sources that repeat what stands elsewhere."""

_SAID = lazily(rf"\A{SPEAKER}: “([^“”]+)”")
_BEHIND = lazily(r"(?:\s+(?:\([^()\n]{1,40}\)|#[^\s#]+))+\s*\Z")
"""What stands after the words of an entry: a date in brackets, tags."""


def keepers(rows: Sequence[Item]) -> list[int]:
    """For each of these rows, best first, the place of the one that stands for it: its own, or
    that of a row that says the same about the same.
    """
    made = frozenset(chain.from_iterable(map(_made_of, rows)))
    names = [frozenset(_names(row, made)) for row in rows]
    # What an entry quotes, a raw line says; two entries that differ in who says it are two.
    said = [(_is_raw(row), _said(row.text)) for row in rows]

    def is_same(kept: int, at: int) -> bool:
        is_alike = bool(names[kept] & names[at]) or _is_quoted(said[kept], said[at])
        return is_alike and _may_stand_for(rows[kept], rows[at])

    kept: list[int] = []
    keeper = [*range(len(rows))]
    for at, row in enumerate(rows):
        other = next((one for one in kept[:_COMPARED] if is_same(one, at)), at)
        if other == at:
            kept.append(at)
        elif _rank(row) >= _rank(rows[other]):
            keeper[at] = other
        else:
            keeper = [at if one == other else one for one in keeper]
            kept[kept.index(other)] = at
    return keeper


def _is_quoted(one: tuple[bool, str], other: tuple[bool, str]) -> bool:
    """Whether an entry and a raw line have the same words, whoever said them, and when."""
    return one[0] != other[0] and one[1] == other[1] and one[1].count(" ") > _LEAST_WORDS


def _may_stand_for(kept: Item, row: Item) -> bool:
    """Whether only one of two lines with the same words is shown, as they are about the same. What
    no longer holds hides no line that does.
    """
    if _is_derived(row) or _is_derived(kept):
        return True
    if stale_reason(kept) and not stale_reason(row):
        return False
    # “MOQ: 30,000” under one supplier is not that under another. A whole sentence says the same
    # wherever it stands.
    is_whole = row.source == "sessions" or _stands_alone(row.text)
    return is_whole or row.headings[-1:] == kept.headings[-1:]


def _rank(row: Item) -> int:
    """Entries that hold come before what was only written down, and that before copies."""
    if row.source in _COPIES or _is_derived(row):
        return 2
    return int(_is_raw(row) or bool(stale_reason(row)))


def _names(row: Item, made: frozenset[str]) -> Iterator[str]:
    """What a line is known by: its words without categories; for a fact, the lines behind it."""
    # A colour or a number behind a `#` stays: it may be all that a line says.
    yield untagged(row.text)
    yield from _made_of(row)
    if made and (key := content_key(row.text)) in made:
        yield key


def _is_derived(row: Item) -> bool:
    """Whether a line repeats what an entry says, wherever it stands."""
    return is_log(row) or bool(_made_of(row))


def _made_of(row: Item) -> tuple[str, ...]:
    """The lines that a fact repeats. A corrected fact says something else than its old line, and so
    does the operator's sentence under it.
    """
    return () if is_correction(row) else origins(row.meta)


def _is_raw(row: Item) -> bool:
    """Whether a line was only written down as it came: a turn, or a note of a day."""
    is_copied = row.source == "sessions" or row.source in _COPIES
    return is_copied or bool(dated(row.path)) or speaker(row.text).casefold() in ROLES


def _stands_alone(text: str) -> bool:
    """Whether a text says by itself what it is about: it is no field of something, no row of a
    table, and no mere fragment.
    """
    is_field = label_of(text) and speaker(text).casefold() not in ROLES
    return " | " not in text and not is_field and len(in_order(text)) > _LEAST_WORDS


@lru_cache(maxsize=1024)
def _said(text: str) -> str:
    """The words of a text in order, each between blanks, without who said it, and when."""
    text = text[:_LONGEST]
    if quoted := _SAID.match(text):
        text = quoted[1]
    elif (name := speaker(text)).casefold() in ROLES:
        text = text[text.index(name) + len(name) :]
    return f" {' '.join(in_order(_BEHIND.sub('', text)))} "


def tellers(entries: Iterable[str]) -> Callable[[str], bool]:
    """Says of a raw text whether it holds what one of the entries says, or a part of that."""
    told = [*map(_said, entries)]

    def is_told(text: str) -> bool:
        short_and_long = (sorted((_said(text), other), key=len) for other in told)
        return any(
            short.count(" ") > _LEAST_WORDS and short in long for short, long in short_and_long
        )

    return is_told

"""Fold: what is said twice is one hit. What was kept comes before what was only written down."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from clawgit.core.markdown.excerpt import label_of
from clawgit.core.markdown.item import Item
from clawgit.core.markdown.tag_table import untagged
from clawgit.core.tiers import dated
from clawgit.language.lazily import lazily
from clawgit.language.terms import in_order
from clawgit.memory.rules.confidence import CORRECTION, origins
from clawgit.search.rules.row import ROLES, speaker
from clawgit.search.rules.standing import is_log, stale_reason

_LONGEST = 2_000
"""At most this many characters of a text are compared."""

_LEAST_WORDS = 5
"""Shorter texts are parts of too many others."""

_COPIES = frozenset({"archive", "expired"})
"""Sources that repeat what stands elsewhere."""

_SAID = lazily(r"\A[^\n“”]{0,60}: “([^“”]+)”")
_BEHIND = lazily(r"(?:\s+(?:\([^()\n]{1,40}\)|#[^\s#]+))+\s*\Z")
"""What stands after the words of an entry: a date in brackets, tags."""


def keepers(rows: Sequence[Item]) -> list[int]:
    """For each of these rows, best first, the place of the one that stands for it: its own, or
    that of the one of best rank among those with its words.
    """
    keeper = [*range(len(rows))]
    kept: dict[str, list[int]] = {}
    for at in sorted(keeper, key=lambda at: _rank(rows[at])):
        same = kept.setdefault(_said(rows[at].text), [])
        keeper[at] = next((one for one in same if _stands_for(rows[one], rows[at])), at)
        if keeper[at] == at:
            same.append(at)
    return keeper


def _stands_for(kept: Item, row: Item) -> bool:
    """Whether only the first of two lines with the same words is shown.

    What an entry quotes, a raw line says; two entries that differ in who says it are two. What
    holds hides no entry that no longer does. “MOQ: 30,000” under one supplier is not that under
    another; a whole sentence says the same wherever it stands.
    """
    if _is_derived(kept) != _is_derived(row):
        return True
    if _rank(kept) == _rank(row) and untagged(kept.text) != untagged(row.text):
        return False
    is_about = _stands_alone(row.text) or kept.headings[-1:] == row.headings[-1:]
    is_as_true = bool(stale_reason(kept)) == bool(stale_reason(row))
    return is_about and (is_as_true or row.source in _COPIES)


def _rank(row: Item) -> tuple[bool, bool, bool, bool]:
    """What the operator put right comes first, entries before what was only written down, what
    holds before what no longer does, and copies last.
    """
    is_copy = row.source in _COPIES or _is_derived(row)
    return is_copy, bool(stale_reason(row)), not _is_right(row), _is_raw(row)


def _is_derived(row: Item) -> bool:
    """Whether a line repeats what an entry says, wherever it stands; a fact that the operator
    corrected says something else than its old line.
    """
    return is_log(row) or (bool(origins(row.meta)) and not _is_right(row))


def _is_right(row: Item) -> bool:
    return row.meta is not None and row.meta.src == CORRECTION


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

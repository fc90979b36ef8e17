"""Which items belong together, so that the words of one speak for those beside it: the turns of a
conversation, the pieces of a long paragraph, an entry and what is nested in it. A heading speaks
for all that stands under it.

Other items are independent: what stands beside a note says nothing about it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.search.ranking_marks import ROLES, asks, speaker

if TYPE_CHECKING:
    from clawgit.domain.markdown.item import Item

FARTHEST = 4
"""A word counts for no item that is more places away."""

_BITS = 3
_MASK = (1 << _BITS) - 1
_HEADED_BITS = 6
_TALK = 1 << 2 * _BITS + _HEADED_BITS

LONGEST_SECTION = 32
"""A heading speaks for at most this many items of its section."""


class Bond(NamedTuple):
    """How many items before and after an item belong to it, and how many after it stand under
    the heading that it opens. `is_turn`: it is part of a conversation.
    """

    before: int = 0
    after: int = 0
    headed: int = 0
    is_turn: bool = False


def bonds(items: "Sequence[Item]") -> list[int]:
    """The bond of each item of a file, as one number for `unpacked`; 0 for an independent one."""
    packed = [
        _section_from(items, at) << 2 * _BITS if item.opens else 0 for at, item in enumerate(items)
    ]
    for begin, end, is_talk in _runs(items):
        for at in range(begin, end):
            before, after = min(at - begin, FARTHEST), min(end - 1 - at, FARTHEST)
            packed[at] |= _TALK * is_talk | before << _BITS | after
    return packed


def unpacked(bond: int) -> Bond:
    headed = bond >> 2 * _BITS & (1 << _HEADED_BITS) - 1
    return Bond(bond >> _BITS & _MASK, bond & _MASK, headed, is_turn(bond))


def is_turn(bond: int) -> bool:
    """Whether the item of a bond is a turn of a conversation: “**Status:** done” is a label."""
    return bool(bond & _TALK)


def _section_from(items: "Sequence[Item]", opening: int) -> int:
    """How many items after this one stand under the same headings, nested ones included: those
    below a table, too, if a heading opens it.
    """
    first = items[opening]
    is_row = first.kind == "table" and len(first.opens) > 1
    path = first.path[:-1] if is_row else first.path
    following = islice(items, opening + 1, opening + 1 + LONGEST_SECTION)
    return sum(
        1 for _ in takewhile(lambda one: one.path[: len(path)] == path and not one.opens, following)
    )


def _runs(items: "Sequence[Item]") -> Iterator[tuple[int, int, bool]]:
    """Where items begin and end that belong together, and whether they are a conversation."""
    at = 0
    while at < len(items):
        end = _last_turn(items, at)
        if _is_talk(items[at:end]):
            yield at, end, True
            at = end
            continue
        # Nothing is looked at twice: a list of labels may be long.
        for begin, stop in _entries(items, at, max(end, at + 1)):
            yield begin, stop, False
            at = stop


def _last_turn(items: "Sequence[Item]", begin: int) -> int:
    """Where the items end that begin with a name; `begin` if it has none."""
    end = begin
    while end < len(items) and items[end].path == items[begin].path:
        is_turn = bool(speaker(items[end].text))
        if not is_turn and (end == begin or not _is_piece(items[end - 1], items[end])):
            break
        end += 1
    return end


def _is_talk(turns: "Sequence[Item]") -> bool:
    """Names in bold may be labels. Speakers ask, and speak again."""
    names = Counter(filter(None, (speaker(turn.text).casefold() for turn in turns)))
    if not ROLES.isdisjoint(names):
        return True
    if len(names) > 1 and max(names.values()) > 1:
        return True
    # A lone name is a label, however often it stands there, unless a question follows one of them;
    # and nobody talks alone: “**Ready:** yes?”.
    return names.total() > 1 and any(asks(turn.text) for turn in turns)


def _entries(items: "Sequence[Item]", begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < min(end, len(items)):
        stop = _entry_from(items, begin)
        yield begin, stop
        begin = stop


def _entry_from(items: "Sequence[Item]", begin: int) -> int:
    """Where the paragraph or the entry ends that begins here."""
    end = begin + 1
    while end < len(items):
        if not _is_nested(items[begin], items[end]) and not _is_piece(items[end - 1], items[end]):
            break
        end += 1
    return end


def _is_nested(item: "Item", following: "Item") -> bool:
    above = len(item.path)
    is_below = len(following.path) > above and following.path[:above] == item.path
    return item.kind == "item" and is_below and not following.opens


def _is_piece(item: "Item", following: "Item") -> bool:
    """Whether an item is the next piece of what was too long for one."""
    return following.path == item.path and following.line <= item.end_line

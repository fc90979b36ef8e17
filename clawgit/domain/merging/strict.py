"""Files in which nothing is decided silently: what both sides changed stays a conflict, marked."""

from collections.abc import Callable
from functools import partial

from clawgit.domain.merging.align import MergeUnit
from clawgit.domain.merging.merge import usual
from clawgit.domain.merging.weaving import Decide, Decided

OURS, BASE, THEIRS = LABELS = ("ours", "base", "theirs")
"""What the sides are called beside git's marks, as `git merge-file -L` is told too."""

_MARKS = ("<" * 7, "=" * 7, ">" * 7)


def deciding(*, swapped: bool) -> Decide:
    """The decision about a unit of such a file. `swapped`: ours stands in the place of theirs."""
    return partial(_decided, _swap if swapped else _keep)


_Pair = tuple[MergeUnit | None, MergeUnit | None]


def _keep(mine: MergeUnit | None, other: MergeUnit | None) -> _Pair:
    return mine, other


def _swap(mine: MergeUnit | None, other: MergeUnit | None) -> _Pair:
    return other, mine


def _decided(
    order: Callable[[MergeUnit | None, MergeUnit | None], _Pair],
    old: MergeUnit | None,
    mine: MergeUnit | None,
    other: MergeUnit | None,
) -> Decided:
    decided = usual(old, mine, other, keep_both=False)
    if not decided.conflict:
        return decided
    ours, theirs = (f"{unit.core}\n" if unit else "" for unit in order(mine, other))
    first, middle, last = _MARKS
    marked = f"{first} {OURS}\n{ours}{middle}\n{theirs}{last} {THEIRS}"
    return Decided((marked,), conflict=True)

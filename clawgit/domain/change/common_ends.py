"""How much two sequences have in common at both ends: what differs lies between."""

from collections.abc import Hashable, Sequence

from clawgit.values import NamedTuple


class CommonEnds(NamedTuple):
    """How many elements are the same from the start, and how many of the rest from the end."""

    head: int
    tail: int


def common_ends(left: Sequence[Hashable], right: Sequence[Hashable]) -> CommonEnds:
    head = common_start(left, right)
    return CommonEnds(head, common_start(left[head:][::-1], right[head:][::-1]))


def common_start(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    for n, (mine, theirs) in enumerate(zip(left, right, strict=False)):
        if mine != theirs:
            return n
    return min(len(left), len(right))

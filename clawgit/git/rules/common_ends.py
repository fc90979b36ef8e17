"""How much two texts or lists have in common at both ends: what differs lies between."""

from collections.abc import Hashable, Sequence


def common_ends(left: Sequence[Hashable], right: Sequence[Hashable]) -> tuple[int, int]:
    """How many elements are the same from the start, and how many of the rest from the end."""
    head = common_start(left, right)
    return head, common_start(left[head:][::-1], right[head:][::-1])


def common_start(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    # A binary search: slices are compared much faster than elements one by one, and most texts
    # differ by an append.
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

"""What two texts begin with in common, found without looking at each character: an append costs
next to nothing.
"""


def shared(one: str, other: str) -> int:
    """How many characters it is, found by halves."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

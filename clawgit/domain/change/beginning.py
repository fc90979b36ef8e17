"""The common beginning of two texts, found without comparing each character."""


def shared(text: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    # A binary search: slices are compared much faster than characters, and most texts differ by
    # an append.
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if text[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

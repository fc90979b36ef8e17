"""Whether a text has nothing left of a change."""

from collections import Counter

_COMMENT = "<!-- claw:"


def is_taken_back(before: str, after: str, now: str) -> bool:
    """Whether the lines that a change added are gone and those that it removed are there again.

    The comments of entries do not count: they change by themselves.
    """
    was, became, left = _lines(before), _lines(after), _lines(now)
    added, removed = became - was, was - became
    is_out = all(left[line] <= was[line] for line in added)
    return is_out and all(left[line] > became[line] for line in removed)


def _lines(text: str) -> Counter[str]:
    words = (line.partition(_COMMENT)[0].strip() for line in text.splitlines())
    return Counter(line for line in words if line)

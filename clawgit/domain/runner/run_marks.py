"""What a run has looked at already, as a mark that stays small: ten digits for each version of each
thing.
"""

import hashlib
from collections.abc import Iterable

_DIGITS = 10


def digest(*parts: str) -> str:
    """A name, by its hash, for anything that git does not name."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def packed(names: Iterable[str]) -> str:
    """Names as one mark, in whatever order they come."""
    return "".join(sorted({name[:_DIGITS] for name in names}))


def unpacked(mark: str) -> frozenset[str]:
    """The beginnings of the names in a mark, for `is_in`."""
    return frozenset(mark[at : at + _DIGITS] for at in range(0, len(mark), _DIGITS))


def is_in(name: str, seen: frozenset[str]) -> bool:
    return name[:_DIGITS] in seen

"""The ids of changes, which stand in the commit messages, and git's own ids of texts."""

from clawgit.core.doors import hashlib

ID_LETTERS = "klmnopqrstuvwxyz"
"""Change ids use no hexadecimal digit, so that none can be mistaken for a hash."""

_LENGTH = 8


def is_change_id(text: str) -> bool:
    return len(text) == _LENGTH and not text.strip(ID_LETTERS)


def change_id(number: int) -> str:
    """The id of a number below 2**32."""
    return "".join(ID_LETTERS[number >> shift & 15] for shift in range(28, -4, -4))


def blob_id(data: bytes) -> str:
    """The id that git gives to a file with this content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def digest(*parts: str) -> str:
    """A name, by its hash, for anything that git does not name."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

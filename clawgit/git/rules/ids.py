"""The ids of changes, and the other trailers of commit messages; and git's own ids of texts. Small:
git's hooks load it.
"""

from collections.abc import Iterator

from clawgit.core.doors import hashlib
from clawgit.language.lazily import lazily

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


TRAILER = lazily(
    r"(Clawgit-Id|Clawgit-Op|Evidence|Session|Confidence|Run|Alert|Clawgit-Job): (\S.*)"
)

BY_GIT = "commit"
"""The verb of `Clawgit-Op` in what `git commit` makes; git's hooks write it."""


def change_ids(text: str) -> Iterator[str]:
    """All change ids, wherever they are in a message."""
    lines = (TRAILER.fullmatch(line.rstrip()) for line in text.splitlines())
    values = (match[2] for match in lines if match and match[1] == "Clawgit-Id")
    return filter(is_change_id, values)


_NAMES_AN_ACTOR = lazily(r"(?im)^clawgit-op[ \t]*[^\w\s-][ \t]*(.*)$")


def named_ops(text: str) -> tuple[str, ...]:
    """Every `Clawgit-Op` of a message, wherever it is and however it is written: git also accepts
    other blanks, other separators than a colon, and folded lines, and may cut off what follows.
    """
    lines = "\n".join(text.splitlines())
    return tuple(value.strip() for value in _NAMES_AN_ACTOR.findall(lines))

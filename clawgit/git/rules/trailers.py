"""The trailers that a commit message of ours has. Small: git's hooks load it."""

from collections.abc import Iterator

from clawgit.language.lazily import lazily

TRAILER = lazily(
    r"(Clawgit-Id|Clawgit-Op|Evidence|Session|Confidence|Run|Alert|Clawgit-Job): (\S.*)"
)

BY_GIT = "commit"
"""The verb of `Clawgit-Op` in what `git commit` makes; git's hooks write it."""


def everywhere(key: str, text: str) -> Iterator[str]:
    """All values of a trailer, wherever they are in a message."""
    lines = (TRAILER.fullmatch(line.rstrip()) for line in text.splitlines())
    return (match[2] for match in lines if match and match[1] == key)


_NAMES_AN_ACTOR = lazily(r"(?im)^clawgit-op[ \t]*[^\w\s-][ \t]*(.*)$")


def named_ops(text: str) -> tuple[str, ...]:
    """Every `Clawgit-Op` of a message, wherever it is and however it is written: git also accepts
    other blanks, other separators than a colon, and folded lines, and may cut off what follows.
    """
    lines = "\n".join(text.splitlines())
    return tuple(value.strip() for value in _NAMES_AN_ACTOR.findall(lines))

"""A text shortened to one line."""

from clawgit.domain.safety.masks import head


def one_line(text: str) -> str:
    """The text with its line breaks and gaps as single spaces."""
    return " ".join(text.split())


def in_a_line(text: str, longest: int) -> str:
    """The text on one line; one that is longer ends in “…”, and is that long with it."""
    line = one_line(text)
    return line if len(line) <= longest else f"{head(line, longest - 1).rstrip()}…"

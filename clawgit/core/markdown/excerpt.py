"""A text shortened to one line, and the label that a line begins with."""

from clawgit.language.lazily import lazily
from clawgit.safety.rules.masks import head

_LABEL = lazily(r"[\W_]*+((?:[^\s:：*_`]+[ \t]+){0,4}[^\s:：*_`]+)[*_` ]*[:：](?!//)")

_COLONS = (":", "：")


def leads(text: str) -> bool:
    """Whether a line says something of what stands below it: `**Before each task:**`."""
    return text.rstrip("*_ \n").endswith(_COLONS)


def label_of(text: str) -> str:
    """The text before the colon of `label: value`, "" if the line is not one."""
    label = _LABEL.match(text)
    return one_line(label[1].casefold()) if label else ""


def one_line(text: str) -> str:
    """The text with its line breaks and gaps as single spaces."""
    return " ".join(text.split())


def in_a_line(text: str, longest: int) -> str:
    """The text on one line; one that is longer ends in “…”, and is that long with it."""
    line = one_line(text)
    return line if len(line) <= longest else f"{head(line, longest - 1).rstrip()}…"

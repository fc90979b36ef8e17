"""The label of a line: what stands before the colon of `label: value`, or above a list."""

from clawgit.language.lazily import lazily

_LABEL = lazily(r"[\W_]*+((?:[^\s:：*_`]+[ \t]+){0,4}[^\s:：*_`]+)[*_` ]*[:：](?!//)")

_COLONS = (":", "：")


def leads(text: str) -> bool:
    """Whether a line says something of what stands below it: `**Before each task:**`."""
    return text.rstrip("*_ \n").endswith(_COLONS)


def label_of(text: str) -> str:
    """The text before the colon of `label: value`, "" if the line is not one."""
    label = _LABEL.match(text)
    return " ".join(label[1].casefold().split()) if label else ""

"""The label of a line: what stands before the colon of `label: value`."""

from clawgit.language.lazily import lazily

_LABEL = lazily(r"[\W_]*+((?:[^\s:：*_`]+[ \t]+){0,4}[^\s:：*_`]+)[*_` ]*[:：](?!//)")


def label_of(text: str) -> str:
    """The text before the colon of `label: value`, "" if the line is not one."""
    label = _LABEL.match(text)
    return " ".join(label[1].casefold().split()) if label else ""

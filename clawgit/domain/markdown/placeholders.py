"""What stands in a form where nobody has filled anything in."""

from clawgit.language.lazily import lazily

_PLACEHOLDER = r"(?:_\([^\n]*\)_|\*\([^\n]*\)\*|_（[^\n]*）_|\*（[^\n]*）\*)"
"""What stands where a value should: `_(pick something you like)_`, `*(to be learned)*`."""

_OPEN_VALUE = rf"(?:{_PLACEHOLDER}|\[[^\]\n]*\]|<[^<>:@\n]*>|\{{+[^{{}}\n]*\}}+)"
"""The same after a label, where brackets of other kinds stand for a value too."""

_FIELD = lazily(rf"[-*+] (?:\*\*[^*\n]+[:：]\*\*|\*\*[^*\n]+\*\*[:：])\s*(?:{_OPEN_VALUE})?")
_LINE = lazily(rf"(?:[-*+] )?{_PLACEHOLDER}")

_BLANK = lazily(r"(?:\*\*[^*\n]{1,60}:\*\*|[^:\n*]{1,60}:)?\s*(?:_[^_]*_|\*[^*]+\*|\([^()]*\))?\s*")
"""A label with nothing after it, or with a hint in italics or brackets."""


def is_placeholder(block: str) -> bool:
    """Whether a block of a form, its bullet included, waits to be filled in."""
    return bool(_LINE.fullmatch(block) or _FIELD.fullmatch(block))


def is_blank(text: str) -> bool:
    """The same for a line of a profile as the index holds it, without its bullet.

    More counts as a hint here: a context may show a line too many, but a search must not
    answer with it.
    """
    return _BLANK.fullmatch(text) is not None

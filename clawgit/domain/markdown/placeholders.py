"""What stands in a form where nobody has filled anything in."""

import hashlib

from clawgit.language.lazily import lazily

FORMS = ("USER.md", "IDENTITY.md", "SOUL.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md")
"""Files that start as a template, which asks to be filled in; an agent may have several of each."""

_PLACEHOLDER = r"(?:_\([^\n]*\)_|\*\([^\n]*\)\*|_（[^\n]*）_|\*（[^\n]*）\*)"
"""What stands where a value should: `_(pick something you like)_`, `*(to be learned)*`."""

_OPEN_VALUE = rf"(?:{_PLACEHOLDER}|\[[^\]\n]*\]|<[^<>:@\n]*>|\{{+[^{{}}\n]*\}}+)"
"""The same after a label, where brackets of other kinds stand for a value too."""

_LABEL = r"(?:\*\*[^*\n]{1,60}(?:[:：]\*\*|\*\*[:：])|[^:：\n*]{1,60}[:：])"
_HINT = r"(?:_[^_]*_|\*[^*]+\*|[(（][^()（）]*[)）])"
_BLANK = lazily(rf"{_LABEL}\s*(?:{_HINT}|{_OPEN_VALUE})?\s*|{_PLACEHOLDER}")
"""A label with nothing after it, or with a hint in italics or brackets; or a placeholder alone."""

_MARKS = lazily(r"[\W_]+")
_DIGITS = 16


def is_form(path: str) -> bool:
    """Whether it is one of these files, in whatever folder."""
    return path.rpartition("/")[2] in FORMS


def text_key(text: str) -> str:
    """A hash of the letters and digits of a text, however it is spaced and marked up.

    A hash, so that a template of somebody else's can be listed without its text.
    """
    plain = _MARKS.sub("", text).casefold()
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def is_blank(text: str) -> bool:
    """Whether a line of a form, without its bullet, waits to be filled in."""
    return _BLANK.fullmatch(text) is not None

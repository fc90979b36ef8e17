"""Passwords, PINs and codes of doors that somebody tells, which no form of theirs gives away."""

from clawgit.language.lazily import lazily
from clawgit.language.notes import MARKS, matcher

_CODE_DIGITS = lazily(r"(?<![\d.,:/-])\d(?:[ -]?\d){2,11}(?![\d.,:/-]*\d)")
"""A code of three to twelve digits, and no date, time or sum."""

_SAID_VALUE = (
    r"(?![^\W_]*-)[^.;,\n]{0,24}?(?:\bis\b|\bist\b|\bes\b|[=:：是为は는은])"
    r"\s*`?(?=\S*\d)(?=\S*[^\W\d]|\S*[!@#$%])\S{6,}"
)


def names_secret(text: str) -> bool:
    """Whether a text gives a password with a digit, a PIN or another code."""
    if matcher(MARKS, "secret", _SAID_VALUE).search(text):
        return True
    return _CODE_DIGITS.search(text) is not None and matcher(MARKS, "code").search(text) is not None

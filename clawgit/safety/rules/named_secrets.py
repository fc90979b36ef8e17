"""Secrets that only the words beside them give away: “the password is …”, the code of a door."""

import re

from clawgit.language.files import MARKS, matcher

_DIGITS = re.compile(r"(?<![\d.,:/-])\d(?:[ -]?\d){2,11}(?![\d.,:/-]*\d)")
"""A code of three to twelve digits, and no date, time or sum."""

_VALUE = (
    r"(?![^\W_]*-)[^.;,\n]{0,24}?(?:\bis\b|\bist\b|\bes\b|[=:：是为は는은])"
    r"\s*`?(?=\S*\d)(?=\S*[^\W\d]|\S*[!@#$%])\S{6,}"
)


def names_secret(text: str) -> bool:
    """Whether a text gives a password with a digit, a PIN or another code."""
    if matcher(MARKS, "secret", _VALUE).search(text):
        return True
    return _DIGITS.search(text) is not None and matcher(MARKS, "code").search(text) is not None

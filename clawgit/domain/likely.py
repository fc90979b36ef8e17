"""Whether a value is one that somebody was given to keep, or a word, a reference, an example."""

import binascii
from math import log2

from clawgit.domain.secret_rules import compiled

_SHAPED_ENTROPY = 2.8
_TOKEN_LENGTH, _TOKEN_ENTROPY = 16, 3.0
_LETTERS_ENTROPY = 4.0
_PASSWORD_LENGTH, _PASSWORD_KINDS = 10, 3
_FEWEST_SIGNS = 3

_EXAMPLE = (
    "(?i:example|placeholder|redacted|dummy|sample|change.?me|your|insert|fake|not.?a.?real|hidden|masked|removed|foobar"
    r"|x{4}|(.)\1{5}|\*{3}|\.{3}|…|1234567|7654321|abcdefgh|qwerty|lorem|dead.?beef)"
)
_REFERENCE = (
    r"(?i:[$%@]?[{(\[<]|\$[A-Za-z_]|\$\d[a-z]?\$|%\w+%|[a-z][a-z0-9+.-]{1,20}://|(?:env|vault|secret|op|keychain|file)[:.]"
    r"|[\w.]+[(\[]|.*(?:environ|getenv|process\.env|secrets\.|settings\.|config\.|1password|bitwarden|keepass|keychain))"
)
_TIME = r"\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_PLAIN = r"[A-Za-z]?\d?[a-z]*(?:[A-Z][a-z]+)*\d{0,4}|[A-Z]+\d{0,4}|\d{1,12}[a-z]{0,2}"
_BETWEEN = "[^A-Za-z0-9]+"
_KINDS = ("[a-z]", "[A-Z]", "[0-9]", "[!@#$%^&*?+~=;]|[^\x00-\x7f]")
_DEFAULTS = frozenset(["password", "passwd", "pass", "pwd", "secret", "token", "test", "postgres", "root"])


def is_issued(value: str) -> bool:
    """Of what has the shape of a secret: whether it is more than an example of the shape."""
    return not compiled(_EXAMPLE).search(value) and entropy(value) >= _SHAPED_ENTROPY


def is_token(value: str) -> bool:
    """Of what is called a token, key or secret: whether a machine has drawn it."""
    if len(value) < _TOKEN_LENGTH or not compiled("[A-Za-z]").search(value):
        return False
    least = _TOKEN_ENTROPY if compiled("[0-9]").search(value) else _LETTERS_ENTROPY
    return entropy(value) >= least and not _is_said(value) and not is_plain(value)


def is_password(value: str) -> bool:
    """Of what is called a password: whether it can be one, drawn by a machine or thought up."""
    kinds = sum(compiled(kind).search(value) is not None for kind in _KINDS)
    if kinds < _PASSWORD_KINDS and (len(value) < _PASSWORD_LENGTH or kinds == 1 or is_plain(value)):
        return False
    return not _is_said(value)


def is_login(value: str) -> bool:
    """Of what is sent as `Basic`: whether it holds a name and a password."""
    try:
        user, colon, password = binascii.a2b_base64(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(colon) and user.isprintable() and password.isprintable() and is_url_password(user, password)


def is_url_password(user: str, value: str) -> bool:
    """Of what stands where a URL has a password: whether it is more than the default of a tool."""
    if value.lower() in _DEFAULTS or value == user or len(set(value)) < _FEWEST_SIGNS:
        return False
    return not compiled(_EXAMPLE).search(value) and not compiled(_REFERENCE).match(value)


def is_plain(value: str) -> bool:
    """Whether it is words, numbers and names joined by signs: a path, a version, an identifier."""
    return all(compiled(_PLAIN).fullmatch(piece) for piece in compiled(_BETWEEN).split(value))


def entropy(value: str) -> float:
    """Bits a sign, by how often each occurs in the value itself."""
    shares = [value.count(sign) / len(value) for sign in set(value)]
    return -sum(share * log2(share) for share in shares)


def _is_said(value: str) -> bool:
    """An example, a reference to where the secret really is, or a time."""
    return any(compiled(pattern).match(value) for pattern in (_REFERENCE, _TIME)) or bool(
        compiled(_EXAMPLE).search(value)
    )

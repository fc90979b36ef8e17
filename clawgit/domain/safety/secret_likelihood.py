"""Whether a value is one that somebody was given to keep, or a word, a reference, a placeholder, a
known sample.
"""

import binascii
from hashlib import sha256
from math import log2

from clawgit.domain.safety.secret_rules import compiled
from clawgit.domain.safety.secret_samples import SAMPLES

_SHAPED_ENTROPY = 2.5
_TOKEN_LENGTH = 16
_TOKEN_ENTROPY = 3.0
_LETTERS_ENTROPY = 4.0
_PASSWORD_LENGTH = 10
_PASSWORD_KINDS = 3
_SHORTEST_PASSWORD = 8
_FEWEST_SIGNS = 3
_FEWEST_LEFT = 5
_RUN = 3
_LONGEST_FILLER = 128

_FILLERS = (
    "(?i:examples?|placeholders?|redacted|dummy|samples?|change(?:me|it|d)?|your|insert|replace|fake|hidden|masked"
    "|removed|foobar|foo|bar|baz|qwerty|lorem|ipsum|dead.?beef|tokens?|secrets?|keys?|password|passw0rd|p[@a]ssw[o0]rd|passwd"
    "|pass|user(?:name)?|admin|root|test(?:ing)?|demo|here|this|that|with|the|and|not|real|actual|valid|some|value|goes"
    "|put|paste|enter|add|from|for|api|app|auth|bot|access|client|private|public|project|proj|org|account|xxx+|live|prod"
    "|staging|dev|local|default|temp|new|old"
    "|bcrypt|scrypt|argon2\\w{0,2}|pbkdf2|hmac|oauth2?|base64|totp|2fa|mfa|aes|sha|md5|utf|tls|ssl|jwt|auth0|1password)"
)
"""What placeholders are made of, and the names of methods that stand where a password would."""

_REFERENCE = (
    r"(?i:[$%@]?[{(\[<]|\$[A-Za-z_]|\$\d[a-z]?\$|%\w+%|[a-z][a-z0-9+.-]{1,20}://|(?:env|vault|secret|op|keychain|file)[:.]"
    r"|[\w.]{1,200}+[(\[]|(?:~|\.{1,2})/(?:[\w.@+-]{1,64}+/){0,20}[\w.@+-]{0,64}+[.]?\w{0,8}$|[A-Za-z]:\\"
    r"|.*(?:environ|getenv|process\.env|secrets\.|settings\.|config\.|1password|bitwarden|keepass|keychain)"
    r"|.*\.(?:md|txt|json|py|pem|key|env|ya?ml|toml|sh|ts|js|go|html|pub|crt|log|cfg|conf|ini|csv|db)$)"
)
_CALLED_SO = "(?:[a-z]{1,20}[-_.:])?(?:pass|password|secret|token|key|pw|x-oauth-basic)(?:[-_.:][a-z]{1,20})?"
"""What a document writes in the place of a password in a URL."""

_STARRED = r"\*{3}|\.{3}|…|•{3}|x{6}|X{6}"
_TIME = r"\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_PLAIN = r"[A-Za-z]?\d?[a-z]*(?:[A-Z][a-z]+)*\d{0,5}|[A-Z]+\d{0,4}|\d{1,12}[a-z]{0,2}"
_BETWEEN = "[^A-Za-z0-9]+"
_KINDS = ("[a-z]", "[A-Z]", "[0-9]", "[!@#$%^&*?+~=;]|[^\x00-\x7f]")
_DEFAULTS = frozenset(
    ["password", "passwd", "pass", "pwd", "secret", "token", "test", "postgres", "root"]
)


def is_issued(value: str, body: str) -> bool:
    """Of what has the shape of a secret: whether it is more than a sample. Only what a vendor's own
    documents print is one, letter by letter, and what is a placeholder through and through.
    """
    return entropy(body) >= _SHAPED_ENTROPY and not is_filler(body) and not is_sample(value)


def is_token(value: str) -> bool:
    """Of what is called a token, key or secret: whether a machine has drawn it."""
    if len(value) < _TOKEN_LENGTH or not value.isascii() or not compiled("[A-Za-z]").search(value):
        return False
    least = _TOKEN_ENTROPY if compiled("[0-9]").search(value) else _LETTERS_ENTROPY
    return entropy(value) >= least and not _is_said(value) and not is_plain(value)


def is_password(value: str) -> bool:
    """Of what is called a password: whether it can be one, drawn by a machine or thought up."""
    if len(value) < _SHORTEST_PASSWORD:
        return False
    kinds = sum(compiled(kind).search(value) is not None for kind in _KINDS)
    if kinds < _PASSWORD_KINDS and (len(value) < _PASSWORD_LENGTH or kinds == 1 or is_plain(value)):
        return False
    return not _is_said(value) and not _is_phrase(value)


def is_login(value: str) -> bool:
    """Of what is sent as `Basic`: whether it holds a name and a password."""
    try:
        user, colon, password = binascii.a2b_base64(value).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return (
        bool(colon)
        and user.isprintable()
        and password.isprintable()
        and is_url_password(user, password)
    )


def is_url_password(user: str, value: str) -> bool:
    """Of what stands where a URL has a password: whether it is more than the default of a tool."""
    value = compiled("%[0-9A-Fa-f]{2}").sub("-", value)
    if value.lower() in _DEFAULTS or value == user or len(set(value)) < _FEWEST_SIGNS:
        return False
    if is_filler(value) or is_sample(value) or compiled(_STARRED).search(value):
        return False
    return not compiled(_REFERENCE).match(value) and not compiled(_CALLED_SO).fullmatch(value)


def is_plain(value: str) -> bool:
    """Whether it is words, numbers and names joined by signs: a path, a version, an identifier."""
    return all(compiled(_PLAIN).fullmatch(piece) for piece in compiled(_BETWEEN).split(value))


def is_filler(value: str) -> bool:
    """Whether nothing is left of it beside placeholder words and runs such as `12345`, `abcdef`,
    `xxxx`.
    """
    if len(value) > _LONGEST_FILLER:
        return False
    left = compiled(_FILLERS).sub(" ", _without_runs(value))
    return sum(sign.isalnum() for sign in left) < min(_FEWEST_LEFT, max(1, len(value) // 4))


def is_sample(value: str) -> bool:
    """Whether a vendor's own documents print exactly this."""
    return sha256(value.encode("utf-8", "surrogatepass")).hexdigest() in SAMPLES


def entropy(value: str) -> float:
    """Bits a sign, by how often each occurs in the value itself."""
    shares = [value.count(sign) / len(value) for sign in set(value)]
    return -sum(share * log2(share) for share in shares)


def _without_runs(value: str) -> str:
    """The value with every run blanked in which each sign is the one before, or its neighbour in
    the alphabet.
    """
    kept, run = list[str](), value[:1]
    step: int | None = None
    for sign in value[1:]:
        to_next = _step(run[-1], sign)
        if to_next in (-1, 0, 1) and (step is None or step == to_next):
            run, step = run + sign, to_next
            continue
        kept.append(run if len(run) < _RUN else " ")
        run, step = sign, None
    kept.append(run if len(run) < _RUN else " ")
    return "".join(kept)


def _step(one: str, other: str) -> int | None:
    """How far two signs are apart; after 9 comes 0, and a letter's size does not count."""
    if (one, other) in (("9", "0"), ("0", "9")):
        return 1 if one == "9" else -1
    if one.isdigit() != other.isdigit():
        return None
    return ord(other.lower()[0]) - ord(one.lower()[0])


def _is_phrase(value: str) -> bool:
    """Words joined by signs, as prose and code have them: `Minimum-8-characters`,
    `fastapi.security.OAuth2`.
    """
    if compiled(r"[A-Za-z_]+\d?(?:\.[A-Za-z_]+\d?){2,}").fullmatch(value):
        return True
    pieces = compiled(r"[\W_]+").split(value.strip("-_./,"))
    if len(pieces) < _RUN and "/" not in value and (len(pieces) == 1 or value.isascii()):
        return False
    return all(
        piece.isalpha() or compiled("[0-9]{0,4}[A-Z]{0,4}").fullmatch(piece) for piece in pieces
    )


def _is_said(value: str) -> bool:
    """A placeholder, a reference to where the secret really is, a time, a documented sample."""
    if any(compiled(pattern).match(value) for pattern in (_REFERENCE, _TIME)):
        return True
    return bool(compiled(_STARRED).search(value)) or is_filler(value) or is_sample(value)

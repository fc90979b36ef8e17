"""Settings that must not be shown or kept in full: passwords in addresses, tokens."""

import re

from clawgit.domain.safety.secrets import findings

_HTTP = ("http://", "https://")


def is_secret(key: str, value: object) -> bool:
    """Whether a value is kept by its hash only: an address that bears a password, or a token as
    such addresses do.
    """
    if (
        key == "secrets_allow"
    ):  # it holds fingerprints, and a list of them names when each was allowed
        return False
    text = str(value)
    if key == "digest_to" or (
        "://" in text and (not text.startswith(_HTTP) or "@" in text or "?" in text)
    ):
        return True
    return any(findings("CONFIG.md", text))


def discreet(key: str, value: object) -> object:
    """A value without the passwords in its addresses."""
    if key == "digest_to" and isinstance(value, list):
        # An apprise address is a secret as a whole: its token stands where others have a host.
        return [re.sub(r"://.*", "://…", str(address)) for address in value]
    if isinstance(value, str):
        return re.sub(r"(://[^/\s@:]*:)[^\s@]*@", r"\1…@", value)
    return value

"""Settings that must not be shown or stored in full: passwords in addresses, tokens."""

import re

from clawgit.domain.safety.secrets import findings

_HTTP = ("http://", "https://")


def is_secret(key: str, value: object) -> bool:
    """Whether only the hash of a value may be stored: it is an address with a password or a
    token.
    """
    if key == "secrets_allow":  # it holds fingerprints, and its list shows when each was allowed
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
        # An apprise address is secret as a whole: its token is where others have a host.
        return [re.sub(r"://.*", "://…", str(address)) for address in value]
    if isinstance(value, str):
        return re.sub(r"(://[^/\s@:]*:)[^\s@]*@", r"\1…@", value)
    return value

"""Sending a text to an address of apprise's: mail, chat, a web hook.

What such an address holds is secret.
"""

import logging
import re
from hashlib import sha256
from importlib.util import find_spec

from clawgit.doors import apprise
from clawgit.errors import MissingExtraError

_SECONDS = 30
_SECRET = 6
"""Characters from which on a part of an address may be a secret, and stands in no message."""


def address_name(url: str) -> str:
    """A name for an address that tells nothing of it but its kind."""
    kind = re.match(r"[a-z][a-z0-9+.-]{0,20}(?=:)", url.lower())
    return (
        f"{kind[0] if kind else 'address'}-{sha256(url.encode('utf-8', 'replace')).hexdigest()[:6]}"
    )


def must_be_there() -> None:
    """Raises where the package that sends is not installed."""
    if find_spec("apprise") is None:
        raise MissingExtraError(
            "Sending a digest needs the package apprise.", hint="pip install 'clawgit[digest]'"
        )


def send(url: str, title: str, body: str) -> str:
    """Sends Markdown, once. What went wrong, in words; "" where it was sent."""
    logger = logging.getLogger("apprise")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    service = apprise.Apprise(
        asset=apprise.AppriseAsset(app_id="clawgit", app_desc="clawgit", secure_logging=True)
    )
    if not service.add(url):
        return "it is not an address that apprise knows"
    sent = service.notify(
        body=body, title=title, body_format=apprise.NotifyFormat.MARKDOWN, timeout=_SECONDS
    )
    if sent:
        return ""
    messages = [entry.message for entry in sent.logs()]
    return _without_secrets(
        messages[-1] if messages else f"it was not sent: {sent.status.name.lower()}", url
    )


def _without_secrets(message: str, url: str) -> str:
    for part in sorted(re.split(r"[/:@?&=,]", url), key=len, reverse=True):
        if len(part) >= _SECRET:
            message = message.replace(part, "…")
    return " ".join(message.split())[:200]

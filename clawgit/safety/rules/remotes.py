"""Where a remote is, by its URL: on this machine, in a private network, or on the internet."""

import re
from ipaddress import ip_address

from clawgit.language.lazily import lazily

_HELPER = lazily(r"[A-Za-z][\w+.-]*::")
_URL = lazily(
    r"(?P<scheme>[A-Za-z][\w+.-]*)://(?:(?P<login>[^/]*)@)?(?P<host>\[[^\]/]*\]|[^/:@]*)"
    r"(?::(?P<port>\d*))?(?P<path>/.*)?"
)
_SCP = lazily(r"(?:(?P<login>[^/@:]*)@)?(?P<host>\[[^\]/]*\]|[^/:\[]{2,}):(?P<path>.*)")
_WEB = ("http", "ftp")
_OWN = (
    ".local",
    ".localhost",
    ".lan",
    ".internal",
    ".intranet",
    ".home",
    ".home.arpa",
    ".private",
    ".corp",
    ".test",
)
_FORGES = lazily(
    "github|gitlab|bitbucket|codeberg|gitea|sourcehut|huggingface|azure", re.IGNORECASE
)


def public_address(url: str) -> str | None:
    """Host and path of a remote on the internet, without the user; None for any other.

    The same for every protocol, so that one repository has one address.
    """
    # A remote helper (`ext::…`) can reach anything, so it counts as public.
    if _HELPER.match(url):
        return url
    match = _URL.fullmatch(url) or _SCP.fullmatch(url)
    if match is None or match.groupdict().get("scheme", "").lower() == "file":
        return None
    host = match["host"].strip("[]").lower().rstrip(".")
    if not host or _is_own(host):
        return None
    path = (match["path"] or "").strip("/").removesuffix(".git")
    return f"{host}/{path}"


def shown_address(url: str) -> str:
    """An address without its credentials: the password; on the web also the user's name, which is
    often an access token, and everything after a question mark.
    """
    match = _URL.fullmatch(url)
    if match is None:
        return url
    login, scheme = match["login"] or "", match["scheme"].lower()
    user = "" if scheme.startswith(_WEB) else login.partition(":")[0]
    rest = url[match.start("host") :]
    if scheme.startswith(_WEB):
        rest = rest.partition("?")[0].partition("#")[0]
    return f"{match['scheme']}://{user}{'@' * bool(user)}{rest}"


def _is_own(host: str) -> bool:
    try:
        return not ip_address(host.partition("%")[0]).is_global
    except ValueError:
        pass
    if "." not in host:
        # A short name is a machine nearby or an alias in ~/.ssh/config. Such an alias usually has
        # the name of the forge in it.
        return not _FORGES.search(host)
    return host.endswith(_OWN)

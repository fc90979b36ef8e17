"""Where a remote lies, as its URL tells: on this machine, in a network of one's own, or where
strangers can come in.
"""

import re
from ipaddress import ip_address

_HELPER = re.compile(r"[A-Za-z][\w+.-]*::")
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][\w+.-]*)://(?:[^/@]*@)?(?P<host>\[[^\]/]*\]|[^/:]*)(?::\d+)?(?P<path>/.*)?"
)
_SCP = re.compile(r"(?:[^/@:]*@)?(?P<host>\[[^\]/]*\]|[^/:\[]{2,}):(?P<path>.*)")
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
_FORGES = re.compile(
    "github|gitlab|bitbucket|codeberg|gitea|sourcehut|huggingface|azure", re.IGNORECASE
)


def public_address(url: str) -> str | None:
    """Host and path of a remote that the internet can reach, without the user; None for any other.
    By whichever protocol it is reached, it is called the same.
    """
    if _HELPER.match(url):
        return url
    found = _URL.fullmatch(url) or _SCP.fullmatch(url)
    if found is None or found.groupdict().get("scheme", "").lower() == "file":
        return None
    host = found["host"].strip("[]").lower().rstrip(".")
    path = (found["path"] or "").strip("/").removesuffix(".git")
    return None if not host or _is_own(host) else f"{host}/{path}"


def _is_own(host: str) -> bool:
    try:
        return not ip_address(host.partition("%")[0]).is_global
    except ValueError:
        pass
    if "." not in host:
        # A short name is a machine nearby, or an alias in ~/.ssh/config, mostly called like what it
        # stands for.
        return not _FORGES.search(host)
    return host.endswith(_OWN)

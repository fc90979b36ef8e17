"""Explains in plain words why a remote does not answer or refuses us, from what git, ssh and curl
say.
"""

from typing import NamedTuple

from clawgit.domain.safety.remotes import Login, shown_address, ssh_login
from clawgit.errors import ClawgitError
from clawgit.language.lazily import lazily

_ACCESS = lazily(r"^unable to access '[^']*': ")

_UNREACHED = (
    "could not resolve host",
    "temporary failure in name resolution",
    "name or service not known",
    "connection refused",
    "connection timed out",
    "connect to host",
    "network is unreachable",
    "network is down",
    "no route to host",
    "host is down",
    "could not connect",
    "couldn't connect",
    "failed to connect",
    "unable to connect",
    "unable to look up",
    "returned error: 429",
    "returned error: 502",
    "returned error: 503",
    "returned error: 504",
)
"""What they say if a remote cannot be reached."""

_BROKEN_OFF = (
    "connection reset",
    "connection closed",
    "closed by remote host",
    "operation timed out",
    "operation too slow",
    "transfer closed",
    "the remote end hung up",
    "early eof",
    "rpc failed",
    "empty reply from server",
    "unexpected disconnect",
    "bad band",
)
"""What they say if the connection to a remote broke off."""

_ADDRESS = "`git remote -v` shows the address"
_OWN_LOGIN = (
    "clawgit uses the keys and the helpers of your own configuration, none that this repository "
    "names."
)


class _Cause(NamedTuple):
    """Words that identify a refusal, what it means, and what to do.

    `{at}` is the address, `{host}` the machine, `{login}` the argument of ssh.
    """

    signs: tuple[str, ...]
    message: str
    hint: str


_CAUSES = (
    _Cause(
        ("remote host identification has changed",),
        "{host} has another host key than the one that ssh knows. It may be another machine.",
        "Ask whoever runs it. If it has a new key: ssh-keygen -R '{known_as}', then ssh {login}",
    ),
    _Cause(
        ("host key verification failed",),
        "ssh does not know the host key of {host} yet.",
        "Connect once at a terminal and compare the key that it shows: ssh {login}",
    ),
    _Cause(
        ("permission denied (", "too many authentication failures"),
        "{host} does not accept your ssh key.",
        f"`ssh -v {{login}}` shows which keys are tried. {_OWN_LOGIN}",
    ),
    _Cause(
        ("could not read username", "could not read password"),
        "{at} asks for a user name and a password, and nobody is here to type them.",
        "Run it at a terminal, or have git remember them: git config --global credential.helper "
        f"store, then git fetch. {_OWN_LOGIN}",
    ),
    _Cause(
        ("authentication failed", "returned error: 401"),
        "{at} does not accept the user name or the password.",
        "`git fetch` at a terminal asks for them again; many hosts want an access token instead of "
        f"the password. {_OWN_LOGIN}",
    ),
    _Cause(
        ("returned error: 403",),
        "{at} knows you and does not allow this.",
        f"Ask its owner for the right to write to it; {_ADDRESS}.",
    ),
    _Cause(
        ("url using bad/illegal format",),
        "{at} is not a valid address.",
        "In a user name and a password, write @ as %40, : as %3A and / as %2F.",
    ),
    _Cause(
        ("repository not found", "' not found", "not appear to be a git repo", "not exported"),
        "There is no repository at {at}, or you are not allowed to see it.",
        f"{_ADDRESS}; git remote set-url changes it.",
    ),
)


class OfflineError(ClawgitError):
    """A remote cannot be reached now. `local`: it is a folder on this machine."""

    kind = "offline"


class RemoteError(ClawgitError):
    """A remote answers and refuses, or must not be used."""

    kind = "remote"


def no_folder(url: str) -> OfflineError:
    """The error for a remote folder that does not exist: mistyped, or on a disk that is not
    connected.
    """
    return OfflineError(
        f"There is no repository at {shown_address(url)}.",
        hint=f"{_ADDRESS}. If it is on a disk or a share: attach it, then clawgit sync",
        local=True,
    )


def refusal_of(url: str, stderr: str) -> ClawgitError:
    """The error for a failed git command on the remote at an address."""
    words, at = stderr.lower(), shown_address(url)
    if _any_of(_UNREACHED, words):
        return OfflineError(f"{at} cannot be reached: {_last_words(stderr)}")
    cause = next((cause for cause in _CAUSES if _any_of(cause.signs, words)), None)
    if cause:
        login = ssh_login(url) or Login("", at, "")
        names = {
            "at": at,
            "host": login.host,
            "login": login.arguments,
            "known_as": login.known_as,
        }
        return RemoteError(cause.message.format(**names), hint=cause.hint.format(**names))
    if _any_of(_BROKEN_OFF, words):
        return OfflineError(f"The connection to {at} broke off: {_last_words(stderr)}")
    return RemoteError(
        _last_words(stderr), hint=f"git fetch shows all that the remote says. {_OWN_LOGIN}"
    )


def is_broken_off(stderr: str) -> bool:
    """Whether the remote may have done what it was asked for, and only its answer is missing."""
    words = stderr.lower()
    return _any_of(_BROKEN_OFF, words) and not _any_of(_UNREACHED, words)


def _last_words(stderr: str) -> str:
    """The last line of git, without the address; earlier lines may come from the server."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))]
    line = (fatal or lines or [""])[0].removeprefix("fatal: ").removeprefix("error: ")
    return _ACCESS.sub("", line)


def _any_of(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)

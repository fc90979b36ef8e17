"""Runs C git against another repository: with the user's own programs and keys, and with none that
this repository names. Explains why a remote does not answer, or refuses.
"""

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from copy import copy
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError
from clawgit.git.cgit import CGit, CGitError, any_of
from clawgit.git.guards.filters import rows_of
from clawgit.git.guards.hardened import Pair, with_config
from clawgit.git.place import locate
from clawgit.safety.rules.remotes import shown_address

PROTOCOLS = "file:git:http:https:ssh"
"""The allowed protocols. No others: `ext::` runs any program that an address names."""

_OWN_PROGRAMS = r"^(credential\.|core\.(sshcommand|askpass)$)"
_SSH = "core.sshcommand"

_WAY = r"^(http\.|remote\..*\.proxy)"
_HARMLESS = frozenset(
    {
        "followredirects", "lowspeedlimit", "lowspeedtime", "maxrequests", "minsessions",
        "postbuffer", "useragent", "version",
    }
)  # fmt: skip
"""Other settings of `http` may redirect what is sent, turn off the check of the server, or name
files."""

_OLD_WAYS = ("remotes", "branches")
"""Folders of `.git` in which older gits look for a remote by its name."""

_PATIENCE = "120"
"""Seconds within which a server must send something over HTTP."""

_SPARE = ("clawgit-fetch", "clawgit-push")
"""Names of remotes in no configuration. With them git shows how it rewrites an address."""

_ROUNDS = 5

_ANYWHERE: Mapping[str, str | None] = MappingProxyType({})

_RACED = (
    "fetch first",
    "non-fast-forward",
    "stale info",
    "failed to update ref",
    "incorrect old value",
    "cannot lock ref",
    "failed to lock",
    "reference already exists",
    "atomic",  # another ref of the same push was refused
)
"""Reasons for which a push is rejected while somebody else pushes."""

_USERS = ("system", "global")
"""The scopes of the user and the system, not of the repository."""

_UNREACHED = (
    "could not resolve host", "name resolution", "name or service not known",
    "connection refused", "connection timed out", "connect to", "network is", "no route to host",
    "host is down", "unable to look up", "returned error: 429", "returned error: 50",
)  # fmt: skip
"""What they say if a remote cannot be reached."""

_BROKEN_OFF = (
    "connection reset", "connection closed", "closed by remote host", "operation timed out",
    "operation too slow", "transfer closed", "the remote end hung up", "early eof", "rpc failed",
    "empty reply from server", "unexpected disconnect", "bad band",
)  # fmt: skip
"""What they say if the connection to a remote broke off."""

_ADDRESS = "`git remote -v` shows the address"
_OWN_LOGIN = (
    "clawgit uses the keys and the helpers of your own configuration, none that this repository "
    "names."
)


_CAUSES = (
    (
        ("host key verification failed", "host identification has changed"),
        "ssh does not know {at} by the host key that it shows now: it may be another machine.",
        "Compare the key with whoever runs it. If it is new: ssh-keygen -R HOST",
    ),
    (
        ("permission denied (", "too many authentication failures", "could not read username",
         "could not read password", "authentication failed", "returned error: 401"),
        "{at} does not accept your key or your password.",
        f"`git fetch` at a terminal asks for what it needs. {_OWN_LOGIN}",
    ),
    (
        ("returned error: 403",),
        "{at} knows you and does not allow this.",
        f"Ask its owner for the right to write to it; {_ADDRESS}.",
    ),
    (
        ("repository not found", "' not found", "not appear to be a git repo", "not exported"),
        "There is no repository at {at}, or you are not allowed to see it.",
        f"{_ADDRESS}; git remote set-url changes it.",
    ),
)  # fmt: skip
"""Words by which a refusal is known, what it means, and what to do. `{at}` is the address."""


class OfflineError(ClawgitError):
    """A remote cannot be reached now. `local`: it is a folder on this machine."""

    kind = "offline"


class RemoteError(ClawgitError):
    """A remote answers and refuses, or must not be used."""

    kind = "remote"


class Addresses(NamedTuple):
    """The addresses to fetch from, and to push to."""

    fetch: str
    push: str


class Pushed(NamedTuple):
    """How a push ended. `raced`: somebody else was faster, so another try makes sense."""

    ok: bool
    raced: bool = False
    why: str = ""
    next: str = ""


class Transport(CGit):
    """Starts git for `ls-remote`, `fetch` and `push`.

    The helpers for passwords, ssh and proxies are those of the user's own configuration and
    environment. `prompts`: somebody is there to type a password.
    """

    # What waits for a network must not go on after whoever waited for it.
    ends_with_us = True

    def __init__(self, root: Path, env: Mapping[str, str], *, prompts: bool) -> None:
        super().__init__(root, env)
        listed = rows_of(CGit(root, env).text("config", "-z", "--show-scope", "--list"))
        # Without our overrides, in the order in which git reads them: the last row of a key wins.
        self._rows = [row for row in listed if row[0] != "command"]
        own = {
            "GIT_ALLOW_PROTOCOL": PROTOCOLS,
            "GIT_ASKPASS": env.get("GIT_ASKPASS", ""),
            "GIT_PROXY_COMMAND": env.get("GIT_PROXY_COMMAND", ""),
            "GIT_TERMINAL_PROMPT": str(int(prompts)),
            # Git's own reflog message would contain the address.
            "GIT_REFLOG_ACTION": "clawgit sync",
        }
        rows = [
            (_SSH, shlex.quote(env.get("GIT_SSH") or "ssh")),
            ("http.lowSpeedLimit", "1"),
            ("http.lowSpeedTime", _PATIENCE),
            *self._matching(_OWN_PROGRAMS, users=True),
        ]
        if not prompts:
            own["SSH_ASKPASS_REQUIRE"] = "never"
            own["GIT_SSH_COMMAND"] = _unasking(env.get("GIT_SSH_COMMAND") or dict(rows)[_SSH])
        self._base = with_config({**self._base, **own}, rows)

    def configured(self, key: str) -> str:
        """What the repository and its user have set; "" for nothing."""
        return next((value for _, name, value in reversed(self._rows) if name == key), "")

    @property
    def remotes(self) -> list[str]:
        """The names of all remotes."""
        found = (re.fullmatch(r"remote\.(.+)\.[^.]+", key) for _, key, _ in self._rows)
        return sorted({match[1] for match in found if match})

    def _matching(self, pattern: str, *, users: bool) -> list[Pair]:
        """The rows with matching keys, of the user's own configuration or of the repository's."""
        return [
            (key, value)
            for scope, key, value in self._rows
            if (scope in _USERS) is users and re.search(pattern, key)
        ]

    def aside(self, objects: Path, ours: Path) -> "Transport":
        """The same, but it fetches into another folder than our objects."""
        other = copy(self)
        other.__dict__.pop("_env", None)
        more = {"GIT_OBJECT_DIRECTORY": str(objects), "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(ours)}
        other._base = {**self._base, **more}  # noqa: SLF001 - a copy of ourselves
        return other

    def addresses(self, remote: str) -> Addresses:
        """The addresses of a remote, as git rewrites them.

        Rewriting is repeated, since `url.*.insteadOf` applies to each address again, so that we
        check the address that git uses.
        """
        urls = self._rewritten(remote, remote)
        for _ in range(_ROUNDS):
            spare = [f"remote.{name}.url={url}" for name, url in zip(_SPARE, urls, strict=True)]
            again = self._rewritten(*_SPARE, "-c", spare[0], "-c", spare[1])
            if again == urls:
                return urls
            urls = again
        raise ClawgitError(
            f"The address of {remote} is rewritten again and again.",
            hint="`git config --get-regexp '^url'` lists what rewrites it.",
        )

    def _rewritten(self, fetch: str, push: str, *config: str) -> Addresses:
        found: dict[tuple[str, str], str] = {}
        for line in self.text(*config, "remote", "-v").splitlines():
            name, _, rest = line.partition("\t")
            url, _, side = rest.rpartition(" ")
            found.setdefault((name, side), url)
        try:
            return Addresses(found[fetch, "(fetch)"], found[push, "(push)"])
        except KeyError:
            raise ClawgitError(
                f"The remote {fetch} has no address.", hint=f"git remote set-url '{fetch}' ADDRESS"
            ) from None

    def listed(self, url: str, *patterns: str) -> dict[str, str]:
        """The refs of a remote: name → commit."""
        answer = self._asked(url, patterns, "ls-remote", "--refs")
        return {name: oid for oid, name in map(str.split, answer.splitlines())}

    def fetch(self, url: str, *refspecs: str) -> None:
        """Fetches commits, without tags and submodules."""
        options = ("--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--quiet")
        self._asked(url, refspecs, "fetch", *options)

    def push(
        self, url: str, *refspecs: str, only_at: Mapping[str, str | None] = _ANYWHERE
    ) -> Pushed:
        """Sends commits. The hooks of this repository do not run: their check was made before.

        With `only_at`, all refs move or none, and only while these are there at these commits, None
        for a ref that must not be there.
        """
        self._refuse_another_way(url)
        options = ("--porcelain", "--no-verify", "--no-follow-tags", "--no-recurse-submodules")
        program = ("--no-signed", "--receive-pack=git-receive-pack")
        leases = [f"--force-with-lease={name}:{oid or ''}" for name, oid in only_at.items()]
        all_or_none = ["--atomic"] if leases else []
        try:
            self.text("push", *options, *program, *all_or_none, *leases, "--", url, *refspecs)
        except CGitError as error:
            return self._not_pushed(url, error)
        except ClawgitError as error:
            return Pushed(ok=False, why=error.message, next=error.hint)
        return Pushed(ok=True)

    def _not_pushed(self, url: str, error: CGitError) -> Pushed:
        """Why a push failed: the remote refused a ref, or else the connection is gone."""
        lines = error.stdout.decode("utf-8", "replace").splitlines()
        refused = [line.split("\t")[-1] for line in lines if line.startswith("!\t")]
        if refused:
            raced = all(any_of(_RACED, why.lower()) for why in refused)
            return Pushed(ok=False, raced=raced, why="; ".join(dict.fromkeys(refused)))
        refusal = self._refused(url, error)
        # Where it broke off, the remote may have done what it was asked for.
        if isinstance(refusal, OfflineError) and not refusal.data.get("broken_off"):
            raise refusal from error
        return Pushed(ok=False, why=refusal.message, next=refusal.hint)

    def _refuse_another_way(self, url: str) -> None:
        """Raises if the repository itself configures where an address leads, or how a web server is
        talked to.
        """
        if self._is_a_name(url):
            raise RemoteError(
                f"A remote of this repository is called {shown_address(url)}, so git would go to "
                "the address of that one.",
                hint="Give it another name, or remove it: `git remote`, and `.git/remotes`.",
            )
        if not url.lower().startswith(("http:", "https:")):
            return
        named = self._matching(_WAY, users=False)
        strange = [key for key, _ in named if key.rpartition(".")[2] not in _HARMLESS]
        if strange:
            raise RemoteError(
                f"This repository's own configuration sets {strange[0]}, which may send data "
                "elsewhere.",
                hint="If you set it, put it into your own configuration: git config --global "
                f"{strange[0]} VALUE; then git config --unset-all {strange[0]}",
            )

    def _is_a_name(self, url: str) -> bool:
        """Whether a remote is called like this address: in the configuration, or by an old file."""
        place = locate(self.root)
        files = [f"{place.common_dir}/{kind}/{url}" for kind in _OLD_WAYS] if place else []
        return url in self.remotes or any(map(os.path.lexists, files))

    def _asked(self, url: str, refs: Iterable[str], *command: str) -> str:
        self._refuse_another_way(url)
        try:
            return self.text(*command, "--upload-pack=git-upload-pack", "--", url, *refs)
        except CGitError as error:
            raise self._refused(url, error) from error

    def _refused(self, url: str, error: CGitError) -> ClawgitError:
        """The error for a failed git command on the remote at an address."""
        at, folder = shown_address(url), local_path(self.root, url)
        if folder is not None and not folder.exists():
            # Mistyped, or on a disk that is not connected.
            return OfflineError(
                f"There is no repository at {at}.",
                hint=f"{_ADDRESS}. If it is on a disk or a share: attach it, then clawgit sync",
                local=True,
            )
        words, said = error.stderr.lower(), _last_words(error.stderr)
        if any_of(_UNREACHED, words):
            return OfflineError(f"{at} cannot be reached: {said}")
        for signs, meaning, hint in _CAUSES:
            if any_of(signs, words):
                return RemoteError(meaning.format(at=at), hint=hint)
        if any_of(_BROKEN_OFF, words):
            return OfflineError(f"The connection to {at} broke off: {said}", broken_off=True)
        return RemoteError(said, hint=f"git fetch shows all that the remote says. {_OWN_LOGIN}")


def _unasking(command: str) -> str:
    """The ssh command with options that stop it from asking: ssh opens the terminal itself,
    whatever its input.
    """
    program = Path(command.partition(" ")[0]).name
    return f"{command} -o BatchMode=yes" if program == "ssh" else command


def local_path(root: Path, url: str) -> Path | None:
    """The folder that an address names; None if it names another machine."""
    scheme, _, rest = url.partition("://")
    if rest:
        return Path(urlsplit(url).path) if scheme.lower() == "file" else None
    before, colon, _ = url.partition(":")
    # `host:path` is ssh, as git reads it, unless a slash comes before the colon.
    if colon and "/" not in before:
        return None
    return root / url


def _last_words(stderr: str) -> str:
    """The last line of git, without the address; earlier lines may come from the server."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))]
    line = (fatal or lines or ["git ended before it could say why"])[0]
    return re.sub(r"^(fatal: |error: |unable to access '[^']*': )*", "", line)

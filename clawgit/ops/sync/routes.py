"""Which remote a workspace is synced with, and under which names git keeps what is known of it."""

from typing import NamedTuple

from clawgit.domain.safety.remotes import shown_address
from clawgit.errors import NotFoundError
from clawgit.stores.git.cgit import CGit

_HEADS = "refs/heads/"
_USUAL = "origin"
_HERE = "."

TRACKED = "refs/clawgit/remote/"
"""Below it, for each remote: its branches as the last sync left them, and its proposals."""


class Route(NamedTuple):
    """A branch of this repository, and the branch of a remote that it is synced with."""

    remote: str
    branch: str
    theirs: str

    @property
    def local(self) -> str:
        return f"{_HEADS}{self.branch}"

    @property
    def there(self) -> str:
        """The full name of the branch at the remote."""
        return f"{_HEADS}{self.theirs}"

    @property
    def tracking(self) -> str:
        """Where git itself keeps what it last heard of that branch."""
        return f"refs/remotes/{self.name}"

    @property
    def name(self) -> str:
        """What a user types for the branch of the remote: origin/main."""
        return f"{self.remote}/{self.theirs}"

    @property
    def seen(self) -> str:
        """What that branch held when it was last synced; no plain `git fetch` moves it."""
        return f"{TRACKED}{self.remote}/heads/{self.theirs}"

    def shared(self, kind: str = "") -> str:
        """Where the proposals and their like of the remote are kept."""
        return f"{TRACKED}{self.remote}/{kind}"


def route_of(git: CGit, branch: str, wanted: str, setting: str) -> Route | None:
    """The remote that was asked for, else that of the setting, else the branch's upstream, else
    origin, else the only one; None where there is no remote at all.
    """
    names = git.text("remote").split("\n")[:-1]
    for name in filter(None, (wanted, setting)):
        if name not in names:
            raise NotFoundError(
                f"There is no remote {shown_address(name)}.",
                hint="`git remote -v` lists them; git remote add NAME ADDRESS adds one.",
            )
    upstream, merged = _upstream(git, branch)
    chosen = wanted or setting or upstream or _default(names)
    if not chosen:
        return None
    theirs = merged.removeprefix(_HEADS) if chosen == upstream and merged else branch
    return Route(chosen, branch, theirs)


def _upstream(git: CGit, branch: str) -> tuple[str, str]:
    """The remote of a branch and its branch there, as `git branch -u` has set them."""
    shape = "--format=%(upstream:remotename)%00%(upstream:remoteref)"
    remote, _, merged = git.text("for-each-ref", shape, f"{_HEADS}{branch}").strip().partition("\0")
    return ("", "") if remote in ("", _HERE) else (remote, merged)


def _default(names: list[str]) -> str:
    if _USUAL in names:
        return _USUAL
    return names[0] if len(names) == 1 else ""

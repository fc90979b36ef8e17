"""Which remote a workspace is synced with, and the names of the refs that record its state."""

from typing import NamedTuple

from clawgit.domain.change.ids import is_change_id
from clawgit.domain.safety.remotes import shown_address
from clawgit.errors import NotFoundError
from clawgit.stores.git.forgotten import FORGOTTEN_REF
from clawgit.stores.git.looked import REJECTED, WAITING
from clawgit.stores.git.remotes.transport import Configured

_HEADS = "refs/heads/"
_USUAL = "origin"
_HERE = "."

OURS = "refs/clawgit/"
KINDS = (WAITING, REJECTED)
"""The prefixes of refs for proposals that wait for the operator, and for rejected ones."""

TRACKED = "refs/clawgit/remote/"
"""The prefix of refs for each remote: its branches as of the last sync, and its proposals."""


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
        """Git's own tracking ref of that branch."""
        return f"refs/remotes/{self.name}"

    @property
    def name(self) -> str:
        """The remote's branch as a user types it: origin/main."""
        return f"{self.remote}/{self.theirs}"

    @property
    def seen(self) -> str:
        """The ref of that branch at the last sync; no plain `git fetch` moves it."""
        return f"{TRACKED}{self.remote}/heads/{self.theirs}"

    def shared(self, kind: str = "") -> str:
        """The prefix of the remote's proposals and similar refs here."""
        return f"{TRACKED}{self.remote}/{kind}"

    def tracked(self, name: str) -> str:
        """The name here of a remote's proposal, by its name there."""
        return self.shared(name.removeprefix(OURS))


def patterns() -> tuple[str, ...]:
    """The patterns of refs that are listed at the remote, in addition to its branch."""
    return (*(f"{prefix}*" for prefix in KINDS), FORGOTTEN_REF)


def refspecs(route: Route) -> tuple[str, ...]:
    """The refspecs by which proposals come here, each to a name for this remote only."""
    # A pattern even for a single name: git fails if a ref named in full does not exist.
    return tuple(f"+{name}*:{route.tracked(name)}*" for name in (*KINDS, FORGOTTEN_REF))


def travels(name: str) -> bool:
    """Whether a sync exchanges this ref."""
    ident = name.rpartition("/")[2]
    return name == FORGOTTEN_REF or (name.startswith(KINDS) and is_change_id(ident))


def route_of(known: Configured, branch: str, wanted: str, setting: str) -> Route | None:
    """The remote that was asked for, else that of the setting, else the branch's upstream, else
    origin, else the only one; None if there is no remote.
    """
    names = known.remotes
    for name in filter(None, (wanted, setting)):
        if name not in names:
            raise NotFoundError(
                f"There is no remote {shown_address(name)}.",
                hint="`git remote -v` lists them; git remote add NAME ADDRESS adds one.",
            )
    upstream = known.last(f"branch.{branch}.remote")
    upstream = "" if upstream == _HERE else upstream
    chosen = wanted or setting or upstream or _default(names)
    if not chosen:
        return None
    merged = known.last(f"branch.{branch}.merge")
    theirs = merged.removeprefix(_HEADS) if chosen == upstream and merged else branch
    return Route(chosen, branch, theirs)


def _default(names: list[str]) -> str:
    if _USUAL in names:
        return _USUAL
    return names[0] if len(names) == 1 else ""

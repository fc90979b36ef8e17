"""Which remote a workspace is synced with, and what a sync exchanges besides the branch: waiting
proposals, rejected ones, and the record of what was forgotten.

So an operator can approve on a laptop what an agent proposed on a server. What belongs to one
machine stays there: the journal, parked changes, marks of what was looked at, rescue refs.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import parse_message
from clawgit.domain.change.ids import is_change_id
from clawgit.domain.forgetting.record import Forgotten
from clawgit.domain.safety.remotes import shown_address
from clawgit.errors import NotFoundError
from clawgit.ops.forgetting.forget import publish
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.forgotten import FORGOTTEN_REF, forgotten_at
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

    def tracked(self, name: str) -> str:
        """The name here of a remote's proposal, by its name there."""
        return f"{TRACKED}{self.remote}/{name.removeprefix(OURS)}"


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


Refs = Mapping[str, str]
"""The full names of refs, and their commits."""


class Given(NamedTuple):
    """The refs that the remote lacks, with their commits, and those that it may delete."""

    refs: dict[str, str]
    dropped: tuple[str, ...]

    @property
    def refspecs(self) -> tuple[str, ...]:
        """The refspecs to push."""
        return (
            # Forced: our record includes the remote's, so nothing is lost even if theirs is no
            # ancestor.
            *(f"{'+' * (name == FORGOTTEN_REF)}{oid}:{name}" for name, oid in self.refs.items()),
            *(f":{name}" for name in self.dropped),
        )


def exchange(workspace: Workspace, route: Route, listed: Refs) -> Given:
    """Takes the refs that this side lacks, and deletes those that were settled elsewhere. Returns
    what the remote lacks; history shows which proposals were approved.
    """
    git = workspace.git
    refs = git.refs_below(OURS)
    ours, there = ({name: on[name] for name in filter(travels, on)} for on in (refs, listed))
    # Those whose commits are here: one may have changed after it was listed.
    theirs = {name: oid for name, oid in there.items() if refs.get(route.tracked(name)) == oid}
    settled_here = _settled(workspace, ours, ours | theirs)
    settled_there = _settled(workspace, theirs, ours | theirs)
    given = {name: ours[name] for name in ours.keys() - {*listed, *settled_here}}
    if record := _record_to_give(workspace, listed):
        given[FORGOTTEN_REF] = record
    # The record is not taken, but united with ours.
    for name in theirs.keys() - {*ours, *settled_there, FORGOTTEN_REF}:
        git.set_ref(name, theirs[name])
    shadows = tuple(map(route.tracked, KINDS))
    stale = {name for name in refs if name.startswith(shadows)} - {*map(route.tracked, listed)}
    git.delete_refs([*settled_here, *stale])
    return Given(given, settled_there)


def _settled(workspace: Workspace, some: Refs, all_refs: Refs) -> tuple[str, ...]:
    """The proposals that the operator has approved or rejected, here or elsewhere. A rejection must
    contain the commit of its proposal, so that nothing is lost.
    """
    waiting = {name.removeprefix(WAITING): name for name in some if name.startswith(WAITING)}
    approved = {*_approved(workspace.cgit, waiting.keys())}
    return tuple(
        name
        for ident, name in waiting.items()
        if ident in approved
        or ((no := all_refs.get(f"{REJECTED}{ident}")) and workspace.git.contains(no, some[name]))
    )


def _record_to_give(workspace: Workspace, listed: Refs) -> str:
    """The record of what was forgotten, joined with that of the remote; "" if it lacks nothing."""
    ours, theirs = workspace.forgotten(), record_at(workspace, listed.get(FORGOTTEN_REF))
    both = ours.united(theirs)
    if both != ours:
        publish(workspace, both)
    return "" if both == theirs else workspace.git.ref(FORGOTTEN_REF) or ""


def record_at(workspace: Workspace, oid: str | None) -> Forgotten:
    """What a commit of the record says was forgotten."""
    return forgotten_at(workspace.cgit, oid) if oid else Forgotten()


def is_known(workspace: Workspace, route: Route, listed: Refs) -> bool:
    """Whether all refs of the remote were fetched before."""
    known = workspace.git.refs_below(route.tracked(""))
    return all(
        known.get(route.tracked(name)) == oid for name, oid in listed.items() if travels(name)
    )


def _approved(git: CGit, idents: Collection[str]) -> Iterator[str]:
    """The proposals that were approved: a commit of the operator has their id."""
    if not idents:
        return
    named = [f"--grep=Proposed as {ident} by " for ident in sorted(idents)]
    bodies = git.text("log", "-z", "--format=%B", "--fixed-strings", *named, "HEAD", ok=(0, 128))
    for message in map(parse_message, bodies.split("\0")[:-1]):
        if message.actor_slug == OPERATOR.slug and message.verb == "approve":
            yield from (ident for ident in idents if f"Proposed as {ident} by " in message.reason)

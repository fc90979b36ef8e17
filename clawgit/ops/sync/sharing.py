"""What travels beside the branch: proposals that wait for the operator, and those that he rejected.

So an operator can approve on a laptop what an agent proposed on a server. What belongs to one
machine stays there: the journal, parked changes, notes of what was looked at, rescue references.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import parse_message
from clawgit.domain.change.ids import is_change_id
from clawgit.ops.sync.routes import Route
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.forgotten import FORGOTTEN_REF
from clawgit.stores.git.proposals import REJECTED, WAITING

_OURS = "refs/clawgit/"
_KINDS = (WAITING, REJECTED)

PATTERNS = (*(f"{prefix}*" for prefix in _KINDS), FORGOTTEN_REF)
"""What is asked of a remote, beside its branch."""

Refs = Mapping[str, str]
"""The full names of references, and the commits that they hold."""


class Exchange(NamedTuple):
    """What this side lacks and what the remote lacks, with the commits; what each may drop."""

    taken: dict[str, str]
    given: dict[str, str]
    dropped_here: tuple[str, ...]
    dropped_there: tuple[str, ...]

    @property
    def refspecs(self) -> tuple[str, ...]:
        """What is pushed."""
        return (
            *(f"{oid}:{name}" for name, oid in self.given.items()),
            *(f":{name}" for name in self.dropped_there),
        )


def fetched(route: Route) -> tuple[str, ...]:
    """The refspecs by which proposals, and the record of what was forgotten, come here, each to a
    name that is the remote's alone.
    """
    # With a star the last one, too: git fails where a reference without one is not there.
    prefixes = (*_KINDS, FORGOTTEN_REF)
    return tuple(f"+{prefix}*:{route.shared(prefix.removeprefix(_OURS))}*" for prefix in prefixes)


def keep_refspecs(git: CGit, route: Route) -> None:
    """Has plain `git fetch` bring the proposals too."""
    key = f"remote.{route.remote}.fetch"
    known = git.text("config", "--local", "--get-all", key, ok=(0, 1)).splitlines()
    for refspec in fetched(route):
        if refspec not in known:
            git.run("config", "--local", "--add", key, refspec)


def drop_refspecs(git: CGit) -> None:
    """Takes out of git's configuration what `keep_refspecs` has added."""
    for remote in git.text("remote").splitlines():
        for refspec in fetched(Route(remote, "", "")):
            row = (f"remote.{remote}.fetch", f"^{re.escape(refspec)}$")
            git.run("config", "--local", "--unset-all", *row, ok=(0, 5))


def exchange(workspace: Workspace, route: Route, listed: Refs) -> Exchange:
    """Compares the proposals here with those of a remote, by what history says of each."""
    git = workspace.git
    ours = {name: oid for name, oid in git.refs_below(_OURS).items() if _travels(name)}
    known = git.refs_below(route.shared())
    # What was listed may have changed again before it was fetched.
    theirs = {
        name: oid
        for name, oid in listed.items()
        if _travels(name) and known.get(_tracked(route, name)) == oid
    }
    waiting = {_id(name) for name in (*ours, *theirs) if name.startswith(WAITING)}
    approved = set(_approved(workspace.cgit, waiting))
    rejections = {
        _id(name): oid for name, oid in (ours | theirs).items() if name.startswith(REJECTED)
    }

    def is_settled(name: str, oid: str) -> bool:
        if not name.startswith(WAITING):
            return False
        rejection = rejections.get(_id(name))
        # A rejection keeps what it rejects: only then may that go.
        return _id(name) in approved or (rejection is not None and git.contains(rejection, oid))

    return Exchange(
        {
            name: oid
            for name, oid in theirs.items()
            if name not in ours and not is_settled(name, oid)
        },
        {
            name: oid
            for name, oid in ours.items()
            if name not in listed and not is_settled(name, oid)
        },
        tuple(name for name, oid in ours.items() if is_settled(name, oid)),
        tuple(name for name, oid in theirs.items() if is_settled(name, oid)),
    )


def take(workspace: Workspace, route: Route, listed: Refs, swap: Exchange) -> None:
    """Keeps what the remote has and this side lacks, and drops what was settled elsewhere."""
    git = workspace.git
    for name, oid in swap.taken.items():
        git.set_ref(name, oid)
    there = {_tracked(route, name) for name in listed}
    stale = [
        name
        for prefix in _KINDS
        for name in git.refs_below(route.shared(prefix.removeprefix(_OURS)))
        if name not in there
    ]
    git.delete_refs([*swap.dropped_here, *stale])


def is_known(workspace: Workspace, route: Route, listed: Refs) -> bool:
    """Whether all of them were fetched before, and the record of what was forgotten too."""
    known = workspace.git.refs_below(route.shared())
    return all(
        known.get(_tracked(route, name)) == oid
        for name, oid in listed.items()
        if _travels(name) or name == FORGOTTEN_REF
    )


def _tracked(route: Route, name: str) -> str:
    return route.shared(name.removeprefix(_OURS))


def _travels(name: str) -> bool:
    return name.startswith(_KINDS) and is_change_id(_id(name))


def _id(name: str) -> str:
    return name.rpartition("/")[2]


def _approved(git: CGit, idents: set[str]) -> Iterator[str]:
    """Those of the proposals that a commit of the operator's has made."""
    if not idents:
        return
    named = [f"--grep=Proposed as {ident} by " for ident in sorted(idents)]
    bodies = git.text("log", "-z", "--format=%B", "--fixed-strings", *named, "HEAD", ok=(0, 128))
    for message in map(parse_message, bodies.split("\0")[:-1]):
        if message.actor_slug == OPERATOR.slug and message.verb == "approve":
            yield from (ident for ident in idents if f"Proposed as {ident} by " in message.reason)

"""Exchanges what a sync sends besides the branch: waiting proposals, rejected ones, and the record
of what was forgotten. So an operator can approve on a laptop what an agent proposed on a server.
What belongs to one machine stays there: the journal, parked changes, marks of what was looked at,
rescue refs.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import parse_message
from clawgit.domain.forgetting.record import Forgotten
from clawgit.ops.forgetting.forget import publish
from clawgit.ops.sync.routes import KINDS, OURS, Route, travels
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.forgotten import FORGOTTEN_REF, forgotten_at
from clawgit.stores.git.looked import REJECTED, WAITING

Refs = Mapping[str, str]
"""The full names of refs, and their commits."""


class Exchange(NamedTuple):
    """The refs that each side lacks, with their commits, and those that each may delete."""

    taken: dict[str, str]
    given: dict[str, str]
    dropped_here: tuple[str, ...]
    dropped_there: tuple[str, ...]

    @property
    def refspecs(self) -> tuple[str, ...]:
        """The refspecs to push."""
        return (
            # Forced: our record includes the remote's, so nothing is lost even if theirs is no
            # ancestor.
            *(f"{'+' * (name == FORGOTTEN_REF)}{oid}:{name}" for name, oid in self.given.items()),
            *(f":{name}" for name in self.dropped_there),
        )


def exchange(workspace: Workspace, route: Route, listed: Refs) -> Exchange:
    """Compares the proposals here with those of a remote; history shows which were approved."""
    refs = workspace.git.refs_below(OURS)
    ours = {name: oid for name, oid in refs.items() if travels(name)}
    theirs = _fetched(route, refs, listed)
    dropped_here = _settled(workspace, ours, ours | theirs)
    dropped_there = _settled(workspace, theirs, ours | theirs)
    given = _without(ours, {*listed, *dropped_here})
    if record := _record_to_give(workspace, listed):
        given[FORGOTTEN_REF] = record
    # The record is not taken, but united with ours.
    taken = _without(theirs, {*ours, *dropped_there, FORGOTTEN_REF})
    return Exchange(taken, given, dropped_here, dropped_there)


def _fetched(route: Route, refs: Refs, listed: Refs) -> dict[str, str]:
    """The remote's refs whose commits are here. One may have changed after it was listed."""
    there = (item for item in listed.items() if travels(item[0]))
    return {name: oid for name, oid in there if refs.get(route.tracked(name)) == oid}


def _settled(workspace: Workspace, some: Refs, all_refs: Refs) -> tuple[str, ...]:
    """The proposals that the operator has approved or rejected, here or elsewhere."""
    waiting = {name: oid for name, oid in some.items() if name.startswith(WAITING)}
    approved = {*_approved(workspace.cgit, set(map(_id, waiting)))}
    return tuple(
        name
        for name, oid in waiting.items()
        if _id(name) in approved or _is_rejected(workspace, all_refs, name, oid)
    )


def _is_rejected(workspace: Workspace, all_refs: Refs, name: str, oid: str) -> bool:
    """Whether a proposal was rejected.

    The rejection must contain its commit, so nothing is lost.
    """
    rejection = all_refs.get(f"{REJECTED}{_id(name)}")
    return rejection is not None and workspace.git.contains(rejection, oid)


def _record_to_give(workspace: Workspace, listed: Refs) -> str:
    """The record of what was forgotten, joined with that of the remote; "" if it lacks nothing."""
    known = listed.get(FORGOTTEN_REF, "")
    ours = workspace.forgotten()
    theirs = forgotten_at(workspace.cgit, known) if known else Forgotten()
    both = ours.united(theirs)
    if both != ours:
        publish(workspace, both)
    return "" if both == theirs else workspace.git.ref(FORGOTTEN_REF) or ""


def _without(refs: Refs, names: set[str]) -> dict[str, str]:
    return {name: oid for name, oid in refs.items() if name not in names}


def take(workspace: Workspace, route: Route, listed: Refs, swap: Exchange) -> None:
    """Takes the refs that this side lacks, and deletes those that were settled elsewhere."""
    git = workspace.git
    for name, oid in swap.taken.items():
        git.set_ref(name, oid)
    there = {route.tracked(name) for name in listed}
    stale = [
        name
        for prefix in KINDS
        for name in git.refs_below(route.shared(prefix.removeprefix(OURS)))
        if name not in there
    ]
    git.delete_refs([*swap.dropped_here, *stale])


def is_known(workspace: Workspace, route: Route, listed: Refs) -> bool:
    """Whether all refs of the remote were fetched before."""
    known = workspace.git.refs_below(route.shared())
    return all(
        known.get(route.tracked(name)) == oid for name, oid in listed.items() if travels(name)
    )


def _id(name: str) -> str:
    return name.rpartition("/")[2]


def _approved(git: CGit, idents: set[str]) -> Iterator[str]:
    """The proposals that were approved: a commit of the operator has their id."""
    if not idents:
        return
    named = [f"--grep=Proposed as {ident} by " for ident in sorted(idents)]
    bodies = git.text("log", "-z", "--format=%B", "--fixed-strings", *named, "HEAD", ok=(0, 128))
    for message in map(parse_message, bodies.split("\0")[:-1]):
        if message.actor_slug == OPERATOR.slug and message.verb == "approve":
            yield from (ident for ident in idents if f"Proposed as {ident} by " in message.reason)

"""What a remote's record says about its history and ours: a rewrite to adopt, or a stale remote."""

from collections.abc import Callable

from clawgit.domain.forgetting.record import Forgetting, Forgotten
from clawgit.values import NamedTuple

Has = Callable[[str], bool]
"""Whether a history has a commit."""


class RemoteHistory(NamedTuple):
    """`adopt`: acts by which the remote was rewritten and this clone was not. Once the operator
    agrees, this clone follows by the same rewrite.

    `stale`: acts whose words the remote's history still has. It must not be merged, which would
    bring them back; the operator overwrites it.
    """

    adopt: tuple[Forgetting, ...] = ()
    stale: tuple[Forgetting, ...] = ()


def remote_history(ours: Forgotten, theirs: Forgotten, have: Has, have_they: Has) -> RemoteHistory:
    """`theirs` is the record that was fetched. `have` looks a commit up in this clone, `have_they`
    in the history of the remote's branch.
    """
    stale = _held(ours.united(theirs), have_they)
    open_to_us = [act for act in theirs.acts if act not in stale]
    return RemoteHistory(_held(Forgotten(tuple(open_to_us)), have), stale)


def _held(record: Forgotten, has: Has) -> tuple[Forgetting, ...]:
    """The acts whose words a history still has."""
    return tuple(act for act in record.acts if any(map(has, act.first)))

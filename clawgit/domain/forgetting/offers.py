"""What a remote's record says about its history and ours: a rewrite to adopt, or a stale remote."""

from collections.abc import Callable
from typing import NamedTuple

from clawgit.domain.forgetting.record import Forgetting, Forgotten

Has = Callable[[str], bool]
"""Whether a history has a commit."""


class RemoteHistory(NamedTuple):
    """`adopt`: acts by which the remote was rewritten and this clone was not. Its new history is to
    be followed once the operator has agreed, by the same rewrite here.

    `stale`: acts whose words the remote's history still has. It must not be merged, which would
    bring them back; the operator overwrites it.
    """

    adopt: tuple[Forgetting, ...] = ()
    stale: tuple[Forgetting, ...] = ()


def remote_history(ours: Forgotten, theirs: Forgotten, have: Has, have_they: Has) -> RemoteHistory:
    """`theirs` is the record that was fetched; `have` is about all objects of this clone, and
    `have_they` about the history of the remote's branch.
    """
    acts = [act for act in ours.united(theirs).acts if act.rewrote]
    stale = tuple(act for act in acts if any(map(have_they, act.first)))
    known = {act.id for act in theirs.acts if act.rewrote}
    adopt = (act for act in acts if act.id in known and act not in stale)
    return RemoteHistory(tuple(act for act in adopt if any(map(have, act.first))), stale)

"""The commit in which two branches meet.

It is a function of the two: whichever machine brings them together, and whenever, makes the very
same commit. Two that do it at the same time have nothing left to merge.
"""

from datetime import UTC, datetime

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import SYNC, Intent, render_message
from clawgit.domain.change.ids import change_id
from clawgit.doors import hashlib, pygit2
from clawgit.stores.git.objects import signature, stored
from clawgit.stores.git.repo import Repo

MEETING = Intent(CLAWGIT, SYNC, "bring two copies of this memory together")
"""It names neither side, for each calls the other one the remote."""


RESCUE = "refs/clawgit/rescue/"
"""What HEAD was before a sync moved it; the newest of a worktree are kept for a month."""


def meeting(repo: Repo, tree: str, one: str, other: str) -> str:
    """A merge of two commits, as an object only; nothing refers to it yet.

    It has the younger one's time, no committer but clawgit, and no signature: what others did is
    not the operator's, whoever runs the sync.
    """
    if repo.contains(other, one) and str(repo.commit(other).tree_id) == tree:
        return other  # a fast-forward: there is nothing to merge
    sides = sorted((repo.commit(oid).commit_time, oid) for oid in (one, other))
    oids = [oid for _, oid in sides]
    when = datetime.fromtimestamp(sides[-1][0], UTC)
    digest = hashlib.sha256(" ".join(oids).encode()).digest()
    message = render_message(MEETING, change_id(int.from_bytes(digest[:4], "big")))
    by = signature(CLAWGIT.name, CLAWGIT.email, when)
    parents = [pygit2.Oid(hex=oid) for oid in oids]
    make = repo.raw.create_commit
    return str(stored(repo.raw, lambda: make(None, by, by, message, pygit2.Oid(hex=tree), parents)))

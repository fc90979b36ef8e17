"""The merge commit of two branches.

It depends only on the two: any machine, at any time, makes the same commit. So two machines that
merge at the same time have nothing left to merge.
"""

import hashlib
from datetime import UTC, datetime
from functools import partial

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.history import SYNC, Intent, render_message
from clawgit.domain.change.ids import change_id
from clawgit.doors import pygit2
from clawgit.stores.git.objects import signature
from clawgit.stores.git.repo import Repo

MEETING = Intent(CLAWGIT, SYNC, "bring two copies of this memory together")
"""The message names neither side, since each calls the other one the remote."""


RESCUE = "refs/clawgit/rescue/"
"""The prefix of rescue refs: HEAD before a sync moved it. The newest of each worktree stay."""


def meeting(repo: Repo, tree: str, one: str, other: str) -> str:
    """A merge of two commits, as an object only; nothing refers to it yet.

    It has the time of the newer one, clawgit as committer, and no signature: what others did is not
    the operator's act, whoever runs the sync.
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
    write = partial(make, None, by, by, message, pygit2.Oid(hex=tree), parents)
    return str(repo.objects.stored(write))

"""How the workspace compares with its remote, by the last fetch or sync, without the network."""

from typing import NamedTuple

from clawgit.stores.git.cgit import CGit

_REMOTES = "refs/remotes/"
_GONE = "gone"


class SyncStanding(NamedTuple):
    """`ahead` and `behind` count commits against the remote's branch as last fetched."""

    remote: str
    ahead: int
    behind: int


def counted(git: CGit, ours: str, theirs: str) -> tuple[int, int]:
    """How many commits only the first side has, and how many only the second."""
    rows = git.text("rev-list", "--left-right", "--count", f"{ours}...{theirs}").split()
    return int(rows[0]), int(rows[1])


def standing(git: CGit, branch: str | None) -> SyncStanding | None:
    """None if the branch follows no remote branch, or if that was never fetched."""
    shape = "--format=%(upstream)%00%(upstream:track,nobracket)"
    row = git.text("for-each-ref", shape, f"refs/heads/{branch}").strip() if branch else ""
    upstream, _, track = row.partition("\0")
    if not upstream.startswith(_REMOTES) or track == _GONE:
        return None
    counts = dict(part.split(" ") for part in track.split(", ") if part)
    ahead, behind = (int(counts.get(side, 0)) for side in ("ahead", "behind"))
    return SyncStanding(upstream.removeprefix(_REMOTES), ahead, behind)

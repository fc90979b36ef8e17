"""Changes beside the branches (parked, proposed, rejected) that would bring forgotten words
back.
"""

from clawgit.ops.forgetting.ground import Ground
from clawgit.stores.git.proposal_refs import REJECTED, WAITING

_PARKED = "refs/clawgit/parked/"


def waiting_with(ground: Ground) -> int:
    return len(_names(ground))


def drop_waiting(ground: Ground) -> int:
    """Deletes their refs. Their objects stay until history is rewritten, or git prunes."""
    names = _names(ground)
    ground.workspace.git.delete_refs(names)
    return len(names)


def _names(ground: Ground) -> list[str]:
    git = ground.workspace.git
    tips = {
        name: tip
        for prefix in (WAITING, REJECTED, _PARKED)
        for name, tip in git.refs_below(prefix).items()
    }
    return [name for name, tip in tips.items() if _brings(ground, tip)]


def _brings(ground: Ground, tip: str) -> bool:
    git = ground.workspace.git
    parents = git.commit(tip).parents
    changes = git.differences(parents[0] if parents else None, tip)
    return any(ground.matcher.is_in_bytes(after or b"") for _, (_, after) in changes)

"""Git's own packing of loose objects, and the filters by which it finds a path's commits, if no
other program runs for it.
"""

from clawgit.errors import ClawgitError
from clawgit.stores.git.cgit import CGit

_HOOK = "gc.recentObjectsHook"
_OWN = ("local", "worktree")


def pack(git: CGit) -> str:
    """Lets git pack what it wants to; returns why it did not, "" if it did.

    Git runs every value of `gc.recentObjectsHook`, and no option can remove one from that list.
    """
    if own_hook(git):
        return (
            f"git packed nothing: {_HOOK} of this repository's own configuration would run a "
            "program"
        )
    git.run("gc", "--auto", "--quiet")
    git.run("commit-graph", "write", "--reachable", "--changed-paths")
    return ""


def refuse_own_hook(git: CGit) -> None:
    """Raises before git would ask such a program what to delete."""
    if own_hook(git):
        raise ClawgitError(
            "A hook of this repository's own configuration decides what git may delete.",
            hint=f"git config --unset-all {_HOOK}",
        )


def own_hook(git: CGit) -> bool:
    """Whether the repository's own configuration names a program that decides what git keeps."""
    listed = git.text("config", "-z", "--show-scope", "--get-all", _HOOK, ok=(0, 1)).split("\0")
    return not set(_OWN).isdisjoint(listed[0::2])

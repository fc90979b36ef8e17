"""Checks of what an interrupted process leaves: locks of git, and changes that are not in history.

What clawgit itself left, the next command finishes.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from clawgit.ops.health.finding import NOTE, Finding, Mend, Site, several
from clawgit.stores.git.dirt import pause
from clawgit.stores.git.gitindex import has_our_mark
from clawgit.stores.git.held import TORN
from clawgit.stores.git.holders import user_of
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace


def look_at_locks(site: Site) -> Iterator[Finding]:
    """Every lock file of git, with the process that holds it as far as that can be known."""
    for path in _lock_files(site.place):
        place = str(path.relative_to(site.root) if path.is_relative_to(site.root) else path)
        if user := user_of(path, site.root):
            yield Finding(place, f"held by {user}", "Look again when it is done.", NOTE)
            continue
        # Moved, never deleted: an index.lock is a whole index, with what somebody had staged.
        remedy = (
            "Make sure that no git runs here: editors, schedulers, a second terminal. Then move "
            f"it aside, do not delete it: mv '{path}' '{path}.aside'"
        )
        yield Finding(place, "no process is seen that has it open", remedy)


def _lock_files(place: RepoPlace) -> list[Path]:
    """Git's lock files, of this worktree and of all; not our own, which the next command takes."""
    locks = {
        lock
        for folder in (place.git_dir, place.common_dir)
        for lock in (*folder.glob("*.lock"), *(folder / "refs").rglob("*.lock"))
    }
    ours = place.common_dir / "refs" / "clawgit"
    return sorted(lock for lock in locks if ours not in lock.parents and not has_our_mark(lock))


def look_at_interrupted(site: Site) -> Iterator[Finding]:
    """What was cut off. Recovery finishes it, unless somebody works on it still."""
    place = site.place
    if holder := lock_holder(place.private / "lock"):
        yield Finding("", f"{holder} is working", "Look again when it is done.", NOTE)
        return
    if torn := sorted((place.private / "held").glob(f"*{TORN}")):
        was = several([str(file.with_suffix(".was")) for file in torn])
        remedy = (
            "Each may hold what somebody saved at that moment: compare it with the file it was, "
            "then delete both."
        )
        yield Finding("", f"a power cut emptied the note on {was}", remedy)
    if not pause(place.git_dir) and site.workspace.git.needs_recovery:
        mend = Mend("finish what was cut off", partial(_recover, site))
        why = "a command was cut off, or changes wait"
        yield Finding("", why, "The next command that writes finishes it.", mend=mend)


def _recover(site: Site) -> None:
    site.workspace.git.heal(site.workspace.now)
    site.workspace.git.close()

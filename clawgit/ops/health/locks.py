"""Checks of what an interrupted process leaves: locks, journals, parked changes, held files."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from clawgit.errors import counted
from clawgit.ops.change.after_merge import after_merge, left_by_merges
from clawgit.ops.health.finding import NOTE, Finding, Mend, Site, several
from clawgit.ops.workspace.alerts import refs_below
from clawgit.stores.git.dirt import pause
from clawgit.stores.git.forgetting.rewrite_landing import journal_file, strange_rows
from clawgit.stores.git.gitindex import has_our_mark
from clawgit.stores.git.held import TORN
from clawgit.stores.git.holders import SEES_PROCESSES, age_of, is_dead, user_of
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.stranded import PARKED, StrandedCommit, stranded_commits

_FIX = "`clawgit doctor --fix` finishes it; so does the next command."


def look_at_interrupted(site: Site) -> Iterator[Finding]:
    """What was cut off. Recovery finishes it, unless somebody works on it still."""
    if holder := site.holder():
        yield Finding("", f"{holder} is working", "Look again when it is done.", NOTE)
        return
    place = site.place
    if torn := sorted((place.private / "held").glob(f"*{TORN}")):
        was = several([str(file.with_suffix(".was")) for file in torn])
        remedy = (
            "Each may hold what somebody saved at that moment: compare it with the file it was, "
            "then delete both."
        )
        yield Finding("", f"a power cut emptied the note on {was}", remedy)
    if journal_file(place).exists() and (strange := strange_rows(place)):
        file = journal_file(place)
        why = f"names what is not of this repository: {several(strange)}"
        remedy = f"If nobody removed a worktree, move it away: mv '{file}' '{file}.aside'"
        yield Finding(f"{file}, the journal of a rewrite of history", why, remedy)
    elif what := _cut_off(place):
        yield _unfinished(site, several(what))
    if lost := stranded_commits(place, site.git):
        commits = counted(len(lost), "commit")
        named = several([commit.summary for commit in lost])
        why = f"{commits} of clawgit on no branch: {named}"
        remedy = (
            "`clawgit doctor --fix` brings them to the branch you are on, and keeps them from "
            "git's garbage collection."
        )
        mend = Mend(f"bring {commits} to the branch you are on", partial(_adopt, site, lost))
        yield Finding("", why, remedy, mends=(mend,))
    if not left_by_merges(site.workspace, site.git).is_nothing:
        follow = partial(after_merge, site.workspace, site.git)
        why = "plain git has merged, and the work across several files is not done yet"
        mend = Mend("do what a merge by plain git left to do", follow)
        yield Finding("", why, _FIX, mends=(mend,))


def _cut_off(place: RepoPlace) -> list[str]:
    parked = refs_below(place, f"{PARKED}{place.worktree}/")
    held = list((place.private / "held").glob("*.json"))
    is_cut = refs_below(place, f"refs/clawgit/tx/{place.worktree}")
    what = ["a transaction was cut off"] if is_cut else []
    what += ["a rewrite of history was cut off"] if journal_file(place).exists() else []
    what += [f"{counted(len(parked), 'change')} parked"] if parked else []
    what += [f"{counted(len(held), 'replaced file')} held back for a second look"] if held else []
    return what


def _unfinished(site: Site, what: str) -> Finding:
    if waiting := pause(site.place.git_dir):
        remedy = f"{waiting.hint}; the next command after it finishes this."
        return Finding("", f"{what}. {waiting.why}", remedy, NOTE)
    mend = Mend(f"finish what was cut off ({what})", partial(_recover, site))
    return Finding("", what, _FIX, mends=(mend,))


def _recover(site: Site) -> None:
    site.workspace.git.heal(site.workspace.now)
    site.workspace.git.close()


def _adopt(site: Site, lost: list[StrandedCommit]) -> None:
    site.workspace.git.adopt(lost, site.workspace.now)
    site.workspace.git.close()


def look_at_locks(site: Site) -> Iterator[Finding]:
    """Every lock file of git, with the process that holds it as far as that can be known."""
    holder = site.holder()
    for path in _lock_files(site.place):
        is_ours = _is_ours(site.place, path)
        user = holder if is_ours else user_of(path, site.root)
        place = str(path.relative_to(site.root) if path.is_relative_to(site.root) else path)
        if user:
            yield Finding(place, f"held by {user}", "Look again when it is done.", NOTE)
        elif os.path.lexists(path):
            yield _stale(site, path, place, is_ours=is_ours)


def _stale(site: Site, path: Path, place: str, *, is_ours: bool) -> Finding:
    why, what = _UNKNOWN, f"move into .git/clawgit/damaged the stale {path.name}"
    if is_ours:
        why = "clawgit's own, and no clawgit is running"
        what = f"remove our own stale {path.name}"
    elif not is_dead(path, site.root, _age_of(site, path)):
        remedy = (
            "Make sure that no git runs here: editors, schedulers, a second terminal. Then move "
            f"it aside, do not delete it: mv '{path}' '{path}.aside'"
        )
        return Finding(place, why, remedy)
    remedy = "`clawgit doctor --fix` removes it: nobody holds it."
    return Finding(place, why, remedy, mends=(Mend(what, partial(_release, site, path)),))


def _age_of(site: Site, path: Path) -> float:
    try:
        return max(0.0, site.workspace.now.timestamp() - path.lstat().st_mtime)
    except FileNotFoundError:
        return 0.0


def _lock_files(place: RepoPlace) -> list[Path]:
    """Git's lock files, in the directory of this worktree and in the one that all share."""
    names = ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock")
    locks = set[Path]()
    for folder in (place.git_dir, place.common_dir):
        locks |= {folder / name for name in names}
        locks |= set((folder / "refs").rglob("*.lock"))
    # The names are guesses, and git may have released its lock meanwhile.
    return sorted(path for path in locks if path.is_file() or has_our_mark(path))


def _is_ours(place: RepoPlace, lock: Path) -> bool:
    """Whether only clawgit can have made it: an index lock with our mark, or a lock of our refs."""
    if lock.name == "index.lock":
        return has_our_mark(lock)
    own = place.common_dir / "refs" / "clawgit"
    parked = own / "parked" / place.worktree
    return lock == own / "tx" / f"{place.worktree}.lock" or parked in lock.parents


def _release(site: Site, path: Path) -> None:
    """Removes a stale lock of ours, and moves another's aside, if it still is stale."""
    # Checked again under the workspace lock: a clawgit that started since the check may have made
    # the lock.
    with workspace_lock(site.place.private / "lock", "doctor", 0):
        if not os.path.lexists(path):
            return
        if _is_ours(site.place, path):
            path.unlink()
        elif is_dead(path, site.root, age_of(path)):
            # Not deleted: an index.lock is a whole index, with what somebody had staged.
            aside = site.place.private / "damaged"
            aside.mkdir(parents=True, exist_ok=True)
            path.replace(aside / path.name)


_UNKNOWN = (
    "no process of yours has it open"
    if SEES_PROCESSES
    else "its holder cannot be seen on this system"
)

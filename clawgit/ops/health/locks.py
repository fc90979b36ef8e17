"""Checks of what an interrupted process leaves: journals, parked changes, held files, locks."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import counted
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.workspace.alerts import refs_below
from clawgit.stores.git.dirt import pause
from clawgit.stores.git.forgetting.rewrite_landing import journal_file, strange_rows
from clawgit.stores.git.gitindex import has_our_mark
from clawgit.stores.git.held import TORN
from clawgit.stores.git.holders import SEES_PROCESSES, age_of, is_dead, user_of
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.stranded import PARKED


class Lock(NamedTuple):
    """A lock file of git. `user` is the process that seems to hold it, None if none is found.

    `ours` is true only if clawgit certainly made it.
    """

    path: Path
    age: float
    ours: bool
    user: str | None


def look_at_leftovers(site: Site) -> Finding:
    """What a crash left in the journal, the parked references and the held files.

    Recovery finishes all three.
    """
    place = site.place
    cut_off = refs_below(place, f"refs/clawgit/tx/{place.worktree}")
    parked = refs_below(place, f"{PARKED}{place.worktree}/")
    held = list((place.private / "held").glob("*.json"))
    if torn := sorted((place.private / "held").glob(f"*{TORN}")):
        was = [str(file.with_suffix(".was")) for file in torn]
        fix = (
            "Each may hold what somebody saved at that moment: compare it with the file it was, "
            "then delete both."
        )
        return Finding(False, f"a power cut emptied the note on {several(was)}", fix)
    if not (cut_off or parked or held):
        return Finding(True, "nothing was interrupted")
    what = ["a transaction was cut off"] if cut_off else []
    what += [f"{counted(len(parked), 'change')} parked"] if parked else []
    what += [f"{counted(len(held), 'replaced file')} held back for a second look"] if held else []
    return _cut_off(site, what)


def look_at_rewrite(site: Site) -> Finding:
    """What a `forget --history` that was cut off left, or what somebody wrote in its place."""
    file = journal_file(site.place)
    if not file.exists():
        return Finding(True, "no rewrite of history was cut off")
    # Whoever works on the rewrite may remove the journal while it is read.
    strange = [] if site.holder() else strange_rows(site.place)
    if not strange:
        return _cut_off(site, ["a rewrite of history was cut off"])
    fix = (
        f"clawgit leaves that alone. If nobody removed a worktree, somebody else wrote this file: "
        f"move it away: mv '{file}' '{file}.aside'"
    )
    what = f"{file}, the journal of a rewrite of history, names what is not of this repository"
    return Finding(False, f"{what}: {several(strange)}", fix)


def _cut_off(site: Site, what: list[str]) -> Finding:
    """What a crash cut off: the next command finishes it, unless somebody works on it still."""
    if holder := site.holder():
        return Finding(True, f"{holder} is working", "Look again when it is done.")
    place = site.place
    if waiting := pause(place.git_dir):
        fix = f"{waiting.hint}; the next command after it finishes this."
        return Finding(True, f"{several(what)}. {waiting.why}", fix)
    mend = Mend(f"finish what was cut off ({several(what)})", partial(_recover, site))
    return Finding(
        False,
        several(what),
        "`clawgit doctor --fix` finishes it; so does the next command.",
        (mend,),
    )


def _recover(site: Site) -> None:
    site.workspace.git.heal(site.workspace.now)
    site.workspace.git.close()


def look_at_locks(site: Site) -> Finding:
    locks = list(git_locks(site))
    if not locks:
        return Finding(True, "git holds no lock")
    detail = several([_lock_text(lock, site.root) for lock in locks])
    stale = [lock for lock in locks if lock.user is None]
    if stale:
        return _stale(site, stale, detail)
    return Finding(True, detail, "Look again when it is done.")


def _stale(site: Site, stale: list[Lock], detail: str) -> Finding:
    dead = [lock for lock in stale if lock.ours or is_dead(lock.path, site.root, lock.age)]
    unsure = [lock.path for lock in stale if lock not in dead]
    mends = tuple(_release_of(site, lock) for lock in dead)
    return Finding(False, detail, _fix(unsure), mends)


def _release_of(site: Site, lock: Lock) -> Mend:
    return Mend(f"{_how(lock)} {lock.path.name}", partial(_release, site, lock), not lock.ours)


def _fix(unsure: list[Path]) -> str:
    if not unsure:
        return "`clawgit doctor --fix` removes it: nobody holds it."
    return (
        "Make sure that no git runs here: editors, schedulers, a second terminal. Then move it "
        f"aside, do not delete it: mv '{unsure[0]}' '{unsure[0]}.aside'"
    )


def _how(lock: Lock) -> str:
    if lock.ours:
        return "remove our own stale"
    return "move into .git/clawgit/damaged the stale"


def look_at_workspace_lock(site: Site) -> Finding:
    """Who holds the workspace lock.

    The kernel releases it when its process ends, so it cannot be stale.
    """
    holder = site.holder()
    return Finding(
        True,
        f"held by {holder}" if holder else "free",
        "It ends with that process." if holder else "",
    )


def git_locks(site: Site) -> Iterator[Lock]:
    """Every lock file of git, with the process that holds it as far as that can be known."""
    holder = site.holder()
    for path in lock_files(site.place):
        try:
            age = max(0.0, site.workspace.now.timestamp() - path.lstat().st_mtime)
        except FileNotFoundError:
            continue
        ours = is_ours(site.place, path)
        yield Lock(path, age, ours, holder if ours else user_of(path, site.root))


def lock_files(place: RepoPlace) -> list[Path]:
    """Git's lock files, in the directory of this worktree and in the one that all share."""
    locks = {
        folder / name
        for folder in (place.git_dir, place.common_dir)
        for name in ("index.lock", "HEAD.lock")
    }
    locks |= {
        place.common_dir / name for name in ("packed-refs.lock", "config.lock", "shallow.lock")
    }
    for folder in (place.git_dir, place.common_dir):
        locks |= set((folder / "refs").rglob("*.lock"))
    # The names are guesses, and git may have released its lock meanwhile.
    return sorted(path for path in locks if path.is_file() or has_our_mark(path))


def is_ours(place: RepoPlace, lock: Path) -> bool:
    """Whether only clawgit can have made it: an index lock with our mark, or a lock of our refs."""
    if lock.name == "index.lock":
        return has_our_mark(lock)
    own = place.common_dir / "refs" / "clawgit"
    parked = own / "parked" / place.worktree
    return lock == own / "tx" / f"{place.worktree}.lock" or parked in lock.parents


def _release(site: Site, lock: Lock) -> None:
    """Removes a stale lock of ours, and moves another's aside, if it still is stale."""
    # Checked again under the workspace lock: a clawgit that started since the check may have made
    # the lock.
    with workspace_lock(site.place.private / "lock", "doctor", 0):
        if not os.path.lexists(lock.path):
            return
        if is_ours(site.place, lock.path):
            lock.path.unlink()
        elif is_dead(lock.path, site.root, age_of(lock.path)):
            # Not deleted: an index.lock is a whole index, with what somebody had staged.
            aside = site.place.private / "damaged"
            aside.mkdir(parents=True, exist_ok=True)
            lock.path.replace(aside / lock.path.name)


def _lock_text(lock: Lock, root: Path) -> str:
    name = lock.path.relative_to(root) if lock.path.is_relative_to(root) else lock.path
    who = _UNKNOWN
    if lock.user:
        who = f"held by {lock.user}"
    elif lock.ours:
        who = "clawgit's own, and no clawgit is running"
    return f"{name}, {_age(lock.age)} old, {who}"


_UNKNOWN = (
    "and no process of yours has it open"
    if SEES_PROCESSES
    else "whose holder cannot be seen on this system"
)

_UNITS = ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def _age(seconds: float) -> str:
    size, unit = next((row for row in _UNITS if seconds >= row[0]), _UNITS[-1])
    return counted(int(seconds // size), unit)

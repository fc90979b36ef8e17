"""Checks of what is outside the history: CONFIG.md, databases, the file system, OpenClaw."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from clawgit.errors import ClawgitError, StorageError
from clawgit.ops.agents.status import failures, work_state
from clawgit.ops.change.reading import reading
from clawgit.ops.health.finding import Finding, Mend, Site, several
from clawgit.ops.workspace.kept_config import summary
from clawgit.stores import openclaw
from clawgit.stores.clearing import clear, has_no_file, is_there
from clawgit.stores.database import Connection
from clawgit.stores.git.exchange import is_atomic
from clawgit.stores.state import mend_state, not_private, state_faults, state_file
from clawgit.stores.state_copies import Copies, repository_copies
from clawgit.stores.state_schema import FORMAT

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def look_at_config(site: Site) -> Finding:
    loaded = site.workspace.config
    # A pending setting is no fault, so a mistake in the file comes first.
    if loaded.pending and not loaded.problems:
        return Finding(True, summary(loaded.pending), "clawgit trust")
    if not loaded.problems:
        return Finding(True, several(list(loaded.notes)) or "CONFIG.md can be read")
    problems = [f"{problem.where}: {problem.message}" for problem in loaded.problems]
    return Finding(
        False, several(problems), loaded.problems[0].hint or "`clawgit config check` lists them."
    )


def look_at_exchange(site: Site) -> Finding:
    site.place.private.mkdir(parents=True, exist_ok=True)
    return exchange_finding(atomic=is_atomic(site.place.private))


def exchange_finding(*, atomic: bool) -> Finding:
    if atomic:
        return Finding(True, "files are exchanged in one step")
    return Finding(
        True,
        "this file system cannot exchange two files in one step: an edit in the same microsecond "
        "could be missed",
        "Keep the workspace on ext4, xfs, btrfs, tmpfs or APFS.",
    )


def look_at_state(site: Site) -> Finding:
    """`state.db` is primary data: it is restored from its copy, its journals and what can be read
    of it. The damaged file is set aside.
    """
    path, copies = state_file(site.place), _copies(site)
    copy = copies.newest
    bring_back = partial(_mend_state, path, copies, site)
    if not is_there(path):
        if copy is None:
            return Finding(True, "nothing to remember yet")
        mend = Mend(f"bring state.db back from {copy}", bring_back)
        return Finding(
            False,
            f"state.db is gone; its copy is {copy}",
            "`clawgit doctor --fix` brings it back.",
            (mend,),
        )
    if open_to_others := not_private(path, copies):
        mend = Mend("let nobody else read state.db and its copies", partial(_close, open_to_others))
        named = several([str(file) for file in open_to_others])
        return Finding(
            False,
            f"permissions are not 0600: {named}",
            "`clawgit doctor --fix` sets them.",
            (mend,),
        )
    if faults := _state_faults(site, path):
        mend = Mend(
            "bring state.db back from its copy, its journal and itself; keep the damaged one",
            bring_back,
        )
        hint = (
            "`clawgit doctor --fix` brings back what it holds and what its copy and journal hold."
        )
        return Finding(False, f"state.db: {several(faults)}", hint, (mend,))
    if _ask(path, "PRAGMA user_version")[0][0] != FORMAT:
        return Finding(
            False,
            "state.db was written by another version of clawgit",
            "pip install --upgrade clawgit",
        )
    return Finding(
        True,
        "state.db is sound, "
        f"{f'its copy is {copy}' if copy else 'its first copy is made at the next write'}",
    )


def look_at_index(site: Site) -> Finding:
    """`index.db` is derived: it can be deleted and rebuilt."""
    # All worktrees share index.db; live.db belongs to this one alone.
    shared, live = site.place.shared / "index.db", site.place.private / "live.db"
    if not is_there(shared):
        return Finding(True, "not built yet; the first search builds it")
    broken = {
        path: faults
        for path in (shared, live)
        if is_there(path) and (faults := _derived_faults(site, path))
    }
    if not broken:
        return Finding(True, "index.db is sound")
    mends = {
        shared: Mend("rebuild index.db", partial(_rebuild_index, site, shared)),
        live: Mend("remove live.db, which the next search rebuilds", partial(clear, live)),
    }
    detail = "; ".join(f"{path.name}: {several(faults)}" for path, faults in broken.items())
    hint = "`clawgit doctor --fix` rebuilds it from git and the files."
    return Finding(False, detail, hint, tuple(mends[path] for path in broken))


def look_at_openclaw(site: Site) -> Finding:
    caller = site.workspace.caller
    installation = openclaw.find(caller.home, caller.env)
    if installation is None:
        return Finding(True, "none found")
    # Always a note: how OpenClaw is set up is no fault of the workspace.
    agent = installation.agent_of(site.root)
    residence = f"agent {agent.id} lives here" if agent else "none of its agents lives here"
    detail = f"{installation.state}: {residence}"
    if openclaw.workspace_state(site.root).ritual_pending:
        detail += "; it has not had its bootstrap ritual yet"
    return Finding(True, detail, several(list(installation.notes)))


def look_at_jobs(site: Site) -> Finding:
    try:
        jobs, _ = work_state(site.workspace)
    except ClawgitError:
        return Finding(True, "the check of state says why they cannot be read")
    failed = [*failures(jobs)]
    if not failed:
        return Finding(True, "no job failed when it last ran")
    return Finding(False, several([what for what, _ in failed]), failed[0][1])


def faults_of(path: Path, *, whole: bool = True) -> list[str]:
    """What SQLite finds wrong with a database, which is opened for reading only.

    Without `whole`, only what SQLite reads to open it is checked.
    """
    try:
        rows = _ask(
            path, "PRAGMA quick_check(5)" if whole else "SELECT count(*) FROM sqlite_master"
        )
    except sqlite3.DatabaseError as error:
        # A database that cannot be opened because of rights or a lock need not be damaged.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            raise StorageError(
                f"{path} cannot be read: {error}.", hint="Check its owner and permissions."
            ) from error
        return [str(error)]
    return [str(row[0]) for row in rows if row[0] != "ok"] if whole else []


def _derived_faults(site: Site, path: Path) -> list[str]:
    if has_no_file(path):
        return ["it is not a readable file"]
    return faults_of(path, whole=_reads_whole(site, path))


def _state_faults(site: Site, path: Path) -> list[str]:
    if not path.is_file():
        return ["it is not a file"]
    return state_faults(path) if _reads_whole(site, path) else faults_of(path, whole=False)


def _reads_whole(site: Site, path: Path) -> bool:
    """Whether to read a whole database: a large one only in a deep check."""
    return site.deep or path.stat().st_size <= _SMALL


_SMALL = 4 * 1024 * 1024


def _ask(path: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(
        sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, factory=Connection)
    ) as db:
        return db.execute(question).fetchall()


def _copies(site: Site) -> Copies:
    caller = site.workspace.caller
    return repository_copies(site.place, caller.env, caller.home)


def _close(files: list[Path]) -> None:
    for file in files:
        file.chmod(0o600)


def _mend_state(path: Path, copies: Copies, site: Site) -> None:
    mend_state(path, copies, site.workspace.now)


def _rebuild_index(site: Site, path: Path) -> None:
    clear(path)
    with reading(site.workspace):
        pass  # opening it builds it

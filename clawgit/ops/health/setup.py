"""Checks of what is beside the history: settings, hooks, databases, models and jobs."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from clawgit.errors import ClawgitError, StorageError
from clawgit.ops.agents.status import failures, work_state
from clawgit.ops.change.reading import reading
from clawgit.ops.health.finding import NOTE, Finding, Mend, Site, several
from clawgit.ops.hooks.githooks import FOREIGN, INSTALLED, MISSING, HooksError, hooks, install
from clawgit.ops.hooks.merge_driver import is_in, put_in
from clawgit.ops.search.embedder_choice import opened
from clawgit.ops.search.reranker_choice import WorkspaceReranker
from clawgit.ops.search.vector_search import is_wanted
from clawgit.ops.search.vectors_owner import is_set
from clawgit.ops.workspace.in_force import summary
from clawgit.ops.workspace.operator import show
from clawgit.stores import chroma
from clawgit.stores.clearing import clear, has_no_file, is_there
from clawgit.stores.database import Connection
from clawgit.stores.state import mend_state, not_private, state_faults, state_file
from clawgit.stores.state_copies import Copies, repository_copies
from clawgit.stores.state_schema import FORMAT

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UPGRADE = "pip install --upgrade clawgit"


def look_at_config(site: Site) -> Iterator[Finding]:
    """Mistakes in CONFIG.md, settings that nobody accepted yet, and a key that is not safe."""
    loaded = site.workspace.config
    for problem in loaded.problems:
        remedy = problem.hint or "Correct it there, or take the line out."
        yield Finding(problem.where, problem.message, remedy)
    if loaded.pending:
        yield Finding("", summary(loaded.pending), "clawgit trust", NOTE)
    if warning := show(site.workspace.caller).warning:
        yield Finding("", warning, "`clawgit operator --key FILE` changes to another key.")


def look_at_hooks(site: Site) -> Iterator[Finding]:
    """What makes plain git follow our rules. No hook at all is a choice, only some a problem."""
    if not is_in(site.workspace):
        why = "plain git merges memory line by line: the merge driver is not in, or edited"
        mend = Mend("have plain git merge memory by entries", partial(put_in, site.workspace))
        yield Finding("", why, "`clawgit doctor --fix` puts the merge driver in.", mends=(mend,))
    try:
        seen = hooks(site.workspace)
    except HooksError as error:
        # Hooks may be turned off in git on purpose, and clawgit works without them.
        yield Finding("", error.message, error.hint, NOTE)
        return
    wrong = [hook for hook in seen.hooks if hook.state != INSTALLED]
    states = {hook.state for hook in seen.hooks}
    if not wrong or states <= {MISSING, FOREIGN}:
        return
    why = several([f"{hook.name} is {hook.state}" for hook in wrong])
    if FOREIGN in states:
        remedy = "`clawgit hooks install` calls theirs first, or says what is in the way."
        yield Finding("", why, remedy)
    else:
        mend = Mend("install the hooks again", partial(_install, site))
        yield Finding("", why, "`clawgit doctor --fix` installs them again.", mends=(mend,))


def _install(site: Site) -> None:
    install(site.workspace)


def look_at_state(site: Site) -> Iterator[Finding]:
    """`state.db` is primary data: it is restored from its copy, its journals and what can be read
    of it. The damaged file is set aside.
    """
    caller, path = site.workspace.caller, state_file(site.place)
    copies = repository_copies(site.place, caller.env, caller.home)
    bring_back = partial(_mend_state, site, path, copies)
    if not is_there(path):
        if copies.newest:
            mend = Mend(f"bring state.db back from {copies.newest}", bring_back)
            why = f"it is gone; its copy is {copies.newest}"
            yield Finding(path.name, why, "`clawgit doctor --fix` brings it back.", mends=(mend,))
        return
    if open_to_others := not_private(path, copies):
        mend = Mend("let nobody else read state.db and its copies", partial(_close, open_to_others))
        named = several([str(file) for file in open_to_others])
        fix = "`clawgit doctor --fix` sets them."
        yield Finding("", f"permissions are not 0600: {named}", fix, mends=(mend,))
    faults = state_faults(path) if path.is_file() else ["it is not a file"]
    if faults:
        what = "bring state.db back from its copy, its journal and itself; keep the damaged one"
        fix = "`clawgit doctor --fix` brings back what it holds and what its copy and journal hold."
        yield Finding(path.name, several(faults), fix, mends=(Mend(what, bring_back),))
    elif _ask(path, "PRAGMA user_version")[0][0] != FORMAT:
        yield Finding(path.name, "another version of clawgit wrote it", _UPGRADE)


def look_at_index(site: Site) -> Iterator[Finding]:
    """`index.db` is derived: it can be deleted and rebuilt."""
    # All worktrees share index.db; live.db belongs to this one alone.
    shared, live = site.place.shared / "index.db", site.place.private / "live.db"
    mends = {
        shared: Mend("rebuild index.db", partial(_rebuild_index, site, shared)),
        live: Mend("remove live.db, which the next search rebuilds", partial(clear, live)),
    }
    for path, mend in mends.items():
        if is_there(path) and (faults := _faults(path)):
            remedy = "`clawgit doctor --fix` rebuilds it from git and the files."
            yield Finding(path.name, several(faults), remedy, mends=(mend,))


def _faults(path: Path) -> list[str]:
    """What SQLite finds wrong with a database, which is opened for reading only."""
    if has_no_file(path):
        return ["it is not a readable file"]
    try:
        rows = _ask(path, "PRAGMA quick_check(5)")
    except sqlite3.DatabaseError as error:
        # A database that cannot be opened because of rights or a lock need not be damaged.
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
            why = f"{path} cannot be read: {error}."
            raise StorageError(why, hint="Check its owner and permissions.") from error
        return [str(error)]
    return [str(row[0]) for row in rows if row[0] != "ok"]


def _ask(path: Path, question: str) -> list[tuple[Any, ...]]:
    where = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(where, uri=True, factory=Connection)) as db:
        return db.execute(question).fetchall()


def _mend_state(site: Site, path: Path, copies: Copies) -> None:
    mend_state(path, copies, site.workspace.now)


def _close(files: list[Path]) -> None:
    for file in files:
        file.chmod(0o600)


def _rebuild_index(site: Site, path: Path) -> None:
    clear(path)
    with reading(site.workspace):
        pass  # opening it builds it


def look_at_models(site: Site) -> Iterable[Finding]:
    """The models of a search, and Chroma. Raises a `ClawgitError` for one that cannot be used; a
    search goes on without it. Chroma's files are not opened: their owner fills damaged ones again.
    """
    settings, env = site.workspace.config.settings, site.workspace.caller.env
    if is_set(settings):
        chroma.require()
    if settings.chroma_url:
        family = chroma.Family("doctor", "", 1)
        chroma.served(settings.chroma_url, family, env).check()
    if is_wanted(site.workspace):
        opened(site.workspace)
    reranker = WorkspaceReranker(site.workspace)
    if reranker.is_any:
        reranker.loaded.knows("")
    return ()


def look_at_jobs(site: Site) -> Iterator[Finding]:
    try:
        jobs, _ = work_state(site.workspace)
    except ClawgitError:
        return  # the check of state says why they cannot be read
    for what, remedy in failures(jobs):
        yield Finding("", what, remedy)

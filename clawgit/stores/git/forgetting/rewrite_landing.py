"""Puts a rewritten history in the place of the old one, and lets git delete the old objects.

A rewrite can be asked for again, and goes on where it stopped. What `kill -9` leaves:

- before `rewrite-moved`: objects to which nothing refers. Nothing has happened; all refs move in
  one step of git, or, if others moved one meanwhile, none.
- `rewrite-moved`: the refs are new, the old objects still there. Reflogs and the ids that git
  leaves are emptied, and git prunes.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clawgit.errors import ConflictError
from clawgit.stores.git.cgit import CGitError
from clawgit.stores.git.looked import NOTES, keep_noted, noted
from clawgit.stores.git.packing import refuse_own_hook
from clawgit.stores.git.place import NO_OBJECT
from clawgit.stores.git.repo import Repo

_LEFT_BY_GIT = ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG")
"""Files that git leaves in its folder, with ids of old commits, and messages."""

_RESOLVED = "rr-cache"
"""The folder of resolved conflicts that git remembers, with the text of both sides."""


class Rewrite(NamedTuple):
    """What a rewrite has to do.

    `refs`: name → old and new value; "" as the old one makes it, as the new one deletes it.
    `commits`: old → new.
    """

    refs: Mapping[str, tuple[str, str]]
    commits: Mapping[str, str]


def land_rewrite(repo: Repo, rewrite: Rewrite) -> None:
    """Takes all steps. The caller holds the lock."""
    # All new objects at once, before anything names them: there may be thousands.
    os.sync()
    repo.seam("rewrite-made")
    _move(repo, rewrite)
    repo.seam("rewrite-moved")
    _let_go(repo, rewrite)
    os.sync()


def _move(repo: Repo, rewrite: Rewrite) -> None:
    orders = ""
    for name, (old, new) in rewrite.refs.items():
        order = f"update {name} {new} {old or NO_OBJECT}" if new else f"delete {name} {old}"
        orders += f"option no-deref\n{order}\n"
    try:
        repo.git.run("update-ref", "--stdin", stdin=orders.encode("utf-8", "surrogateescape"))
    except CGitError as error:
        raise ConflictError(
            "Somebody committed meanwhile or holds a lock, and history was left as it is: "
            f"{error.stderr.strip()}",
            hint="Run this again.",
        ) from error
    for note in NOTES:
        if (known := noted(repo.place, note)) in rewrite.commits:
            keep_noted(repo.place, note, rewrite.commits[known])


def _let_go(repo: Repo, rewrite: Rewrite) -> None:
    """Removes everything that refers to the old objects, and has git delete them."""
    common = repo.place.common_dir
    for folder in {common, repo.place.git_dir}:
        for name in _LEFT_BY_GIT:
            (folder / name).unlink(missing_ok=True)
    _empty(common / _RESOLVED)
    repo.git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    for name in (name for name, (_, new) in rewrite.refs.items() if not new):
        with suppress(OSError):
            (common / "logs" / name).unlink()
    refuse_own_hook(repo.git)
    repo.git.run("gc", "--prune=now", "--quiet")


def _empty(folder: Path) -> None:
    if folder.is_symlink():
        return
    for file in sorted(folder.rglob("*"), reverse=True):
        if file.is_dir() and not file.is_symlink():
            file.rmdir()
        else:
            file.unlink()

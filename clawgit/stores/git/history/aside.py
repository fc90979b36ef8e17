"""A temporary work tree, in which git bisects: a state of the workspace, as a linked worktree.

It has its own HEAD, index and bisect, so the main one's stay as they are. Its lock shows whether it
is in use; the next command removes those that a kill -9 left.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import shutil, tempfile
from clawgit.stores.git.cgit import CGit, Running
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.git.place import RepoPlace

_PREFIX = "clawgit-aside-"

GOOD, BAD, SKIP = "good", "bad", "skip"

_FIRST = re.compile(r"^# first bad commit: \[([0-9a-f]+)\]", re.MULTILINE)
_POSSIBLE = re.compile(r"^# possible first bad commit: \[([0-9a-f]+)\]", re.MULTILINE)
_ONLY_SKIPPED = 2
"""The exit code of a bisect that has only skipped commits left."""


class Aside(NamedTuple):
    """A folder with a state in it, and git for that folder."""

    folder: Path
    git_dir: Path
    git: CGit

    def start(self, *args: str) -> Running:
        # Both are named: if the folder's link to git were removed, git would find another
        # repository further up, and clean that one.
        at = ("--git-dir", str(self.git_dir), "--work-tree", str(self.folder))
        return self.git.start(*at, *args)

    def text(self, *args: str, ok: tuple[int, ...] = (0,)) -> str:
        return self.start(*args).finish(ok)[1].decode("utf-8", "surrogateescape")


@contextmanager
def worktree_aside(
    place: RepoPlace, git: CGit, oid: str, of_folder: Callable[[Path], CGit]
) -> Iterator[Aside]:
    """A state in a folder, on no branch.

    It is deleted afterwards with all that was written there.
    """
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
    lock = _lock(place, folder.name)
    try:
        # Locked before git knows the folder: another process removes one without a lock.
        with workspace_lock(lock, "a bisect", 0):
            try:
                git.run("worktree", "add", "-q", "--detach", str(folder), oid)
                yield Aside(folder, _admin(place, folder), of_folder(folder))
            finally:
                _take_away(place, folder)
    finally:
        lock.unlink(missing_ok=True)


def clear_asides(place: RepoPlace) -> None:
    """Removes the folders whose process has died."""
    for admin in (place.common_dir / "worktrees").glob(f"{_PREFIX}*"):
        lock = _lock(place, admin.name)
        if lock_holder(lock) is None:
            _take_away(place, _folder_of(admin))
            shutil.rmtree(admin, ignore_errors=True)
            lock.unlink(missing_ok=True)


def _lock(place: RepoPlace, name: str) -> Path:
    return place.shared / f"{name}.lock"


def _folder_of(admin: Path) -> Path:
    """The folder that git records for the worktree; by its name if a kill came before git wrote
    that.
    """
    try:
        dot_git = (admin / "gitdir").read_text("utf-8", "surrogateescape").strip()
    except OSError:
        dot_git = ""
    return Path(dot_git).parent if dot_git else admin


def _admin(place: RepoPlace, folder: Path) -> Path:
    return place.common_dir / "worktrees" / folder.name


def _take_away(place: RepoPlace, folder: Path) -> None:
    # `git worktree remove` refuses one that is half made, and `prune` would remove others too.
    if folder.name.startswith(_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(_admin(place, folder), ignore_errors=True)


class Standing(NamedTuple):
    """Which commit to test next; "" if the bisect has ended.

    `found` is then the first bad commit, or several that it could be.
    """

    next: str
    found: tuple[str, ...] = ()


def begin(aside: Aside, good: str, bad: str) -> Standing:
    _cleaned(aside)
    aside.text("bisect", "start", bad, good)
    return _standing(aside)


def go_on(aside: Aside, verdict: str) -> Standing:
    """Records the verdict on the commit that is checked out, and checks out the next."""
    _cleaned(aside)
    aside.text("bisect", verdict, ok=(0, _ONLY_SKIPPED))
    return _standing(aside)


def check_out(aside: Aside, oid: str) -> None:
    _cleaned(aside)
    aside.text("checkout", "-q", "--detach", oid)


def _cleaned(aside: Aside) -> None:
    """Undoes changes of a check, which would stop the next checkout."""
    aside.text("reset", "-q", "--hard")
    aside.text("clean", "-ffdxq")


def _standing(aside: Aside) -> Standing:
    log = aside.text("bisect", "log")
    found = _FIRST.findall(log) or _POSSIBLE.findall(log)
    return (
        Standing("", tuple(found)) if found else Standing(aside.text("rev-parse", "HEAD").strip())
    )

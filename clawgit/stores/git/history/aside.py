"""A work tree aside: a state of the workspace in a temporary folder, as a linked worktree of git's.

It has a HEAD, an index and a bisect of its own, so the main one's stay as they are. Its lock tells
the living from those that a kill -9 left behind; the next command takes these away.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from clawgit.doors import shutil, tempfile
from clawgit.stores.git.cgit import CGit, Running
from clawgit.stores.git.lock import lock_holder, workspace_lock
from clawgit.stores.git.place import RepoPlace

_PREFIX = "clawgit-aside-"


class Aside(NamedTuple):
    """A folder with a state in it, and how git works there."""

    folder: Path
    git_dir: Path
    git: CGit

    def start(self, *args: str) -> Running:
        # Both by name: were the folder's link to git removed, git would look for another repository
        # further up, and clean that one.
        at = ("--git-dir", str(self.git_dir), "--work-tree", str(self.folder))
        return self.git.start(*at, *args)

    def text(self, *args: str, ok: tuple[int, ...] = (0,)) -> str:
        return self.start(*args).finish(ok)[1].decode("utf-8", "surrogateescape")


@contextmanager
def worktree_aside(
    place: RepoPlace, git: CGit, oid: str, of_folder: Callable[[Path], CGit]
) -> Iterator[Aside]:
    """A state in a folder, on no branch; gone afterwards with all that was written there."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
    lock = _lock(place, folder.name)
    try:
        # Held before git knows the folder: whoever finds it without a holder takes it away.
        with workspace_lock(lock, "a bisect", 0):
            try:
                git.run("worktree", "add", "-q", "--detach", str(folder), oid)
                yield Aside(folder, _admin(place, folder), of_folder(folder))
            finally:
                _take_away(place, folder)
    finally:
        lock.unlink(missing_ok=True)


def clear_asides(place: RepoPlace) -> None:
    """Takes away the folders whose process has died."""
    for admin in (place.common_dir / "worktrees").glob(f"{_PREFIX}*"):
        lock = _lock(place, admin.name)
        if lock_holder(lock) is None:
            _take_away(place, _folder_of(admin))
            shutil.rmtree(admin, ignore_errors=True)
            lock.unlink(missing_ok=True)


def _lock(place: RepoPlace, name: str) -> Path:
    return place.shared / f"{name}.lock"


def _folder_of(admin: Path) -> Path:
    """Where git says that the worktree lies; nowhere else where a kill came before it wrote so."""
    try:
        dot_git = (admin / "gitdir").read_text("utf-8", "surrogateescape").strip()
    except OSError:
        dot_git = ""
    return Path(dot_git).parent if dot_git else admin


def _admin(place: RepoPlace, folder: Path) -> Path:
    return place.common_dir / "worktrees" / folder.name


def _take_away(place: RepoPlace, folder: Path) -> None:
    # `git worktree remove` refuses one that is half made, and `prune` would take others along.
    if folder.name.startswith(_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(_admin(place, folder), ignore_errors=True)

"""Where a repository lies on disk, and whether it is ours to use; without libgit2 or C git."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from clawgit.errors import ForeignOwnerError, NotAWorkspaceError, UnsupportedRepoError

_NOTHING: Mapping[str, str] = MappingProxyType({})
_EVERYBODY = "*"


class RepoPlace(NamedTuple):
    """A work tree, its git directory, and the directory that all worktrees share."""

    root: Path
    git_dir: Path
    common_dir: Path

    @property
    def worktree(self) -> str:
        """A name for this worktree that fits into a ref and belongs to no other one."""
        return "main" if self.git_dir == self.common_dir else f"worktrees/{self.git_dir.name}"

    @property
    def private(self) -> Path:
        """Transient state of this worktree: lock, held files, private index."""
        return self.git_dir / "clawgit"

    @property
    def shared(self) -> Path:
        """State that all worktrees share: state.db, index.db."""
        return self.common_dir / "clawgit"


def find_repo(start: Path, env: Mapping[str, str] = _NOTHING) -> RepoPlace:
    """The repository whose work tree holds `start`.

    One that another user owns is refused, as git refuses it: its configuration and its files say
    what we do. `env` tells of sudo and of the user's safe.directory; without it there is no
    exception.
    """
    start = start.absolute()
    for folder in (start, *start.parents):
        if place := repo_at(folder, env):
            return place
        if looks_bare(folder):
            raise UnsupportedRepoError(
                f"{folder} is a git directory without a work tree.",
                hint="Run clawgit in a checkout: `git clone` it, or `git worktree add`.",
            )
    raise NotAWorkspaceError(
        f"{start} is not inside a git repository.", hint=f"Start one with `clawgit init {start}`."
    )


def repo_at(root: Path, env: Mapping[str, str] = _NOTHING) -> RepoPlace | None:
    """The repository whose work tree has its top at `root`, None if there is none.

    See `find_repo` for its owner.
    """
    place = locate(root)
    if place is not None:
        refuse_foreign_place(place, env)
    return place


def locate(root: Path) -> RepoPlace | None:
    """What lies at `root`, without a look at its owner: its configuration must not be read."""
    dot_git = root / ".git"
    if dot_git.is_file():
        text = dot_git.read_text("utf-8", "replace").strip()
        if not text.startswith("gitdir:"):
            raise UnsupportedRepoError(
                f"{dot_git} is neither a git directory nor a link to one.", hint="Look at it."
            )
        git_dir = (root / text.removeprefix("gitdir:").strip()).resolve()
    else:
        git_dir = dot_git
    if not (git_dir / "HEAD").is_file():
        return None
    common_file = git_dir / "commondir"
    common = (
        (git_dir / common_file.read_text("utf-8").strip()).resolve()
        if common_file.is_file()
        else git_dir
    )
    return RepoPlace(root, git_dir, common)


def refuse_foreign_place(place: RepoPlace, env: Mapping[str, str]) -> None:
    """Raises where another user owns a repository and the user has not declared it safe."""
    if not is_ours(place, env):
        raise foreign_owner(place.root)


def refuse_foreign_folder(folder: Path, env: Mapping[str, str]) -> None:
    """The same for a folder that is to become a repository."""
    if folder.is_dir() and not _is_ours((folder.resolve(),), folder, env):
        raise foreign_owner(folder)


def is_ours(place: RepoPlace, env: Mapping[str, str]) -> bool:
    """The folders whose owner git checks, and the common directory, which git forgets.

    The configuration of a linked worktree lies there.
    """
    work_tree = place.root.resolve()  # a link that leads to it may be anybody's
    parts = (work_tree, place.root / ".git", place.git_dir.resolve(), place.common_dir.resolve())
    return _is_ours(parts, place.root, env)


def _is_ours(parts: Iterable[Path], root: Path, env: Mapping[str, str]) -> bool:
    """Whether we own all of them, or safe.directory names `root`.

    C git is asked for that setting where it matters.
    """
    users = _own_users(env)
    return all(os.lstat(part).st_uid in users for part in parts) or _is_safe(root, env)


def foreign_owner(root: Path) -> ForeignOwnerError:
    """In the words that git has for it, since these are what a user looks for."""
    return ForeignOwnerError(
        f"Detected dubious ownership in repository at '{root}': it belongs to another user.",
        hint=f"If you trust whoever prepared it: git config --global --add safe.directory '{root}'",
    )


def _own_users(env: Mapping[str, str]) -> frozenset[int]:
    """Our user; for root, the user who called sudo as well."""
    user, caller = os.geteuid(), env.get("SUDO_UID", "")
    return (
        frozenset((user, int(caller))) if user == 0 and caller.isdecimal() else frozenset((user,))
    )


def _is_safe(root: Path, env: Mapping[str, str]) -> bool:
    """What the user's and the system's safe.directory say; a repository cannot vouch for itself."""
    from clawgit.stores.git.safedirectory import safe_directories  # noqa: PLC0415 - subprocess, for a stranger's only

    real = os.path.realpath(root)
    safe = False
    for value in safe_directories(env):
        if not value:
            safe = False  # an empty value forgets those before it
        elif value == _EVERYBODY:
            safe = True
        elif value.endswith("/*"):
            below = value[:-1]
            safe = safe or str(root).startswith(below) or real.startswith(below)
        else:
            safe = safe or value == str(root) or os.path.realpath(value) == real
    return safe


def looks_bare(folder: Path) -> bool:
    return (
        (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()
    )

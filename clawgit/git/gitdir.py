"""Finds the repository of a folder, and checks that we may use it.

C git is asked only about the folder of another user.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from clawgit.core.errors import NotAWorkspaceError, UnsupportedRepoError
from clawgit.git.cgit import CGit
from clawgit.git.guards.belonging import refuse_strange_place
from clawgit.git.place import RepoPlace, foreign_owner, locate, looks_bare

_NOTHING: Mapping[str, str] = MappingProxyType({})
_EVERYBODY = "*"
_PROTECTED = (b"system", b"global")


def find_repo(start: Path, env: Mapping[str, str] = _NOTHING) -> RepoPlace:
    """The repository whose work tree contains `start`.

    One that another user owns is refused, as git does, since its configuration and files decide
    what we do. `env` is needed for sudo and the user's safe.directory; without it there is no
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


def new_repository(folder: Path, env: Mapping[str, str]) -> RepoPlace:
    """Makes an empty repository in a format that libgit2 can open, whatever the user's defaults
    are.
    """
    plain = {name: value for name, value in env.items() if not name.startswith("GIT_DEFAULT_")}
    CGit(folder, plain).run(
        # Named, since another try may have left some of it.
        "--git-dir=.git",
        "-c",
        "init.defaultObjectFormat=sha1",
        "-c",
        "init.defaultRefFormat=files",
        "init",
        "--quiet",
    )
    # Git syncs neither HEAD nor the configuration; with an empty one nothing works here.
    os.sync()
    place = repo_at(folder, env)
    if place is None:
        raise UnsupportedRepoError(
            f"git init made no repository in {folder}.",
            hint="Run `git init` there and see what it says.",
        )
    return place


def refuse_foreign_place(place: RepoPlace, env: Mapping[str, str]) -> None:
    """Raises if another user owns a repository and the user has not declared it safe, or if it
    leads into another one.
    """
    real = RepoPlace(*map(Path.resolve, place))
    # The folders that git checks, and the common directory, which git does not check though it has
    # the configuration of a linked worktree. The link that leads there may be anybody's.
    if not _is_ours((real.root, place.root / ".git", *real[1:]), place.root, env):
        raise foreign_owner(place.root)
    refuse_strange_place(place, real)


def refuse_foreign_folder(folder: Path, env: Mapping[str, str]) -> None:
    """The same for a folder that will become a repository."""
    if folder.is_dir() and not _is_ours((folder.resolve(),), folder, env):
        raise foreign_owner(folder)


def _is_ours(parts: Iterable[Path], root: Path, env: Mapping[str, str]) -> bool:
    """Whether we own all of them, or safe.directory names `root`.

    C git is asked for that setting only if it matters.
    """
    users = _own_users(env)
    return all(os.lstat(part).st_uid in users for part in parts) or _is_safe(root, env)


def _own_users(env: Mapping[str, str]) -> frozenset[int]:
    """Our user; for root, the user who called sudo as well."""
    user, caller = os.geteuid(), env.get("SUDO_UID", "")
    return (
        frozenset((user, int(caller))) if user == 0 and caller.isdecimal() else frozenset((user,))
    )


def _is_safe(root: Path, env: Mapping[str, str]) -> bool:
    """What the user's and the system's safe.directory say; a repository cannot declare itself
    safe.
    """
    real = os.path.realpath(root)
    safe = False
    for value in _safe_directories(env):
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


def _safe_directories(env: Mapping[str, str]) -> Iterator[str]:
    """The values of safe.directory in their order.

    Read outside the repository, which must not decide this.
    """
    asked = ("config", "-z", "--show-scope", "--type=path", "--get-all", "safe.directory")
    fields = iter(CGit(Path("/"), env).run(*asked, ok=(0, 1)).split(b"\0"))
    for scope, value in zip(fields, fields, strict=False):
        if scope in _PROTECTED:
            yield value.decode("utf-8", "surrogateescape")

"""Finds the repository of a folder, and checks that we may use it.

C git is asked only about the folder of another user.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from clawgit.core.errors import NotAWorkspaceError, UnsupportedRepoError
from clawgit.git.cgit import CGit
from clawgit.git.guards.belonging import refuse_strange_place
from clawgit.git.place import RepoPlace, locate, looks_bare

_NOTHING: Mapping[str, str] = MappingProxyType({})

FORMATS = {"GIT_DEFAULT_HASH": "sha1", "GIT_DEFAULT_REF_FORMAT": "files"}
"""The formats that libgit2 can open, whatever the user's defaults are."""


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
    """Makes an empty repository."""
    # Its folder is named, since another try may have left some of it.
    CGit(folder, {**env, **FORMATS}).run("--git-dir=.git", "init", "--quiet")
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
    """Raises if another user owns a repository and git does not accept that either, or if it leads
    into another one.

    Git knows who called sudo, and what the user has declared safe: it is asked where it matters.
    """
    real = RepoPlace(*map(Path.resolve, place))
    # The folders that git checks, and the common directory. The link that leads there may be
    # anybody's.
    parts = (real.root, place.root / ".git", *real[1:])
    if any(os.lstat(part).st_uid != os.geteuid() for part in parts):
        CGit(place.root, env).run("rev-parse", "--git-dir")
    refuse_strange_place(place, real)

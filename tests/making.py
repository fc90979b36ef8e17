"""A workspace made of the files that a test names, as its operator opens it; searched by words
alone."""

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW, Git

Make = Callable[[dict[str, str]], Workspace]


def asker(actor: Actor = OPERATOR, now: datetime = NOW, /, **env: str) -> Caller:
    """Who opens a workspace, in the environment of the test."""
    return Caller(actor, {**os.environ, **env}, now, Path(os.environ["HOME"]))


def space_of(git: Git, actor: Actor = OPERATOR, now: datetime = NOW, /, **env: str) -> Workspace:
    """A workspace as it was written."""
    return Workspace(find_repo(git.root), asker(actor, now, **env))


def workspace_of(git: Git, files: Mapping[str, str], now: datetime) -> Workspace:
    for path, text in {
        "SOUL.md": "# Soul\n\n- Be kind.\n",
        "MEMORY.md": "# Memory\n\n- Tea\n",
        **files,
    }.items():
        git.write(path, text)
    git.commit_all("start")
    return space_of(git, OPERATOR, now, CLAWGIT_SEARCH_MODE="core")

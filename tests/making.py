"""A workspace made of the files that a test names, as its operator opens it; searched by words
alone."""

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW, Git

Make = Callable[[dict[str, str]], Workspace]


def space_of(git: Git, **env: str) -> Workspace:
    """A workspace as it was written, for its operator."""
    caller = Caller(OPERATOR, {**os.environ, **env}, NOW, Path(os.environ["HOME"]))
    return Workspace(find_repo(git.root), caller)


def workspace_of(git: Git, files: Mapping[str, str], now: datetime) -> Workspace:
    for path, text in {
        "SOUL.md": "# Soul\n\n- Be kind.\n",
        "MEMORY.md": "# Memory\n\n- Tea\n",
        **files,
    }.items():
        git.write(path, text)
    git.commit_all("start")
    env = {**os.environ, "CLAWGIT_SEARCH_MODE": "core"}
    return Workspace(find_repo(git.root), Caller(OPERATOR, env, now, Path(os.environ["HOME"])))

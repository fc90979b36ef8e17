"""What few commits need: the workspace, opened as an agent's."""

import os
from datetime import datetime
from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import AGENT
from clawgit.workspace.workspace import Caller, Workspace


def open_here() -> Workspace:
    caller = Caller(AGENT, os.environ, datetime.now().astimezone(), Path.home())
    return Workspace(find_repo(Path.cwd(), os.environ), caller)

"""What few commits need: the workspace, opened as an agent's."""

import os
from datetime import datetime
from pathlib import Path

from clawgit.domain.change.actors import AGENT
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo


def open_here() -> Workspace:
    caller = Caller(AGENT, os.environ, datetime.now().astimezone(), Path.home())
    return Workspace(find_repo(Path.cwd(), os.environ), caller)

"""What the operator accepted on this machine, where a test sets guarded settings by CONFIG.md or
the environment."""

import os
from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.git.rules.actors import OPERATOR
from clawgit.safety.trust import accept, listing
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW


def accept_settings(root: Path, **env: str) -> None:
    """Puts in force what is set now, as `clawgit trust` does where every question is answered with
    yes."""
    caller = Caller(OPERATOR, {**os.environ, **env}, NOW, Path(os.environ["HOME"]))
    workspace = Workspace(find_repo(root), caller)
    accept(workspace, listing(workspace).pending)

"""What the operator accepted on this machine, where a test sets guarded settings by CONFIG.md or
the environment."""

import os
from pathlib import Path

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.workspace.trust import accept, listing
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo
from tests.conftest import NOW


def accept_settings(root: Path, **env: str) -> None:
    """Puts in force what is set now, as `clawgit trust` does where every question is answered with
    yes."""
    caller = Caller(OPERATOR, {**os.environ, **env}, NOW, Path(os.environ["HOME"]))
    workspace = Workspace(find_repo(root), caller)
    accept(workspace, listing(workspace).pending)

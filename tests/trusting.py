"""What the operator accepted on this machine, where a test sets guarded settings by writing CONFIG.md."""

import os
from pathlib import Path

from clawgit.domain.actors import OPERATOR
from clawgit.ops.trust import accept, listing
from clawgit.ops.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo
from tests.conftest import NOW


def accept_settings(root: Path) -> None:
    """Puts in force what CONFIG.md says now, as `clawgit trust` does where every question is answered with yes."""
    caller = Caller(OPERATOR, dict(os.environ), NOW, Path(os.environ["HOME"]))
    workspace = Workspace(find_repo(root), caller)
    accept(workspace, listing(workspace).pending)

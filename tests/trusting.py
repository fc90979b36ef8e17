"""What the operator accepted on this machine, where a test sets guarded settings by CONFIG.md or
the environment."""

from pathlib import Path

from clawgit.git.gitdir import find_repo
from clawgit.safety.trust import accept, listing
from clawgit.workspace.workspace import Workspace
from tests.making import asker


def accept_settings(root: Path, **env: str) -> None:
    """Puts in force what is set now, as `clawgit trust` does where every question is answered with
    yes."""
    workspace = Workspace(find_repo(root), asker(**env))
    accept(workspace, listing(workspace).pending)

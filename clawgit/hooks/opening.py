"""What few commits need: the workspace, opened as an agent's, and the operator's keys."""

import os
from datetime import datetime
from pathlib import Path

from clawgit.domain.change.actors import AGENT
from clawgit.ops.hooks.githooks import install_signature_check
from clawgit.ops.workspace.operator import signers_of
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import find_repo


def open_here() -> Workspace:
    caller = Caller(AGENT, os.environ, datetime.now().astimezone(), Path.home())
    return Workspace(find_repo(Path.cwd(), os.environ), caller)


def can_sign(opened: Workspace) -> bool:
    """Whether the operator has a key whose signature could overrule the guard of the soul, and the
    hook that will check it is in place.
    """
    signers = signers_of(opened)
    return bool(signers.ssh or signers.gpg) and install_signature_check(opened)

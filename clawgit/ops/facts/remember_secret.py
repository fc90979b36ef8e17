"""Remembers a fact that may hold a secret. A module of its own, since it takes 10 ms to load."""

from functools import partial

from clawgit.ops.facts.remember import NewFact, Remembered, remember
from clawgit.ops.safety.secrets import let_in
from clawgit.ops.workspace.workspace import Workspace


def remember_secret(workspace: Workspace, fact: NewFact, *, dry_run: bool = False) -> Remembered:
    """Remembers a fact, and allows the secrets in it from now on. Only the operator may."""
    allow = partial(let_in, workspace, dry_run=dry_run)
    return remember(workspace, fact, dry_run=dry_run, let_in=allow)

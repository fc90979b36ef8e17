"""The write in this process, for `memory add` if no warm process makes it."""

from collections.abc import Mapping
from typing import Any

from clawgit.cli import output
from clawgit.cli.loading import load
from clawgit.ops.facts.remember import NewFact, remember
from clawgit.ops.workspace.workspace import Workspace


def remember_here(
    ws: Workspace, fact: Mapping[str, Any], *, shared: bool, dry_run: bool, ident: str
) -> dict[str, Any]:
    """Remembers a fact.

    `ident`: a process was asked to write it with this id, and may have done so.
    """
    new = NewFact(**fact)
    if shared:
        done = load("clawgit.ops.workspace.shared:remember_shared")(ws, new, dry_run=dry_run)
    elif new.allow_secret:
        done = load("clawgit.ops.facts.remember_secret:remember_secret")(ws, new, dry_run=dry_run)
    else:
        done = remember(ws, new, dry_run=dry_run, ident=ident, again=bool(ident))
    kept: dict[str, Any] = output.jsonable(done)
    return kept

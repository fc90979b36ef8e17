"""The memory that all agents read and `main` alone writes: a workspace of its own, searched as its
own source.
"""

from typing import TYPE_CHECKING

from clawgit.domain.change.actors import CLAWGIT, OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.search.shared_search import opened_shared
from clawgit.ops.workspace.reach import is_shared_memory, same_folder, shared_memory
from clawgit.ops.workspace.workspace import Workspace, is_workspace
from clawgit.ops.workspace.workspaces import MAIN, ReachRefusedError, Registered, known
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.index.discover import SHARED

if TYPE_CHECKING:
    from clawgit.ops.facts.remember import Fact, Remembered

NOTEBOOK = "MEMORY.md"
_CONFIG_FILE = "CONFIG.md"
_CONFIG = """# The memory that all agents share

All agents read it, and `main` writes it: `clawgit memory add --shared`.

```yaml
shared_memory: .
```
"""


def remember_shared(workspace: Workspace, fact: "Fact", *, dry_run: bool = False) -> "Remembered":
    """Keeps a fact in the shared memory, by one commit of its own history: in MEMORY.md, unless it
    says where.
    """
    from clawgit.ops.facts.remember import remember  # noqa: PLC0415 - most only read it

    there = _for_writing(workspace)
    try:
        return remember(there, fact if fact.to else fact._replace(to=NOTEBOOK), dry_run=dry_run)
    finally:
        there.close()


def _for_writing(workspace: Workspace) -> Workspace:
    folder = shared_memory(workspace)
    if folder is None:
        raise NotFoundError(
            "There is no shared memory.",
            hint="mkdir it, name it as shared_memory, then: clawgit workspace add shared",
        )
    refuse_stranger(workspace)
    return opened_shared(workspace, folder, admitted=True)


def refuse_stranger(workspace: Workspace) -> None:
    """Raises where neither the operator nor `main` asks."""
    if workspace.caller.actor != OPERATOR and not _is_main(workspace):
        raise ReachRefusedError(
            f"Only {MAIN} writes the shared memory; every agent reads it.",
            hint=f"Leave --shared out, or have {MAIN} remember it.",
        )


def refuse_writing(workspace: Workspace) -> None:
    """Raises where somebody would write into the shared memory by standing in it: the operator may,
    and who was let in from a workspace of its own.
    """
    if (
        not workspace.admitted
        and workspace.caller.actor != OPERATOR
        and is_shared_memory(workspace)
    ):
        raise ReachRefusedError(
            "This is the shared memory.",
            hint=f"{MAIN} writes it from its own workspace: clawgit memory add --shared",
        )


def begin(workspace: Workspace, *, dry_run: bool = False) -> Registered:
    """Makes the shared folder a workspace: what lies there is committed as it is. Twice is once."""
    folder = shared_memory(workspace)
    if folder is None:
        raise UsageError(
            "No folder is named as the shared memory.",
            hint="mkdir ~/shared-memory && clawgit config set shared_memory ~/shared-memory",
        )
    refuse_stranger(workspace)
    place = repo_at(folder, workspace.caller.env)
    if place and is_workspace(place):
        return Registered(SHARED, folder, "kept", "", (), dry_run=dry_run)
    if dry_run:
        return Registered(SHARED, folder, "added", "", (folder / _CONFIG_FILE,), dry_run=True)
    from clawgit.ops.workspace.setup import new_repository  # noqa: PLC0415 - once in the life of a shared memory

    place = place or new_repository(folder, workspace.caller)
    place.shared.mkdir(exist_ok=True)
    made = Workspace(place, workspace.caller)
    try:
        made.git.snapshot(workspace.now)
        intent = Intent(
            CLAWGIT, "init", "begin the shared memory", "All agents read it, main writes it."
        )
        with made.git.transaction(intent, workspace.now) as tx:
            if tx.read(_CONFIG_FILE) is None:
                tx.put(_CONFIG_FILE, _CONFIG)
    finally:
        made.close()
    changed = tuple(folder / path for path in tx.outcome.changed)
    return Registered(SHARED, folder, "added", "", changed, tx.outcome.commit, tx.outcome.id)


def _is_main(workspace: Workspace) -> bool:
    """By name; where no agent has it, the first of those that are named."""
    agents = known(workspace.caller).agents
    main = next((one for one in agents if one.agent == MAIN), None) or next(iter(agents), None)
    return main is not None and same_folder(main.path, workspace.root)

"""The memory that all agents read and only `main` writes: a workspace of its own, and a source of
its own in searches.
"""

from contextlib import closing
from pathlib import Path

from clawgit.core.errors import ClawgitError, UsageError
from clawgit.core.layout import CONFIG, NOTEBOOK
from clawgit.git.gitdir import new_repository, repo_at
from clawgit.git.place import RepoPlace
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.history import Intent
from clawgit.memory.remember import NewFact, Remembered, remember
from clawgit.workspace.discover import SHARED
from clawgit.workspace.reach import MAIN, ReachRefusedError, known, same_folder, shared_memory
from clawgit.workspace.workspace import Workspace, is_workspace
from clawgit.workspace.workspaces import Registered

_TEXT = """# The memory that all agents share

All agents read it, and `main` writes it: `clawgit memory add --shared`.

```yaml
shared_memory: .
```
"""


def remember_shared(workspace: Workspace, fact: NewFact) -> Remembered:
    """Remembers a fact in the shared memory, by one commit there: in MEMORY.md, unless the fact
    names a file.
    """
    with closing(_for_writing(workspace)) as there:
        return remember(there, fact if fact.to else fact._replace(to=NOTEBOOK))


def _for_writing(workspace: Workspace) -> Workspace:
    folder, place = _shared(workspace)
    if place is None or not is_workspace(place):
        raise ClawgitError(
            f"{folder} is not a clawgit workspace yet.", hint="clawgit workspace add shared"
        )
    return Workspace(place, workspace.caller, admitted=True)


def _shared(workspace: Workspace) -> tuple[Path, RepoPlace | None]:
    """Its folder, for who may write it, and the repository that is there, if any."""
    folder = shared_memory(workspace)
    if folder is None:
        raise UsageError(
            "No folder is set as the shared memory.",
            hint="mkdir ~/shared-memory && clawgit config set shared_memory ~/shared-memory",
        )
    refuse_stranger(workspace)
    return folder, repo_at(folder, workspace.env)


def refuse_stranger(workspace: Workspace) -> None:
    """Raises unless the caller is the operator or `main`."""
    if not workspace.actor.is_operator and not _is_main(workspace):
        raise ReachRefusedError(
            f"Only {MAIN} writes the shared memory; every agent reads it.",
            hint=f"Leave --shared out, or have {MAIN} remember it.",
        )


def begin(workspace: Workspace) -> Registered:
    """Makes the shared folder a workspace and commits what is there; a second call does nothing."""
    folder, place = _shared(workspace)
    if place and is_workspace(place):
        return Registered(SHARED, folder, "kept", "", (), dry_run=workspace.dry_run)
    if workspace.dry_run:
        return Registered(SHARED, folder, "added", "", (folder / CONFIG,), dry_run=True)
    place = place or new_repository(folder, workspace.env)
    place.shared.mkdir(exist_ok=True)
    with closing(Workspace(place, workspace.caller)) as made:
        made.git.snapshot(workspace.now)
        intent = Intent(
            CLAWGIT, "init", "begin the shared memory", "All agents read it, main writes it."
        )
        with made.transaction(intent) as tx:
            if tx.read(CONFIG) is None:
                tx.put(CONFIG, _TEXT)
    changed = tuple(folder / path for path in tx.outcome.changed)
    return Registered(SHARED, folder, "added", "", changed, tx.outcome.commit, tx.outcome.id)


def _is_main(workspace: Workspace) -> bool:
    """Whether the agent here is `main` by name; if no agent has that name, the first one counts."""
    agents = known(workspace.caller)
    main = [*(agent for agent in agents if agent.agent == MAIN), *agents][:1]
    return any(same_folder(agent.path, workspace.root) for agent in main)

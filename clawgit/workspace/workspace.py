"""The workspace that a command works on. Its git store opens when it is first needed."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.core.errors import NotAWorkspaceError
from clawgit.git.gitdir import find_repo
from clawgit.git.lock import may_need_recovery
from clawgit.git.place import RepoPlace
from clawgit.safety.own_files import config_name
from clawgit.workspace.workspace_base import Caller as Caller  # noqa: PLC0414 - all take both from here
from clawgit.workspace.workspace_base import WorkspaceBase

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from clawgit.git.rules.history import Intent
    from clawgit.git.store import GitStore
    from clawgit.git.transaction import Transaction


class Workspace(WorkspaceBase):
    """One agent's workspace, to be read and written."""

    @cached_property
    def git(self) -> "GitStore":
        """The store, under the rules of this workspace."""
        from clawgit.soul.guarding import open_store  # noqa: PLC0415 - the git store, 50 ms

        return open_store(self)

    def transaction(
        self, intent: "Intent", *, parkable: bool = False
    ) -> "AbstractContextManager[Transaction]":
        """Edits in the block become one commit when it ends; in a dry run they become none."""
        return self.git.transaction(intent, self.now, dry_run=self.dry_run, parkable=parkable)

    def change(
        self, verb: str, summary: str, reason: str = "", evidence: tuple[str, ...] = (), **more: Any
    ) -> "AbstractContextManager[Transaction]":
        """A transaction of the caller's; `more` are other fields of its intent."""
        from clawgit.soul.guarding import Intent  # noqa: PLC0415 - as above

        return self.transaction(Intent(self.actor, verb, summary, reason, evidence, **more))

    def close(self) -> None:
        if "git" in self.__dict__:
            self.git.close()


def open_workspace(start: Path, caller: Caller) -> Workspace:
    """The workspace that contains `start`. What a crash interrupted is finished first."""
    place = find_repo(start, caller.env)
    if not is_workspace(place):
        raise NotAWorkspaceError(
            f"{place.root} is a git repository, but not a clawgit workspace.",
            hint=f"clawgit init '{place.root}'",
        )
    workspace = Workspace(place, caller)
    if may_need_recovery(place):
        workspace.git.heal(caller.now)
    return workspace


def workspace_around(start: Path, env: Mapping[str, str]) -> RepoPlace | None:
    """The workspace that a folder is in; None if it is in none."""
    try:
        place = find_repo(start, env)
    except NotAWorkspaceError:
        return None
    return place if is_workspace(place) else None


def is_workspace(place: RepoPlace) -> bool:
    return place.shared.is_dir() or (place.root / config_name(place.root)).is_file()

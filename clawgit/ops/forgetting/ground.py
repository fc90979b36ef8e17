"""What the search of every place needs: the workspace, the words, and clawgit's folders."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.forgetting.needle import Matcher
from clawgit.errors import BusyError
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.state_copies import repository_copies
from clawgit.stores.xdg import state_home

_LOCKS = ("runner.lock", "serve.lock")
"""Locks held by processes that keep the memory open."""


class Ground(NamedTuple):
    """A workspace, and the words to forget."""

    workspace: Workspace
    matcher: Matcher

    @property
    def folders(self) -> list[Path]:
        """Our own folders in `.git`: the shared one, and one for each worktree."""
        common = self.workspace.place.common_dir
        return [common / "clawgit", *sorted((common / "worktrees").glob("*/clawgit"))]

    @property
    def copies(self) -> Path:
        """The folder of the daily copies of state.db."""
        caller = self.workspace.caller
        return repository_copies(self.workspace.place, caller.env, caller.home).folder

    @property
    def state_home(self) -> Path:
        """What all workspaces of this user share: what `connect` changed, and the log of bugs."""
        return state_home(self.workspace.caller.env, self.workspace.caller.home) / "clawgit"

    def is_in(self, file: Path) -> bool:
        """Whether the raw bytes of a file hold the words."""
        try:
            return self.matcher.is_in_bytes(file.read_bytes())
        except FileNotFoundError:
            return False


def files_below(folder: Path) -> Iterator[Path]:
    """The plain files below a folder; links are not followed."""
    if folder.is_dir():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path


def refuse_running(ground: Ground) -> None:
    """Raises while a process of ours keeps the memory open: it would still have the words."""
    for folder in ground.folders:
        for name in _LOCKS:
            if holder := lock_holder(folder / name):
                raise BusyError(
                    f"A clawgit process that has read the memory is running: {holder}.",
                    hint="Stop it (`clawgit run`, `clawgit serve`) and try again. Afterwards, "
                    "restart connected agents too.",
                )

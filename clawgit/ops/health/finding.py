"""What `doctor` examines, and what a check returns: a finding, with the repairs it offers."""

import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from clawgit.domain.workspace.scope import Scope
from clawgit.errors import first_of
from clawgit.ops.health.reading import Reading, read_files
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace
from clawgit.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.stores.git.transaction import Outcome

GITLINK = 0o160000
_SHOWN = 3


class Mend(NamedTuple):
    """A repair that is safe without asking. `do` returns its outcome if it makes a commit.

    With `always` it is safe in a damaged repository too.
    """

    what: str
    do: "Callable[[], Outcome | None]"
    always: bool = False


class Finding(NamedTuple):
    """The result of a check. `fix` is the next step; with `ok`, the finding is a note.

    After a finding that `ends`, no other check runs; after `hands_off`, nothing is repaired.
    """

    ok: bool
    detail: str
    fix: str = ""
    mends: tuple[Mend, ...] = ()
    ends: bool = False
    hands_off: bool = False


@dataclass(frozen=True)
class Site:
    """The workspace as the checks see it. What was read is cached; `fresh` reads it again.

    `deep`: the checks may read the whole history and whole databases.
    """

    workspace: Workspace
    deep: bool = False

    @property
    def place(self) -> RepoPlace:
        return self.workspace.place

    @property
    def root(self) -> Path:
        return self.place.root

    @property
    def scope(self) -> Scope:
        return self.workspace.scope

    @cached_property
    def git(self) -> CGit:
        return self.workspace.cgit

    @cached_property
    def tracked(self) -> dict[str, int]:
        """Path → mode of what git's index holds."""
        records = self.git.text("ls-files", "-s", "-z").split("\0")
        return {
            path: int(head.split(" ")[0], 8)
            for head, tab, path in (record.partition("\t") for record in records)
            if tab
        }

    @cached_property
    def others(self) -> tuple[str, ...]:
        """Paths neither tracked nor ignored; the path of a nested repository ends with a slash."""
        return tuple(
            self.git.text("ls-files", "-z", "--others", "--exclude-standard").split("\0")[:-1]
        )

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Every path in the scope of the workspace, on disk or not."""
        own = (path for path, mode in self.tracked.items() if mode != GITLINK)
        all_paths = {*own, *(path for path in self.others if not path.endswith("/"))}
        return tuple(sorted(filter(self.scope.covers, all_paths)))

    @cached_property
    def markdown(self) -> tuple[str, ...]:
        return tuple(path for path in self.files if path.lower().endswith(".md"))

    @cached_property
    def on_disk(self) -> dict[str, os.stat_result]:
        """The `lstat` of each file in scope, without those that are gone."""
        statuses = {}
        root = f"{self.root}/"
        for path in self.files:
            with suppress(FileNotFoundError, NotADirectoryError):
                statuses[path] = os.lstat(root + path)
        return statuses

    @cached_property
    def reading(self) -> Reading:
        """The contents of the files in scope. Each is opened once for all checks."""
        regular = (path for path, status in self.on_disk.items() if S_ISREG(status.st_mode))
        return read_files(self.root, regular)

    def holder(self) -> str | None:
        """Who holds the workspace lock right now."""
        return lock_holder(self.place.private / "lock")

    def fresh(self) -> "Site":
        return Site(self.workspace, self.deep)


def several(items: list[str]) -> str:
    return first_of(items, _SHOWN, "; ")

"""What `doctor` examines, and what a look at it finds: a finding is data, its remedies are
offers.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.workspace.scope import Scope
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.lock import lock_holder
from clawgit.stores.git.place import RepoPlace

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.stores.git.transaction import Outcome

GITLINK = 0o160000
_SHOWN = 3


class Mend(NamedTuple):
    """One remedy that is safe to take without asking. `do` answers with a commit where it makes
    one.
    """

    what: str
    do: "Callable[[], Outcome | None]"


class Finding(NamedTuple):
    """`fix` is the next step; beside an `ok` it makes a note of it. After one that `ends`, no other
    look is taken; after one that says `hands_off`, nothing is mended.
    """

    ok: bool
    detail: str
    fix: str = ""
    mends: tuple[Mend, ...] = ()
    ends: bool = False
    hands_off: bool = False


@dataclass(frozen=True)
class Site:
    """The workspace as the checks see it. What several of them ask git is asked once, and again
    after `fresh`.
    """

    workspace: Workspace

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
            for head, tab, path in (one.partition("\t") for one in records)
            if tab
        }

    @cached_property
    def others(self) -> tuple[str, ...]:
        """What is neither tracked nor ignored; a repository of its own ends with a slash."""
        return tuple(
            self.git.text("ls-files", "-z", "--others", "--exclude-standard").split("\0")[:-1]
        )

    @property
    def files(self) -> tuple[str, ...]:
        """Every path that belongs to the workspace, on disk or not: what lies outside of the scope
        does not.
        """
        own = (path for path, mode in self.tracked.items() if mode != GITLINK)
        all_paths = {*own, *(path for path in self.others if not path.endswith("/"))}
        return tuple(sorted(filter(self.scope.covers, all_paths)))

    @property
    def markdown(self) -> tuple[str, ...]:
        return tuple(path for path in self.files if path.lower().endswith(".md"))

    def holder(self) -> str | None:
        """Who holds the workspace lock right now."""
        return lock_holder(self.place.private / "lock")

    def fresh(self) -> "Site":
        return Site(self.workspace)


def several(found: list[str]) -> str:
    """The first few, and how many more there are."""
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

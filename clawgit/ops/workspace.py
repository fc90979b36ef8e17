"""The workspace that a command works on: where it is, who asks, what time it is; opened pieces are made when needed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clawgit.domain.actors import Actor
from clawgit.errors import NotAWorkspaceError
from clawgit.stores.git.gitdir import RepoPlace, find_repo

if TYPE_CHECKING:
    from clawgit.config import Loaded
    from clawgit.stores.git.store import GitStore


@dataclass(frozen=True)
class Caller:
    """What a front end knows of its caller and hands down; nothing below a front end reads the environment."""

    actor: Actor
    env: Mapping[str, str]
    now: datetime
    home: Path


@dataclass(frozen=True)
class Workspace:
    """One agent's workspace. Its parts open late, since most commands need few of them.

    `admitted`: who calls was let in to write into the memory that all agents share.
    """

    place: RepoPlace
    caller: Caller
    _open: dict[str, "GitStore"] = field(default_factory=dict, repr=False)
    admitted: bool = False

    @property
    def root(self) -> Path:
        return self.place.root

    @property
    def now(self) -> datetime:
        return self.caller.now

    @property
    def git(self) -> "GitStore":
        if "git" not in self._open:
            from clawgit.ops.soul_rules import rules_of  # noqa: PLC0415 - libgit2 takes 40 ms to load
            from clawgit.stores.git.store import GitStore  # noqa: PLC0415

            self._open["git"] = GitStore(self.place, self.caller.env, rules=rules_of(self))
        return self._open["git"]

    @cached_property
    def config(self) -> "Loaded":
        from clawgit.ops.kept_config import kept_config  # noqa: PLC0415 - many commands need no settings

        return kept_config(self.place, self.caller)

    def read_config_anew(self) -> None:
        """For whoever has just changed what is in force."""
        self.__dict__.pop("config", None)

    @cached_property
    def zone(self) -> ZoneInfo | None:
        """The operator's time zone, else the system's; None where neither is known by name."""
        name = self.config.settings.timezone
        return ZoneInfo(name) if name else _system_zone(self.caller.env)

    @property
    def today(self) -> date:
        """The operator's day."""
        return self.now.astimezone(self.zone).date()

    def close(self) -> None:
        if "git" in self._open:
            self._open["git"].close()


def _system_zone(env: Mapping[str, str]) -> ZoneInfo | None:
    """The zone by which the clock on the wall goes, over changes to and from summer time."""
    file = Path("/etc/localtime")
    linked = str(file.resolve()).partition("/zoneinfo/")[2] if file.is_symlink() else ""
    try:
        return ZoneInfo(env.get("TZ") or linked or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return None


def open_workspace(start: Path, caller: Caller) -> Workspace:
    """The workspace that holds `start`. What a crash cut off is finished on the way in."""
    place = find_repo(start)
    if not is_workspace(place):
        raise NotAWorkspaceError(
            f"{place.root} is a git repository, but no clawgit workspace.", hint=f"clawgit init '{place.root}'"
        )
    workspace = Workspace(place, caller)
    if may_need_recovery(place):
        workspace.git.heal(caller.now)
    return workspace


def is_workspace(place: RepoPlace) -> bool:
    return place.shared.is_dir() or (place.root / "CONFIG.md").is_file()


def may_need_recovery(place: RepoPlace) -> bool:
    """Whether a crash may have left something, seen from a few file names, before libgit2 is loaded."""
    held = place.private / "held"
    refs, packed = place.common_dir / "refs" / "clawgit", place.common_dir / "packed-refs"
    return (
        (refs / "tx" / place.worktree).exists()
        or (refs / "parked" / place.worktree).exists()
        or (place.git_dir / "index.lock").exists()
        or (held.is_dir() and any(held.iterdir()))
        or (packed.is_file() and b" refs/clawgit/tx/" in packed.read_bytes())
    )

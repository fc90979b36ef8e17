"""The workspace that a command works on: where it is, who asks, what time it is; opened pieces are
made when needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clawgit.domain.change.actors import Actor
from clawgit.domain.workspace.layout import (
    CHANGELOG,
    CONFIG,
    LAYOUTS,
    OTHER_CHANGELOG,
    OTHER_CONFIG,
    Layout,
    scope_in_force,
)
from clawgit.domain.workspace.scope import Scope
from clawgit.errors import NotAWorkspaceError
from clawgit.stores.git.gitdir import RepoPlace, find_repo

if TYPE_CHECKING:
    from clawgit.config import Loaded
    from clawgit.stores.git.cgit import CGit
    from clawgit.stores.git.store import GitStore


@dataclass(frozen=True)
class Caller:
    """What a front end knows of its caller and hands down; nothing below a front end reads the
    environment.
    """

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
    adopting: "tuple[Layout, Scope] | None" = None
    """What `init` is about to write into the settings."""

    @property
    def root(self) -> Path:
        return self.place.root

    @property
    def now(self) -> datetime:
        return self.caller.now

    @property
    def git(self) -> "GitStore":
        if "git" not in self._open:
            from clawgit.ops.soul.rules import rules_of  # noqa: PLC0415 - libgit2 takes 40 ms to load
            from clawgit.ops.workspace.operator import commit_signer  # noqa: PLC0415 - only who writes signs
            from clawgit.stores.git.store import GitStore  # noqa: PLC0415

            self._open["git"] = GitStore(
                self.place,
                self.caller.env,
                rules=rules_of(self),
                signer=commit_signer(self.caller),
                trusted_filters=self.trusted_filters,
                scope=self.scope,
            )
        return self._open["git"]

    @property
    def trusted_filters(self) -> frozenset[str]:
        """The rows of the repository's own filters that the operator has accepted,
        `filter.NAME.clean=PROGRAM` each.
        """
        from clawgit.stores.git.filters import may_have_drivers  # noqa: PLC0415 - few commands start git

        if not may_have_drivers(self.root):
            return frozenset()
        from clawgit.ops.workspace.trust import accepted_filters  # noqa: PLC0415 - few repositories bring a filter

        return accepted_filters(self)

    @property
    def cgit(self) -> "CGit":
        """C git in this workspace, with the filters that may run."""
        from clawgit.stores.git.cgit import CGit  # noqa: PLC0415 - subprocess takes 8 ms to load

        return CGit(self.root, self.caller.env, self.trusted_filters)

    @cached_property
    def config(self) -> "Loaded":
        from clawgit.ops.workspace.kept_config import kept_config  # noqa: PLC0415 - many commands need no settings

        return kept_config(self.place, self.caller)

    def read_config_anew(self) -> None:
        """For whoever has just changed what is in force."""
        self.__dict__.pop("config", None)

    @cached_property
    def layout(self) -> Layout:
        """The kind of workspace this is."""
        return self.adopting[0] if self.adopting else LAYOUTS[self.config.settings.layout]

    @cached_property
    def scope(self) -> Scope:
        """The paths that are clawgit's. All others are neither read, nor judged, nor committed."""
        if self.adopting:
            return self.adopting[1]
        settings = self.config.settings
        return scope_in_force(settings.layout, settings.scope, config_name(self.root))

    @property
    def changelog(self) -> str:
        """Where the history of the identity stands: under its second name, where CHANGELOG.md is
        somebody else's.
        """
        from clawgit.domain.workspace.adoption import changelog_name  # noqa: PLC0415 - few commands ask

        texts = _there(self.root / CHANGELOG), _there(self.root / OTHER_CHANGELOG)
        return changelog_name(self.layout, *texts, lambda: had_changelog(self.cgit))

    @property
    def config_file(self) -> str:
        return config_name(self.root)

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
    place = find_repo(start, caller.env)
    if not is_workspace(place):
        raise NotAWorkspaceError(
            f"{place.root} is a git repository, but no clawgit workspace.",
            hint=f"clawgit init '{place.root}'",
        )
    workspace = Workspace(place, caller)
    if may_need_recovery(place):
        workspace.git.heal(caller.now)
    return workspace


def is_workspace(place: RepoPlace) -> bool:
    return place.shared.is_dir() or (place.root / config_name(place.root)).is_file()


def had_changelog(git: "CGit") -> bool:
    """Whether CHANGELOG.md ever held clawgit's marks, in any commit that HEAD reaches."""
    from clawgit.domain.soul.changelog import START  # noqa: PLC0415 - asked only where they are missing

    return bool(
        git.text(
            "log", "-1", "--format=%H", f"-S{START}", "HEAD", "--", CHANGELOG, ok=(0, 128)
        ).strip()
    )


def _there(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None


def config_name(root: Path) -> str:
    """The file that holds the settings: the second name exists only where the first was taken."""
    return OTHER_CONFIG if (root / OTHER_CONFIG).is_file() else CONFIG


def may_need_recovery(place: RepoPlace) -> bool:
    """Whether a crash may have left something, seen from a few file names, before libgit2 is
    loaded.
    """
    held = place.private / "held"
    refs, packed = place.common_dir / "refs" / "clawgit", place.common_dir / "packed-refs"
    return (
        (refs / "tx" / place.worktree).exists()
        or (refs / "parked" / place.worktree).exists()
        or (place.git_dir / "index.lock").exists()
        or (held.is_dir() and any(held.iterdir()))
        or (packed.is_file() and b" refs/clawgit/tx/" in packed.read_bytes())
    )

"""A workspace without its git store: its folder, its caller, its settings.

The rules that judge a change get this. A `Workspace` adds the store, which calls these rules.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from clawgit.core import NamedTuple
from clawgit.core.doors import zoneinfo
from clawgit.core.layout import LAYOUTS, Layout, Scope, scope_in_force
from clawgit.git.cgit import CGit
from clawgit.git.guards.filters import may_have_drivers
from clawgit.git.place import RepoPlace
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.when import time_named
from clawgit.git.worktree import glance
from clawgit.safety.own_files import config_name

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from clawgit.core.config.load import Loaded
    from clawgit.core.config.settings import Settings
    from clawgit.history.rules.record import Forgotten
    from clawgit.safety.own_texts import OwnTexts
    from clawgit.workspace.stores.state import State


class Caller(NamedTuple):
    """What a front end knows of its caller. Nothing below a front end reads the environment."""

    actor: Actor
    env: Mapping[str, str]
    now: datetime
    home: Path
    dry_run: bool = False
    """The call says what it would do, and writes nothing."""


class _Standing(NamedTuple):
    """What a workspace is made of.

    `admitted`: the caller may write into the memory that all agents share.
    """

    place: RepoPlace
    caller: Caller
    admitted: bool = False
    adopting: tuple[Layout, Scope] | None = None
    """What `init` is about to write into the settings."""


class WorkspaceBase(_Standing):
    """One agent's workspace. Settings are read when first asked for: many commands need none."""

    @property
    def root(self) -> Path:
        return self.place.root

    @property
    def now(self) -> datetime:
        return self.caller.now

    @property
    def actor(self) -> Actor:
        return self.caller.actor

    @property
    def env(self) -> Mapping[str, str]:
        return self.caller.env

    @property
    def settings(self) -> "Settings":
        return self.config.settings

    @property
    def dry_run(self) -> bool:
        return self.caller.dry_run

    def dry(self) -> Self:
        """The same workspace, in which nothing is written."""
        return self._replace(caller=self.caller._replace(dry_run=True))

    def at(self, now: datetime) -> Self:
        """The same workspace at another time. Its settings are read again where they changed."""
        return self._replace(caller=self.caller._replace(now=now))

    @property
    def trusted_filters(self) -> frozenset[str]:
        """The rows of the repository's own filters that the operator has accepted,
        `filter.NAME.clean=PROGRAM` each.
        """
        # Few repositories have a filter; for others the trust store is not read.
        if not may_have_drivers(self.root):
            return frozenset()
        from clawgit.safety import in_force  # noqa: PLC0415 - 20 ms; triage reads no setting

        return in_force.filters_in_force(self.place, self.caller)

    @property
    def cgit(self) -> CGit:
        """C git in this workspace, with the filters that may run."""
        return CGit(self.root, self.env, self.trusted_filters)

    @cached_property
    def config(self) -> "Loaded":
        from clawgit.safety import in_force  # noqa: PLC0415 - 20 ms; triage reads no setting

        return in_force.config_in_force(self.place, self.caller)

    def glance(self, path: str) -> str:
        """The text of a file for a quick look; "" if it may not be read."""
        return glance(self.root, path)

    def own_texts(self) -> "OwnTexts":
        """The text that is the operator's, read again each time."""
        from clawgit.safety.own_texts import own_texts  # noqa: PLC0415 - a judge, 20 ms

        return own_texts(self)

    def state(self, now: datetime | None = None) -> "AbstractContextManager[State]":
        """Its messages, queues, runs, and what else no file holds, open until the end of the
        block. A long run says what time it is by then.
        """
        from clawgit.workspace.stores import state  # noqa: PLC0415 - SQLite, 10 ms

        log = state.repository_log(self.place, self.caller)
        return state.open_state(state.state_file(self.place), log, now or self.now)

    def forgotten(self) -> "Forgotten":
        """What was forgotten here: of a text it can tell only whether it has such words."""
        from clawgit.git.forgotten import forgotten_in  # noqa: PLC0415 - 6 modules, 1 ms

        return forgotten_in(self.place, lambda: self.cgit)

    def read_config_anew(self) -> None:
        """Reads the settings again. Call this after what is in force has changed."""
        self.__dict__.pop("config", None)

    @cached_property
    def layout(self) -> Layout:
        """The kind of workspace this is."""
        return self.adopting[0] if self.adopting else LAYOUTS[self.settings.layout]

    @cached_property
    def scope(self) -> Scope:
        """The paths that clawgit manages. Others are not read, judged or committed."""
        if self.adopting:
            return self.adopting[1]
        settings = self.settings
        return scope_in_force(settings.layout, settings.patterns, config_name(self.root))

    @property
    def config_file(self) -> str:
        return config_name(self.root)

    @cached_property
    def zone(self) -> tzinfo | None:
        """The operator's time zone, else the system's; None where neither is known by name."""
        name = self.settings.timezone
        return zoneinfo.ZoneInfo(name) if name else _system_zone(self.env)

    def moment(self, text: str, *, end: bool = False) -> datetime | None:
        """A day or a time as typed, None for "". With `end`, a day without a time means its end."""
        return time_named(text, self.now, self.zone, end=end) if text else None

    @property
    def local_zone(self) -> tzinfo:
        """The operator's time zone, else that of the caller's clock."""
        return self.zone or self.now.tzinfo or UTC

    @property
    def local_now(self) -> datetime:
        """The time in the operator's zone."""
        return self.now.astimezone(self.zone)

    @property
    def today(self) -> date:
        return self.local_now.date()


def _system_zone(env: Mapping[str, str]) -> tzinfo | None:
    """The time zone of the system, None where it has no name."""
    file = Path("/etc/localtime")
    linked = str(file.resolve()).partition("/zoneinfo/")[2] if file.is_symlink() else ""
    name = env.get("TZ") or linked
    if name in _UTC:
        return UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return None


_UTC = ("", "UTC", "Etc/UTC")
"""The zone of most servers, which Python knows without loading zones for 4 ms."""

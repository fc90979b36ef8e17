"""Git's configuration of remotes: read once, by one process."""

import re
from typing import NamedTuple

from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.guards.filters import rows_of
from clawgit.stores.git.guards.hardened import Pair

USERS = ("system", "global")
"""The scopes of the user and the system, not of the repository."""

_OURS = "command"


class Setting(NamedTuple):
    """One row. Git writes keys in small letters, except for the name in the middle."""

    scope: str
    key: str
    value: str


class Configured(NamedTuple):
    """All rows, in the order in which git reads them: the last one of a key wins."""

    rows: tuple[Setting, ...]

    def values(self, key: str) -> list[str]:
        return [row.value for row in self.rows if row.key == key]

    def last(self, key: str) -> str:
        return next(iter(self.values(key)[::-1]), "")

    def matching(self, pattern: str, *, users: bool) -> list[Pair]:
        """The rows with matching keys, of the user's own configuration or of the repository's."""
        key = re.compile(pattern)
        return [
            (row.key, row.value)
            for row in self.rows
            if (row.scope in USERS) is users and key.search(row.key)
        ]

    @property
    def remotes(self) -> list[str]:
        """The names of all remotes."""
        found = (re.fullmatch(r"remote\.(.+)\.[^.]+", row.key) for row in self.rows)
        return sorted({match[1] for match in found if match})


def configured(git: CGit) -> Configured:
    """The configuration of a repository and its user, without our overrides."""
    listed = git.text("config", "-z", "--show-scope", "--list")
    return Configured(tuple(Setting(*row) for row in rows_of(listed) if row[0] != _OURS))

"""Which changes are meant: by who made them, in which run or session, when, and what they say."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from clawgit.domain.change.history import Commit
from clawgit.errors import first_of


class Selection(NamedTuple):
    """Only changes that fit all that is given. `since` is included, `until` is not."""

    grep: str = ""
    by: str = ""
    run: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def takes(self, commit: Commit) -> bool:
        message = commit.message
        if self.run not in ("", message.run) or self.session not in ("", message.session):
            return False
        if self.since is not None and commit.time < self.since:
            return False
        if self.until is not None and commit.time >= self.until:
            return False
        return self._is_by(commit) and self._says(commit)

    def _is_by(self, commit: Commit) -> bool:
        """By the actor, or by git's author: the whole name or one of its words."""
        if not self.by:
            return True
        wanted, author = self.by.casefold(), commit.author.casefold()
        return wanted in (commit.actor.casefold(), author, *author.split())

    def _says(self, commit: Commit) -> bool:
        if not self.grep:
            return True
        message = commit.message
        text = "\n".join((message.headline, message.reason, *message.evidence))
        return self.grep.casefold() in text.casefold()


_MOST = 8
"""At most this many makers of changes are named."""


def nothing_taken(selection: Selection, commits: Iterable[Commit]) -> str:
    """Why a selection takes none of these changes, newest first, and what there is instead."""
    every = list(commits)
    if not every:
        return ""
    if not any(map(Selection(by=selection.by).takes, every)):
        return f"no changes by {selection.by}; by: {_makers(every)}"
    newest, oldest = max(commit.time for commit in every), min(commit.time for commit in every)
    since, until = selection.since, selection.until
    if since is not None and since > newest:
        last = _when(newest, since)
        return f"no changes since {_when(since, since)}; the last one is from {last}"
    if until is not None and until <= oldest:
        last = _when(until - timedelta(minutes=1), until)
        return f"no changes until {last}; the first one is from {_when(oldest, until)}"
    if not any(map(Selection(grep=selection.grep).takes, every)):
        return f"no change says “{selection.grep}”; {len(every):,} were searched"
    return "no change matches all of that; leave a condition out"


def _makers(commits: Iterable[Commit]) -> str:
    """Who made changes, those with the most first."""
    counts = Counter(commit.actor for commit in commits)
    return first_of((name for name, _ in counts.most_common()), _MOST)


def _when(time: datetime, like: datetime) -> str:
    """A time in the zone in which the user named one."""
    return f"{time.astimezone(like.tzinfo):%Y-%m-%d %H:%M}"

"""Which changes are meant: by who made them, in which run or session, when, and what they say."""

from datetime import datetime
from typing import NamedTuple

from clawgit.domain.change.history import Commit, CommitMessage


class Selection(NamedTuple):
    """Only changes that fit all that is given. `since` is included, `until` is not."""

    grep: str = ""
    by: str = ""
    run: str = ""
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None
    kind: str = ""

    def takes(self, commit: Commit) -> bool:
        message = commit.message
        if self.run not in ("", message.run) or self.session not in ("", message.session):
            return False
        if self.since is not None and commit.time < self.since:
            return False
        if self.until is not None and commit.time >= self.until:
            return False
        return self._is_by(commit) and self._is_of_kind(message) and self._says(commit)

    def _is_by(self, commit: Commit) -> bool:
        """By the actor, or by git's author: the whole name or one of its words."""
        if not self.by:
            return True
        wanted, author = self.by.casefold(), commit.author.casefold()
        return wanted in (commit.actor.casefold(), author, *author.split())

    def _is_of_kind(self, message: CommitMessage) -> bool:
        """By what was done: the whole operation or its verb."""
        return not self.kind or self.kind.casefold() in (message.op, message.verb)

    def _says(self, commit: Commit) -> bool:
        if not self.grep:
            return True
        message = commit.message
        text = "\n".join((message.headline, message.reason, *message.evidence))
        return self.grep.casefold() in text.casefold()

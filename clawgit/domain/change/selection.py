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
        message, when, author = commit.message, commit.time, commit.author.casefold()
        # By the actor, or by git's author: the whole name or one of its words.
        names = ("", commit.actor.casefold(), author, *author.split())
        told = ((self.run, message.run), (self.session, message.session), (self.kind, message.verb))
        return (
            all(wanted in ("", own) for wanted, own in told)
            and (self.since or when) <= when
            and (self.until is None or when < self.until)
            and self.by.casefold() in names
            and self._says(message)
        )

    def _says(self, message: CommitMessage) -> bool:
        if not self.grep:
            return True
        text = "\n".join((message.headline, message.reason, *message.evidence))
        return self.grep.casefold() in text.casefold()

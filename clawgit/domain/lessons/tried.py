"""Failures that were overcome, as transcripts show them: what failed, and what worked then."""

from datetime import datetime
from typing import NamedTuple

from clawgit.domain.runner.run_marks import digest


class ToolCommand(NamedTuple):
    """`program` is what runs, without `sudo`, `cd …` and variables before it.

    `verb` is the first word after it that is no option.
    """

    text: str
    program: str
    verb: str
    words: frozenset[str]


class Attempt(NamedTuple):
    """One tool call and its result. `id` is the entry of the result; `error` is "" if it worked."""

    tool: str
    arguments: str
    command: ToolCommand
    id: str
    time: datetime | None
    error: str
    asked: str = ""


class ToolRecovery(NamedTuple):
    """What failed, in the order in which it was tried, and what worked then."""

    session: str
    tried: tuple[Attempt, ...]
    worked: Attempt

    @property
    def evidence(self) -> tuple[str, ...]:
        """The messages that show it, as entries cite them."""
        return tuple(
            f"chat:{self.session}/{attempt.id}" for attempt in (self.tried[0], self.worked)
        )

    @property
    def name(self) -> str:
        return digest(*self.evidence)


class TriedTools(NamedTuple):
    """What new and grown transcripts show, and the mark of all that have been read now."""

    recoveries: tuple[ToolRecovery, ...] = ()
    mark: str = ""
    notes: tuple[str, ...] = ()

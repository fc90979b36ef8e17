"""The growth digest: what the agent learned and how its soul changed, from commits alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import NamedTuple

from clawgit.domain.change.authority import IDENTITY, SOULS
from clawgit.domain.change.history import Commit
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.compaction.log import PATH as COMPACTIONS
from clawgit.domain.corrections.corrections import CORRECTIONS, corrections
from clawgit.domain.corrections.statuses import status_of
from clawgit.domain.digest.entries import FileChange, LearnedEntry, Ledger
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.soul.soul import section_changes

DAY = "day"
WEEK = "week"
LENGTHS: Mapping[str, timedelta] = {DAY: timedelta(days=1), WEEK: timedelta(weeks=1)}


class DigestCommit(NamedTuple):
    """A commit with its changes to the files that a digest is about."""

    commit: Commit
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class SoulChange:
    """One change of SOUL.md or IDENTITY.md. `what` has one line for each principle."""

    file: str
    what: tuple[str, ...]
    commit: str
    actor: str
    why: str
    evidence: tuple[str, ...]
    take_back: str


@dataclass(frozen=True, slots=True)
class DigestCorrection:
    """A correction by the operator, or one that waits until the operator says what is right."""

    id: str
    said: str
    correct: str
    status: str
    commit: str

    @property
    def is_asked(self) -> bool:
        return status_of(self.status).waits


@dataclass(frozen=True, slots=True)
class DigestConflict:
    """Two memories that contradict each other."""

    id: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Period:
    """A day or a week. `learned` is what became of entries."""

    begin: datetime
    end: datetime
    learned: tuple[LearnedEntry, ...]
    soul: tuple[SoulChange, ...]
    corrections: tuple[DigestCorrection, ...]

    @property
    def set_right(self) -> tuple[DigestCorrection, ...]:
        return tuple(one for one in self.corrections if not one.is_asked)

    @property
    def asked(self) -> tuple[DigestCorrection, ...]:
        return tuple(one for one in self.corrections if one.is_asked)

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections)


@dataclass(frozen=True, slots=True)
class DigestSection:
    """What another part of clawgit adds to a digest, one line for each thing."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """`periods` are those in which something happened, newest first.

    `open_conflicts` are those that wait for the operator now.
    """

    agent: str
    since: datetime
    until: datetime
    periods: tuple[Period, ...]
    open_conflicts: tuple[DigestConflict, ...]
    sections: tuple[DigestSection, ...] = ()

    @property
    def is_quiet(self) -> bool:
        return not self.periods


def spans(
    since: datetime, until: datetime, unit: str, zone: tzinfo
) -> Iterator[tuple[datetime, datetime]]:
    """The days or weeks of the operator's calendar between two moments. The first and the last may
    be shorter.
    """
    # By calendar days and not by 24 hours, because of daylight saving time.
    begin, day = since, since.astimezone(zone).date()
    while begin < until:
        day += timedelta(days=1 if unit == DAY else 7 - day.weekday())
        end = min(datetime.combine(day, time(), zone), until)
        yield begin, end
        begin = end


def digest(
    agent: str,
    steps: Sequence[DigestCommit],
    periods: Sequence[tuple[datetime, datetime]],
    flagged: str,
    sections: tuple[DigestSection, ...] = (),
) -> Digest:
    """The digest of commits, oldest first. `flagged` is CONFLICTS.md at the end."""
    # A merge repeats what its parents did, and the first commit has nothing before it.
    grown = [step for step in steps if len(step.commit.parents) == 1]
    every = [
        _period(begin, end, [step for step in grown if begin <= step.commit.time < end])
        for begin, end in periods
    ]
    waiting = tuple(
        DigestConflict(one.id, one.a.text, one.b.text) for one in conflicts(flagged) if one.open
    )
    shown = tuple(period for period in reversed(every) if not period.is_quiet)
    return Digest(agent, periods[0][0], periods[-1][1], shown, waiting, sections)


def is_covered(path: str) -> bool:
    """Whether a digest covers the changes of a file."""
    if path in (*SOULS, CORRECTIONS, COMPACTIONS):
        return True
    is_hidden = "/." in path
    return holds_entries(path) and not is_hidden and not path.startswith("memory/archive/")


def _period(begin: datetime, end: datetime, steps: Sequence[DigestCommit]) -> Period:
    ledger = Ledger()
    soul: list[SoulChange] = []
    # By id: a redo brings a correction back that an undo took out, and an answer closes a question.
    right: dict[str, DigestCorrection] = {}
    for step in steps:
        entries = [change for change in step.changes if holds_entries(change.path)]
        compacts = any(change.path == COMPACTIONS for change in step.changes)
        ledger.take(step.commit, entries, compacts=compacts)
        soul += _soul(step)
        right |= {each.id: each for each in _set_right(step)}
    return Period(begin, end, ledger.told(), tuple(soul), tuple(right.values()))


def _soul(step: DigestCommit) -> Iterator[SoulChange]:
    commit, message = step.commit, step.commit.message
    for change in step.changes:
        lines = tuple(_principles(change)) if change.path in SOULS else ()
        if lines:
            flag = " --identity" if change.path == IDENTITY else ""
            yield SoulChange(
                file=change.path,
                what=lines,
                commit=commit.name,
                actor=commit.actor,
                why=message.reason or message.headline,
                evidence=message.evidence,
                take_back=f"clawgit soul revert {commit.name}{flag}",
            )


def _principles(change: FileChange) -> Iterator[str]:
    for section in section_changes(change.before, change.after):
        yield from (f"added: {text}" for text in section.added)
        yield from (f"reworded: {old} → {new}" for old, new in section.reworded)
        yield from (f"dropped: {text}" for text in section.dropped)
        yield from (f"moved to {section.section}: {text}" for text in section.moved)


def _set_right(step: DigestCommit) -> Iterator[DigestCorrection]:
    for change in step.changes:
        if change.path != CORRECTIONS:
            continue
        before = {each.id: each.waits for each in corrections(change.before)}
        for correction in corrections(change.after):
            # What waits is told once more when it is answered.
            is_known = before.get(correction.id) in (False, correction.waits)
            if correction.correct and not is_known:
                yield DigestCorrection(
                    id=correction.id,
                    said=correction.said or correction.was.partition(" ")[2],
                    correct=correction.correct,
                    status=correction.status,
                    commit=step.commit.name,
                )

"""The growth digest: what the agent learned and how its soul changed, from commits alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from itertools import chain
from typing import NamedTuple, TypeVar

from clawgit.domain.change.actors import SNAPSHOT
from clawgit.domain.change.authority import IDENTITY, SOULS
from clawgit.domain.change.history import Commit
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import Conflict, conflicts
from clawgit.domain.compaction.log import PATH as COMPACTIONS
from clawgit.domain.corrections.corrections import CORRECTIONS, corrections
from clawgit.domain.corrections.statuses import status_of
from clawgit.domain.digest.entries import FileChange, LearnedEntry, Ledger
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.soul.soul import SectionChange, section_changes

DAY = "day"
WEEK = "week"
LENGTHS: Mapping[str, timedelta] = {DAY: timedelta(days=1), WEEK: timedelta(weeks=1)}


class DigestCommit(NamedTuple):
    """A commit with its changes to the files that a digest is about, and all paths it touched."""

    commit: Commit
    changes: tuple[FileChange, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SoulChange:
    """One change of SOUL.md or IDENTITY.md. `what` has one row for each principle."""

    file: str
    what: tuple["PrincipleChange", ...]
    commit: str
    time: datetime
    actor: str
    summary: str
    why: str
    evidence: tuple[str, ...]
    take_back: str


@dataclass(frozen=True, slots=True)
class PrincipleChange:
    """`kind` is added, dropped, reworded or moved; `was` is how a reworded one read before."""

    section: str
    kind: str
    text: str
    was: str = ""


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
    """Two memories that contradict each other. `outcome` begins with “flagged” while it is open."""

    id: str
    a: str
    b: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """What an actor wrote into the files without clawgit."""

    actor: str
    commits: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Period:
    """A day or a week. `learned` is what became of entries; `compacted` counts those that a summary
    replaced.
    """

    begin: datetime
    end: datetime
    commits: int
    learned: tuple[LearnedEntry, ...]
    soul: tuple[SoulChange, ...]
    corrections: tuple[DigestCorrection, ...]
    settled: tuple[DigestConflict, ...]
    compacted: int
    foreign: tuple[Foreign, ...]

    @property
    def set_right(self) -> tuple[DigestCorrection, ...]:
        return tuple(one for one in self.corrections if not one.is_asked)

    @property
    def asked(self) -> tuple[DigestCorrection, ...]:
        return tuple(one for one in self.corrections if one.is_asked)

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections or self.settled or self.compacted)


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
        return all(period.is_quiet for period in self.periods)


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
    every = [
        _period(begin, end, [step for step in steps if begin <= step.commit.time < end])
        for begin, end in periods
    ]
    waiting = tuple(_disagreement(conflict) for conflict in conflicts(flagged) if conflict.open)
    shown = tuple(period for period in reversed(every) if period.foreign or not period.is_quiet)
    first_begin, _ = periods[0]
    _, last_end = periods[-1]
    return Digest(agent, first_begin, last_end, shown, waiting, sections)


def is_covered(path: str) -> bool:
    """Whether a digest covers the changes of a file."""
    if path in (*SOULS, CORRECTIONS, CONFLICTS, COMPACTIONS):
        return True
    is_hidden = "/." in path
    return holds_entries(path) and not is_hidden and not path.startswith("memory/archive/")


def _period(begin: datetime, end: datetime, steps: Sequence[DigestCommit]) -> Period:
    # A merge repeats what its parents did, and the first commit has nothing before it.
    grown = [step for step in steps if len(step.commit.parents) == 1]
    ledger = _ledger(grown)
    return Period(
        begin=begin,
        end=end,
        commits=len(steps),
        learned=ledger.told(),
        soul=_every(_soul, grown),
        # A redo brings a correction back that an undo took out, and an answer closes a question: it
        # is still one.
        corrections=tuple({each.id: each for each in _every(_set_right, grown)}.values()),
        settled=_every(_settled, grown),
        compacted=ledger.compacted,
        foreign=tuple(_foreign(steps)),
    )


def _ledger(steps: Iterable[DigestCommit]) -> Ledger:
    ledger = Ledger()
    for step in steps:
        entries = [change for change in step.changes if holds_entries(change.path)]
        ledger.take(step.commit, entries, compacts=_compacts(step))
    return ledger


T = TypeVar("T")


def _every(
    read: Callable[[DigestCommit], Iterable[T]], steps: Iterable[DigestCommit]
) -> tuple[T, ...]:
    """What a function reads from all steps."""
    return tuple(chain.from_iterable(map(read, steps)))


def _soul(step: DigestCommit) -> Iterator[SoulChange]:
    commit, message = step.commit, step.commit.message
    for change in step.changes:
        if change.path not in SOULS:
            continue
        sections = section_changes(change.before, change.after)
        if sections:
            flag = " --identity" if change.path == IDENTITY else ""
            yield SoulChange(
                file=change.path,
                what=tuple(chain.from_iterable(map(_principles, sections))),
                commit=commit.name,
                time=commit.time,
                actor=commit.actor,
                summary=message.headline,
                why=message.reason,
                evidence=message.evidence,
                take_back=f"clawgit soul revert {commit.name}{flag}",
            )


def _principles(change: SectionChange) -> Iterator[PrincipleChange]:
    yield from (PrincipleChange(change.section, "added", text) for text in change.added)
    yield from (
        PrincipleChange(change.section, "reworded", new, old) for old, new in change.reworded
    )
    yield from (PrincipleChange(change.section, "dropped", text) for text in change.dropped)
    yield from (PrincipleChange(change.section, "moved", text) for text in change.moved)


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


def _settled(step: DigestCommit) -> Iterator[DigestConflict]:
    """Conflicts that were decided, or found and decided at once."""
    for change in step.changes:
        if change.path != CONFLICTS:
            continue
        decided = {conflict.id for conflict in conflicts(change.before) if not conflict.open}
        for conflict in conflicts(change.after):
            if not conflict.open and conflict.id not in decided:
                yield _disagreement(conflict)


def _compacts(step: DigestCommit) -> bool:
    return any(change.path == COMPACTIONS for change in step.changes)


def _foreign(steps: Iterable[DigestCommit]) -> Iterator[Foreign]:
    """What others wrote, which a snapshot or a commit of plain git took in."""
    by_actor: dict[str, list[DigestCommit]] = {}
    for step in steps:
        # A snapshot is clawgit's commit of what others wrote. Plain git leaves no operation.
        if step.commit.message.verb == SNAPSHOT or not step.commit.message.op:
            by_actor.setdefault(step.commit.actor, []).append(step)
    for actor, theirs in by_actor.items():
        yield Foreign(
            actor, len(theirs), tuple(sorted({path for step in theirs for path in step.paths}))
        )


def _disagreement(conflict: Conflict) -> DigestConflict:
    return DigestConflict(conflict.id, conflict.a.text, conflict.b.text, conflict.outcome)

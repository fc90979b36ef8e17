"""The growth digest: what the agent learned and how its soul changed, by day or by week, told from
commits alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import NamedTuple

from clawgit.domain.change.actors import SNAPSHOT
from clawgit.domain.change.authority import SOULS
from clawgit.domain.change.history import Commit
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import Conflict, conflicts
from clawgit.domain.compaction.log import PATH as COMPACTIONS
from clawgit.domain.corrections.corrections import CORRECTIONS, corrections
from clawgit.domain.digest.entries import Learned, Ledger
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.soul.soul import SectionChange, section_changes

DAY = "day"
WEEK = "week"
LENGTHS: Mapping[str, timedelta] = {DAY: timedelta(days=1), WEEK: timedelta(weeks=1)}


class FileChange(NamedTuple):
    """What a commit made of a file; "" where there was or is none."""

    path: str
    before: str
    after: str


class Step(NamedTuple):
    """A commit with what it did to the files that a digest is about, and all files that it
    touched.
    """

    commit: Commit
    changes: tuple[FileChange, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SoulChange:
    """One change of SOUL.md or IDENTITY.md. `what` has one row for each principle."""

    file: str
    what: tuple["Principle", ...]
    commit: str
    time: datetime
    actor: str
    summary: str
    why: str
    evidence: tuple[str, ...]
    take_back: str


@dataclass(frozen=True, slots=True)
class Principle:
    """`kind` is added, dropped, reworded or moved; `was` is how a reworded one read before."""

    section: str
    kind: str
    text: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class SetRight:
    """A correction of the operator's."""

    id: str
    said: str
    correct: str
    status: str
    time: datetime
    commit: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two memories that contradict each other. `outcome` begins with “flagged” while nobody has
    decided.
    """

    id: str
    a: str
    b: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Compacted:
    """A commit that told old notes in fewer words, and how many entries left the files by it."""

    commit: str
    time: datetime
    summary: str
    entries: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """What somebody wrote into the files without clawgit."""

    actor: str
    commits: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Period:
    """A day or a week. `learned` is what became of entries between its ends; `passing` came and
    went in between.
    """

    begin: datetime
    end: datetime
    commits: int
    learned: tuple[Learned, ...]
    passing: int
    soul: tuple[SoulChange, ...]
    corrections: tuple[SetRight, ...]
    settled: tuple[Disagreement, ...]
    compactions: tuple[Compacted, ...]
    foreign: tuple[Foreign, ...]

    @property
    def is_quiet(self) -> bool:
        return not (
            self.learned or self.soul or self.corrections or self.settled or self.compactions
        )


@dataclass(frozen=True, slots=True)
class Section:
    """What another part has to say in a digest, one line for each thing."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Digest:
    """`periods` are those in which something happened, newest first. `open_conflicts` wait for the
    operator now.
    """

    agent: str
    since: datetime
    until: datetime
    periods: tuple[Period, ...]
    open_conflicts: tuple[Disagreement, ...]
    sections: tuple[Section, ...] = ()

    @property
    def is_quiet(self) -> bool:
        return all(period.is_quiet for period in self.periods)


def spans(
    since: datetime, until: datetime, unit: str, zone: tzinfo
) -> Iterator[tuple[datetime, datetime]]:
    """The days or weeks between two moments, as the operator's calendar has them; the first and
    last may be cut.
    """
    begin, day = since, since.astimezone(zone).date()
    while begin < until:
        day += timedelta(days=1 if unit == DAY else 7 - day.weekday())
        end = min(datetime.combine(day, time(), zone), until)
        yield begin, end
        begin = end


def digest(
    agent: str,
    steps: Sequence[Step],
    periods: Sequence[tuple[datetime, datetime]],
    flagged: str,
    sections: tuple[Section, ...] = (),
) -> Digest:
    """Of commits in the order of history, oldest first. `flagged` is CONFLICTS.md as it is at the
    end.
    """
    found = [
        _period(begin, end, [one for one in steps if begin <= one.commit.time < end])
        for begin, end in periods
    ]
    waiting = tuple(_disagreement(one) for one in conflicts(flagged) if one.open)
    told = tuple(one for one in reversed(found) if one.foreign or not one.is_quiet)
    return Digest(agent, periods[0][0], periods[-1][1], told, waiting, sections)


def is_told(path: str) -> bool:
    """Whether a digest looks into a file."""
    return path in (*SOULS, CORRECTIONS, CONFLICTS, COMPACTIONS) or (
        holds_entries(path) and "/." not in path and not path.startswith("memory/archive/")
    )


def _period(begin: datetime, end: datetime, steps: Sequence[Step]) -> Period:
    ledger, grown = Ledger(), [one for one in steps if len(one.commit.parents) == 1]
    for step in grown:
        entries = [one for one in step.changes if holds_entries(one.path)]
        ledger.take(step.commit, entries, compacts=_compacts(step))
    learned, passing = ledger.told()
    return Period(
        begin=begin,
        end=end,
        commits=len(steps),
        learned=learned,
        passing=passing,
        soul=tuple(one for step in grown for one in _soul(step)),
        corrections=tuple(one for step in grown for one in _set_right(step)),
        settled=tuple(one for step in grown for one in _settled(step)),
        compactions=tuple(_compacted(step, ledger) for step in grown if _compacts(step)),
        foreign=tuple(_foreign(steps)),
    )


def _soul(step: Step) -> Iterator[SoulChange]:
    commit, message = step.commit, step.commit.message
    for change in step.changes:
        found = section_changes(change.before, change.after) if change.path in SOULS else ()
        if found:
            flag = "" if change.path == SOULS[0] else " --identity"
            what = tuple(one for section in found for one in _principles(section))
            yield SoulChange(
                change.path, what, commit.name, commit.time, commit.actor, message.told,
                    message.reason,
                message.evidence, f"clawgit soul revert {commit.name}{flag}",
            )  # fmt: skip


def _principles(change: SectionChange) -> Iterator[Principle]:
    yield from (Principle(change.section, "added", text) for text in change.added)
    yield from (Principle(change.section, "reworded", new, old) for old, new in change.reworded)
    yield from (Principle(change.section, "dropped", text) for text in change.dropped)
    yield from (Principle(change.section, "moved", text) for text in change.moved)


def _set_right(step: Step) -> Iterator[SetRight]:
    for change in step.changes:
        if change.path == CORRECTIONS:
            known = {one.id for one in corrections(change.before)}
            for one in corrections(change.after):
                if one.id not in known:
                    when = one.time or step.commit.time
                    yield SetRight(
                        one.id, one.said or one.was, one.correct, one.status, when, step.commit.name
                    )


def _settled(step: Step) -> Iterator[Disagreement]:
    """Conflicts that were decided, or found and decided at once."""
    for change in step.changes:
        if change.path == CONFLICTS:
            decided = {one.id for one in conflicts(change.before) if not one.open}
            for one in conflicts(change.after):
                if not one.open and one.id not in decided:
                    yield _disagreement(one)


def _compacts(step: Step) -> bool:
    return any(one.path == COMPACTIONS for one in step.changes)


def _compacted(step: Step, ledger: Ledger) -> Compacted:
    commit = step.commit
    return Compacted(
        commit.name, commit.time, commit.message.told, ledger.compacted.get(commit.sha, 0)
    )


def _foreign(steps: Iterable[Step]) -> Iterator[Foreign]:
    """A snapshot of clawgit's, or a commit of plain git."""
    by_actor: dict[str, list[Step]] = {}
    for step in steps:
        if step.commit.message.verb == SNAPSHOT or not step.commit.message.op:
            by_actor.setdefault(step.commit.actor, []).append(step)
    for actor, theirs in by_actor.items():
        yield Foreign(
            actor, len(theirs), tuple(sorted({path for step in theirs for path in step.paths}))
        )


def _disagreement(one: Conflict) -> Disagreement:
    return Disagreement(one.id, one.a.text, one.b.text, one.outcome)

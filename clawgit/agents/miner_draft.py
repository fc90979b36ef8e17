"""The Memory Miner's draft: compares each new memory with what memory has, and adds or counts
it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from clawgit.agents.contract import Draft, FileEdit, Skipped, Snapshot
from clawgit.domain.claims.contradicting import dispute
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.extraction.memories import Memory
from clawgit.domain.extraction.quoting import bears, read
from clawgit.domain.facts.confidence import first_said, mentioned
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, EntryPlace, judged
from clawgit.domain.facts.likeness import ALIKE_FACTS, Overlaps, may_merge
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta
from clawgit.domain.markdown.entry import (
    append_entry,
    entries,
    render,
    with_meta,
)
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.merging.entries import in_time, moment_of_day
from clawgit.domain.workspace.layers import ENTITIES
from clawgit.domain.workspace.layout import LAYOUTS
from clawgit.domain.workspace.routing import Target, notebook_of, route
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import UsageError
from clawgit.language.stems import content_words

_MOSTLY = 0.6
"""If this share of words is common, a memory repeats a correction."""

_PROBE = "Is this an entry?"


class MemoryOutcome(NamedTuple):
    """What a memory became: `kind` is added or mentioned."""

    memory: Memory
    kind: str
    path: str
    text: str


@dataclass(slots=True, eq=False)
class _Seat:
    """An entry as the run leaves it. A new one goes to `target`."""

    place: EntryPlace
    text: str
    meta: Meta
    target: Target | None = None
    changed: bool = False


class _Wanted(NamedTuple):
    """A memory worded as an entry, and where it goes."""

    memory: Memory
    text: str
    target: Target

    @property
    def notes(self) -> tuple[str, str]:
        """The files whose entries of one day it may repeat."""
        return self.target.path, f"memory/{self.memory.said:%Y-%m-%d}.md"


class MemoryDraft:
    """The files of memory, edited in memory and written once.

    Each entry is edited once, however often it is mentioned.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._draft = Draft(snapshot.files)
        self._notebook = notebook_of(snapshot.files)
        self._lessons = LAYOUTS[snapshot.settings.layout].lessons
        self._swallowing: dict[str, bool] = {}
        self._corrections = snapshot.corrections
        self._seats: list[_Seat] = []

    def taken(self, memories: Sequence[Memory]) -> list[MemoryOutcome | Skipped]:
        """What becomes of each memory, in this order."""
        worded = [self._wanted(memory) for memory in memories]
        near = self._near([each for each in worded if isinstance(each, _Wanted)])
        return [each if isinstance(each, Skipped) else self._taken(each, near) for each in worded]

    def _near(self, wanted: Sequence[_Wanted]) -> Iterator[list[_Seat]]:
        """For each memory in turn the entries that may say the same, the most similar first."""
        self._seats = [*self._lasting(wanted)]
        texts = [*(seat.text for seat in self._seats), *(each.text for each in wanted)]
        bare = [*map(_bare, texts)]
        alike = Overlaps(bare)
        there = dict(enumerate(self._seats))
        for at, each in enumerate(wanted, len(there)):
            seats = (there[row] for row in alike.over(bare[at], ALIKE_FACTS) if row in there)
            count = len(self._seats)
            yield [*filter(partial(_comparable, each), seats)]
            # A memory that was added meanwhile is compared with those after it.
            if len(self._seats) > count:
                there[at] = self._seats[-1]

    def edits(self) -> tuple[FileEdit, ...]:
        """The files with every mention and every new entry in them."""
        touched: defaultdict[str, list[_Seat]] = defaultdict(list)
        for seat in self._seats:
            if seat.changed or seat.target:
                touched[seat.place.path].append(seat)
        for path, seats in sorted(touched.items()):
            text = self._draft.read(path)
            # From below, so that the entries above keep their lines.
            for seat in reversed(seats):
                entry = seat.place.entry
                if seat.target:
                    continue
                text = with_meta(text, entry, seat.meta)
            # What is asked for is taken first, and may have been said last.
            self._draft.put(path, in_time(_with_new(text, seats), [text], moment_of_day))
        return self._draft.edits

    def _wanted(self, memory: Memory) -> _Wanted | Skipped:
        try:
            text, tag = worded(memory.text, memory.tag)
        except UsageError as trouble:
            return Skipped(memory.text, str(trouble))
        target = route(
            read(text).words, tag, memory.said, notebook=self._notebook, lessons=self._lessons
        )
        return _Wanted(memory, text, target)

    def _lasting(self, wanted: Iterable[_Wanted]) -> Iterator[_Seat]:
        """The entries that may say the same: in lasting files, and in notes of the days of the
        messages.
        """
        paths = {path for path in self._snapshot.files if tier(path) == CORE}
        for path in sorted(paths.union(*(each.notes for each in wanted))):
            for entry in entries(self._draft.read(path)):
                yield _Seat(EntryPlace(path, entry), undisputed(entry), entry.meta or Meta(""))

    def _taken(self, wanted: _Wanted, near: Iterator[Sequence[_Seat]]) -> MemoryOutcome | Skipped:
        # First the entries added in this run: the memory may have been said twice.
        seats = sorted(next(near), key=lambda seat: seat.target is None)
        claim = Claim(wanted.text, wanted.memory.source, wanted.target.path)
        places = [seat.place for seat in seats]
        verdict = judged(claim, places, self._corrections, same=_are_same)
        if verdict.action == MERGED:
            seat = next(seat for seat in seats if seat.place is verdict.place)
            return self._mentioned(seat, wanted)
        if why := verdict.reason if verdict.action == IGNORED else self._unfit(wanted):
            return Skipped(wanted.text, why)
        return self._added(wanted)

    def _unfit(self, wanted: _Wanted) -> str:
        """Why a memory is not added, "" if it is.

        It repeats a correction, contradicts one, or could not be read where it goes.
        """
        words = _bare(wanted.text)
        for correction in self._corrections:
            if wanted.memory.evidence == correction.source and _are_one(correction, words):
                return f"{correction.evidence} already has it from this message"
        for correction in self._corrections:
            if correction.binds and _contradicts(correction.correct, words):
                return (
                    f"it contradicts what the operator corrected ({correction.evidence}): "
                    f"{correction.correct}"
                )
        if self._swallows(wanted.target.path):
            return (
                f"{wanted.target.path} ends within a code fence or a comment, which would "
                "swallow it"
            )
        return ""

    def _mentioned(self, seat: _Seat, wanted: _Wanted) -> MemoryOutcome | Skipped:
        """One more mention, unless it is the same message again."""
        path, memory = seat.place.path, wanted.memory
        if seat.meta.has_counted(memory.evidence, memory.said.date()):
            return Skipped(wanted.text, f"{path} already has it from this message")
        if path.startswith(ENTITIES):
            return Skipped(wanted.text, f"{path} says so, and only the operator writes there")
        seat.changed = True
        meta = seat.meta if seat.meta.id else Meta(self._fresh_id(path, seat.text))
        meta = mentioned(meta, memory.source, self._snapshot.settings, memory.said.date())
        seat.meta = meta.having("status", "").citing(memory.evidence)
        return MemoryOutcome(memory, "mentioned", path, seat.text)

    def _added(self, wanted: _Wanted) -> MemoryOutcome:
        (path, *_), memory = wanted.target, wanted.memory
        facts = first_said(memory.confidence, memory.said.date(), memory.source)
        meta = Meta(self._fresh_id(path, wanted.text), facts).citing(memory.evidence)
        [entry] = entries(render(wanted.text, meta))
        self._seats.append(_Seat(EntryPlace(path, entry), wanted.text, meta, wanted.target))
        return MemoryOutcome(memory, "added", path, wanted.text)

    def _swallows(self, path: str) -> bool:
        """Whether an entry at the end of this file would not be read as an entry, as after an open
        code fence.
        """
        if path not in self._swallowing:
            text = append_entry(self._draft.read(path), None, render(_PROBE))
            self._swallowing[path] = not any(entry.text == _PROBE for entry in entries(text)[-1:])
        return self._swallowing[path]

    def _fresh_id(self, path: str, content: str) -> str:
        taken = " ".join(seat.meta.id for seat in self._seats if seat.place.path == path)
        return self._snapshot.fresh_id(f"{path}\0{content}", taken)


def _comparable(wanted: _Wanted, seat: _Seat) -> bool:
    """Whether an entry there may be the same as a memory: in a lasting file, or said that day. On
    another day the same may happen again.
    """
    return tier(seat.place.path) == CORE or seat.place.path in wanted.notes


def _with_new(text: str, seats: Sequence[_Seat]) -> str:
    """A file with its new entries, each under its heading, in their order."""
    under: defaultdict[str | None, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.target:
            text = text or frames.TITLE.format(title=seat.target.title)
            under[seat.target.heading].append(render(seat.text, seat.meta))
    for heading, items in under.items():
        text = append_entry(text, heading, "\n".join(items))
    return text


def _bare(text: str) -> str:
    """The words of an entry, without its tag and its speaker."""
    kept = read(untagged(text))
    return f"{kept.words} {kept.bracket}".rstrip()


def _are_same(mine: str, theirs: str) -> bool:
    """Whether two entries say the same, and not of two different speakers."""
    my_speaker = read(untagged(mine)).speaker
    their_speaker = read(untagged(theirs)).speaker
    if my_speaker and their_speaker and my_speaker != their_speaker:
        return False
    return may_merge(_bare(mine), _bare(theirs))


def _contradicts(right: str, words: str) -> bool:
    """Whether a memory gives another value than what the operator called right."""
    found = dispute(right, words)
    return found is not None and found.is_certain


def _are_one(correction: Correction, words: str) -> bool:
    """Whether a memory repeats a correction: its value, or the operator's own words."""
    if bears(correction.correct, words) or bears(words, correction.correct):
        return True
    right, mine = content_words(correction.correct), content_words(words)
    return len(right & mine) > _MOSTLY * min(len(right), len(mine))

"""The Memory Miner's draft: compares each new memory with what memory has, and adds or counts
it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from clawgit.agents.contract import Draft, FileEdit, Skipped, Snapshot
from clawgit.domain.claims.contradicting import dispute
from clawgit.domain.corrections.corrections import Correction, read_old_value
from clawgit.domain.corrections.disputed import is_disputed, undisputed
from clawgit.domain.extraction.memories import Memory
from clawgit.domain.extraction.quoting import bears, read
from clawgit.domain.facts.confidence import CORRECTION, first_said, mentioned
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, EntryPlace, Verdict, judged
from clawgit.domain.facts.likeness import Likeness, fuller, may_merge, may_merge_if_near
from clawgit.domain.facts.same_fact import Same, old_values
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import Entry, append_entry, entries, render, replaced
from clawgit.domain.markdown.scan import scan
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.merging.logs import in_time, moment_of_day
from clawgit.domain.workspace.layers import ENTITIES
from clawgit.domain.workspace.layout import LAYOUTS
from clawgit.domain.workspace.routing import Target, notebook_of, route
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import UsageError
from clawgit.language.stems import content_words

T = TypeVar("T")

ALIKE = 0.9
"""From this likeness on, two memories may be the same."""

_ABOUT = 0.5
"""From this likeness on, a correction may be about a memory."""

_MOSTLY = 0.6
"""If this share of words is common, a memory repeats a correction."""

_BULLET = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
_PROBE = "Is this an entry?"


class MemoryOutcome(NamedTuple):
    """What a memory became: `kind` is added or mentioned."""

    memory: Memory
    kind: str
    path: str
    text: str


@dataclass(slots=True, eq=False)
class _Seat:
    """An entry as the run leaves it.

    `place` is where it was before; None for a new entry, which goes to `target`.
    """

    path: str
    text: str
    meta: Meta
    place: EntryPlace | None = None
    target: Target | None = None
    changed: bool = False

    @property
    def is_disputed(self) -> bool:
        return self.place is not None and is_disputed(self.place.entry)


class _Wanted(NamedTuple):
    """A memory worded as an entry, and where it goes."""

    memory: Memory
    text: str
    tag: str
    target: Target


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
        self._seats: list[_Seat | None] = []
        self._same = partial(_are_same, same=may_merge_if_near if snapshot.nearness else may_merge)
        self._corrections = snapshot.corrections
        self._wrong = _Indexed(_old_texts(self._corrections))
        self._right = _Indexed(
            (correction.correct, correction)
            for correction in self._corrections
            if correction.binds and correction.correct.strip()
        )
        self._outdated = _Indexed[_Seat]()

    def taken(self, memories: Sequence[Memory]) -> list[MemoryOutcome | Skipped]:
        """What becomes of each memory, in this order."""
        worded = [self._wanted(memory) for memory in memories]
        wanted = [each for each in worded if isinstance(each, _Wanted)]
        self._seats = [*self._lasting(wanted)]
        self._outdated = _Indexed(self._old_values())
        likeness = Likeness(_bare(seat.text) for seat in self._seats if seat)
        texts = [_bare(each.text) for each in wanted]
        for text in texts:
            likeness.add(text)
        # The seat of each memory has the index of its text in `likeness`.
        index = len(self._seats)
        self._seats += [None] * len(wanted)
        alike = iter(likeness.all_alike(texts, ALIKE, self._snapshot.nearness))
        outcomes: list[MemoryOutcome | Skipped] = []
        for each in worded:
            if isinstance(each, Skipped):
                outcomes.append(each)
                continue
            outcomes.append(self._taken(each, [near.index for near in next(alike)], index))
            index += 1
        return outcomes

    def _old_values(self) -> Iterator[tuple[str, _Seat]]:
        """What entries said before they were corrected."""
        for seat in self._seats:
            if seat is None or seat.place is None:
                continue
            if old := read_old_value(seat.place.entry.raw):
                yield old, seat

    def edits(self) -> tuple[FileEdit, ...]:
        """The files with every mention and every new entry in them."""
        touched: defaultdict[str, list[_Seat]] = defaultdict(list)
        for seat in self._seats:
            if seat and (seat.changed or seat.target):
                touched[seat.path].append(seat)
        for path, seats in sorted(touched.items()):
            text = _with_changes(self._draft.read(path), seats)
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
        return _Wanted(memory, text, tag, target)

    def _lasting(self, wanted: Iterable[_Wanted]) -> Iterator[_Seat]:
        """The entries that may say the same: in lasting files, and in notes of the days of the
        messages.
        """
        paths = {path for path in self._snapshot.files if tier(path) == CORE}
        for fact in wanted:
            paths |= {fact.target.path, _note_of(fact.memory)}
        for path in sorted(paths):
            for entry in entries(self._draft.read(path)):
                yield _Seat(
                    path, undisputed(entry), entry.meta or Meta(""), EntryPlace(path, entry)
                )

    def _taken(self, wanted: _Wanted, alike: Sequence[int], index: int) -> MemoryOutcome | Skipped:
        near = self._near(wanted, alike, index)
        # First the entries added in this run: the memory may have been said twice.
        new = [seat for seat in near if seat.place is None]
        if fresh := self._merging(new, wanted.text):
            return self._mentioned(fresh, wanted)

        seats = [seat for seat in near if seat.place]
        seats += self._outdated.alike(_bare(wanted.text), ALIKE)
        waiting = [seat for seat in seats if seat.is_disputed]
        if disputed := self._merging(waiting, wanted.text):
            why = f"{disputed.path} says so, but that is disputed and not settled yet"
            return Skipped(wanted.text, why)
        verdict = self._verdict(wanted, seats)
        if verdict.action == IGNORED:
            return Skipped(wanted.text, verdict.reason)
        if verdict.action == MERGED:
            return self._mentioned(_seat_at(seats, verdict.place), wanted)
        if why := self._unfit(wanted):
            return Skipped(wanted.text, why)
        return self._added(wanted, index)

    def _verdict(self, wanted: _Wanted, seats: Iterable[_Seat]) -> Verdict:
        return judged(
            Claim(wanted.text, wanted.memory.source, wanted.target.path),
            [seat.place for seat in seats if seat.place],
            self._wrong.alike(_bare(wanted.text), ALIKE),
            same=self._same,
        )

    def _merging(self, seats: Iterable[_Seat], text: str) -> _Seat | None:
        """The first entry that says the same as a text."""
        return next((seat for seat in seats if self._same(seat.text, text)), None)

    def _near(self, wanted: _Wanted, alike: Sequence[int], index: int) -> list[_Seat]:
        """The seats before `index` that a memory is compared with, the most similar first."""
        seats = (self._seats[at] for at in alike if at < index)
        return [seat for seat in seats if seat and self._comparable(seat, wanted)]

    def _comparable(self, seat: _Seat, wanted: _Wanted) -> bool:
        """Whether the two may be the same.

        Lasting entries are compared with all memories. An entry of a day's note is compared with
        memories of that day only: the same may happen again.
        """
        return tier(seat.path) == CORE or seat.path in (wanted.target.path, _note_of(wanted.memory))

    def _unfit(self, wanted: _Wanted) -> str:
        """Why a memory is not added, "" if it is.

        It repeats a correction, contradicts one, or could not be read where it goes.
        """
        words = _bare(wanted.text)
        for correction in self._corrections:
            if wanted.memory.evidence == correction.source and _are_one(correction, words):
                return f"{correction.evidence} already has it from this message"
        if against := self._contradicted(words):
            return (
                f"it contradicts what the operator corrected ({against.evidence}): "
                f"{against.correct}"
            )
        if self._swallows(wanted.target.path):
            return (
                f"{wanted.target.path} ends within a code fence or a comment, which would "
                "swallow it"
            )
        return ""

    def _contradicted(self, words: str) -> Correction | None:
        """A correction that gives another value than the memory."""
        for correction in self._right.alike(words, _ABOUT):
            if may_merge(correction.correct, words):
                continue
            found = dispute(correction.correct, words)
            if found and found.is_certain:
                return correction
        return None

    def _mentioned(self, seat: _Seat, wanted: _Wanted) -> MemoryOutcome | Skipped:
        """One more mention, unless it is the same message again.

        If clawgit worded the entry, the fuller of both wordings stays.
        """
        if seat.meta.has_counted(wanted.memory.evidence, _day(wanted.memory)):
            return Skipped(wanted.text, f"{seat.path} already has it from this message")
        if seat.path.startswith(ENTITIES):
            return Skipped(
                wanted.text,
                f"{seat.path} says so, and only the operator writes there",
            )
        seat.changed = True
        if seat.meta.id and seat.meta.src != CORRECTION:
            seat.text = fuller(seat.text, wanted.text)
        meta = seat.meta if seat.meta.id else Meta(self._fresh_id(seat.path, seat.text))
        meta = mentioned(meta, wanted.memory.source, self._snapshot.settings, _day(wanted.memory))
        seat.meta = meta.having("status", "").citing(wanted.memory.evidence)
        return MemoryOutcome(wanted.memory, "mentioned", seat.path, seat.text)

    def _added(self, wanted: _Wanted, index: int) -> MemoryOutcome:
        target, memory = wanted.target, wanted.memory
        facts = first_said(memory.confidence, _day(memory), memory.source)
        meta = Meta(self._fresh_id(target.path, wanted.text), facts).citing(memory.evidence)
        self._seats[index] = _Seat(target.path, wanted.text, meta, target=target)
        return MemoryOutcome(memory, "added", target.path, wanted.text)

    def _swallows(self, path: str) -> bool:
        """Whether an entry at the end of this file would not be read as an entry, as after an open
        code fence.
        """
        if path not in self._swallowing:
            text = append_entry(self._draft.read(path), None, render(_PROBE))
            self._swallowing[path] = not any(entry.text == _PROBE for entry in entries(text)[-1:])
        return self._swallowing[path]

    def _fresh_id(self, path: str, content: str) -> str:
        taken = " ".join(seat.meta.id for seat in self._seats if seat and seat.path == path)
        return self._snapshot.fresh_id(f"{path}\0{content}", taken)


class _Indexed(Generic[T]):
    """Values by what they say."""

    def __init__(self, values: Iterable[tuple[str, T]] = ()) -> None:
        held = [*values]
        self._values = [value for _, value in held]
        self._likeness = Likeness(text for text, _ in held)

    def alike(self, text: str, threshold: float) -> list[T]:
        """The values that are alike, each once, in the order in which they were given."""
        places = {near.index for near in self._likeness.alike(text, threshold)}
        return [*dict.fromkeys(self._values[at] for at in sorted(places))]


def _with_changes(text: str, seats: Iterable[_Seat]) -> str:
    for seat in seats:
        if seat.place and seat.changed:
            text = replaced(text, seat.place.entry, _rewritten(seat, seat.place.entry))
    return text


def _rewritten(seat: _Seat, entry: Entry) -> str:
    """An entry with its new facts; its words change only if they are one plain line."""
    parts = split(entry.raw)
    before = parts.before
    bullet = _BULLET.match(before)
    is_plain = "\n" not in before and "<!--" not in before
    if bullet and is_plain and seat.text != entry.text:
        before = f"{bullet[0]}{seat.text}"
    return f"{before} {seat.meta}{parts.after}"


def _old_texts(corrections: Iterable[Correction]) -> Iterator[tuple[str, Correction]]:
    """What each correction calls wrong."""
    for correction in corrections:
        for old in old_values(correction):
            if old.strip():
                yield old, correction


def _with_new(text: str, seats: Sequence[_Seat]) -> str:
    """A file with its new entries, each under its heading, in their order."""
    under: defaultdict[str | None, list[str]] = defaultdict(list)
    for seat in seats:
        if seat.target:
            text = text or frames.TITLE.format(title=seat.target.title)
            under[seat.target.heading].append(render(seat.text, seat.meta))

    known = {block.path[-1] for block in scan(text) if block.level}
    fresh: list[str] = []
    for heading, items in under.items():
        if heading is None or heading in known:
            text = append_entry(text, heading, "\n".join(items))
        else:
            fresh.append(frames.BLOCK.format(title=heading, body="\n".join(items)))
    # New headings all at once: appending them one by one reads the whole file each time.
    return append_entry(text, None, "\n\n".join(fresh)) if fresh else text


def _note_of(memory: Memory) -> str:
    return f"memory/{memory.said:%Y-%m-%d}.md"


def _bare(text: str) -> str:
    """The words of an entry, without its tag and its speaker."""
    kept = read(untagged(text))
    return f"{kept.words} {kept.bracket}".rstrip()


def _are_same(mine: str, theirs: str, same: Same) -> bool:
    """Whether two entries say the same, and not of two different speakers."""
    my_speaker = read(untagged(mine)).speaker
    their_speaker = read(untagged(theirs)).speaker
    if my_speaker and their_speaker and my_speaker != their_speaker:
        return False
    return same(_bare(mine), _bare(theirs))


def _seat_at(seats: Iterable[_Seat], place: EntryPlace | None) -> _Seat:
    return next(seat for seat in seats if seat.place is place)


def _are_one(correction: Correction, words: str) -> bool:
    """Whether a memory repeats a correction: its value, or the operator's own words."""
    if bears(correction.correct, words) or bears(words, correction.correct):
        return True
    right, mine = content_words(correction.correct), content_words(words)
    return len(right & mine) > _MOSTLY * min(len(right), len(mine))


def _day(memory: Memory) -> date:
    return memory.said.date()

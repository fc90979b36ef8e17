"""Memory while the miner writes into it: what is there, what a memory becomes beside it, and the
files that result.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, NamedTuple, TypeVar

from clawgit.agents.contract import Draft, FileEdit, Skipped, Snapshot
from clawgit.domain.claims.contradicting import exchange
from clawgit.domain.corrections.corrections import Correction, all_corrections, read_old_value
from clawgit.domain.corrections.disputed import is_disputed, undisputed
from clawgit.domain.extraction.memories import Memory
from clawgit.domain.extraction.quoting import bears, read
from clawgit.domain.facts.confidence import CORRECTION, INFERRED, mentioned, written
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, Place, judged
from clawgit.domain.facts.likeness import Likeness, fuller, may_merge
from clawgit.domain.facts.same_fact import old_values
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, split
from clawgit.domain.markdown.entry import Entry, append_entry, entries, render, replaced
from clawgit.domain.markdown.scan import scan
from clawgit.domain.markdown.tags import untagged
from clawgit.domain.workspace.layers import ENTITIES
from clawgit.domain.workspace.layout import LAYOUTS
from clawgit.domain.workspace.routing import Target, notebook_of, route
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import UsageError
from clawgit.language.stems import content_words

T = TypeVar("T")

ALIKE = 0.9
"""From this likeness on, two memories may be one."""

_ABOUT = 0.5
_MOSTLY = 0.6
_INJECTED_LIMIT = 20_000
_ROOM_FOR_SURE = 500
_ROOM = 3_000
"""Characters that stay free below OpenClaw's limit, by what is sure and by what is only
inferred."""


class Outcome(NamedTuple):
    """What a memory became: `kind` is added or mentioned."""

    memory: Memory
    kind: str
    path: str
    text: str


@dataclass(slots=True, eq=False)
class _Seat:
    """An entry as the run leaves it. `place` is where it stood before, None for a new one, which
    goes to `target`.
    """

    path: str
    text: str
    meta: Meta
    place: Place | None = None
    target: Target | None = None
    changed: bool = False

    @property
    def is_disputed(self) -> bool:
        return self.place is not None and is_disputed(self.place.entry)


class _Wanted(NamedTuple):
    """A memory in the words of an entry, and where it goes."""

    memory: Memory
    text: str
    tag: str
    target: Target


class Desk:
    """The files of memory, edited in mind and written out once: each entry is touched once however
    often it is said.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._draft = Draft(snapshot.files)
        self._notebook = notebook_of(snapshot.files)
        self._targets = LAYOUTS[snapshot.settings.layout].targets
        self._sizes: dict[str, int] = {}
        self._swallowing: dict[str, bool] = {}
        self._overflow = 0
        self._seats: list[_Seat | None] = []
        self._corrections = all_corrections(snapshot.files)
        self._wrong = _Indexed(
            (old, one) for one in self._corrections for old in old_values(one) if old.strip()
        )
        self._right = _Indexed(
            (one.correct, one) for one in self._corrections if one.binds and one.correct.strip()
        )
        self._outdated = _Indexed[_Seat]()

    @property
    def notes(self) -> tuple[str, ...]:
        if not self._overflow:
            return ()
        limit = (
            f"{self._notebook} is near the {_INJECTED_LIMIT:,} characters that OpenClaw reads of it"
        )
        return (
            (
                f"{limit}: {self._overflow} of the new entries went into the notes of their day "
                "instead."
            ),
        )

    def taken(self, memories: Sequence[Memory]) -> list[Outcome | Skipped]:
        """What becomes of each memory, in this order."""
        wanted = [self._wanted(memory) for memory in memories]
        fit = [one for one in wanted if isinstance(one, _Wanted)]
        self._seats = [*self._lasting(fit)]
        self._outdated = _Indexed(
            (old, seat)
            for seat in self._seats
            if seat and seat.place and (old := read_old_value(seat.place.entry.raw))
        )
        known = Likeness(_bare(seat.text) for seat in self._seats if seat)
        first = len(self._seats)
        for one in fit:
            known.add(_bare(one.text))
        self._seats += [None] * len(fit)
        alike = iter(
            known.all_alike([_bare(one.text) for one in fit], ALIKE, self._snapshot.nearness)
        )
        places = iter(range(first, len(self._seats)))
        return [
            one
            if isinstance(one, Skipped)
            else self._taken(one, [near.index for near in next(alike)], next(places))
            for one in wanted
        ]

    def edits(self) -> tuple[FileEdit, ...]:
        """The files with every mention and every new entry in them."""
        for path in sorted(
            {seat.path for seat in self._seats if seat and (seat.changed or seat.target)}
        ):
            seats = [seat for seat in self._seats if seat and seat.path == path]
            text = self._draft.read(path)
            for seat in seats:
                if seat.place and seat.changed:
                    text = replaced(text, seat.place.entry, _rewritten(seat, seat.place.entry))
            self._draft.put(path, _with_new(text, [seat for seat in seats if seat.target]))
        return self._draft.edits

    def _wanted(self, memory: Memory) -> _Wanted | Skipped:
        try:
            text, tag = worded(memory.text, memory.tag)
        except UsageError as trouble:
            return Skipped(memory.text, str(trouble))
        target = route(
            read(text).words, tag, memory.said, notebook=self._notebook, targets=self._targets
        )
        return _Wanted(memory, text, tag, target)

    def _lasting(self, wanted: Iterable[_Wanted]) -> Iterator[_Seat]:
        """The entries that may say the same: of all that lasts, and of the notes of the days in
        question.
        """
        paths = {path for path in self._snapshot.files if tier(path) == CORE}
        for path in sorted(
            paths | {one.target.path for one in wanted} | {_note_of(one.memory) for one in wanted}
        ):
            for entry in entries(self._draft.read(path)):
                yield _Seat(path, undisputed(entry), entry.meta or Meta(""), Place(path, entry))

    def _taken(self, one: _Wanted, alike: Sequence[int], index: int) -> Outcome | Skipped:
        near = [
            (at, seat)
            for at in alike
            if at < index and (seat := self._seats[at]) and self._comparable(seat, one)
        ]
        fresh = next(
            (seat for _, seat in near if seat.place is None and _may_merge(seat.text, one.text)),
            None,
        )
        if fresh is not None:
            return self._mentioned(fresh, one)
        words = _bare(one.text)
        seats = [seat for _, seat in near if seat.place] + self._outdated.alike(words, ALIKE)
        if held := next(
            (seat for seat in seats if seat.is_disputed and _may_merge(seat.text, one.text)), None
        ):
            return Skipped(
                one.text, f"{held.path} says so, and that is disputed: it waits to be settled"
            )
        verdict = judged(
            Claim(one.text, one.memory.source, one.target.path),
            [seat.place for seat in seats if seat.place],
            self._wrong.alike(words, ALIKE),
            same=_may_merge,
        )
        if verdict.action == IGNORED:
            return Skipped(one.text, verdict.reason)
        if verdict.action == MERGED:
            return self._mentioned(next(seat for seat in seats if seat.place is verdict.place), one)
        why = self._unfit(one)
        return Skipped(one.text, why) if why else self._added(one, index)

    def _comparable(self, seat: _Seat, one: _Wanted) -> bool:
        """What is to last is compared with all that lasts; what a day brought, with that day: it
        may happen again.
        """
        return tier(seat.path) == CORE or seat.path in (one.target.path, _note_of(one.memory))

    def _unfit(self, one: _Wanted) -> str:
        """Why a memory is no new entry, "" where it is one: it was a correction itself, or says the
        contrary of one, or would be swallowed where it goes.
        """
        words, cited = _bare(one.text), one.memory.evidence
        heard = (known for known in self._corrections if cited in known.source.split(", "))
        if known := next((known for known in heard if _are_one(known, words)), None):
            return f"{known.evidence} has it from this message already"
        if against := self._contradicted(words):
            return (
                f"it contradicts what the operator put right ({against.evidence}): "
                f"{against.correct}"
            )
        if self._swallows(one.target.path):
            return (
                f"{one.target.path} ends within a code fence or a comment, which would swallow it"
            )
        return ""

    def _contradicted(self, words: str) -> Correction | None:
        """A correction of which a memory has another value: what the operator put right needs no
        judge to agree.
        """
        near = (
            one for one in self._right.alike(words, _ABOUT) if not may_merge(one.correct, words)
        )
        return next((one for one in near if exchange(one.correct, words)), None)

    def _mentioned(self, seat: _Seat, one: _Wanted) -> Outcome | Skipped:
        """One mention more, unless it is the same message again. What clawgit worded takes the
        fuller wording.
        """
        if seat.meta.has_counted(one.memory.evidence, _day(one.memory)):
            return Skipped(one.text, f"{seat.path} has it from this message already")
        if seat.path.startswith(ENTITIES):
            return Skipped(
                one.text,
                f"{seat.path} says so, and only the operator and the organizer write there",
            )
        seat.changed = True
        if seat.meta.id and seat.meta.src != CORRECTION:
            seat.text = fuller(seat.text, one.text)
        meta = seat.meta if seat.meta.id else Meta(self._fresh_id(seat.path, seat.text))
        meta = mentioned(meta, one.memory.source, self._snapshot.settings, _day(one.memory))
        cited = meta.having("status", "").citing(one.memory.evidence)
        self._sizes[seat.path] = self._size(seat.path) + len(str(cited)) - len(str(seat.meta))
        seat.meta = cited
        return Outcome(one.memory, "mentioned", seat.path, seat.text)

    def _added(self, one: _Wanted, index: int) -> Outcome:
        target = self._roomy(one)
        memory, day = one.memory, _day(one.memory).isoformat()
        facts = (
            f"conf={written(memory.confidence)}",
            "n=1",
            f"first={day}",
            f"last={day}",
            f"src={memory.source}",
        )
        meta = Meta(self._fresh_id(target.path, one.text), facts).citing(memory.evidence)
        self._seats[index] = _Seat(target.path, one.text, meta, target=target)
        self._sizes[target.path] = self._size(target.path) + len(render(one.text, meta)) + 1
        return Outcome(memory, "added", target.path, one.text)

    def _roomy(self, one: _Wanted) -> Target:
        """Where it goes, or the note of its day where that file has no room left before OpenClaw
        cuts it.
        """
        path = one.target.path
        if "/" in path:
            return one.target
        room = _ROOM if one.memory.source == INFERRED else _ROOM_FOR_SURE
        if self._size(path) + len(one.text) + len(one.memory.evidence) + room <= _INJECTED_LIMIT:
            return one.target
        self._overflow += 1
        words, note = read(one.text).words, _note_of(one.memory)
        return route(words, one.tag, one.memory.said, to=note, notebook=self._notebook)

    def _swallows(self, path: str) -> bool:
        """Whether what is written at the end of a file would be no entry there."""
        if path not in self._swallowing:
            text = append_entry(self._draft.read(path), None, render(_PROBE))
            self._swallowing[path] = not any(entry.text == _PROBE for entry in entries(text)[-1:])
        return self._swallowing[path]

    def _size(self, path: str) -> int:
        if path not in self._sizes:
            self._sizes[path] = len(self._draft.read(path))
        return self._sizes[path]

    def _fresh_id(self, path: str, what: str) -> str:
        taken = " ".join(seat.meta.id for seat in self._seats if seat and seat.path == path)
        return self._snapshot.fresh_id(f"{path}\0{what}", taken)


class _Indexed(Generic[T]):
    """Values by what they say."""

    def __init__(self, values: Iterable[tuple[str, T]] = ()) -> None:
        held = [*values]
        self._values = [value for _, value in held]
        self._likeness = Likeness(text for text, _ in held)

    def alike(self, text: str, threshold: float) -> list[T]:
        """In the order in which they were given, each once."""
        found = {near.index for near in self._likeness.alike(text, threshold)}
        return [*dict.fromkeys(self._values[at] for at in sorted(found))]


def _rewritten(seat: _Seat, entry: Entry) -> str:
    """An entry with its new facts; its words are replaced only where they are one plain line of
    clawgit's own.
    """
    parts = split(entry.raw)
    bullet = _BULLET.match(parts.before)
    plain = bullet and "\n" not in parts.before and "<!--" not in parts.before
    before = (
        f"{bullet[0]}{seat.text}" if bullet and plain and seat.text != entry.text else parts.before
    )
    return f"{before} {seat.meta}{parts.after}"


def _with_new(text: str, seats: Sequence[_Seat]) -> str:
    """A file with its new entries, each under its heading, in their order."""
    under: dict[str | None, list[str]] = {}
    for seat in seats:
        if seat.target:
            text = text or frames.TITLE.format(title=seat.target.title)
            under.setdefault(seat.target.heading, []).append(render(seat.text, seat.meta))
    known = {block.path[-1] for block in scan(text) if block.level}
    for heading in [heading for heading in under if heading is None or heading in known]:
        text = append_entry(text, heading, "\n".join(under.pop(heading)))
    # All at once: to append one by one reads the whole file each time.
    fresh = [
        frames.BLOCK.format(title=heading, body="\n".join(items))
        for heading, items in under.items()
    ]
    return append_entry(text, None, "\n\n".join(fresh)) if fresh else text


def _note_of(memory: Memory) -> str:
    return f"memory/{memory.said:%Y-%m-%d}.md"


def _bare(text: str) -> str:
    """What an entry says, without its tag and without who said it."""
    kept = read(untagged(text))
    return f"{kept.words} {kept.bracket}".rstrip()


def _may_merge(one: str, other: str) -> bool:
    """Whether two entries say the same, and no two speakers do."""
    mine, theirs = read(untagged(one)), read(untagged(other))
    if mine.speaker and theirs.speaker and mine.speaker != theirs.speaker:
        return False
    return may_merge(_bare(one), _bare(other))


def _are_one(heard: Correction, words: str) -> bool:
    """Whether a memory says what its message set right, be that the value alone or the operator's
    own words.
    """
    if bears(heard.correct, words) or bears(words, heard.correct):
        return True
    right, told = content_words(heard.correct), content_words(words)
    return len(right & told) > _MOSTLY * min(len(right), len(told))


def _day(memory: Memory) -> date:
    return memory.said.date()


_BULLET = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
_PROBE = "Is this an entry?"

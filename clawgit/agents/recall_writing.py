"""A correction written down: its section in CORRECTIONS.md, the entry that it sets right, and those that follow it."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from clawgit.agents.contract import Draft, Proposed, Snapshot
from clawgit.agents.recall_judging import ASKED, CORRECTED, ROUTED, Ruling
from clawgit.domain import corrections as log
from clawgit.domain.comment import ACTIVE
from clawgit.domain.confidence import BASE, CORRECTION, INFERRED
from clawgit.domain.contradiction import contradiction
from clawgit.domain.correcting import Fresh, corrected, new_meta, superseded
from clawgit.domain.correction_matching import Hit, wording
from clawgit.domain.correction_slots import content
from clawgit.domain.correction_turn import subject_of
from clawgit.domain.corrections import CONFIRMED, CORRECTIONS, OPEN, Correction
from clawgit.domain.entry import Entry, append_entry, entries, render
from clawgit.domain.excerpt import in_a_line
from clawgit.domain.fact import worded
from clawgit.domain.known import Place
from clawgit.domain.likeness import likeness
from clawgit.domain.mention import same_fact
from clawgit.domain.routing import EVENT, KNOWLEDGE, notebook_of, route
from clawgit.domain.tiers import CORE, dated, tier

RECENT_DAYS = 60
"""How far back dated notes are looked through for the wrong value; a search knows it in older ones, too."""

_ALIKE, _SHARED = 0.6, 1
_DID = re.compile(
    r"(?:(?:I|we|he|she|they|[A-Z]\w+) )?(?:went|met|saw|had|flew|drove|took|came|left|ran|gave|got|spent|stayed"
    r"|(?!need|embed)[a-z]{3,}ed)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?:my|our|his|her|their|your)\b", re.IGNORECASE)
_LONGEST = 600


class Case(NamedTuple):
    """Where a correction comes from. `answers` is the open question that it closes."""

    source: str
    time: datetime
    trigger: str
    confidence: str
    words: str
    answers: Correction | None = None


class Written(NamedTuple):
    """What came of a case."""

    proposed: tuple[Proposed, ...]
    confidence: float


class Desk:
    """The files while one correction after the other changes them."""

    def __init__(self, snapshot: Snapshot, draft: Draft) -> None:
        self._snapshot, self._draft, self._count = snapshot, draft, 0
        self._archived = [one for one in log.all_corrections(snapshot.files) if one.status == log.ARCHIVED]

    @property
    def known(self) -> tuple[Correction, ...]:
        """All corrections, the archived ones first."""
        return (*self._archived, *log.corrections(self._draft.read(CORRECTIONS)))

    def places(self) -> tuple[Place, ...]:
        """The entries that hold: those of lasting files, and of the notes of the last weeks."""
        paths = sorted(path for path in self._snapshot.files if self._is_looked_at(path))
        found = (Place(path, entry) for path in paths for entry in entries(self._draft.read(path)))
        return tuple(place for place in found if place.status == ACTIVE)

    def write(self, case: Case, ruling: Ruling) -> Written:
        """Puts memory right where the ruling says so, and logs the case. UsageError where no entry can say it."""
        ident = case.answers.id if case.answers else self._fresh_id(self._draft.read(CORRECTIONS))
        evidence = tuple(filter(None, (case.source, f"{CORRECTIONS}#{ident}")))
        was, proposed = self._set_right(ruling, evidence) if ruling.kind == CORRECTED else (_meant(ruling), [])
        self._log(case, ruling, ident, was)
        kind = {CORRECTED: "logged", ASKED: "asked", ROUTED: "routed"}[ruling.kind]
        section = Proposed(CORRECTIONS, kind, ruling.right or ruling.why, evidence)
        return Written((*proposed, section), BASE[CORRECTION] if ruling.kind == CORRECTED else BASE[INFERRED])

    def _log(self, case: Case, ruling: Ruling, ident: str, was: str) -> None:
        text = self._draft.read(CORRECTIONS)
        status = {CORRECTED: CONFIRMED, ASKED: OPEN, ROUTED: log.ROUTED}[ruling.kind]
        right, was = _line(ruling.right), _line(was)
        if case.answers:
            told = {
                log.CORRECT: right,
                log.WAS: was,
                log.EVIDENCE: ", ".join(filter(None, (case.answers.source, case.source))),
            }
            if case.words:
                told[log.WORDS] = _line(case.words)
            text = log.with_fields(text, ident, {**told, log.RE_EMBEDDED: "false", log.STATUS: status})
        else:
            section = Correction(
                ident, case.time.astimezone(self._snapshot.now.tzinfo), _line(case.trigger), case.confidence,
                _line(ruling.said), right, was, re_embedded=False, status=status,
                words=_line(case.words), source=case.source,
            )  # fmt: skip
            text = log.added(text, section)
        self._draft.put(CORRECTIONS, text)

    def _set_right(self, ruling: Ruling, evidence: tuple[str, ...]) -> tuple[str, list[Proposed]]:
        """The right value goes into the entry that is meant, or a new one; the others with the old value follow."""
        hits = ruling.finding.hits
        main = next((hit for hit in hits if tier(hit.place.path) == CORE), None)
        was = _meant(ruling)
        proposed, ident = self._corrected(main, evidence) if main else self._added(ruling.right, evidence)
        told = [proposed]
        if main is None and ruling.firm:
            told += self._overtaken(ruling.right, ident, evidence)
        others = (
            hit for hit in hits if hit is not main and hit.named and hit.sure and _is_of_it(hit, main, ruling.right)
        )
        told += [self._followed(hit, ruling.right, ident, evidence) for hit in others if not (main and _happened(hit))]
        return was, told

    def _corrected(self, hit: Hit, evidence: tuple[str, ...]) -> tuple[Proposed, str]:
        path = hit.place.path
        text = self._draft.read(path)
        entry = _standing(text, hit.place.entry)
        ident = entry.meta.id if entry.meta and entry.meta.id else self._fresh_id(text)
        self._draft.put(path, corrected(text, entry, Fresh(hit.text, evidence, self._snapshot.today, ident)))
        kind = "corrected" if hit.text != wording(entry) else "confirmed"
        return Proposed(path, kind, f"{wording(entry)} → {hit.text}", evidence, BASE[CORRECTION]), ident

    def _followed(self, hit: Hit, right: str, ident: str, evidence: tuple[str, ...]) -> Proposed:
        """Another entry with the old value points to the right one, unless it says more than that one does."""
        path = hit.place.path
        if tier(path) == CORE and not _says_the_same(hit.text, right):
            return self._corrected(hit, evidence)[0]
        text = self._draft.read(path)
        entry = _standing(text, hit.place.entry)
        self._draft.put(path, superseded(text, entry, ident, self._fresh_id(text)))
        return Proposed(path, "superseded", f"{wording(entry)} → {ident}", evidence)

    def _overtaken(self, right: str, ident: str, evidence: tuple[str, ...]) -> list[Proposed]:
        """What plainly contradicts a new entry points to it: nobody could tell whether it was meant."""
        told: list[Proposed] = []
        for path, entry in self.places():
            said = wording(entry)
            shared = len(content(said) & content(right)) if tier(path) == CORE else 0
            if shared < _SHARED or not _plainly_against(said, right):
                continue
            text = self._draft.read(path)
            self._draft.put(path, superseded(text, _standing(text, entry), ident, self._fresh_id(text)))
            told.append(Proposed(path, "superseded", f"{said} → {ident}", evidence))
        return told

    def _added(self, right: str, evidence: tuple[str, ...]) -> tuple[Proposed, str]:
        """A new entry in the notebook. What is to last is no event, whatever its words are."""
        path = notebook_of(self._draft)
        text = self._draft.read(path) or "# Memory\n"
        ident = self._fresh_id(text)
        fact = worded(right)
        if fact.tag == EVENT:
            fact = worded(right, KNOWLEDGE)
        meta = new_meta(Fresh(fact.text, evidence, self._snapshot.today, ident))
        heading = route(fact.text, fact.tag, self._snapshot.now, to=path, notebook=path).heading
        self._draft.put(path, append_entry(text, heading, render(f"{fact.text} #{CORRECTION}", meta)))
        return Proposed(path, "added", right, evidence, BASE[CORRECTION]), ident

    def _is_looked_at(self, path: str) -> bool:
        if tier(path) == CORE:
            return True
        day = dated(path) if path.startswith("memory/") else None
        return day is not None and abs((self._snapshot.today - day).days) <= RECENT_DAYS

    def _fresh_id(self, taken: str) -> str:
        self._count += 1
        return self._snapshot.fresh_id(f"correction {self._count}", taken)


def _meant(ruling: Ruling) -> str:
    """The entry that is set right, by its key and in its words; "" where none is."""
    hits = ruling.finding.hits
    shown = next((hit for hit in hits if tier(hit.place.path) == CORE), next(iter(hits), None))
    return f"{shown.place.entry.key} {wording(shown.place.entry)}" if shown else ""


def named(places: Iterable[Place], was: str) -> Place | None:
    """The entry that somebody names, by its id or by its words."""
    return next((place for place in places if place.entry.key == was or same_fact(wording(place.entry), was)), None)


def _standing(text: str, entry: Entry) -> Entry:
    """An entry where it stands now, after other edits of its file."""
    return next(one for one in entries(text) if one.key == entry.key and wording(one) == wording(entry))


def _is_of_it(hit: Hit, main: Hit | None, right: str) -> bool:
    """Whether an entry with the old value is about the same thing, and not about another that has it, too."""
    said = wording(hit.place.entry)
    if _of_others(said, wording(main.place.entry) if main else right):
        return False
    label, colon, _ = said.partition(": ")
    if own := content(subject_of(said)) or (content(label) if colon else frozenset()):
        return own <= content(f"{wording(main.place.entry)} {right}" if main else right)
    return same_fact(hit.text, right) or _plainly_against(said, right)


def _of_others(one: str, other: str) -> bool:
    """Whether one is ours and the other is theirs."""
    ones, others = _OWNER.match(one), _OWNER.match(other)
    return ones is not None and others is not None and ones[0].lower() != others[0].lower()


def _plainly_against(said: str, right: str) -> bool:
    """Whether two texts contradict each other of one thing: of two things, one may be so and the other not."""
    if _of_others(said, right):
        return False
    words, meant = content(said), content(right)
    own, other = content(subject_of(said)), content(subject_of(right))
    alike = own <= meant or other <= words or words - own == meant - other
    of_one = alike if own and other else not right.isascii()
    return of_one and contradiction(said, right) is not None


def _happened(hit: Hit) -> bool:
    """Whether an entry tells what somebody did: that stays true, wherever the right place is now."""
    return tier(hit.place.path) != CORE and _DID.match(wording(hit.place.entry)) is not None


def _says_the_same(one: str, other: str) -> bool:
    return same_fact(one, other) or likeness(one, other) >= _ALIKE


def _line(text: str) -> str:
    """A text as one field of a section: one line, not too long, in which no comment opens."""
    return in_a_line(text, _LONGEST).replace("<!--", "‹!--").replace("-->", "--›")

"""Writes a correction: its section in CORRECTIONS.md, and the change of its entry."""

from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from clawgit.agents.contract import Draft, Proposed, Snapshot
from clawgit.agents.recall_judging import ROUTED, Ruling
from clawgit.domain.corrections import corrections as log
from clawgit.domain.corrections import statuses
from clawgit.domain.corrections.correcting import (
    Fresh,
    at_rest,
    corrected,
    disputed,
    disputed_less,
    exchanged,
    new_meta,
)
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction, statement
from clawgit.domain.corrections.deciding import ASKED, NOTED, PUT_RIGHT, QUOTED
from clawgit.domain.corrections.disputed import (
    Quote,
    is_disputed,
    quotes_of,
    with_quote,
    without_quote,
)
from clawgit.domain.extraction.quoting import kept, line
from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.facts.confidence import BASE, CORRECTION, INFERRED
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.facts.same_fact import same_fact
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.entry import Entry, append_entry, entries, holds_entries, render
from clawgit.domain.markdown.entry import replaced as put_in_place
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import IN_USE
from clawgit.domain.markdown.tag_table import EVENT, KNOWLEDGE
from clawgit.domain.workspace.routing import notebook_of, route
from clawgit.domain.workspace.tiers import CORE, dated, tier
from clawgit.errors import NotFoundError

RECENT_DAYS = 60
"""How far back dated notes are looked at. A search warns of what is wrong in older ones."""

MOST_QUOTES = 12
MOST_QUOTED = 1500
"""How many quotes, and how many characters of them, the notebook may have. Older ones are only in
CORRECTIONS.md."""

_LONGEST = 600
_STATUS = {
    PUT_RIGHT: statuses.CONFIRMED,
    NOTED: statuses.CONFIRMED,
    QUOTED: statuses.QUOTED,
    ASKED: statuses.OPEN,
    ROUTED: statuses.ROUTED,
}
_KINDS = {
    PUT_RIGHT: "logged",
    NOTED: "logged",
    QUOTED: "quoted",
    ASKED: "asked",
    ROUTED: "routed",
}
_BINDING = (PUT_RIGHT, NOTED, QUOTED)


class Case(NamedTuple):
    """Where a correction comes from.

    `answers` is the open or quoted one that it closes. `own` is the section that its message has
    already: a message has one, whoever reads it again. `speaker` says it in the operator's place,
    whose words it is only quoted under.
    """

    source: str
    time: datetime
    trigger: str
    confidence: str
    words: str
    answers: Correction | None = None
    own: Correction | None = None
    speaker: str = ""


class WrittenCase(NamedTuple):
    """What was written for a case."""

    proposed: tuple[Proposed, ...]
    confidence: float


class CorrectionDraft:
    """The files while one correction after the other changes them."""

    def __init__(self, snapshot: Snapshot, draft: Draft) -> None:
        self._snapshot, self._draft, self._count = snapshot, draft, 0
        books = {path: text for path, text in snapshot.files.items() if path != CORRECTIONS}
        archived = log.all_corrections(books, snapshot.doubted)
        self._archived_ids = {each.id for each in archived}
        self._archived = [each for each in archived if _is_over(each)]
        self._speaker = operators_name(snapshot.files.get("USER.md", "")) or frames.OPERATOR

    @property
    def known(self) -> tuple[Correction, ...]:
        """All corrections, the archived ones first."""
        now = log.corrections(self._draft.read(CORRECTIONS))
        return (*self._archived, *log.doubting(now, self._snapshot.doubted))

    def waiting(self, ident: str) -> Correction:
        """The open or quoted correction with this id. NotFoundError if there is none."""
        for correction in self.known:
            if correction.id == ident and correction.waits:
                return correction
        raise NotFoundError(
            f"No open or quoted correction is {ident}.", hint="clawgit corrections list --open"
        )

    def places(self) -> tuple[EntryPlace, ...]:
        """The active and disputed entries of lasting files, and of the notes of the last weeks."""
        paths = sorted(path for path in self._snapshot.files if self._is_looked_at(path))
        places = (
            EntryPlace(path, entry) for path in paths for entry in entries(self._draft.read(path))
        )
        return tuple(place for place in places if place.status in IN_USE)

    def write(self, case: Case, ruling: Ruling) -> WrittenCase:
        """Does what the ruling says, and logs the case.

        UsageError if no entry can have these words.
        """
        ruling = _beside_a_note(ruling, case)
        ident = case.own.id if case.own else self._section_id(case)
        evidence = tuple(filter(None, (case.source, f"{CORRECTIONS}#{ident}")))
        was, proposed = self._applied(ruling, ident, evidence, case)
        is_binding = ruling.kind in _BINDING and not case.speaker
        if is_binding:
            self._settle_all((case.own, case.answers), ident)
        self._log(case, ruling, ident, was)
        # Only after the log has the sentence, since room is made by removing quotes.
        if ruling.kind == QUOTED and ruling.place:
            self._make_room(ruling.place.path)
        section = Proposed(CORRECTIONS, _KINDS[ruling.kind], ruling.right or ruling.why, evidence)
        return WrittenCase((*proposed, section), BASE[CORRECTION if is_binding else INFERRED])

    def _settle_all(self, answered: Iterable[Correction | None], ident: str) -> None:
        for correction in filter(None, answered):
            self._settle(correction, ident)

    def _applied(
        self, ruling: Ruling, ident: str, evidence: tuple[str, ...], case: Case
    ) -> tuple[str, list[Proposed]]:
        """Changes the entry; returns its key and what it said, and what was done."""
        was = self._meant(ruling)
        if ruling.kind == QUOTED and ruling.place:
            was = self._quote(ruling.place, ruling.right, evidence, case.speaker)
            return was, [Proposed(ruling.place.path, "quoted", ruling.right, evidence)]
        if ruling.kind == NOTED:
            return was, self._noted(ruling.right, evidence, case)
        if ruling.kind != PUT_RIGHT:
            return was, []
        done = self._correct(ruling, evidence, case.words)
        if ruling.place:
            self._end_quotes(was.partition(" ")[0], ident)
        return was, [done]

    def end(self, correction: Correction, status: str, why: str) -> tuple[Proposed, ...]:
        """Ends a quoted or open correction without a new text.

        The quote and the entry's mark go; the log keeps the correction.
        """
        place = self.place_of(correction)
        done = [
            Proposed(
                CORRECTIONS, status, correction.correct or correction.words, (correction.evidence,)
            )
        ]
        if place and correction.status == statuses.QUOTED:
            self._unquote(place, correction, status)
            done.append(
                Proposed(place.path, status, statement(place.entry), (correction.evidence,))
            )
        self._set(correction.id, status, why)
        return tuple(done)

    def place_of(self, correction: Correction) -> EntryPlace | None:
        """The entry that a correction is about, as it is now."""
        return self._standing(correction.target) if correction.target else None

    def _correct(self, ruling: Ruling, evidence: tuple[str, ...], message: str) -> Proposed:
        if ruling.place is None:
            return self._added(ruling.right, evidence)
        path = ruling.place.path
        text = self._draft.read(path)
        entry = _same(text, ruling.place.entry)
        fresh = Fresh(ruling.right, evidence, self._snapshot.today, self._id_of(entry, text))
        if ruling.change:
            after = exchanged(text, entry, ruling.change, fresh, message)
        else:
            after = corrected(text, entry, fresh)
        self._draft.put(path, after)
        old = statement(entry)
        kind = "corrected" if ruling.right != old else "confirmed"
        return Proposed(path, kind, f"{old} → {ruling.right}", evidence, BASE[CORRECTION])

    def _added(self, right: str, evidence: tuple[str, ...]) -> Proposed:
        """A new entry in the notebook. It should last, so it is never tagged as an event."""
        path = notebook_of(self._draft)
        text = self._draft.read(path) or frames.TITLE.format(title=frames.NOTEBOOK)
        fact = worded(right)
        if fact.tag == EVENT:
            fact = worded(right, KNOWLEDGE)
        meta = new_meta(Fresh(fact.text, evidence, self._snapshot.today, self._fresh_id(text)))
        heading = route(fact.text, fact.tag, self._snapshot.now, to=path, notebook=path).heading
        self._draft.put(
            path, append_entry(text, heading, render(f"{fact.text} #{CORRECTION}", meta))
        )
        return Proposed(path, "added", right, evidence, BASE[CORRECTION])

    def _noted(self, words: str, evidence: tuple[str, ...], case: Case) -> list[Proposed]:
        """A line of its own for what no entry holds that may be changed: what the operator typed,
        or a quotation of the message.
        """
        if case.trigger == frames.TYPED:
            return [self._added(words, evidence)]
        said = kept(words, self._speaker, case.time.astimezone(self._snapshot.now.tzinfo))
        if not said.words:
            return []
        return [self._added(line(said._replace(speaker=self._speaker)), evidence)]

    def _quote(self, place: EntryPlace, words: str, evidence: tuple[str, ...], speaker: str) -> str:
        """Puts the sentence under its entry; returns the entry's id and what it says."""
        text = self._draft.read(place.path)
        entry = _same(text, place.entry)
        ident = self._id_of(entry, text)
        if speaker:
            # What the operator said stays in force: it is neither marked nor rests on this.
            after = put_in_place(text, entry, with_quote(entry.raw, speaker, words))
        else:
            fresh = Fresh(words, evidence, self._snapshot.today, ident)
            after = disputed(text, entry, self._speaker, fresh)
        self._draft.put(place.path, after)
        return f"{ident} {statement(entry)}"

    def _id_of(self, entry: Entry, text: str) -> str:
        """The entry's own id, or a fresh one if it has none yet."""
        if entry.meta and entry.meta.id:
            return entry.meta.id
        return self._fresh_id(text)

    def _unquote(self, place: EntryPlace, correction: Correction, status: str) -> None:
        """Removes one quote, and the entry's mark if no other quote disputes it."""
        text = self._draft.read(place.path)
        quoting = [
            other
            for other in self.known
            if other.status == statuses.QUOTED and other.target == correction.target
        ]
        is_last = len(quoting) <= 1 or status == statuses.KEPT
        if not is_last:
            disputing = _evidence_of([correction])
            after = disputed_less(text, place.entry, correction.correct, disputing)
            self._draft.put(place.path, after)
            return
        disputing = _evidence_of([correction, *quoting])
        for other in quoting:
            if other.id != correction.id:
                self._set(other.id, status, f"with {correction.id}")
        self._draft.put(place.path, at_rest(text, place.entry, disputing))

    def _end_quotes(self, key: str, ident: str) -> None:
        """Settles the quotes that disputed an entry of which it is now known what is right."""
        for correction in self.known:
            if correction.status == statuses.QUOTED and correction.target == key:
                self._settle(correction, ident)

    def _settle(self, correction: Correction, ident: str) -> None:
        """Marks a correction that another one answers, whose words stay whole; its quote goes."""
        place = self.place_of(correction)
        if place and correction.status == statuses.QUOTED and is_disputed(place.entry):
            self._unquote(place, correction, statuses.SETTLED)
        if correction.id != ident:
            self._set(correction.id, statuses.SETTLED, f"answered by {ident}")

    def _make_room(self, path: str) -> None:
        """Removes the oldest quotes from the notebook; their entries stay disputed.

        Nothing is lost: CORRECTIONS.md has the sentences.
        """
        if path != notebook_of(self._draft):
            return
        text = self._draft.read(path)
        age = {(each.target, each.correct): at for at, each in enumerate(self.known)}

        def oldest_first(text: str) -> list[tuple[str, Quote]]:
            held = [(entry.key, quote) for entry in entries(text) for quote in quotes_of(entry.raw)]
            held.sort(key=lambda pair: age.get((pair[0], pair[1].words), -1))
            return held

        # Read again after each: an edit moves the lines of all entries below it.
        while _is_too_much(held := oldest_first(text)):
            key, quote = held[0]
            entry = _quoting(text, key, quote)
            text = put_in_place(text, entry, without_quote(entry.raw, quote.words))
        self._draft.put(path, text)

    def _log(self, case: Case, ruling: Ruling, ident: str, was: str) -> None:
        text = self._draft.read(CORRECTIONS)
        if case.own:
            fields = {
                log.CORRECT: _line(ruling.right),
                log.WAS: whole_line(was) or case.own.was,
                log.RE_EMBEDDED: "false",
                log.STATUS: _STATUS[ruling.kind],
                log.WHY: _line(ruling.why),
            }
            self._draft.put(CORRECTIONS, log.with_fields(text, ident, fields))
            return
        section = Correction(
            ident,
            case.time.astimezone(self._snapshot.now.tzinfo),
            _line(case.trigger),
            case.confidence,
            _line(ruling.said),
            _line(ruling.right),
            whole_line(was),
            re_embedded=False,
            status=_STATUS[ruling.kind],
            words=_line(case.words),
            source=case.source,
            why=_line(ruling.why),
        )
        self._draft.put(CORRECTIONS, log.added(text, section))

    def _set(self, ident: str, status: str, why: str) -> None:
        text = self._draft.read(CORRECTIONS)
        fields = {log.STATUS: status, log.WHY: why}
        self._draft.put(CORRECTIONS, log.with_fields(text, ident, fields))

    def _meant(self, ruling: Ruling) -> str:
        """The key and the words of the entry that a ruling is about; "" if it is about none."""
        return f"{ruling.place.entry.key} {statement(ruling.place.entry)}" if ruling.place else ""

    def _standing(self, key: str) -> EntryPlace | None:
        for path in sorted(path for path in self._draft if holds_entries(path)):
            for entry in entries(self._draft.read(path)):
                if entry.key == key:
                    return EntryPlace(path, entry)
        return None

    def _is_looked_at(self, path: str) -> bool:
        if tier(path) == CORE:
            return True
        day = dated(path) if path.startswith("memory/") else None
        return day is not None and abs((self._snapshot.today - day).days) <= RECENT_DAYS

    def _section_id(self, case: Case) -> str:
        """An id that no section has, in the log or its archive.

        That of a message derives from the message alone, so that two machines which both hear it
        write one section.
        """
        now = log.corrections(self._draft.read(CORRECTIONS))
        taken = self._archived_ids | {each.id for each in now}
        if case.trigger == frames.TYPED:
            return self._fresh_id(taken)
        return self._snapshot._replace(run="").fresh_id(case.source, taken)

    def _fresh_id(self, taken: Container[str]) -> str:
        self._count += 1
        return self._snapshot.fresh_id(f"correction {self._count}", taken)


def _beside_a_note(ruling: Ruling, case: Case) -> Ruling:
    """The ruling, or where its entry is in a dated note, one that leaves it a record of its day.

    Not the entry with a new value is written then, but what was said.
    """
    if ruling.kind not in _BINDING or ruling.place is None or tier(ruling.place.path) == CORE:
        return ruling
    words = ruling.right
    if ruling.kind == PUT_RIGHT and case.words and case.trigger != frames.TYPED:
        words = " ".join(case.words.split())
    return ruling._replace(kind=NOTED, right=words, change=None)


def named(places: Iterable[EntryPlace], was: str) -> EntryPlace | None:
    """The entry with this id, else the first that says the same as these words."""
    candidates: Sequence[EntryPlace] = [*places]
    for place in candidates:
        if place.entry.key == was:
            return place
    for place in candidates:
        if same_fact(statement(place.entry), was):
            return place
    return None


def _evidence_of(corrections: Iterable[Correction]) -> set[str]:
    """All that these corrections cite, and themselves."""
    evidence: set[str] = set()
    for correction in corrections:
        evidence |= {correction.source, correction.evidence}
    return evidence


def _is_too_much(held: Sequence[tuple[str, Quote]]) -> bool:
    return len(held) > MOST_QUOTES or sum(len(quote.words) for _, quote in held) > MOST_QUOTED


def _quoting(text: str, key: str, quote: Quote) -> Entry:
    """The entry that a quote is under."""
    return next(
        entry for entry in entries(text) if entry.key == key and quote in quotes_of(entry.raw)
    )


def _is_over(correction: Correction) -> bool:
    return statuses.status_of(correction.status).is_answered


def _same(text: str, entry: Entry) -> Entry:
    """An entry where it is now, after other edits of its file."""
    words = statement(entry)
    return next(
        candidate
        for candidate in entries(text)
        if candidate.key == entry.key and statement(candidate) == words
    )


def _line(text: str) -> str:
    """A text as one field of a section: one line, not too long, without the start of a comment."""
    return whole_line(in_a_line(text, _LONGEST))


def whole_line(text: str) -> str:
    """A text as a field of the log, at full length: one line, without the start of a comment."""
    return " ".join(text.split()).replace("<!--", "‹!--").replace("-->", "--›")

"""A correction written down: its section in CORRECTIONS.md, and what becomes of the entry that it
is about.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from clawgit.agents.contract import Draft, Proposed, Snapshot
from clawgit.agents.recall_judging import ASKED, PUT_RIGHT, QUOTED, ROUTED, Ruling
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
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction
from clawgit.domain.corrections.disputed import quotes_of, without_quote
from clawgit.domain.corrections.statement import statement
from clawgit.domain.extraction.speaker import operators_name
from clawgit.domain.facts.confidence import BASE, CORRECTION, INFERRED
from clawgit.domain.facts.fact import worded
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.facts.same_fact import same_fact
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.entry import Entry, append_entry, entries, holds_entries, render
from clawgit.domain.markdown.entry import replaced as put_in_place
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.statuses import IN_USE
from clawgit.domain.markdown.tag_table import EVENT, KNOWLEDGE
from clawgit.domain.workspace.routing import notebook_of, route
from clawgit.domain.workspace.tiers import CORE, dated, tier

RECENT_DAYS = 60
"""How far back dated notes are looked through; a search knows what is wrong in older ones, too."""

MOST_QUOTES = 12
MOST_QUOTED = 1500
"""So many quotes, and characters of them, stand in the notebook; older ones are in CORRECTIONS.md
only."""

_LONGEST = 600
_STATUS = {
    PUT_RIGHT: statuses.CONFIRMED,
    QUOTED: statuses.QUOTED,
    ASKED: statuses.OPEN,
    ROUTED: statuses.ROUTED,
}


class Case(NamedTuple):
    """Where a correction comes from. `answers` is the open or quoted one that it closes."""

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
        shelved = log.all_corrections(
            {path: text for path, text in snapshot.files.items() if path != CORRECTIONS}
        )
        self._archived = [one for one in shelved if _is_over(one)]
        self._speaker = operators_name(snapshot.files.get("USER.md", "")) or frames.OPERATOR

    @property
    def known(self) -> tuple[Correction, ...]:
        """All corrections, the archived ones first."""
        return (*self._archived, *log.corrections(self._draft.read(CORRECTIONS)))

    def places(self) -> tuple[Place, ...]:
        """The entries that hold or are disputed: those of lasting files, and of the notes of the
        last weeks.
        """
        paths = sorted(path for path in self._snapshot.files if self._is_looked_at(path))
        found = (Place(path, entry) for path in paths for entry in entries(self._draft.read(path)))
        return tuple(place for place in found if place.status in IN_USE)

    def write(self, case: Case, ruling: Ruling) -> Written:
        """Does what the ruling says, and logs the case. UsageError where no entry can say it."""
        ident = case.answers.id if case.answers else self._fresh_id(self._draft.read(CORRECTIONS))
        evidence = tuple(filter(None, (case.source, f"{CORRECTIONS}#{ident}")))
        was, proposed = self._meant(ruling), []
        if ruling.kind == PUT_RIGHT:
            proposed.append(self._put_right(ruling, evidence, case.words))
            if ruling.place:
                self._end_quotes(was.partition(" ")[0], ident, ruling.right)
        elif ruling.kind == QUOTED and ruling.place:
            was = self._quote(ruling.place, ruling.right, evidence)
            proposed.append(Proposed(ruling.place.path, "quoted", ruling.right, evidence))
        self._log(case, ruling, ident, was)
        if ruling.kind == QUOTED and ruling.place:
            self._make_room(ruling.place.path)
        kind = {PUT_RIGHT: "logged", QUOTED: "quoted", ASKED: "asked", ROUTED: "routed"}[
            ruling.kind
        ]
        section = Proposed(CORRECTIONS, kind, ruling.right or ruling.why, evidence)
        sure = BASE[CORRECTION] if ruling.kind in (PUT_RIGHT, QUOTED) else BASE[INFERRED]
        return Written((*proposed, section), sure)

    def end(self, one: Correction, status: str, why: str) -> tuple[Proposed, ...]:
        """Ends a quoted or open correction without a new text: its quote and the entry's mark go,
        the log keeps it.
        """
        place = self.place_of(one)
        done = [Proposed(CORRECTIONS, status, one.correct or one.words, (one.evidence,))]
        if place and one.status == statuses.QUOTED:
            self._unquote(place, one, status)
            done.append(Proposed(place.path, status, statement(place.entry), (one.evidence,)))
        self._set(one.id, {log.STATUS: status, log.WHY: why, log.RE_EMBEDDED: "true"})
        return tuple(done)

    def place_of(self, one: Correction) -> Place | None:
        """The entry that a correction is about, as it stands now."""
        return self._standing(one.target) if one.target else None

    def _put_right(self, ruling: Ruling, evidence: tuple[str, ...], message: str) -> Proposed:
        if ruling.place is None:
            return self._added(ruling.right, evidence)
        path = ruling.place.path
        text = self._draft.read(path)
        entry = _same(text, ruling.place.entry)
        ident = entry.meta.id if entry.meta and entry.meta.id else self._fresh_id(text)
        fresh = Fresh(ruling.right, evidence, self._snapshot.today, ident)
        change = ruling.change
        made = (
            exchanged(text, entry, change, fresh, message)
            if change
            else corrected(text, entry, fresh)
        )
        self._draft.put(path, made)
        kind = "corrected" if ruling.right != statement(entry) else "confirmed"
        return Proposed(
            path, kind, f"{statement(entry)} → {ruling.right}", evidence, BASE[CORRECTION]
        )

    def _added(self, right: str, evidence: tuple[str, ...]) -> Proposed:
        """A new entry in the notebook. What is to last is no event, whatever its words are."""
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

    def _quote(self, place: Place, words: str, evidence: tuple[str, ...]) -> str:
        """Puts the sentence under its entry; says which entry that is, and what it says."""
        text = self._draft.read(place.path)
        entry = _same(text, place.entry)
        ident = entry.meta.id if entry.meta and entry.meta.id else self._fresh_id(text)
        fresh = Fresh(words, evidence, self._snapshot.today, ident)
        self._draft.put(place.path, disputed(text, entry, self._speaker, fresh))
        return f"{ident} {statement(entry)}"

    def _unquote(self, place: Place, one: Correction, status: str) -> None:
        """Takes one quote away; the entry is at rest once no other disputes it."""
        text = self._draft.read(place.path)
        others = [
            two for two in self.known if two.status == statuses.QUOTED and two.target == one.target
        ]
        is_last = len(others) <= 1 or status == statuses.KEPT
        ended = (one, *others) if is_last else (one,)
        disputing = {cited for each in ended for cited in (*each.source.split(", "), each.evidence)}
        if is_last:
            for two in others:
                if two.id != one.id:
                    self._set(
                        two.id,
                        {log.STATUS: status, log.WHY: f"with {one.id}", log.RE_EMBEDDED: "true"},
                    )
            self._draft.put(place.path, at_rest(text, place.entry, disputing))
        else:
            self._draft.put(place.path, disputed_less(text, place.entry, one.correct, disputing))

    def _end_quotes(self, key: str, ident: str, right: str) -> None:
        """What disputed an entry that is put right now is settled."""
        for one in self.known:
            if one.status == statuses.QUOTED and one.target == key and one.id != ident:
                fields = {
                    log.CORRECT: _line(right),
                    log.STATUS: statuses.SETTLED,
                    log.WHY: f"put right by {ident}",
                }
                self._set(one.id, {**fields, log.RE_EMBEDDED: "false"})

    def _make_room(self, path: str) -> None:
        """The oldest quotes of the notebook give way; the entries stay disputed, and the log has
        the sentences.
        """
        if path != notebook_of(self._draft):
            return
        text = self._draft.read(path)
        held = [(entry.key, quote) for entry in entries(text) for quote in quotes_of(entry.raw)]
        age = {(one.target, one.correct): number for number, one in enumerate(self.known)}
        held.sort(key=lambda pair: age.get((pair[0], pair[1].words), -1))
        while held and (
            len(held) > MOST_QUOTES or sum(len(quote.words) for _, quote in held) > MOST_QUOTED
        ):
            key, quote = held.pop(0)
            entry = next(
                one for one in entries(text) if one.key == key and quote in quotes_of(one.raw)
            )
            text = put_in_place(text, entry, without_quote(entry.raw, quote.words))
            held = [(entry.key, quote) for entry in entries(text) for quote in quotes_of(entry.raw)]
            held.sort(key=lambda pair: age.get((pair[0], pair[1].words), -1))
        self._draft.put(path, text)

    def _log(self, case: Case, ruling: Ruling, ident: str, was: str) -> None:
        text = self._draft.read(CORRECTIONS)
        status, right, was = _STATUS[ruling.kind], _line(ruling.right), _line(was)
        if case.answers:
            if case.answers.status == statuses.QUOTED and status == statuses.CONFIRMED:
                status = statuses.SETTLED
            sources = dict.fromkeys(filter(None, (case.answers.source, case.source)))
            fields = {
                log.CORRECT: right,
                log.WAS: was or case.answers.was,
                log.EVIDENCE: ", ".join(sources),
            }
            if case.words:
                fields[log.WORDS] = _line(case.words)
            fields |= {log.RE_EMBEDDED: "false", log.STATUS: status, log.WHY: ruling.why}
            text = log.with_fields(text, ident, fields)
        else:
            section = Correction(
                ident, case.time.astimezone(self._snapshot.now.tzinfo), _line(case.trigger),
                    case.confidence,
                _line(ruling.said), right, was, re_embedded=False, status=status,
                words=_line(case.words), source=case.source, why=_line(ruling.why),
            )  # fmt: skip
            text = log.added(text, section)
        self._draft.put(CORRECTIONS, text)

    def _set(self, ident: str, fields: dict[str, str]) -> None:
        self._draft.put(CORRECTIONS, log.with_fields(self._draft.read(CORRECTIONS), ident, fields))

    def _meant(self, ruling: Ruling) -> str:
        """The entry that it is about, by its key and in its words; "" where it is none."""
        return f"{ruling.place.entry.key} {statement(ruling.place.entry)}" if ruling.place else ""

    def _standing(self, key: str) -> Place | None:
        paths = sorted(path for path in self._draft if holds_entries(path))
        found = (
            Place(path, one)
            for path in paths
            for one in entries(self._draft.read(path))
            if one.key == key
        )
        return next(found, None)

    def _is_looked_at(self, path: str) -> bool:
        if tier(path) == CORE:
            return True
        day = dated(path) if path.startswith("memory/") else None
        return day is not None and abs((self._snapshot.today - day).days) <= RECENT_DAYS

    def _fresh_id(self, taken: str) -> str:
        self._count += 1
        return self._snapshot.fresh_id(f"correction {self._count}", taken)


def named(places: Iterable[Place], was: str) -> Place | None:
    """The entry that somebody names, by its id or by its words."""
    found: Sequence[Place] = [*places]
    by_key = (place for place in found if place.entry.key == was)
    return next(by_key, None) or next(
        (place for place in found if same_fact(statement(place.entry), was)), None
    )


def _is_over(one: Correction) -> bool:
    return statuses.status_of(one.status).is_answered


def _same(text: str, entry: Entry) -> Entry:
    """An entry where it stands now, after other edits of its file."""
    return next(
        one for one in entries(text) if one.key == entry.key and statement(one) == statement(entry)
    )


def _line(text: str) -> str:
    """A text as one field of a section: one line, not too long, in which no comment opens."""
    return in_a_line(text, _LONGEST).replace("<!--", "‹!--").replace("-->", "--›")

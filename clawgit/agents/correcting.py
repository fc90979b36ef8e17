"""Writes a correction: its section in CORRECTIONS.md, and the change of its entry; and what becomes
of one that somebody types.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from datetime import date

from clawgit.agents.contract import Draft, Proposed, Snapshot, Step
from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import DISPUTED, IN_USE, Meta, split
from clawgit.core.markdown.entry import (
    Entry,
    append_entry,
    entries,
    entry_of,
    holds_entries,
    render,
    replaced,
)
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.scan import Block
from clawgit.core.markdown.tag_table import EVENT, KNOWLEDGE, comments_in, tags_in
from clawgit.core.tiers import CORE, dated, tier
from clawgit.git.rules.actors import AGENT
from clawgit.memory.rules.confidence import (
    BASE,
    CORRECTION,
    INFERRED,
    first_said,
    firsthand,
    written,
)
from clawgit.memory.rules.fact import refuse_notes, worded
from clawgit.memory.rules.likeness import same_fact
from clawgit.safety.rules.injection import findings as poison
from clawgit.safety.rules.masks import is_sensitive
from clawgit.talk.rules import corrections as log
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, statement
from clawgit.talk.rules.deciding import (
    ASKED,
    BINDING,
    NOTED,
    PUT_RIGHT,
    QUOTED,
    ROUTED,
    Decision,
)
from clawgit.talk.rules.exchange import Exchange
from clawgit.talk.rules.kept_line import kept, line, operators_name, quotable
from clawgit.talk.rules.quotes import (
    BULLET,
    has_quote,
    is_disputed,
    quotes_of,
    with_quote,
    without_quotes,
)
from clawgit.workspace.rules.routing import notebook_of, route

RECENT_DAYS = 60
"""How far back dated notes are looked at. A search warns of what is wrong in older ones."""

LONGEST = 600

EXCERPT = 80

_STATUS = {
    PUT_RIGHT: log.CONFIRMED,
    NOTED: log.CONFIRMED,
    QUOTED: log.QUOTED,
    ASKED: log.OPEN,
    ROUTED: log.ROUTED,
}

_SUMMARIES = {
    PUT_RIGHT: "correct: {}",
    NOTED: "correct: {}",
    QUOTED: "quote: {}",
    ASKED: "ask what is right",
    ROUTED: "log what failed",
}

_ENDINGS = {log.KEPT: "keep what was disputed", log.DISMISSED: "dismiss what was no correction"}
"""What ends without a new text."""


class Case(NamedTuple):
    """A correction before it is decided: when it was said, its words, its source, its trigger.

    `answers` is the open or quoted one that it closes. `own` is the section that its message has
    already: a message has one, whoever reads it again. `speaker` says it in the operator's place,
    whose words it is only quoted under.
    """

    heard: Correction
    session: str = ""
    answers: Correction | None = None
    own: Correction | None = None
    speaker: str = ""


class CorrectionDraft:
    """The files while one correction after the other changes them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._draft, self._count = Draft(snapshot.files), 0
        self._snapshot = snapshot._replace(files=self._draft)
        self._speaker = quotable(operators_name(snapshot.files.get("USER.md", "")))

    @property
    def known(self) -> tuple[Correction, ...]:
        """All corrections as they are now, the archived ones first."""
        return self._snapshot.corrections

    def waiting(self, ident: str) -> Correction:
        """The open or quoted correction with this id. NotFoundError if there is none."""
        for correction in self.known:
            if correction.id == ident and correction.waits:
                return correction
        raise NotFoundError(
            f"No open or quoted correction is {ident}.", hint="clawgit corrections list --open"
        )

    def in_use(self) -> tuple[Entry, ...]:
        """The active and disputed entries of lasting files, and of the notes of the last weeks."""
        places = self._places(self._is_looked_at)
        return tuple(place for place in places if place.status in IN_USE)

    def places(self) -> tuple[Entry, ...]:
        """The same without what only repeats another. What repeats a note of a day stands for it,
        since the note stays as it is.
        """
        every = self.in_use()
        lasting = firsthand(place for place in every if tier(place.path) == CORE)
        return (*lasting, *(place for place in every if tier(place.path) != CORE))

    def place_of(self, correction: Correction) -> Entry | None:
        """The entry that a correction is about, as it is now."""
        if not correction.target:
            return None
        every = self._places(holds_entries)
        with_key = (place for place in every if place.key == correction.target)
        # An entry without an id gets one when it is changed; then its words identify it.
        return next(with_key, None) or named(self.in_use(), correction.old)

    def _places(self, is_wanted: Callable[[str], bool]) -> Iterable[Entry]:
        for path in sorted(filter(is_wanted, self._draft)):
            yield from entries(self._draft.read(path), path)

    def write(
        self, case: Case, decided: Decision, why: str, overtaken: Sequence[Decision] = ()
    ) -> tuple[Step, ...]:
        """Does what was decided, and logs the case, as one step. `why` is the exchange in words, so
        that another machine can show the evidence. `overtaken` changes other entries, each with
        a section of its own: what an agent writes again is known by it.

        UsageError if no entry can have these words.
        """
        ident = case.own.id if case.own else self._section_id(case)
        evidence = tuple(filter(None, (case.heard.source, f"{CORRECTIONS}#{ident}")))
        was, done = self._applied(decided, evidence, case)
        is_binding = decided.kind in BINDING and not case.speaker
        if is_binding:
            for answered in self._answered(case, (decided, *overtaken)):
                self._close(answered, log.SETTLED, f"answered by {ident}")
        self._log(case, decided, ident, was)
        for each in overtaken:
            other = self._section_id(case)
            held, changed = self._applied(each, (f"{CORRECTIONS}#{other}",), case)
            self._log(case, each, other, held)
            done.extend(changed)
        sure = BASE[CORRECTION if is_binding else INFERRED]
        said = decided.words or decided.why
        done.append(Proposed(CORRECTIONS, decided.kind, said, evidence, sure))
        return self._draft.step(
            "correct",
            _SUMMARIES[decided.kind].format(in_a_line(said, EXCERPT)),
            why,
            done,
            (case.heard.source or f"{CORRECTIONS}#{ident}",),
            confidence=min(each.confidence for each in done if each.confidence),
            session=case.session,
        )

    def _answered(self, case: Case, decided: Iterable[Decision]) -> list[Correction]:
        """What a correction closes: if it puts an entry right, all that is quoted under it, too."""
        right = {each.place.key for each in decided if each.place and each.kind == PUT_RIGHT}
        quoted = (each for each in self.known if each.status == log.QUOTED)
        under = [each for each in quoted if each.target in right]
        return [*filter(None, (case.own, case.answers)), *under]

    def _applied(
        self, decided: Decision, evidence: tuple[str, ...], case: Case
    ) -> tuple[str, list[Proposed]]:
        """Changes the entry; returns its key and what it said, and what was done."""
        place = decided.place
        was = f"{place.key} {statement(place)}" if place else ""
        if decided.kind == QUOTED and place:
            ident = self._quote(place, decided.words, evidence, case.speaker)
            done = Proposed(place.path, "quoted", decided.words, evidence)
            return f"{ident} {statement(place)}", [done]
        if decided.kind == PUT_RIGHT and place:
            return was, [self._correct(place, decided, evidence)]
        words = self._standing_alone(decided, case)
        return was, [self._added(words, evidence)] if words else []

    def _standing_alone(self, decided: Decision, case: Case) -> str:
        """The line of its own for what no entry holds that may be changed: what was typed, or a
        quotation of the message.
        """
        if decided.kind in (ASKED, ROUTED):
            return ""
        if decided.kind == PUT_RIGHT or case.heard.trigger == frames.TYPED:
            return decided.words
        said = kept(decided.words, self._speaker, case.heard.time or self._snapshot.now)
        return line(said._replace(speaker=self._speaker)) if said.words else ""

    def end(self, correction: Correction, status: str, why: str) -> tuple[Step, ...]:
        """Ends a quoted or open correction without a new text.

        The quote and the entry's mark go; the log keeps the correction. If the entry is kept, all
        that is quoted under it ends.
        """
        is_quoted, evidence = correction.status == log.QUOTED, (correction.evidence,)
        for each in self.known:
            is_under = status == log.KEPT and each.target == correction.target
            if each.id == correction.id or (is_quoted and is_under and each.status == log.QUOTED):
                self._close(each, status, why)
        words = correction.correct or correction.words
        done = [Proposed(CORRECTIONS, status, words, evidence)]
        place = self.place_of(correction)
        if place and is_quoted:
            done.append(Proposed(place.path, status, statement(place), evidence))
        summary = f"{_ENDINGS[status]}: {in_a_line(words, EXCERPT)}"
        return self._draft.step("correct", summary, f"{correction.id}: {why}.", done)

    def _edit(self, place: Entry, made: Callable[[Entry, Meta], str]) -> str:
        """Makes an entry anew where it is now, after other edits of its file; returns its key."""
        text, said = self._draft.read(place.path), statement(place)
        entry = next(
            each for each in entries(text) if each.key == place.key and statement(each) == said
        )
        meta = entry.meta or Meta(self._fresh_id(text))
        self._draft.put(place.path, replaced(text, entry, made(entry, meta)))
        return meta.id or entry.key

    def _correct(self, place: Entry, decided: Decision, evidence: tuple[str, ...]) -> Proposed:
        today = self._snapshot.today
        self._edit(
            place,
            lambda entry, meta: corrected(
                entry, sure(meta, evidence, today), decided.words, decided.change
            ),
        )
        told = f"{statement(place)} → {decided.words}"
        return Proposed(place.path, "corrected", told, evidence, BASE[CORRECTION])

    def _quote(self, place: Entry, words: str, evidence: tuple[str, ...], speaker: str) -> str:
        """Puts the sentence under its entry; returns the entry's key."""
        # A program may give itself the operator's name.
        his = {*self._speaker.casefold().split(), frames.OPERATOR.casefold()}
        by = speaker if his.isdisjoint(speaker.casefold().split()) else f"{AGENT.name} {speaker}"

        def made(entry: Entry, meta: Meta) -> str:
            # What the operator said stays in force: it is neither marked nor rests on this.
            if speaker:
                return with_quote(entry.raw, by, words)
            return disputed(entry, meta.citing(*evidence), self._speaker, words)

        return self._edit(place, made)

    def _added(self, right: str, evidence: tuple[str, ...]) -> Proposed:
        """A new entry in the notebook. It should last, so it is never tagged as an event."""
        path = notebook_of(self._draft)
        text = self._draft.read(path) or frames.TITLE.format(title=frames.NOTEBOOK)
        words, tag = worded(right)
        if tag == EVENT:
            words, tag = worded(right, KNOWLEDGE)
        facts = first_said(BASE[CORRECTION], self._snapshot.today, CORRECTION)
        meta = Meta(self._fresh_id(text), facts).citing(*evidence)
        heading = route(words, tag, self._snapshot.now, to=path, notebook=path).heading
        item = render(f"{words} #{CORRECTION}", meta)
        self._draft.put(path, append_entry(text, heading, item))
        return Proposed(path, "added", right, evidence, BASE[CORRECTION])

    def _close(self, correction: Correction, status: str, why: str) -> None:
        """Marks a correction as ended, whose words stay whole in the log; its quote goes."""
        place = self.place_of(correction) if correction.status == log.QUOTED else None
        if place and (is_disputed(place) or has_quote(place.raw, correction.correct)):
            cited = {correction.source, correction.evidence}
            self._edit(place, lambda entry, _: unquoted(entry, correction.correct, cited))
        text = self._draft.read(CORRECTIONS)
        fields = {log.STATUS: status, log.WHY: why}
        self._draft.put(CORRECTIONS, log.with_fields(text, correction.id, fields))

    def _log(self, case: Case, decided: Decision, ident: str, was: str) -> None:
        text = self._draft.read(CORRECTIONS)
        section = case.heard._replace(
            id=ident,
            trigger=_line(case.heard.trigger),
            said=_line(decided.said),
            correct=_line(decided.words),
            was=whole_line(was),
            status=_STATUS[decided.kind],
            words=_line(case.heard.words),
            why=_line(decided.why),
        )
        if case.own is None:
            self._draft.put(CORRECTIONS, log.added(text, section))
            return
        fields = {
            log.CORRECT: section.correct,
            log.WAS: section.was or case.own.was,
            log.RE_EMBEDDED: "false",
            log.STATUS: section.status,
            log.WHY: section.why,
        }
        self._draft.put(CORRECTIONS, log.with_fields(text, ident, fields))

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
        taken = {each.id for each in self.known}
        if case.heard.trigger == frames.TYPED:
            return self._fresh_id(taken)
        return self._snapshot._replace(run="").fresh_id(case.heard.source, taken)

    def _fresh_id(self, taken: Container[str]) -> str:
        self._count += 1
        return self._snapshot.fresh_id(f"correction {self._count}", taken)


def named(places: Sequence[Entry], was: str) -> Entry | None:
    """The entry with this id, else the first that says the same as these words."""
    with_id = (place for place in places if place.key == was)
    with_words = (place for place in places if same_fact(statement(place), was))
    return next(with_id, None) or next(with_words, None)


def _line(text: str) -> str:
    """A text as one field of a section: one line, not too long, without the start of a comment."""
    return whole_line(in_a_line(text, LONGEST))


def whole_line(text: str) -> str:
    """A text as a field of the log, at full length: one line, without the start of a comment."""
    return one_line(text).replace("<!--", "‹!--").replace("-->", "--›")


def heard_already(known: Sequence[Correction], source: str) -> Correction | None:
    """The section of a message; each has one at most."""
    if not source.startswith("chat:"):
        return None
    return next((each for each in known if each.source == source), None)


def corrects(correction: Correction, entry: Entry) -> bool:
    # An entry without an id got one when it was corrected; then its words identify it.
    is_meant = correction.target == entry.key or correction.correct == statement(entry)
    return correction.binds and is_meant


def barred(text: str, lets_in: frozenset[str] = frozenset()) -> str:
    """Why words may not be in memory at all: a secret or an injection; "" if they may."""
    if is_sensitive(text, lets_in):
        return "it holds a secret, which is never written down"
    if poison("", text):
        return "it reads like orders to an agent, not like a fact"
    return ""


# An entry that is put right, or disputed

_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
_BY_HAND = "clawgit corrections add … --was …"


def corrected(entry: Entry, meta: Meta, right: str, change: Exchange | None = None) -> str:
    """The entry as it says what is right, or with one value exchanged for the operator's, where
    every other byte stays. Quotes that disputed it are removed.

    Its first tag, its comments and the items nested in it stay. What it said before stands in
    CORRECTIONS.md and in history. UsageError if no entry may say that, or if the exchange cannot be
    proven.
    """
    parts = split(without_quotes(entry.raw))
    if change:
        lead, tags = _exchanged(parts.before, change).rstrip(), entry.tags
    else:
        refuse_notes(right)
        bullet = BULLET.match(entry.raw)
        said = f"{bullet[0] if bullet else '- '}{right}"
        lead, tags = " ".join([said, *comments_in(parts.before)]), tags_in(right)
    missing = [f"#{tag}" for tag in (entry.primary or KNOWLEDGE, CORRECTION) if tag not in tags]
    made = " ".join([lead, *missing, str(meta)]) + parts.after
    # The last proof: read back, the entry says exactly what was meant.
    if change and statement(entry_of(Block("item", entry.line, made, entry.under))) != right:
        raise UsageError("The entry cannot hold that value.", hint=_BY_HAND)
    return made


def _exchanged(before: str, change: Exchange) -> str:
    """An item up to its last words with one value exchanged. The old value has to stand there
    exactly once outside comments.
    """
    # Beyond the last comment's end, each `<!--` would be followed to the end of the text, in vain.
    end = before.rfind("-->") + len("-->")
    shown = _COMMENT.sub(lambda comment: "\0" * len(comment[0]), before[:end]) + before[end:]
    old = change.old.text
    if shown.count(old) != 1:
        raise UsageError("The entry does not contain the old value exactly once.", hint=_BY_HAND)
    start = shown.find(old)
    return f"{before[:start]}{change.new.text}{before[start + len(old) :]}"


def disputed(entry: Entry, meta: Meta, speaker: str, words: str) -> str:
    """The entry, marked as disputed, with the operator's sentence under it.

    That is no mention of the entry: it is not counted as one.
    """
    refuse_notes(words)
    parts = split(entry.raw)
    return with_quote(
        f"{parts.before} {meta.having('status', DISPUTED)}{parts.after}", speaker, words
    )


def unquoted(entry: Entry, words: str, disputing: Collection[str]) -> str:
    """The entry without a quote under it; with the last one, the mark of a dispute goes.

    The evidence of what disputed it is removed as well, because the entry does not rest on it.
    """
    raw, meta = without_quotes(entry.raw, words), entry.meta
    if meta and meta.status == DISPUTED and not quotes_of(raw):
        meta = meta.having("status", "")
    parts = split(raw)
    comment = f" {meta.uncited(disputing)}" if meta else ""
    return f"{parts.before}{comment}{parts.after}"


def sure(meta: Meta, evidence: Sequence[str], today: date) -> Meta:
    """The comment of an entry that was put right."""
    last = max(today, meta.last or today)
    made = meta.having("conf", written(BASE[CORRECTION])).having("n", str(meta.n + 1))
    made = made.having("last", last.isoformat()).having("src", CORRECTION)
    return made.undisputed.citing(*evidence)

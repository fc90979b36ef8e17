"""The plan of a promotion: what moves where, what counts as a mention, what stays, and why."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from clawgit.domain.claims.contradicting import dispute
from clawgit.domain.context.corrected_lines import Wrong, wrong_by
from clawgit.domain.corrections.corrections import Correction
from clawgit.domain.corrections.disputed import is_disputed, undisputed
from clawgit.domain.facts.confidence import INFERRED, Dynamics, mentioned
from clawgit.domain.facts.fact_verdict import IGNORED, MERGED, Claim, EntryPlace, Verdict, judged
from clawgit.domain.facts.likeness import Likeness, fuller, likeness, may_merge
from clawgit.domain.facts.same_fact import words
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import ENTRY_IDS, Meta, entry_id, read_meta, split
from clawgit.domain.markdown.entry import problems
from clawgit.domain.markdown.notebook import fits
from clawgit.domain.markdown.page import Page, PageEdit
from clawgit.domain.markdown.scan import takes_more
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tag_table import DECISION
from clawgit.domain.markdown.tags import visible
from clawgit.domain.promotion.edit import as_item, context, cut_out
from clawgit.domain.promotion.marks import NoteUnit
from clawgit.domain.promotion.promotion import Weighed
from clawgit.domain.search.terms import singular
from clawgit.domain.soul.principle import negates
from clawgit.domain.workspace.layout import NOTEBOOK
from clawgit.domain.workspace.routing import Target, category, route
from clawgit.domain.workspace.tiers import dated

MOVED = "moved"
MENTIONED = "mentioned"
LEFT = "left"

_NEAR = 0.5
_MUCH = 0.72
"""The likeness from which entries are compared at all, and from which two say much the same."""
_NEAREST = 20
"""How many similar entries, nearest first, are checked for saying the same."""

_STOPS = ".,:;!?()[]\"'"


class Terms(NamedTuple):
    """What a plan depends on. `target` is the file that was asked for, "" for the usual one."""

    now: datetime
    dynamics: Dynamics
    target: str = ""
    notebook: str = NOTEBOOK
    corrections: tuple[Correction, ...] = ()


class PromotionDecision(NamedTuple):
    """What becomes of a candidate. `id` is the entry that holds it then, `why` the reason if it is
    left.
    """

    weighed: Weighed
    action: str
    target: str
    id: str = ""
    why: str = ""


class PromotionPlan(NamedTuple):
    """`files` are those that change, with their new text."""

    decided: tuple[PromotionDecision, ...]
    files: Mapping[str, str]


def plan(
    files: Mapping[str, str], lasting: Iterable[str], candidates: Iterable[Weighed], terms: Terms
) -> PromotionPlan:
    """Decides on the candidates, the surest first. The entries of `lasting` may say the same."""
    # The surest come first, because the notebook may have room for only some of them.
    lasting, ordered = [*lasting], sorted(candidates, key=_order)
    careful: frozenset[str] = frozenset()
    wrong = wrong_by(terms.corrections)
    # Again, with more notes cut line by line, until each note can do without what leaves it.
    while True:
        draft = _Draft(dict(files), terms, careful, wrong)
        draft.learn(lasting)
        decided = tuple(draft.decide(candidate) for candidate in ordered)
        whole = draft.clear()
        if not whole:
            changed = {path: text for path, text in draft.texts.items() if files.get(path) != text}
            return PromotionPlan(decided, changed)
        careful |= whole


def repeats(first: str, second: str) -> bool:
    """Whether two texts say much the same in different words, with the same figures and names."""
    if likeness(first, second) < _MUCH:
        return False
    mine, theirs = _read(first), _read(second)
    if mine.negates != theirs.negates:
        return False
    return mine.telling <= theirs.words and theirs.telling <= mine.words


class _Read(NamedTuple):
    """The words of a text. Another text that lacks the `telling` ones is another fact."""

    negates: bool
    words: frozenset[str]
    telling: frozenset[str]


@dataclass(slots=True)
class _Draft:
    """The files while a plan is made, with pages for those that lines go to.

    The notes are cut at the end, because each cut reads the whole note. In `careful` notes, each
    line is tried at once.
    """

    texts: dict[str, str]
    terms: Terms
    careful: frozenset[str]
    wrong: Wrong
    pages: dict[str, Page] = field(default_factory=dict)
    places: list[EntryPlace] = field(default_factory=list)
    at: dict[EntryPlace, int] = field(default_factory=dict)
    known: Likeness = field(default_factory=Likeness)
    taken: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    cuts: dict[str, set[int]] = field(default_factory=dict)

    def learn(self, paths: Iterable[str]) -> None:
        for path in paths:
            if text := self.texts.get(path):
                self.pages[path] = Page(text)
                for entry in self.pages[path].entries():
                    self._keep(EntryPlace(path, entry))

    def decide(self, candidate: Weighed) -> PromotionDecision:
        near = self._all_near(candidate.unit)
        target = self._target(candidate)
        claim = Claim(candidate.unit.text, INFERRED, target.path)
        verdict = judged(claim, near, self.terms.corrections, same=_holds_all)
        if left := self._left(candidate, target, near, verdict):
            return left
        if verdict.action == MERGED and verdict.place:
            return self._mentioned(candidate, verdict.place)
        if twin := _twin(candidate.unit, near):
            why = f"{twin} says nearly the same"
            return PromotionDecision(candidate, LEFT, twin.path, twin.entry.key, why)
        return self._moved(candidate, target)

    def _left(
        self, candidate: Weighed, target: Target, near: Sequence[EntryPlace], verdict: Verdict
    ) -> PromotionDecision | None:
        """The decision to leave a candidate because of what the operator said; None if they said
        nothing against it.
        """
        text = candidate.unit.text
        if verdict.action == IGNORED:
            return PromotionDecision(candidate, LEFT, target.path, why=verdict.reason)
        if where := self.wrong.correction_of(text):
            why = f"the operator put this right ({where})"
            return PromotionDecision(candidate, LEFT, target.path, why=why)
        for place in near:
            if why := _against(place, candidate.unit):
                return PromotionDecision(candidate, LEFT, place.path, place.entry.key, why)
        return None

    def clear(self) -> frozenset[str]:
        """Cuts the lines that move out of the notes, and returns the notes that would be read
        differently without them.
        """
        self.texts |= {path: self.pages[path].text for path in self.written}
        whole = set()
        for path, lines in self.cuts.items():
            left = cut_out(self.texts[path], lines)
            if left is None:
                whole.add(path)
            else:
                self.texts[path] = left
        return frozenset(whole)

    def _all_near(self, unit: NoteUnit) -> list[EntryPlace]:
        """The entries that are like a unit, with what its heading says or without."""
        texts = dict.fromkeys((f"{context(unit)}{unit.text}", unit.text))
        return [*dict.fromkeys(place for text in texts for place in self._near(text))]

    def _near(self, text: str) -> list[EntryPlace]:
        return [self.places[match.index] for match in self.known.alike(text, _NEAR)[:_NEAREST]]

    def _moved(self, candidate: Weighed, target: Target) -> PromotionDecision:
        ident = self._fresh(candidate.unit)
        item = as_item(candidate.unit, _tag(candidate), _facts(candidate, ident, self.terms.now))
        page = self.pages.get(target.path) or Page(frames.TITLE.format(title=target.title))
        # Every refusal comes before the note is cut: a line that cannot go anywhere stays.
        if why := self._refused(target.path, page, item):
            return PromotionDecision(candidate, LEFT, target.path, why=why)
        change = page.appending(target.heading, item, ident)
        if change is None:
            return PromotionDecision(
                candidate,
                LEFT,
                target.path,
                why=f"{target.path} cannot hold it as an entry at its end",
            )
        if target.path == self.terms.notebook and not fits(page.text_with(change)):
            return PromotionDecision(candidate, LEFT, target.path, why=_is_full(target.path))
        if not self._take_out(candidate.unit):
            return PromotionDecision(candidate, LEFT, target.path, why="its note needs it")
        self._write(target.path, page, change)
        self._keep(EntryPlace(target.path, change.entry))
        return PromotionDecision(candidate, MOVED, target.path, ident)

    def _refused(self, path: str, page: Page, item: str) -> str:
        """Why a file cannot take an item, as far as that shows beforehand; "" if it can."""
        if wrong := problems(path, f"{item}\n"):
            return wrong[0].message
        before = page.text if path in self.pages else ""
        if path == self.terms.notebook and not fits(f"{before}{item}\n"):
            return _is_full(path)
        return "" if takes_more(page.end) else f"{path} ends within a code fence or a comment"

    def _mentioned(self, candidate: Weighed, place: EntryPlace) -> PromotionDecision:
        """Counts a candidate as one more mention of an entry that says no less."""
        page = self.pages[place.path]
        entry = page.entry(place.entry.key)
        says_so = PromotionDecision(
            candidate, LEFT, place.path, place.entry.key, f"{place} already says so"
        )
        if entry is None:
            return says_so
        old = entry.meta or Meta(self._fresh(candidate.unit))
        day = dated(candidate.unit.path) or self.terms.now.date()
        meta = (
            mentioned(old, INFERRED, self.terms.dynamics, day)
            .having("status", "")
            .citing(candidate.unit.evidence)
        )
        change = page.marking(entry, meta)
        if (
            place.path == self.terms.notebook
            and fits(page.text)
            and not fits(page.text_with(change))
        ):
            return says_so._replace(why=_is_full(place.path))
        if not self._take_out(candidate.unit):
            return says_so
        self._write(place.path, page, change)
        self._seat(self.at[place], EntryPlace(place.path, change.entry))
        return PromotionDecision(candidate, MENTIONED, place.path, change.entry.key)

    def _write(self, path: str, page: Page, change: PageEdit) -> None:
        page.make(change)
        self.pages[path] = page
        self.written.add(path)

    def _take_out(self, unit: NoteUnit) -> bool:
        """Whether a unit can leave its note, together with those that left it before."""
        lines = self.cuts.setdefault(unit.path, set())
        lines.add(unit.line)
        if unit.path in self.careful and cut_out(self.texts[unit.path], lines) is None:
            lines.discard(unit.line)
            return False
        return True

    def _target(self, candidate: Weighed) -> Target:
        # A topic file of that name is the user's place for such lines.
        own = f"memory/{candidate.category}.md"
        path = self.terms.target or (own if own in self.texts else self.terms.notebook)
        return route(
            candidate.unit.text,
            _tag(candidate),
            self.terms.now,
            to=path,
            notebook=self.terms.notebook,
        )

    def _keep(self, place: EntryPlace) -> None:
        self.places.append(place)
        self._seat(len(self.places) - 1, place)
        self.taken.add(place.entry.key)
        self.known.add(undisputed(place.entry))

    def _seat(self, at: int, place: EntryPlace) -> None:
        self.places[at] = place
        self.at.setdefault(place, at)

    def _fresh(self, unit: NoteUnit) -> str:
        seeds = (f"{unit.evidence}\0{unit.text}\0{number}".encode() for number in range(1000))
        draws = (int.from_bytes(sha256(seed).digest()[:8]) % ENTRY_IDS for seed in seeds)
        # A unit keeps its id, so that what cites it still finds it.
        own = split(unit.block.text).id
        free = (ident for ident in map(entry_id, draws) if ident not in self.taken)
        return own if own and own not in self.taken else next(free)


def _twin(unit: NoteUnit, near: Iterable[EntryPlace]) -> EntryPlace | None:
    """The entry that says much the same as a unit."""
    return next((place for place in near if repeats(visible(place.entry.text), unit.text)), None)


def _is_full(path: str) -> str:
    return f"{path} has no room left: clawgit memory tidy"


def _against(place: EntryPlace, unit: NoteUnit) -> str:
    """Why an entry keeps a text out: it says otherwise, or says the same and is disputed, so that
    it gains no mention.
    """
    text, words_of_entry = unit.text, visible(undisputed(place.entry))
    evidence = place.entry.meta.evidence if place.entry.meta else ()
    # Lines of one note are about several things: “part 1”, “part 2”.
    is_of_note = any(cited.startswith(f"{unit.path}#") for cited in evidence)
    if place.status == ACTIVE and not is_of_note and dispute(words_of_entry, text):
        return f"{place} says otherwise"
    if not is_disputed(place.entry):
        return ""
    is_same = may_merge(words_of_entry, text) or repeats(words_of_entry, text)
    return f"{place} is disputed" if is_same else ""


def _order(candidate: Weighed) -> tuple[float, str, int]:
    return -candidate.confidence, candidate.unit.path, candidate.unit.line


def _holds_all(known: str, text: str) -> bool:
    """Whether an entry says the same and nothing less."""
    return may_merge(known, text) and fuller(known, text) == known


@lru_cache(maxsize=4096)
def _read(text: str) -> _Read:
    in_order = words(text)
    names = {word.strip(_STOPS).casefold() for word in text.split()[1:] if word[:1].isupper()}
    telling = (word for word in in_order if word in names or any(map(str.isdigit, word)))
    return _Read(negates(text), singular(in_order), singular(telling))


def _tag(candidate: Weighed) -> str:
    return DECISION if candidate.category == DECISION else category(candidate.unit.text)


def _facts(candidate: Weighed, ident: str, now: datetime) -> Meta:
    """The comment of a promoted unit: its own, and where it stood.

    What was written by hand gets its day and how sure the promotion is, and claims nothing else.
    """
    unit = candidate.unit
    meta = read_meta(split(unit.block.text))
    if meta is None or not meta.id:
        day = (dated(unit.path) or now.date()).isoformat()
        meta = Meta(ident, (f"conf={candidate.confidence}", "n=1", f"first={day}", f"last={day}"))
    return meta._replace(id=ident).citing(unit.evidence)

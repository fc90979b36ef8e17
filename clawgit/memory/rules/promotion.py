"""Which lines of daily notes belong among what lasts, how sure that is, and why; and which never
leave a note: questions, tasks, secrets, orders to the agent.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache

from clawgit.core import NamedTuple
from clawgit.core.layout import NOTEBOOK
from clawgit.core.markdown.comment import ACTIVE, NO_FACTS, Meta, lead_end, read_meta, split
from clawgit.core.markdown.entry import (
    BULLET,
    Entry,
    content_key,
    entries,
    fits,
    id_not_in,
    problems,
)
from clawgit.core.markdown.item import whole
from clawgit.core.markdown.placeholders import staged_lines
from clawgit.core.markdown.scan import Block, scan
from clawgit.core.markdown.tag_table import DECISION, is_struck, tags_in, untagged, visible
from clawgit.core.tiers import dated
from clawgit.language.files import PROMOTION, rows
from clawgit.language.judges.judging import worth
from clawgit.language.tokens import is_cjk, is_hangul
from clawgit.memory.rules.compaction import holds_correction
from clawgit.memory.rules.confidence import EXPLICIT, INFERRED
from clawgit.memory.rules.contradicting import dispute, turned
from clawgit.memory.rules.fact import ADDED, Claim, judged
from clawgit.memory.rules.marks import (
    TASK,
    NoteUnit,
    as_item,
    context,
    danger,
    is_log,
    kinds_of,
    marks,
    titles,
    unlabelled,
    unsaid,
)
from clawgit.memory.rules.moving import Leaving, Moving
from clawgit.memory.rules.overlaps import ALIKE_FACTS, Overlaps, may_merge, overlap, says_enough
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.pairs import Wrong, wrong_by
from clawgit.talk.rules.quotes import undisputed
from clawgit.workspace.rules.routing import Target, category, route

_SHAPES = tuple(
    (reason, re.compile(pattern, re.IGNORECASE))
    for reason, pattern in (
        (
            "the runtime's own words",
            r"\bNO_REPLY\b|\bHEARTBEAT_OK\b|\[System Message\]|^\W*Pre-compaction memory flush",
        ),
        (
            "a state that ends by itself",
            (
                r"\b(?:no|not|zero|nothing|none|never|\w+n['’]t)\b[^.!?;]*\b(?:yet|so far)\b"
                r"|\bnoch (?:nicht|kein)|\bpas encore\b|\b(?:todavía|aún) no\b|\bainda não\b"
                r"|还没|尚未|還沒"
            ),
        ),
        ("a question", r"[?？][\s\"”')!?？*_]*$"),
        ("a fragment", r"(?:[:：…,，;；(–—-]|\.\.\.)[\s*_]*$"),
        ("a task", r"^\W*\[ \]"),
    )
)


def unfit(text: str) -> str:
    """Why a line, as a reader sees it, is no fact because of its shape; "" if it may be one."""
    plain = " ".join(text.split())
    shape = next((reason for reason, pattern in _SHAPES if pattern.search(plain)), "")
    says = says_enough(_listed(EXPLICIT).sub("", plain))
    return shape or ("" if says else "a fragment")


FREQUENT = "frequent"
"""The category of a line for which nothing but frequent searches speaks."""

CATEGORIES = (
    EXPLICIT,
    "financial",
    "legal",
    DECISION,
    "strategy",
    "architecture",
    "milestone",
    "people",
)
"""The weightiest first."""

THRESHOLD = 0.4
"""The confidence from which a line is a candidate, which every word of a category reaches."""

SURE = 0.6
"""The confidence from which a candidate is moved unless the operator names another: notes are full
of “$”, “launch” and “design”."""

HITS = 3
SESSIONS = 2
"""This many hits in this many sessions make a line a sure candidate without any other sign."""

LONGEST = 1200
"""The most characters of a line. A longer one is not a fact, and is not read to its end."""

_BY_WORD = 0.45
_MARKED = 0.2
_ASKED_FOR = 0.6
"""What each sign adds to the confidence: a word of a category, a mark, searches."""

_LASTS = 0.5
"""The chance from which the judge agrees with a heading."""

_BROKEN = re.compile(r"[\ud800-\udfff]")
_TICKED = re.compile(r"\s*[-+*][ \t]+\[[xX]\]")
_NAMELESS = re.compile(
    r"\W*(?:(?:it|they|he|she|er|sie|es|il|elle|ils|elles|él|ella|ellos|ellas|ele|ela|eles|elas)\b"
    r"|[他她它彼]|それ|これ|그는|그것|이것)",
    re.IGNORECASE,
)
"""The beginning of a line that is about something which only its neighbours name."""

_SIGNS = re.compile(r"^[^\w★]+")


class Retrieved(NamedTuple):
    """How often a unit was shown, and in how many sessions."""

    hits: int = 0
    sessions: int = 0

    @property
    def often(self) -> bool:
        return self.hits >= HITS and self.sessions >= SESSIONS


class Weighed(NamedTuple):
    """`why` lists the parts of the confidence; `against` says why the line stays all the same."""

    unit: NoteUnit
    category: str
    confidence: float
    retrieved: Retrieved
    why: tuple[str, ...]
    against: str = ""


def units(path: str, text: str) -> Iterator[NoteUnit]:
    """The list items and paragraphs of a note, in their order.

    What OpenClaw only stages for itself is skipped.
    """
    staged = staged_lines(text)
    for block in scan(text):
        if block.line in staged or block.kind not in ("item", "para"):
            continue
        shown = _shown(block)
        if shown:
            key = split(block.text).id or content_key(shown)
            yield NoteUnit(path, block, shown, next(titles(block), ""), key)


def _shown(block: Block) -> str:
    """What a reader sees of an item or a paragraph, without the bullet."""
    parts = split(block.text)
    shown = visible(parts.before + parts.after).strip().removeprefix("\ufeff")
    bullet = BULLET.match(shown)
    if bullet and block.kind == "item":
        return shown[bullet.end() :].strip()
    return shown


_NEVER_RETRIEVED = Retrieved()


def weigh(unit: NoteUnit, retrieved: Retrieved = _NEVER_RETRIEVED) -> Weighed | None:
    """What a unit is worth, None if nothing speaks for it."""
    text = _plain(unit)
    mark = _mark(unit, text)
    category, words = mark or category_of(text)
    parts: list[tuple[float, str]] = []
    if category:
        parts.append((_BY_WORD, f"{category}: “{words}”"))
    if mark:
        parts.append((_MARKED, "marked as such"))
    if retrieved.often:
        times = f"{retrieved.hits} times in {retrieved.sessions} sessions"
        parts.append((_ASKED_FOR, f"asked for {times}"))
    if not parts:
        return None
    # A line that is not promoted is weighed all the same: `memory promote` shows why it stays.
    against = _against(unit, text)
    confidence = round(min(sum(value for value, _ in parts), 1), 2)
    why = tuple(f"{reason} {value:+.2f}" for value, reason in parts)
    return Weighed(unit, category or FREQUENT, confidence, retrieved, why, against)


def _mark(unit: NoteUnit, text: str) -> tuple[str, str] | None:
    """The category that a first word, a label, a tag or a heading gives, and its words.

    That a sentence says “decided” is no mark: it may be dreamt, denied, or what a novel tells.
    """
    kinds, first = marks(text), _SIGNS.sub("", text, count=1)
    if EXPLICIT in kinds or _listed(EXPLICIT).match(first):
        return EXPLICIT, text.split(maxsplit=1)[0]
    if DECISION in kinds:
        return DECISION, text.split(maxsplit=1)[0]
    if DECISION in tags_in(unit.text):
        return DECISION, f"#{DECISION}"
    # A heading speaks for many lines: the judge says which of them will matter.
    is_under = DECISION in kinds_of(unit.heading)
    if is_under and worth(text, unit.heading, place="daily") >= _LASTS:
        return DECISION, unit.heading
    return None


def _against(unit: NoteUnit, text: str) -> str:
    """What keeps a unit from being promoted, however much speaks for it."""
    meta = read_meta(split(unit.block.text))
    if holds_correction(unit.block):
        return "the operator's correction stays where it is"
    if meta and meta.status != ACTIVE:
        return f"it is {meta.status}"
    if _TICKED.match(unit.block.text):
        return "a record of what was done"
    if is_log(unit.heading):
        return "a log line"
    return "a task" if TASK in marks(text) else _against_text(unit, text)


def _against_text(unit: NoteUnit, text: str) -> str:
    if _BROKEN.search(unit.text):
        return "it is not UTF-8"
    if len(unit.text) > LONGEST:
        return "too long to be one fact"
    if is_struck(unit.text):
        return "it is struck through"
    return (
        _holding(unit) or unfit(text) or danger(unit.text) or unsaid(text) or _nameless(unit, text)
    )


def _holding(unit: NoteUnit) -> str:
    """What a unit holds that cannot stand in an entry, such as a table."""
    kinds = {item.kind for item in whole(unit.block.text)} - {"item", "para"}
    return f"holds a {min(kinds)}" if kinds else ""


def _nameless(unit: NoteUnit, text: str) -> str:
    words = unlabelled(text)
    is_nameless = _NAMELESS.match(words) and not context(unit)
    return "it does not say what it is about" if is_nameless else ""


def _plain(unit: NoteUnit) -> str:
    """What a unit itself says, on one line: without nested items and categories."""
    lead = unit.text[:LONGEST][: lead_end(unit.text)]
    return untagged(lead if lead == unit.text else lead.rstrip().removesuffix(":"))


def category_of(text: str) -> tuple[str, str]:
    """The weightiest category that a word of a text speaks for, and the word."""
    for kind in CATEGORIES:
        if match := _listed(kind).search(text):
            return kind, match[0]
    return "", ""


@cache
def _listed(category: str) -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(PROMOTION, category))))


def _cased(row: str) -> str:
    """A row with capitals only matches in capitals, any other in any case; N is a number."""
    if row.endswith(" N"):
        return rf"(?i:{_word(row[:-1])})\d+(?!\w)"
    return _word(row) if any(sign.isupper() for sign in row[1:]) else f"(?i:{_word(row)})"


def _word(words: str) -> str:
    """A pattern of whole words. In a script without blanks, words stand side by side."""
    before = r"(?<!\w)" if _is_spaced(words[:1]) else ""
    after = r"(?!\w)" if _is_spaced(words[-1:]) else ""
    return f"{before}{re.escape(words)}{after}"


def _is_spaced(sign: str) -> bool:
    return sign.isalnum() and not is_cjk(sign) and not is_hangul(sign)


# The plan of a promotion: what moves where, what stays, and why.


MOVED = "moved"
FLAGGED = "flagged"
"""The action for a candidate that is not certain enough to be moved without asking."""
LEFT = "left"

_NEAR = 0.3
"""The overlap above which two lines of notes may be of one matter."""

_NEAREST = 20
"""How many similar entries, nearest first, are checked for saying the same."""


class Terms(NamedTuple):
    """What a plan depends on. `target` is the file that was asked for, "" for the usual one.

    A candidate below `sure` is flagged and not moved.
    """

    now: datetime
    target: str = ""
    notebook: str = NOTEBOOK
    corrections: tuple[Correction, ...] = ()
    sure: float = 0.0


class PromotionCandidate(NamedTuple):
    """A line that could be promoted; `why` names the parts of the confidence.

    `action` is moved; flagged if it is not certain enough to be moved without asking; or left, and
    `why` is the reason. `entryId` is the entry that it is now.
    """

    path: str
    startLine: int  # noqa: N815 - keys of memory tools are OpenClaw's
    endLine: int  # noqa: N815
    text: str
    category: str
    confidence: float
    hits: int
    sessions: int
    why: tuple[str, ...]
    action: str
    target: str
    entryId: str = ""  # noqa: N815

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.startLine}"


class PromotionPlan(NamedTuple):
    """`files` are those that change, with their new text."""

    decided: tuple[PromotionCandidate, ...]
    files: Mapping[str, str]


def plan(
    files: Mapping[str, str], lasting: Collection[str], candidates: Iterable[Weighed], terms: Terms
) -> PromotionPlan:
    """Decides on the candidates, the surest first. The entries of `lasting` may say the same."""
    draft = _Draft(
        files, terms, wrong_by(terms.corrections), Moving(files), [], Overlaps(), [], Overlaps()
    )
    for path in lasting:
        for entry in entries(files.get(path, ""), path):
            draft.keep(entry)
    for path in sorted(files.keys() - {*lasting}):
        for unit in units(path, files[path]):
            draft.notes.append(unit)
            draft.said.add(unlabelled(unit.text))
    # The surest come first, because the notebook may have room for only some of them.
    order = sorted(candidates, key=lambda one: (-one.confidence, one.unit.path, one.unit.line))
    decided = tuple(map(draft.decide, order))
    return PromotionPlan(decided, draft.moving.texts)


class _Draft(NamedTuple):
    """The files while a plan is made, and the entries that a line may repeat or contradict."""

    files: Mapping[str, str]
    terms: Terms
    wrong: Wrong
    moving: Moving
    entries: list[Entry]
    known: Overlaps
    notes: list[NoteUnit]
    said: Overlaps

    def keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.known.add(undisputed(entry))

    def decide(self, candidate: Weighed) -> PromotionCandidate:
        unit, kind, notebook = candidate.unit, candidate.category, self.terms.notebook
        # A topic file of that name is the user's place for such lines.
        own = f"memory/{kind}.md"
        path = self.terms.target or (own if own in self.files else notebook)
        tag = DECISION if kind == DECISION else category(unit.text)
        target = route(unit.text, tag, self.terms.now, to=path, notebook=notebook)
        action, ident = LEFT, ""
        why = candidate.against or self._turned(unit) or self._against(unit, target.path)
        if not why and candidate.confidence < self.terms.sure:
            action = FLAGGED
        elif not why:
            meta = self._meta(candidate)
            why = self._move(unit, as_item(unit, tag, meta), target, meta.id)
            action, ident = (LEFT, "") if why else (MOVED, meta.id)
        return PromotionCandidate(
            path=unit.path,
            startLine=unit.line,
            endLine=unit.end_line,
            text=unit.text,
            category=kind,
            confidence=candidate.confidence,
            hits=candidate.retrieved.hits,
            sessions=candidate.retrieved.sessions,
            why=(why,) if why else candidate.why,
            action=action,
            target=target.path,
            entryId=ident,
        )

    def _against(self, unit: NoteUnit, target: str) -> str:
        """What the operator, or an entry, says against a text, "" if nothing."""
        text, near = unit.text, list[Entry]()
        # With what its heading says, and without; and without its label.
        for said in dict.fromkeys((f"{context(unit)}{text}", text, unlabelled(text))):
            alike = self.known.over(said, ALIKE_FACTS)[:_NEAREST]
            near = [self.entries[row] for row in alike]
            claim = Claim(said, INFERRED, target)
            action, why, _ = judged(claim, near, self.terms.corrections, same=may_merge)
            if action != ADDED:
                return why
        if where := self.wrong.correction_of(text):
            return f"the operator put this right ({where})"
        for entry in near:
            # The lines of one note are about several things, as “part 1” and “part 2”.
            cited = entry.facts.evidence
            if entry.status != ACTIVE or any(each.startswith(f"{unit.path}#") for each in cited):
                continue
            if dispute(unlabelled(visible(undisputed(entry))), unlabelled(text)):
                return f"{entry} says otherwise"
        return ""

    def _turned(self, unit: NoteUnit) -> str:
        """What later lines say instead, "" if nothing. In another note it is enough that one is
        marked as well and says mostly the same; those of one note are about several things.
        """
        text = unlabelled(unit.text)
        for later in map(self.notes.__getitem__, self.said.over(text, _NEAR)):
            after, is_other = unlabelled(later.text), later.path != unit.path
            is_alike = is_other and overlap(text, after) > ALIKE_FACTS
            is_later = (later.path, later.line) > (unit.path, unit.line)
            if is_later and (turned(text, after) or (is_alike and _mark(later, _plain(later)))):
                return f"{later.evidence} may say otherwise"
        return ""

    def _move(self, unit: NoteUnit, item: str, target: Target, ident: str) -> str:
        """Moves a line; returns why it cannot: then it stays, and its note is as it was."""
        path = target.path
        leaving = [Leaving(unit.line, path, target.title, target.heading, item)]
        grown = self.moving.grown(leaving)
        if wrong := problems(path, f"{item}\n"):
            return wrong[0].why
        if grown is None:
            return f"{path} cannot hold it as an entry at its end"
        if path == self.terms.notebook and not fits(grown[path]):
            return f"{path} has no room left: clawgit memory tidy"
        if not self.moving.move(unit.path, leaving):
            return "its note needs it"
        self.keep(next(entry for entry in entries(grown[path], path) if entry.key == ident))
        return ""

    def _meta(self, candidate: Weighed) -> Meta:
        """The comment of a promoted unit: its own, so that what cites it still finds it, and where
        it stood. What was written by hand gets its day and how sure the promotion is, and claims
        nothing else.
        """
        unit, taken = candidate.unit, {entry.key for entry in self.entries}
        own = read_meta(split(unit.block.text)) or NO_FACTS
        is_free = own.id and own.id not in taken
        ident = own.id if is_free else id_not_in(taken, f"{unit.evidence}\0{unit.text}")
        if not own.id:
            day = (dated(unit.path) or self.terms.now.date()).isoformat()
            sure = f"conf={candidate.confidence}"
            own = Meta(ident, (sure, "n=1", f"first={day}", f"last={day}"))
        return own._replace(id=ident).citing(unit.evidence)

"""Which lines of daily notes belong among what lasts, how sure that is, and why."""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from clawgit.domain.compaction.compaction import is_correction
from clawgit.domain.markdown.comment import lead_end, read_meta, split
from clawgit.domain.markdown.entry import content_key
from clawgit.domain.markdown.item import whole
from clawgit.domain.markdown.notebook import BULLET
from clawgit.domain.markdown.placeholders import staged_lines
from clawgit.domain.markdown.scan import Block, scan
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tags import tags_in, untagged, visible
from clawgit.domain.promotion.edit import context
from clawgit.domain.promotion.marks import (
    DECISION,
    EXPLICIT,
    GENERAL,
    TASK,
    NoteUnit,
    is_log,
    kinds_of,
    label,
    marks,
)
from clawgit.domain.promotion.shape import danger, is_plain, unfit
from clawgit.judges.worth import worth
from clawgit.language.notes import MARKS, PROMOTION, rows
from clawgit.language.tokens import is_cjk, is_hangul, tokens
from clawgit.language.values import money_in

FREQUENT = "frequent"
"""The category of a line for which nothing but frequent searches speaks."""

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

# What each sign adds to the confidence, or takes from it.
_BY_WORD = 0.4
_WEIGHT = 0.08
_MARKED = 0.17
_NEVER_ASKED = 0.05
_ASKED_FOR = 0.6
# Less than the step from a mere word to a mark, so that the judge's opinion only orders lines.
_WORTH = 0.11

_BELOW_TITLE = 2
_BROKEN = re.compile(r"[\ud800-\udfff]")
_CLOCK = re.compile(r"^[0-2]?[0-9]:[0-5][0-9](?:\s*[-–—·:]\s*|\s+|$)")


WEIGHTS = {
    "explicit": 1.0,
    "financial": 0.9,
    "legal": 0.9,
    "decision": 0.8,
    "strategy": 0.8,
    "architecture": 0.7,
    "milestone": 0.7,
    "people": 0.6,
}
"""Category → its weight."""

_NUMBERED = r"\d+(?!\w)"

_LONGEST = 400

_NEAR = 3
"""A word of deciding stands so near to the beginning or the end. Further inside, the text is only
about deciding."""

_TICKED = re.compile(r"\s*[-+*][ \t]+\[[xX]\]")
_NAMELESS = re.compile(
    r"\W*(?:(?:it|they|he|she)(?:['’]\w+)?\b(?! (?:was|is) (?:decided|agreed|confirmed|approved))"
    r"|(?:er|sie|es)\b(?! gibt)|(?:il|elle|ils|elles)\b(?! (?:faut|y a))"
    r"|(?:él|ella|ellos|ellas|ele|ela|eles|elas)\b|[他她它彼]|それ|これ|그는|그것|이것)",
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
            yield NoteUnit(path, block, shown, _title(block), key)


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
    named = _named(unit)
    if named is None and not retrieved.often:
        return None
    # A line that is not promoted is weighed all the same: `memory promote` shows why it stays.
    against = _against(unit, is_named=named is not None and not named.is_marked)
    parts = [*_parts(unit, named, retrieved, is_junk=bool(against))]
    confidence = round(min(max(sum(value for value, _ in parts), 0), 1), 2)
    why = tuple(f"{reason} {value:+.2f}" for value, reason in parts)
    category = named.category if named else FREQUENT
    return Weighed(unit, category, confidence, retrieved, why, against)


class _Named(NamedTuple):
    """The category of a unit and the words that show it.

    It `is_marked` by its label, its tag or its heading, and has not only a word in its text.
    """

    category: str
    words: str
    is_marked: bool = False


def _named(unit: NoteUnit) -> _Named | None:
    """The surest sign of a category: a label, a tag, a heading, then words."""
    text = _plain(unit)
    labelled = EXPLICIT if _is_asked_for(text) else _first_of(marks(text))
    if labelled:
        mark = label(text)
        return _Named(labelled, mark.words if mark else text.split()[0], is_marked=True)
    if DECISION in tags_in(unit.text):
        return _Named(DECISION, f"#{DECISION}", is_marked=True)
    # Not “Critical (2)”: the findings of a review stand below that.
    if DECISION in kinds_of(unit.heading):
        return _Named(DECISION, unit.heading, is_marked=True)
    return _spoken_of(text)


def _spoken_of(text: str) -> _Named | None:
    """The category that only the words of a text show."""
    word = deciding_word(text)
    if word and is_plain(text):
        return _Named(DECISION, word, is_marked=True)
    weightiest = next(iter(categories(text).items()), None)
    return _Named(*weightiest) if weightiest else None


def _first_of(kinds: Collection[str]) -> str:
    """The mark that makes a line last, "" if there is none."""
    return next((kind for kind in (EXPLICIT, DECISION) if kind in kinds), "")


def _parts(
    unit: NoteUnit, named: _Named | None, retrieved: Retrieved, *, is_junk: bool
) -> Iterator[tuple[float, str]]:
    if named:
        by_word = _BY_WORD + _WEIGHT * WEIGHTS[named.category]
        yield by_word, f"{named.category}: “{named.words}”"
        if named.is_marked:
            yield _MARKED, "marked as such"
        if not is_junk:
            value = worth(_plain(unit), unit.heading, place="note")
            yield _WORTH * value, "its words suggest that it matters"
    if retrieved.often:
        yield _ASKED_FOR, f"asked for {retrieved.hits} times in {retrieved.sessions} sessions"
    elif not retrieved.hits:
        yield -_NEVER_ASKED, "never retrieved"


def _against(unit: NoteUnit, *, is_named: bool) -> str:
    """What keeps a unit from being promoted, however much speaks for it."""
    return (
        _against_entry(unit)
        or _against_heading(unit.heading)
        or _against_text(unit, is_named=is_named)
        or danger(unit.text)
        or _nameless(unit)
    )


def _against_entry(unit: NoteUnit) -> str:
    if is_correction(unit.block):
        return "the operator's correction stays where it is"
    meta = read_meta(split(unit.block.text))
    if meta and meta.status != ACTIVE:
        return f"it is {meta.status}"
    return "a record of what was done" if _TICKED.match(unit.block.text) else ""


def _against_text(unit: NoteUnit, *, is_named: bool) -> str:
    if not unit.text.isascii() and _BROKEN.search(unit.text):
        return "it is not UTF-8"
    if len(unit.text) > LONGEST:
        return "too long to be one fact"
    # A table or a fence cannot stand in an entry.
    if kinds := {item.kind for item in whole(unit.block.text)} - {"item", "para"}:
        return f"holds a {min(kinds)}"
    marked = bool(kinds_of(unit.heading) - {GENERAL})
    return unfit(_plain(unit), marked=marked, is_named=is_named)


def _nameless(unit: NoteUnit) -> str:
    """Whether only the lines around a unit, and no heading, say what it is about."""
    plain = _plain(unit)
    mark = label(plain)
    is_nameless = _NAMELESS.match(plain[mark.end :] if mark else plain)
    return "it does not say what it is about" if is_nameless and not context(unit) else ""


def _against_heading(heading: str) -> str:
    if TASK in kinds_of(heading):
        return "a task"
    if is_log(heading):
        return "a log line or tool output"
    return ""


def _plain(unit: NoteUnit) -> str:
    """What a unit itself says, on one line: without nested items and categories."""
    lead = unit.text[:LONGEST][: lead_end(unit.text)]
    return untagged(lead if lead == unit.text else lead.rstrip().removesuffix(":"))


def _title(block: Block) -> str:
    """The nearest heading, "" if that is the title of the note. A time in front only says when the
    note was written.
    """
    if len(block.path) < _BELOW_TITLE:
        return ""
    return _CLOCK.sub("", " ".join(visible(block.path[-1]).split()))


def categories(text: str) -> Mapping[str, str]:
    """Category → the word that speaks for it, the weightiest category first."""
    named: dict[str, str] = {}
    for category in sorted(WEIGHTS, key=lambda name: (-WEIGHTS[name], name)):
        if match := _listed(category).search(text):
            named[category] = match[0]
    if "financial" not in named and (money := money_in(text[:_LONGEST])):
        named["financial"] = money
    return named


def _is_asked_for(text: str) -> bool:
    """Whether the first word asks to keep the line."""
    return _listed("explicit").match(_SIGNS.sub("", text, count=1)) is not None


def deciding_word(text: str) -> str:
    """The word that says that something was decided, near the beginning or the end of a text."""
    match = _listed("deciding", MARKS).search(text)
    if match is None:
        return ""
    before, behind = tokens(text[: match.start()]), tokens(text[match.end() :])
    return match[0] if min(len(before), len(behind)) <= _NEAR else ""


@cache
def _listed(category: str, table: str = PROMOTION) -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(table, category))))


def _cased(row: str) -> str:
    """A row with capitals only matches in capitals; any other matches in any case."""
    if row.endswith(" N"):
        return f"(?i:{_word(row[:-1])}){_NUMBERED}"
    return _word(row) if any(sign.isupper() for sign in row[1:]) else f"(?i:{_word(row)})"


def _word(words: str) -> str:
    """A pattern of whole words. In a script without blanks, words stand side by side."""
    before = r"(?<!\w)" if _is_spaced(words[:1]) else ""
    after = r"(?!\w)" if _is_spaced(words[-1:]) else ""
    return f"{before}{re.escape(words)}{after}"


def _is_spaced(sign: str) -> bool:
    return sign.isalnum() and not is_cjk(sign) and not is_hangul(sign)

"""Which lines of daily notes belong among what lasts, how sure that is, and why; and which never
leave a note: questions, tasks, secrets, orders to the agent.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from clawgit.core.markdown.comment import ACTIVE, lead_end, read_meta, split
from clawgit.core.markdown.entry import BULLET, content_key
from clawgit.core.markdown.item import whole
from clawgit.core.markdown.placeholders import staged_lines
from clawgit.core.markdown.scan import Block, scan
from clawgit.core.markdown.tag_table import tags_in, untagged, visible
from clawgit.language.files import MARKS, PROMOTION, rows
from clawgit.language.judges.judging import worth
from clawgit.language.tokens import is_cjk, is_hangul
from clawgit.memory.rules.compaction import holds_correction
from clawgit.memory.rules.likeness import says_enough
from clawgit.memory.rules.marks import (
    DECISION,
    EXPLICIT,
    NoteUnit,
    context,
    is_log,
    kinds_of,
    marks,
    titles,
)
from clawgit.safety.rules.injection import findings as orders
from clawgit.safety.rules.masks import is_sensitive
from clawgit.safety.rules.secrets import names_secret

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


def danger(text: str) -> str:
    """Why a text must not be moved anywhere, "" if it may be."""
    if is_sensitive(text) or names_secret(text):
        return "a secret"
    return "gives orders" if orders("", text) else ""


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
_PLAIN = re.compile(r"[^*`|~→←=<>\[\]#@_•…]*\w[.。]")
"""One sentence without any markup: in others, “decided” is seldom what the line is about."""


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
    """The category that a first word, a label, a tag, a deciding word or a heading gives, and its
    words.
    """
    kinds, first = marks(text), _SIGNS.sub("", text, count=1)
    if EXPLICIT in kinds or _listed(EXPLICIT).match(first):
        return EXPLICIT, text.split(maxsplit=1)[0]
    if DECISION in kinds:
        return DECISION, text.split(maxsplit=1)[0]
    if DECISION in tags_in(unit.text):
        return DECISION, f"#{DECISION}"
    decided = _listed("deciding", MARKS).search(text) if _PLAIN.fullmatch(text) else None
    if decided:
        return DECISION, decided[0]
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
    return _against_text(unit, text)


def _against_text(unit: NoteUnit, text: str) -> str:
    if _BROKEN.search(unit.text):
        return "it is not UTF-8"
    if len(unit.text) > LONGEST:
        return "too long to be one fact"
    return _holding(unit) or unfit(text) or danger(unit.text) or _nameless(unit, text)


def _holding(unit: NoteUnit) -> str:
    """What a unit holds that cannot stand in an entry, such as a table."""
    kinds = {item.kind for item in whole(unit.block.text)} - {"item", "para"}
    return f"holds a {min(kinds)}" if kinds else ""


def _nameless(unit: NoteUnit, text: str) -> str:
    is_nameless = _NAMELESS.match(text) is not None and not context(unit)
    return "it does not say what it is about" if is_nameless else ""


def _plain(unit: NoteUnit) -> str:
    """What a unit itself says, on one line: without nested items and categories."""
    lead = unit.text[:LONGEST][: lead_end(unit.text)]
    return untagged(lead if lead == unit.text else lead.rstrip().removesuffix(":"))


def category_of(text: str) -> tuple[str, str]:
    """The weightiest category that a word of a text speaks for, and the word."""
    for category in CATEGORIES:
        if match := _listed(category).search(text):
            return category, match[0]
    return "", ""


@cache
def _listed(category: str, table: str = PROMOTION) -> re.Pattern[str]:
    return re.compile("|".join(map(_cased, rows(table, category))))


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

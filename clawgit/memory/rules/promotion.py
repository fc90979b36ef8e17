"""Which lines of daily notes belong among what lasts, how sure that is, and why; and which never
leave a note: logs, fields, code, links, secrets, orders to the agent.
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
from clawgit.language.tokens import is_cjk, is_hangul, tokens
from clawgit.memory.rules.compaction import holds_correction
from clawgit.memory.rules.marks import (
    DECISION,
    EXPLICIT,
    GENERAL,
    TASK,
    NoteUnit,
    context,
    is_log,
    kinds_of,
    label,
    marks,
    titles,
)
from clawgit.safety.rules.injection import findings as orders
from clawgit.safety.rules.masks import is_sensitive
from clawgit.safety.rules.secrets import names_secret
from clawgit.talk.rules.wording import typed_values

SHORTEST_WORDS = 4
SHORTEST_SIGNS = 7
"""A shorter line does not stand for itself: counted in words, or in signs of a script without
blanks."""
_SENTENCE = 6
"""With this many words after its label, a line says something and is not a field of a form."""

_ENDS = re.compile(r"[\w%)][.。]$")
_NOT_PLAIN = re.compile(
    r"[*`|~→←=<>\[\]#@_–—+&•…✅-➿\U0001f300-\U0001faff]|\.(?=[a-z])|[.。] ?\S.*[.。]$|https?:"
)
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
        (
            "a record of what was done",
            r"^[*_]*[^\w\s(\"“「『【*_`]*\s*[✅❌☑✔✓✗🟡🟢🔴🟠⏳🔄🚧🟦⬜]|^\W*\[[xX]\]",
        ),
        ("a heading", r"^(\*\*|__)[^*_]+\1[:：]?$"),
        ("a footer", r"^([*_])(?!\1)[^*_]+\1$|^(?:-{3,}|={3,}|\*{3,})"),
        ("quoted", r"^\W*[>|]|^[\"“„«「][^\"”“»」]*[\"”»」]\W*(?:[–—-].*)?$"),
        (
            "a log line or tool output",
            (
                r"\b\d\d:\d\d:\d\d\b|^\W*\d{1,2}:\d\d\b|^\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL)\b[\]:\s]"
                r"|^\W*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d)|^\s*[{\[].*[}\]]\s*$|^(?:\$|%) "
                r"?[a-z][\w.-]*(?:\s|$)"
                r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-|\|.*\|.*\||^\S+@\S+:\S*[$#]"
                r"|^[\w./-]+\.\w{1,4}:\d+|^[-+]{3} "
                r"|^@@|\b\d+\s*/\s*\d+\s+(?:tests?|passed|checks?)\b"
            ),
        ),
        (
            "code",
            (
                r"[;{}]\s*(?://.*|/\*.*|#.*)?$|^\s*(?://|/\*|\#!|<\w+[^>]*>|</)|^\W*`[^`]*`[\W\d]*$|\w+\(.*\);"
                r"|\b\w+ ?= ?\w*\(.*\)|^\w+(?:\.\w+)*\s?(?:=|:=|\+=|==)\s?\S+$"
            ),
        ),
        (
            "a link",
            r"^\W*(?:\[[^\]]*\]\()?(?:https?://|www\.)\S+\W*$|^(?:\S+\s){0,4}https?://\S+(?:\s+https?://\S+)*\W*$",
        ),
        ("a path", r"^\W*(?:[\w.-]+/)+[\w.-]*\W*$|^\W*`[^`]*[./][^`]*`(?:\W|$)"),
    )
)


def unfit(text: str, *, marked: bool = False) -> str:
    """Why a line, as a reader sees it, is not promoted because of its shape; "" if it may be.

    `marked`: it stands under a heading that says that it is to last.
    """
    plain = " ".join(text.split())
    for reason, pattern in _SHAPES:
        if pattern.search(plain):
            return reason
    if _length(plain) < 1:
        return "a fragment"
    # Under “Decisions”, `Database: PostgreSQL` is a decision and no field.
    if not marked and _is_field(plain):
        return "a label of a record"
    return "a task" if TASK in marks(plain) else danger(text)


def is_plain(text: str) -> bool:
    """Whether a text is one whole, plain sentence: no markup, no signs of a log, and an end."""
    return _ENDS.search(text) is not None and _NOT_PLAIN.search(text) is None


def danger(text: str) -> str:
    """Why a text must not be moved anywhere, "" if it may be."""
    if is_sensitive(text) or names_secret(text):
        return "a secret"
    return "gives orders" if orders("", text) else ""


def _length(text: str) -> float:
    """The length of a text as a share of the shortest that stands for itself."""
    among = tokens(text)
    signs = sum(len(token.text) for token in among if is_cjk(token.text) or is_hangul(token.text))
    words = sum(not token.text[0].isdigit() for token in among)
    return max(signs / SHORTEST_SIGNS, words / SHORTEST_WORDS)


def _is_field(text: str) -> bool:
    """Whether a line is a field of a form: `**Branch:** feature/a`, `时间：…`; a mark is not."""
    field = label(text)
    if field is None or marks(text) - {TASK, GENERAL}:
        return False
    if text.startswith(("**", "__")):
        return True
    return _length(text[field.end :]) * SHORTEST_WORDS < _SENTENCE


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

_BY_WORD = 0.4
_WEIGHT = 0.08
_MARKED = 0.17
_ASKED_FOR = 0.6
"""What each sign adds to the confidence: a word of a category, its weight, a mark, searches."""

_BROKEN = re.compile(r"[\ud800-\udfff]")

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
"""The categories, the weightiest first, each with its weight."""

_NUMBERED = r"\d+(?!\w)"

_LONGEST = 400

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
    category, words = _marked(unit, text)
    is_marked = bool(category)
    if not is_marked:
        category, words = category_of(text)
    parts: list[tuple[float, str]] = []
    if category:
        parts.append((_BY_WORD + _WEIGHT * WEIGHTS[category], f"{category}: “{words}”"))
    if is_marked:
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


def _marked(unit: NoteUnit, text: str) -> tuple[str, str]:
    """The category that a label, a tag, a heading or a deciding word gives, and its words."""
    if kind := _labelled(text):
        mark = label(text)
        return kind, mark.words if mark else text.split(maxsplit=1)[0]
    if DECISION in tags_in(unit.text):
        return DECISION, f"#{DECISION}"
    # Not “Critical (2)”: the findings of a review stand below that.
    if DECISION in kinds_of(unit.heading):
        return DECISION, unit.heading
    word = deciding_word(text)
    return (DECISION, word) if word and is_plain(text) else ("", "")


def _labelled(text: str) -> str:
    kinds = marks(text)
    # The first word alone may ask to keep the line.
    if EXPLICIT in kinds or _listed(EXPLICIT).match(_SIGNS.sub("", text, count=1)):
        return EXPLICIT
    return DECISION if DECISION in kinds else ""


def _against(unit: NoteUnit, text: str) -> str:
    """What keeps a unit from being promoted, however much speaks for it."""
    meta = read_meta(split(unit.block.text))
    if holds_correction(unit.block):
        return "the operator's correction stays where it is"
    if meta and meta.status != ACTIVE:
        return f"it is {meta.status}"
    if _TICKED.match(unit.block.text):
        return "a record of what was done"
    if TASK in kinds_of(unit.heading):
        return "a task"
    if is_log(unit.heading):
        return "a log line or tool output"
    return _against_text(unit, text)


def _against_text(unit: NoteUnit, text: str) -> str:
    if _BROKEN.search(unit.text):
        return "it is not UTF-8"
    if len(unit.text) > LONGEST:
        return "too long to be one fact"
    # A table or a fence cannot stand in an entry.
    if kinds := {item.kind for item in whole(unit.block.text)} - {"item", "para"}:
        return f"holds a {min(kinds)}"
    marked = bool(kinds_of(unit.heading) - {GENERAL})
    if why := unfit(text, marked=marked) or danger(unit.text):
        return why
    return "it does not say what it is about" if _is_nameless(unit, text) else ""


def _is_nameless(unit: NoteUnit, text: str) -> bool:
    mark = label(text)
    match = _NAMELESS.match(text, mark.end if mark else 0)
    return match is not None and not context(unit)


def _plain(unit: NoteUnit) -> str:
    """What a unit itself says, on one line: without nested items and categories."""
    lead = unit.text[:LONGEST][: lead_end(unit.text)]
    return untagged(lead if lead == unit.text else lead.rstrip().removesuffix(":"))


def category_of(text: str) -> tuple[str, str]:
    """The weightiest category that a word of a text speaks for, and the word."""
    for category in WEIGHTS:
        if match := _listed(category).search(text):
            return category, match[0]
        if category == "financial":
            amounts = (
                value.text for value in typed_values(text[:_LONGEST]) if value.type == "money"
            )
            if amount := next(amounts, ""):
                return category, amount
    return "", ""


def deciding_word(text: str) -> str:
    """The word that says that something was decided."""
    match = _listed("deciding", MARKS).search(text)
    return match[0] if match else ""


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

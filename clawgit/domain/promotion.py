"""Promotion: which lines of daily notes belong among what lasts, how sure that is, and by what it is known."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.comment import ACTIVE, lead_end, read_meta, split
from clawgit.domain.compaction import is_correction
from clawgit.domain.entry import content_key
from clawgit.domain.extract.language import compiled, tight
from clawgit.domain.item import whole
from clawgit.domain.promotion_edit import BULLET
from clawgit.domain.promotion_junk import danger, is_passing, junk
from clawgit.domain.promotion_triggers import Match, matches, weight
from clawgit.domain.scan import Block, scan
from clawgit.domain.tags import tags_in, untagged, visible

FREQUENT = "frequent"
"""The category of what is only asked for often."""

THRESHOLD, HITS, SESSIONS = 0.4, 3, 2
"""The confidence from which a line is a candidate; how often, and in how many sessions, makes it one by itself."""


LONGEST = 1200
"""Characters of a line: what is longer is a text and no fact, and is not read to its end."""


class Unit(NamedTuple):
    """A list item with what is nested in it, or a paragraph, of a note. `text` is what a reader sees, `heading` the
    nearest one above, and `key` what a search knows it by.
    """

    path: str
    block: Block
    text: str
    heading: str
    key: str

    @property
    def line(self) -> int:
        return self.block.line

    @property
    def end_line(self) -> int:
        return self.block.line + self.block.text.rstrip("\n").count("\n")

    @property
    def evidence(self) -> str:
        return f"{self.path}#L{self.line}"


class Retrieved(NamedTuple):
    """How often a unit was shown, and in how many sessions."""

    hits: int = 0
    sessions: int = 0

    @property
    def often(self) -> bool:
        return self.hits >= HITS and self.sessions >= SESSIONS


class Weighed(NamedTuple):
    """`why` names the parts of the confidence, `against` the reason for which it is not promoted all the same."""

    unit: Unit
    category: str
    confidence: float
    retrieved: Retrieved
    why: tuple[str, ...]
    against: str = ""


def units(path: str, text: str) -> Iterator[Unit]:
    """The list items and paragraphs of a note, in their order; what OpenClaw only stages for itself is left out."""
    staged = False
    for block in scan(text):
        staged = (staged or _STAGED in block.text) and not _UNSTAGED.search(block.text)
        if block.kind in ("item", "para") and not staged:
            parts = split(block.text)
            shown = visible(parts.before + parts.after).strip().removeprefix("\ufeff")
            bullet = BULLET.match(shown)
            shown = shown[bullet.end() :].strip() if bullet and block.kind == "item" else shown
            if shown:
                yield Unit(path, block, shown, _title(block), parts.id or content_key(shown))


def weigh(unit: Unit, retrieved: Retrieved = Retrieved(), own: Iterable[str] = ()) -> Weighed | None:  # noqa: B008 - a constant
    """What a unit is worth, None where nothing speaks for it. `own` are the operator's triggers."""
    found = _matches(unit, own)
    if not found and not retrieved.often:
        return None
    parts = [*_parts(unit, found, retrieved)]
    confidence = round(min(max(sum(value for value, _ in parts), 0), 1), 2)
    why = tuple(f"{said} {value:+.2f}" for value, said in parts)
    category = found[0].category if found else FREQUENT
    return Weighed(unit, category, confidence, retrieved, why, _against(unit))


def _matches(unit: Unit, own: Iterable[str]) -> Sequence[Match]:
    """What the text says, and its tag; where these say nothing outright, a heading that names what stands below it."""
    plain = untagged(unit.text[:LONGEST])
    found = {one.category: one for one in matches(plain, own)}
    if "decision" in tags_in(unit.text):
        found.setdefault("decision", Match("decision", firm=True, words="#decision", times=1))
    if len(unit.heading.split()) <= _NAMING and not any(one.firm for one in found.values()):
        found |= {one.category: one for one in matches(unit.heading, own)}
    return sorted(found.values(), key=lambda one: (-one.firm, -weight(one.category), one.category))


def _parts(unit: Unit, found: Sequence[Match], retrieved: Retrieved) -> Iterator[tuple[float, str]]:
    for one in found:
        yield weight(one.category) / 3, f"{one.category}: “{one.words}”"
    if firm := next((one for one in found if one.firm), None):
        yield _FIRM, f"said outright: “{firm.words}”"
    if more := min(sum(one.times - 1 for one in found), _MOST_MORE):
        yield more * _MORE, "said more than once"
    if named := min(len({one[0].lower() for one in compiled(_CONCRETE).finditer(unit.text[:LONGEST])}), _MOST_NAMED):
        yield named * _NAMED, "names figures or names"
    if found and compiled(_LASTING).search(unit.text[:LONGEST]):
        yield _LASTS, "says what stays so"
    if is_passing(unit.text[:LONGEST]):
        yield -_IN_PASSING, "tells what was done that day"
    yield from _by_retrieval(retrieved)


def _by_retrieval(retrieved: Retrieved) -> Iterator[tuple[float, str]]:
    if retrieved.often:
        yield _ASKED_FOR, f"asked for {retrieved.hits} times in {retrieved.sessions} sessions"
    elif not retrieved.hits:
        yield -_NEVER_ASKED, "never retrieved"


def _against(unit: Unit) -> str:
    """What keeps a unit from being promoted, however much speaks for it."""
    if not unit.text.isascii() and _BROKEN.search(unit.text):
        return "it is not UTF-8"
    if is_correction(unit.block):
        return "the operator's correction stays where it is"
    meta = read_meta(split(unit.block.text))
    if meta and meta.status != ACTIVE:
        return f"it is {meta.status}"
    if len(unit.text) > LONGEST:
        return "too long to be one fact"
    kinds = {item.kind for item in whole(unit.block.text)} - {"item", "para"}
    if kinds:
        return f"holds a {min(kinds)}"
    lead = unit.text[: lead_end(unit.text)]
    return junk(untagged(lead if lead == unit.text else lead.removesuffix(":"))) or danger(unit.text)


def _title(block: Block) -> str:
    """The nearest heading without a time in front; none where that is the title of the note."""
    if len(block.path) < _BELOW_TITLE:
        return ""
    return _CLOCK.sub("", " ".join(visible(block.path[-1]).split()))


_BELOW_TITLE = 2
_NAMING = 3
_FIRM, _MORE, _MOST_MORE = 0.2, 0.07, 2
_NAMED, _MOST_NAMED, _LASTS = 0.1, 2, 0.1
_IN_PASSING, _NEVER_ASKED, _ASKED_FOR = 0.35, 0.05, 0.4

_STAGED = "<!-- openclaw:dreaming:"
_UNSTAGED = re.compile(r"<!-- openclaw:dreaming:[\w:-]*:end -->")
_BROKEN = re.compile(r"[\ud800-\udfff]")
_CLOCK = re.compile(r"^[0-2]?[0-9]:[0-5][0-9](?:\s*[-–—·:]\s*|\s+|$)")

_CONCRETE = tight(
    r"""\d[\d.,:/-]*|(?-i:(?<![.!?:] )(?<!^)\b[A-Z][\w'’-]+)|`[^`]+`|[\"“「][^\"”」]{2,40}[\"”」]
    |[一二三四五六七八九十百千万亿两]+(?:块|元|天|周|月|年|个|期|次)|[一二三四五六七八九十百千万亿两]{2,}
    |第[一二三四五六七八九十]+|[今明去后]年|[上下本](?:周|月|季度|半年)|季度|(?:다음|이번|지난) ?(?:주|달|분기|해)
    |내년|올해|작년|분기|첫 |[A-Za-z]{2,}(?=[\uac00-\ud7a3\u4e00-\u9fff])|\b(?:two|three|four|five|six|seven|eight
    |nine|ten|eleven|twelve|twenty|hundred|half|first|second|third)\b"""
)
"""What can be wanted again: a figure, a name, a thing in quotes."""

_LASTING = tight(
    r"""\b(?:is|are|means|must|never|always|only|every|each|until|per|expires?|due|uses?|runs?|comes? from
    |go(?:es)? to|ha(?:s|ve)|handles?|stores?|serves?|costs?|prefers?|wants?|covers?|allows?|requires?|needs?|owns?
    |lives|stays?|keeps?|nothing|nobody|no longer|before|after|by (?:the )?end|from \w+ on|as of|instead of|valid
    |deadline|a (?:month|year|week|day)|(?:monthly|yearly|weekly|annual))\b|매(?:월|년|주|일)|항상|절대|까지|부터|만\s
    |은 |는 |每(?:年|月|周|天|个)|必须|只能|不得|永远|起(?:,|。|$)|截至|为|是|直到|已经|已正式|正式|하기로|한다\W*$
    |된다\W*$|됨\W*$|함\W*$|맡는다|이다\W*$"""
)
"""What holds beyond the day."""

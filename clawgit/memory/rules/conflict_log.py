"""CONFLICTS.md: where two memories contradict each other, one section each, and how it ended."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import DISPUTED, day
from clawgit.core.markdown.entry import Entry, content_key, entries, id_from, with_meta
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.scan import DatedSection, lines_of, sections
from clawgit.language.lazily import lazily
from clawgit.talk.rules.corrections import with_section
from clawgit.talk.rules.quotes import is_disputed, quotes_of

PATH = "CONFLICTS.md"

FLAGGED = "flagged"
A_WINS = "A wins"
B_WINS = "B wins"
BOTH = "both stand"
CLOSED = "closed"
"""How the words of an outcome begin. A flagged conflict is open."""

NOTHING = "nothing: one side of a merge removed it"
"""What side B says where one side of a merge removed what the other one reworded."""

_FIELD = lazily(
    r"- (A|B|A source|B source|A date|B date|Rule|Outcome):(?:[ \t]+|(?=\r?\n|$))([^\n]*)",
    re.IGNORECASE,
)
_ORIGIN = lazily(r"(.*?)#([a-z][a-z0-9]{5,7})(?:, (.*))?")
_OUTCOME = lazily("- Outcome:", re.IGNORECASE)
_DECIDED = (A_WINS, B_WINS, BOTH)


class ConflictSide(NamedTuple):
    """What an entry said when the conflict was found, on one line, with its file, key
    and source.
    """

    text: str
    path: str = ""
    key: str = ""
    source: str = ""
    day: date | None = None

    @property
    def said(self) -> str:
        """The key of the words, wherever they stand."""
        return content_key(self.text)

    def entry_in(self, text: str) -> Entry | None:
        """It in a file: the entry with its key, else with its words, which may have got an id."""
        every = entries(text)
        with_words = (entry for entry in every if content_key(entry.text) == self.said)
        return next((entry for entry in every if entry.key == self.key), next(with_words, None))


class Conflict(NamedTuple):
    """One section. `time` is None if its heading names none; missing fields are empty."""

    id: str
    time: datetime | None
    a: ConflictSide
    b: ConflictSide
    rule: str = ""
    outcome: str = ""
    line: int = 0

    @property
    def open(self) -> bool:
        return self.outcome.lower().startswith(FLAGGED)

    @property
    def sides(self) -> tuple[ConflictSide, ConflictSide]:
        """The entries that stand against each other."""
        return self.a, self.b

    @property
    def decision(self) -> str:
        """How it was decided: the words that the outcome begins with; "" while it is undecided."""
        return next((how for how in _DECIDED if self.outcome.startswith(how)), "")

    @property
    def pair(self) -> str:
        return pair_key(self.a.text, self.b.text)

    @property
    def evidence(self) -> str:
        """How a commit cites it."""
        return f"{PATH}#{self.id}"


def side_of(place: Entry) -> ConflictSide:
    """An entry as CONFLICTS.md names it."""
    origin = ", ".join(filter(None, (place.facts.src, *place.facts.evidence))) or "by hand"
    said = one_line(place.text)
    return ConflictSide(said, place.path, place.key, origin, place.day)


def pair_key(a: str, b: str) -> str:
    """Names two texts in either order. What was decided for them is not asked again."""
    return "-".join(sorted((content_key(a), content_key(b))))


def conflicts(text: str) -> tuple[Conflict, ...]:
    """The conflicts of a file, in its order. Never fails: what it does not know, it skips."""
    return tuple(map(_conflict, sections(text)))


def render(conflict: Conflict) -> str:
    """The section of a conflict, as `conflicts` reads it."""
    time = conflict.time.isoformat(timespec="seconds") if conflict.time else ""
    lines = [f"## {conflict.id} · {time}".rstrip(), ""]
    for name, side in zip("AB", conflict.sides, strict=True):
        origin = f"{side.path}#{side.key}" + (f", {one_line(side.source)}" if side.source else "")
        lines += [
            f"- {name}: {one_line(side.text)}",
            f"- {name} source: {origin}",
            f"- {name} date: {side.day.isoformat() if side.day else 'unknown'}",
        ]
    return "\n".join(
        [
            *lines,
            f"- Rule: {one_line(conflict.rule)}",
            f"- Outcome: {one_line(conflict.outcome)}",
            "",
        ]
    )


def appended(text: str, more: Iterable[Conflict]) -> str:
    """The file with more sections at its end."""
    return with_section(text, frames.CONFLICTS, "\n".join(map(render, more)))


def decided(text: str, outcomes: Mapping[str, str]) -> str:
    """The file with new outcomes for some conflicts, by id. Every other byte stays."""
    # Line by line, so that line ends and what people wrote between the fields stay as they are.
    lines = lines_of(text)
    for section in sections(text):
        if section.id not in outcomes:
            continue
        body = range(section.line, section.end)
        at = next((number for number in body if _OUTCOME.match(lines[number])), None)
        if at is not None:
            ending = lines[at][len(lines[at].rstrip("\r\n")) :]
            lines[at] = f"- Outcome: {one_line(outcomes[section.id])}{ending}"
    return "".join(lines)


def _conflict(section: DatedSection) -> Conflict:
    found = map(_FIELD.match, lines_of("".join(block.text for block in section.body)))
    # The first of two counts.
    fields = {field[1].lower(): field[2].strip() for field in reversed([*filter(None, found)])}
    a, b = (
        _side(*(fields.get(f"{name}{of}", "") for of in ("", " source", " date"))) for name in "ab"
    )
    rule, outcome = fields.get("rule", ""), fields.get("outcome", "")
    return Conflict(section.id, section.time, a, b, rule, outcome, section.line)


def _side(text: str, origin: str, said: str) -> ConflictSide:
    match = _ORIGIN.fullmatch(origin)
    path, key, source = match.groups() if match else (origin, "", "")
    return ConflictSide(text, path, key, source or "", day(said))


# What a merge left to decide, as the files alone show it: two texts of one entry, an entry that one
# side removed and the other reworded, and a conflict that two machines decided differently.

BOTH_CHANGED = "both sides of a merge changed it, 100 % sure"
"""The rule by which a merge finds a conflict: its sides are marked until it is settled."""

DECIDED_TWICE = f"{FLAGGED}: two machines decided it differently; the operator decides"
UNDECIDED = f"{FLAGGED}: the operator decides"

Texts = Mapping[str, str]
"""The texts of files by path."""


class LeftByMerge(NamedTuple):
    """New conflicts, in the order of their ids, and known ones that are open again.

    Everything in a new one follows from the entries, so that every machine writes the same section.
    """

    found: list[Conflict]
    reopened: list[Conflict]


def left_by_merge(files: Texts, known: Iterable[Conflict]) -> LeftByMerge:
    """What the marks in these files say, beside what CONFLICTS.md knows."""
    known, places = tuple(known), {place.key: place for place in _disputed(files)}
    pairs, lone = [*_pairs(places)], _lone(places)
    names = {pair.pair for pair in pairs}
    reopened = [one for one in known if one.decision and _stands_again(files, one, names, lone)]
    return LeftByMerge(_unknown(pairs, known), reopened)


def _lone(places: Mapping[str, Entry]) -> set[str]:
    """The keys of disputed entries that stand against nothing."""
    rivals = {place.facts.by for place in places.values()}
    return {key for key, place in places.items() if not place.facts.by} - rivals


def _unknown(found: Iterable[Conflict], known: Iterable[Conflict]) -> list[Conflict]:
    pairs, ids = {one.pair for one in known}, {one.id for one in known}
    new = {one.id: one for one in found if one.pair not in pairs}
    return [new[ident] for ident in sorted(new.keys() - ids)]


def _pairs(places: Mapping[str, Entry]) -> Iterator[Conflict]:
    """The entries that stand against each other, by the marks of the second ones. One that stands
    against itself was removed on the other side.
    """
    for key, place in places.items():
        if rival := places.get(place.facts.by):
            a, b = side_of(rival), side_of(place)
            b = b._replace(text=NOTHING) if a == b else b
            days = [side.day for side in (a, b) if side.day]
            since = datetime.combine(max(days), time(), UTC) if days else None
            yield Conflict(id_from(f"{rival.key}\0{key}"), since, a, b, BOTH_CHANGED, UNDECIDED)


def _disputed(files: Texts) -> Iterator[Entry]:
    """The disputed entries, without those that the operator's own words dispute."""
    for path, text in files.items():
        for entry in entries(text, path) if f"status={DISPUTED}" in text else ():
            if is_disputed(entry) and not quotes_of(entry.raw):
                yield entry


def _stands_again(files: Texts, conflict: Conflict, pairs: Container[str], lone: set[str]) -> bool:
    """Whether the marks of a decided conflict say that two machines decided it differently: both
    sides are still disputed, or one, or each is replaced by the other.
    """
    is_lone = not lone.isdisjoint({conflict.a.key, conflict.b.key})
    if conflict.rule == BOTH_CHANGED and (is_lone or conflict.pair in pairs):
        return True
    return _lost_to_each_other(files, conflict)


def _lost_to_each_other(files: Texts, conflict: Conflict) -> bool:
    found = [side.entry_in(files.get(side.path, "")) for side in conflict.sides]
    beaten = [entry and entry.facts.by for entry in found]
    return beaten == [conflict.b.key, conflict.a.key]


def disputed_again(text: str, reopened: Iterable[Conflict]) -> str:
    """A file in which the two sides of each of these conflicts are disputed, as they once were."""
    for conflict in reopened:
        rival = ""
        for side in conflict.sides:
            entry = side.entry_in(text)
            if entry and entry.meta:
                meta = entry.meta.having("status", DISPUTED).having("by", rival)
                text = with_meta(text, entry, meta)
            rival = entry.key if entry else side.key
    return text

"""CONFLICTS.md: where two memories contradict each other, one section each, and how it ended."""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import day as day_of
from clawgit.domain.markdown.entry import Entry, content_key, entries
from clawgit.domain.markdown.excerpt import one_line
from clawgit.domain.markdown.scan import DatedSection, lines_of, sections
from clawgit.language.lazily import lazily

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
    def is_removal(self) -> bool:
        """Whether an entry conflicts with its own removal, and not with another text."""
        return self.b.text == NOTHING

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
    meta = place.meta
    source = filter(None, (meta.src, *meta.evidence)) if meta else ()
    said = " ".join(place.text.split())
    origin = ", ".join(source) or "by hand"
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
    for name, side in (("A", conflict.a), ("B", conflict.b)):
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
    newline = "\r\n" if "\r\n" in text else "\n"
    before = text or frames.CONFLICTS
    # A section must not join a paragraph that somebody wrote at the end of the file.
    gaps = 2 if not before.endswith("\n") else not before.endswith((newline * 2, "\n\n"))
    return before + newline * gaps + "\n".join(map(render, more)).replace("\n", newline)


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


def _side(text: str, origin: str, day: str) -> ConflictSide:
    match = _ORIGIN.fullmatch(origin)
    path, key, source = match.groups() if match else (origin, "", "")
    return ConflictSide(text, path, key, source or "", day_of(day))

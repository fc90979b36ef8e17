"""CORRECTIONS.md: what the operator corrected, one section each."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import lead_end
from clawgit.core.markdown.entry import RAW_BULLET, Entry
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.markdown.scan import Block, DatedSection, lines_of, sections
from clawgit.core.markdown.tag_table import CATEGORY, visible, words_alone
from clawgit.language.lazily import lazily

OPEN = "open"
CONFIRMED = "confirmed"
ARCHIVED = "archived"
ROUTED = "routed"
QUOTED = "quoted"
SETTLED = "settled"
KEPT = "kept"
DISMISSED = "dismissed"
DOUBTED = "doubted"
"""Read in place of the status of one that nothing proves. No file has it."""


class CorrectionStatus(NamedTuple):
    """What follows from the status of a correction."""

    name: str
    result: str = ""
    """The result as a command reports it, where that is not the name."""
    binds: bool = False
    """The operator stands behind it, so memory must not say otherwise."""
    waits: bool = False
    """It waits for the operator's answer."""
    is_answered: bool = False
    """It needs no answer any more: what is said about its entry later is something new."""
    is_indexed: bool = False
    """Its text stands in memory, so the index has to hold it."""
    why_silent: str = ""
    """Why a context does not show it; "" if it does."""


ROWS = (
    # It waits for an answer.
    CorrectionStatus(OPEN, result="asked", waits=True),
    # Memory was corrected.
    CorrectionStatus(CONFIRMED, result="corrected", binds=True, is_indexed=True),
    # Memory was corrected, and the correction was moved to the archive.
    CorrectionStatus(ARCHIVED, binds=True, is_answered=True),
    # It is not about memory.
    CorrectionStatus(ROUTED, why_silent="not about memory"),
    # The operator's sentence stands under the entry and settles nothing yet.
    CorrectionStatus(QUOTED, waits=True, is_indexed=True),
    # A later correction answers it, and says what is right.
    CorrectionStatus(SETTLED, is_answered=True, why_silent="a later one answers it"),
    # The entry stands as it is.
    CorrectionStatus(KEPT, is_answered=True, why_silent="the entry stands"),
    # It was no correction.
    CorrectionStatus(DISMISSED, is_answered=True, why_silent="the entry stands"),
    # Somebody says that the operator confirmed it, and nothing shows that.
    CorrectionStatus(DOUBTED, why_silent="it waits for the operator"),
)

_BY_NAME = {row.name: row for row in ROWS}


def status_of(name: str) -> CorrectionStatus:
    """The row of a status. One that somebody else wrote into the file means nothing to clawgit."""
    return _BY_NAME.get(name, CorrectionStatus(name))


CORRECTIONS = "CORRECTIONS.md"
ARCHIVE = "Archive/Corrections/"

RE_EMBEDDED = "Re-embedded"
STATUS = "Status"
CORRECT = "Correct"
WAS = "Was"
WHY = "Why"
WORDS = "Operator said"
EVIDENCE = "Evidence"
"""The fields that change after a section was written."""

_LABELS = {
    "Trigger": "trigger",
    "Trigger confidence": "confidence",
    WORDS: "words",
    "Agent said": "said",
    CORRECT: "correct",
    WAS: "was",
    EVIDENCE: "source",
    RE_EMBEDDED: "re_embedded",
    STATUS: "status",
    WHY: "why",
}
"""All fields, in the order in which a section lists them, and their names in `Correction`."""

_OPTIONAL = (WORDS, EVIDENCE, WHY)
_IN_A_WORD = ("confidence", "re_embedded", "status")
_NAMES = {label.lower(): name for label, name in _LABELS.items()}
_FIELD = lazily(
    r"(?:[-*+] +)?[*_]{0,3}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,3} ?:[*_]{0,3}(?:[ "
    r"\t]+|(?=\r?\n|$))(.*)"
)
_CITED = lazily(r"CORRECTIONS\.md#([\w-]{1,64})")


class Correction(NamedTuple):
    """One section. `time` is None if its heading names none; missing fields are empty or false.

    `was` is the old entry as it was written: its id and its text. `words` are the operator's own,
    `source` is their message, as evidence names it. `why` is the reason for the status.
    """

    id: str
    time: datetime | None
    trigger: str = ""
    confidence: str = ""
    said: str = ""
    correct: str = ""
    was: str = ""
    re_embedded: bool = False
    status: str = ""
    line: int = 0
    words: str = ""
    source: str = ""
    why: str = ""

    @property
    def binds(self) -> bool:
        """Whether the operator stands behind it. One that is open, quoted or unclear
        proves nothing.
        """
        return status_of(self.status).binds

    @property
    def waits(self) -> bool:
        """Whether it waits for the operator's answer."""
        return status_of(self.status).waits

    @property
    def is_claim(self) -> bool:
        """Whether it says that the operator said something: it binds, or waits with his words."""
        return self.binds or (self.waits and bool(self.words))

    @property
    def sense(self) -> tuple[object, ...]:
        """What makes it what it is: the words, and that the operator stands behind them."""
        words = (self.correct, self.was, self.said, self.words)
        return (self.id, self.binds, self.source, *map(one_line, words))

    @property
    def is_quoted(self) -> bool:
        """Whether a sentence of the operator's disputes its entry. That of an agent against what
        the operator said, logged without any of his words, disputes nothing.
        """
        return self.status == QUOTED and bool(self.words)

    @property
    def stated(self) -> str:
        """The field that a reader may go by: what is right, or else what the operator said. None if
        that was taken back, or if only an agent says so.
        """
        status = status_of(self.status)
        if (status.is_answered and not status.binds) or (status.waits and not self.words):
            return ""
        return "correct" if self.correct and self.status != OPEN else "words"

    @property
    def target(self) -> str:
        """The key of the entry that it is about, "" if it names none."""
        return self.was.partition(" ")[0]

    @property
    def old(self) -> str:
        """What that entry said."""
        return self.was.partition(" ")[2]

    @property
    def wrong(self) -> str:
        """What it calls wrong: what that entry said, else what the agent did, unless that is marked
        as about something else.
        """
        return self.old or ("" if self.said.startswith(frames.EARLIER) else self.said)

    @property
    def evidence(self) -> str:
        """How a commit cites it."""
        return f"{CORRECTIONS}#{self.id}"


def when(correction: Correction) -> float:
    """By this, corrections are sorted; those without a time come first."""
    return correction.time.timestamp() if correction.time else 0.0


# One call of the validator asks for those of the log half a dozen times, before and after, and for
# those of the archive, a file a month.
@lru_cache(maxsize=128)
def corrections(text: str) -> tuple[Correction, ...]:
    """The corrections of a file, in its order. Never fails: what it does not know, it skips."""
    return tuple(map(_correction, sections(text)))


def holds_corrections(path: str) -> bool:
    """Whether a file is the log, or of its archive."""
    return path == CORRECTIONS or (path.startswith(ARCHIVE) and path.endswith(".md"))


def claimed(before: str, after: str) -> tuple[Correction, ...]:
    """The corrections by which an edit gives words to the operator. One that has the id of another
    and says something else is new.
    """
    known = {correction.sense for correction in corrections(before)}
    return tuple(
        correction
        for correction in corrections(after)
        if correction.is_claim and correction.sense not in known
    )


def cited(evidence: str) -> str:
    """The id of the correction that a piece of evidence names, "" if it names none."""
    match = _CITED.fullmatch(evidence.strip())
    return match[1] if match else ""


def render(correction: Correction) -> str:
    """The section of a correction, as `corrections` reads it."""
    time = correction.time.isoformat(timespec="seconds") if correction.time else ""
    values = correction._asdict() | {"re_embedded": str(correction.re_embedded).lower()}
    lines = [
        f"- {label}: {_indented(values[name])}".rstrip()
        for label, name in _LABELS.items()
        if values[name] or label not in _OPTIONAL
    ]
    return "\n".join([f"## {correction.id} · {time}".rstrip(), "", *lines, ""])


def doubting(known: Iterable[Correction], doubted: Container[str]) -> tuple[Correction, ...]:
    """The corrections; those with these ids count for nothing."""
    return tuple(
        each._replace(status=DOUBTED) if each.is_claim and each.id in doubted else each
        for each in known
    )


def all_corrections(
    files: Mapping[str, str], doubted: Container[str] = ()
) -> tuple[Correction, ...]:
    """The corrections of the archive, which still win, the newest last; then those of
    CORRECTIONS.md. `doubted`: the ids of those that bind nobody.
    """
    archive = sorted({*filter(holds_corrections, files)} - {CORRECTIONS})
    past = [correction for path in archive for correction in corrections(files[path])]
    # By their time: by name, 2026-February comes before 2026-January, and what was right in
    # January would count as the later word.
    past.sort(key=when)
    return doubting((*past, *corrections(files.get(CORRECTIONS, ""))), doubted)


def replaced_text(evidence: Iterable[str], known: Mapping[str, Correction]) -> str:
    """What an entry said before the newest correction that it cites, "" if it was not corrected."""
    cited = (known[piece].old for piece in reversed([*evidence]) if piece in known)
    return next(filter(None, cited), "")


def replaced_by(known: Iterable[Correction]) -> Iterator[Sequence[str]]:
    """What each correction calls wrong, and all that was once right in that one's place."""
    before: dict[str, list[str]] = {}
    for each in known:
        old, right, wrong = each.wrong, words_alone(each.correct), list[str]()
        if each.binds and old:
            olds = (old, *before.get(words_alone(old), ()))
            wrong = before[right] = [one for one in olds if words_alone(one) != right]
        yield wrong


def added(text: str, correction: Correction) -> str:
    """CORRECTIONS.md with one more section at its end."""
    return with_section(text, frames.CORRECTIONS, render(correction))


def with_section(text: str, opening: str, section: str) -> str:
    """A log with one more section at its end; a new one begins with its `opening`."""
    before = (text if text.strip() else opening).rstrip("\r\n")
    return before + _ended(f"\n\n{section}", text)


def _ended(more: str, text: str) -> str:
    """With the line ends of a text."""
    newline = "\r\n" if "\r\n" in text else "\n"
    return more.replace("\r\n", "\n").replace("\n", newline)


def with_fields(text: str, ident: str, fields: Mapping[str, str]) -> str:
    """The text with new values in some fields of a section, by label. Every other byte stays."""
    text = text if text.endswith("\n") else text + _ended("\n", text)
    for label, value in fields.items():
        lines, section = lines_of(text), _section(text, ident)
        known = _fields(section.body)
        at = known[-1].end if known else section.line
        place = slice(at, at)
        if old := next((field for field in known if field.name == _LABELS[label]), None):
            place = slice(old.start, old.start + 1 if old.name in _IN_A_WORD else old.end)
        lines[place] = [_ended(f"- {label}: {_indented(value)}".rstrip() + "\n", text)]
        text = "".join(lines)
    return text


def taken_back(before: str, brought: str, now: Container[str]) -> str:
    """The log as it was before a change, for taking that back, with the sections that it brought.

    What the operator said is never lost: of these, each whose id is in `now` stays, dismissed.
    """
    known = {correction.id for correction in corrections(before)}
    for correction in corrections(brought):
        if correction.id in now and correction.id not in known:
            _, section = cut(brought, correction.id)
            fields = {STATUS: DISMISSED, WHY: "taken back"}
            section = with_fields(section, correction.id, fields)
            before = with_section(before, frames.CORRECTIONS, section)
    return before


def ids_outside(text: str, books: Iterable[str]) -> set[str]:
    """The ids of the log that none of these books of its archive has."""
    archived = {correction.id for book in books for correction in corrections(book)}
    return {correction.id for correction in corrections(text)} - archived


def cut(text: str, ident: str) -> tuple[str, str]:
    """The text without a section, and that section."""
    lines, section = lines_of(text), _section(text, ident)
    start, end = section.line - 1, section.end
    rest = "".join([*lines[:start], *lines[end:]])
    return rest.rstrip() + _ended("\n", text), "".join(lines[start:end])


class Archived(NamedTuple):
    """The files that change, with their new text, and the corrections that move."""

    files: Mapping[str, str]
    moved: tuple[Correction, ...]


def archived(files: Mapping[str, str], today: date, days: int) -> Archived:
    """Moves finished corrections older than `days` to the archive of their month, where they still
    win.

    Does nothing the second time. If two sections have one id, neither moves.
    """
    text = files.get(CORRECTIONS, "")
    known = corrections(text)
    # Two sections with one id: nobody could say which of them `cut` takes.
    times = Counter(correction.id for correction in known)
    before = today - timedelta(days=days)
    due = tuple(
        each
        for each in known
        if times[each.id] == 1 and is_over(each) and each.time and each.time.date() < before
    )
    changed: dict[str, str] = {}
    for correction in due:
        path = f"{ARCHIVE}{correction.time:%Y-%B}.md"
        text, section = cut(text, correction.id)
        book = changed.get(path, files.get(path, ""))
        # The archive may hold it already, so that doing this twice adds no second section. One of
        # other words that has its id by chance does not count.
        if _words(correction) not in map(_words, corrections(book)):
            if correction.binds:
                section = with_fields(section, correction.id, {STATUS: ARCHIVED})
            title = frames.OF_A_MONTH.format(month=correction.time)
            changed[path] = with_section(book, title, f"{section.strip()}\n")
    return Archived({**changed, CORRECTIONS: text} if due else {}, due)


def _words(correction: Correction) -> tuple[str, ...]:
    return correction.id, correction.source, correction.words, correction.correct


def is_over(correction: Correction) -> bool:
    """Whether nothing is left to do about a correction, so that it may go to the archive."""
    status = status_of(correction.status)
    is_said = status.binds or status.is_answered
    return is_said and (correction.re_embedded or not status.is_indexed)


def _correction(section: DatedSection) -> Correction:
    # The first of two counts.
    fields = reversed(_fields(section.body))
    values: dict[str, Any] = {field.name: field.value for field in fields}
    for name in _IN_A_WORD:
        values[name] = values.get(name, "").lower()
    values["re_embedded"] = values["re_embedded"] in ("true", "yes")
    return Correction(section.id, section.time, line=section.line, **values)


def _section(text: str, ident: str) -> DatedSection:
    section = next((section for section in sections(text) if section.id == ident), None)
    if section is None:
        raise NotFoundError(f"There is no correction {ident}.", hint="clawgit corrections list")
    return section


def field_of(line: str) -> str:
    """The name in `Correction` of the field that begins on a line, "" if none does."""
    match = _FIELD.match(line)
    return _NAMES.get(one_line(match[1].lower()), "") if match else ""


class _Field(NamedTuple):
    """A field of a section, by its name in `Correction`; its lines, as the ends of a slice."""

    name: str
    start: int
    end: int
    value: str


# A log grows at its end: what is above stays.
@lru_cache(maxsize=2048)
def _fields(body: tuple[Block, ...]) -> tuple[_Field, ...]:
    """The fields of a section. The lines without a name below one continue it, as far as no blank
    line and no other block comes in between; what continues a single word is a note.
    """
    found: list[_Field] = []
    for block in body:
        goes_on = False
        for at, line in enumerate(lines_of(block.text), block.line - 1):
            name, match = field_of(line), _FIELD.match(line)
            if match and name:
                found.append(_Field(name, at, at + 1, match[2].strip()))
                goes_on = True
            elif goes_on and line.strip():
                last = found[-1]
                more = "" if last.name in _IN_A_WORD else f"\n{line.strip()}"
                found[-1] = last._replace(end=at + 1, value=f"{last.value}{more}".lstrip())
            else:
                goes_on = False
    return tuple(found)


def _indented(value: str) -> str:
    return "\n  ".join(line.strip() for line in value.splitlines() if line.strip())


def statement(entry: Entry) -> str:
    lead = RAW_BULLET.sub("", visible(entry.raw[: lead_end(entry.raw)]), count=1)
    return one_line(CATEGORY.sub(" ", lead))

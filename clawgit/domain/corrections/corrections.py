"""CORRECTIONS.md: what the operator set right, one section each, and the old value that a
correction leaves behind.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.scan import lines_of, scan
from clawgit.domain.markdown.sections import LEVEL, is_of, sections
from clawgit.errors import NotFoundError

CORRECTIONS = "CORRECTIONS.md"
ARCHIVE = "Archive/Corrections/"

OPEN = "open"
CONFIRMED = "confirmed"
ARCHIVED = "archived"
ROUTED = "routed"
QUOTED = "quoted"
SETTLED = "settled"
KEPT = "kept"
DISMISSED = "dismissed"
"""What `status` can be: open, it waits for an answer; confirmed, memory was put right; archived,
that and moved to the archive; routed, it is not about memory. Quoted, the operator's sentence
stands under the entry and settles nothing; then settled, what is right stands in memory since;
kept, the entry stands as it is; dismissed, it was no correction.
"""

SHOWN_QUESTIONS = 3
"""Of so many open corrections the operator is asked at a time; all are kept."""

RE_EMBEDDED = "Re-embedded"
STATUS = "Status"
CORRECT = "Correct"
WAS = "Was"
WHY = "Why"
WORDS = "Operator said"
EVIDENCE = "Evidence"
"""The fields that change after a section was written."""


class Correction(NamedTuple):
    """One section. `time` is None where its heading names none; fields that are missing are empty
    or false.

    `was` is the old entry as it was written: its id and its text. `words` are the operator's own,
    `source` is the message in which he said them, as evidence names it. `why` tells why it came to
    its status.
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
        """Whether the operator stands behind it. An open or quoted one, or one that does not say,
        proves nothing.
        """
        return self.status in (CONFIRMED, ARCHIVED, SETTLED)

    @property
    def target(self) -> str:
        """The key of the entry that it is about, "" where it names none."""
        return self.was.partition(" ")[0]

    @property
    def old(self) -> str:
        """What that entry said."""
        return self.was.partition(" ")[2]

    @property
    def evidence(self) -> str:
        """How a commit cites it."""
        return f"{CORRECTIONS}#{self.id}"


def corrections(text: str) -> tuple[Correction, ...]:
    """The corrections of a file, in its order. Other sections and unknown fields are passed over;
    never fails.
    """
    return tuple(
        _correction(one.id, one.time, _fields("".join(block.text for block in one.body)), one.line)
        for one in sections(text)
    )


def cited(evidence: str) -> str:
    """The id of the correction that a piece of evidence names, "" where it names none."""
    found = _CITED.fullmatch(evidence.strip())
    return found[1] if found else ""


def render(correction: Correction) -> str:
    """The section of a correction, as `corrections` reads it."""
    time = correction.time.isoformat(timespec="seconds") if correction.time else ""
    values = (
        correction.trigger, correction.confidence, correction.words, correction.said,
            correction.correct,
        correction.was, correction.source, str(correction.re_embedded).lower(), correction.status,
            correction.why,
    )  # fmt: skip
    told = [
        (label, value)
        for label, value in zip(_LABELS, values, strict=True)
        if value or label not in _OPTIONAL
    ]
    lines = [f"- {label}: {_indented(value)}".rstrip() for label, value in told]
    return "\n".join([f"## {correction.id} · {time}".rstrip(), "", *lines, ""])


def all_corrections(files: Mapping[str, str]) -> tuple[Correction, ...]:
    """Those of CORRECTIONS.md and of the archive, where they still win; the newest file of the
    archive comes last.
    """
    archive = sorted(path for path in files if path.startswith(ARCHIVE) and path.endswith(".md"))
    return tuple(
        one for path in (*archive, CORRECTIONS) for one in corrections(files.get(path, ""))
    )


def added(text: str, correction: Correction) -> str:
    """CORRECTIONS.md with one more section at its end."""
    if not text.strip():
        return f"{frames.CORRECTIONS}\n{render(correction)}"
    return f"{text.rstrip()}\n\n{render(correction)}"


def with_fields(text: str, ident: str, fields: Mapping[str, str]) -> str:
    """The text with other values in some fields of a section, by their labels; all else stays byte
    for byte.
    """
    lines = lines_of(text)
    start, end = _place(text, ident)
    body = lines[start:end]
    for label, value in fields.items():
        line = f"- {label}: {_indented(value)}".rstrip() + "\n"
        at = next((n for n, one in enumerate(body) if _label(one) == label.lower()), None)
        if at is None:
            body.insert(_last_field(body), line)
        else:
            body[at : _after(body, at)] = [line]
    return "".join([*lines[:start], *body, *lines[end:]])


def as_taken_in(text: str, base: str, goal: str) -> str:
    """The text with `Re-embedded` as `base` has it, in the sections that `goal` has otherwise: what
    only says that an index was made hinders nobody who takes a correction back.
    """
    told, wanted = ({one.id: one for one in corrections(each)} for each in (base, goal))
    for one in corrections(text):
        old = told.get(one.id)
        if (
            old
            and old.re_embedded != one.re_embedded
            and _unplaced(old) != _unplaced(wanted.get(one.id))
        ):
            text = with_fields(text, one.id, {RE_EMBEDDED: str(old.re_embedded).lower()})
    return text


def _unplaced(one: Correction | None) -> Correction | None:
    return one and one._replace(line=0)


def cut(text: str, ident: str) -> tuple[str, str]:
    """The text without a section, and that section."""
    lines = lines_of(text)
    start, end = _place(text, ident)
    rest = "".join([*lines[:start], *lines[end:]])
    return f"{rest.rstrip()}\n", "".join(lines[start:end])


def old_value(text: str) -> str:
    """The comment in which a corrected entry keeps what it said before: `<!-- was: Office is in
    Paris. -->`.

    It stands behind the new value and before the claw comment, on one line; `%`, `<` and `>` are
    written %25 %3C %3E.
    """
    return f"<!-- was: {' '.join(text.split()).translate(_ESCAPES)} -->"


def read_old_value(item: str) -> str | None:
    """What an entry said before it was corrected, None where it does not tell."""
    found = _WAS.search(item)
    return _ESCAPED.sub(lambda sign: chr(int(sign[1], 16)), found[1]) if found else None


def _correction(ident: str, time: datetime | None, fields: dict[str, str], line: int) -> Correction:
    trigger, confidence, words, said, correct, was, source, re_embedded, status, why = (
        fields.get(label.lower(), "") for label in _LABELS
    )
    return Correction(
        id=ident,
        time=time,
        trigger=trigger,
        confidence=confidence.lower(),
        said=said,
        correct=correct,
        was=was,
        re_embedded=re_embedded.lower() in ("true", "yes"),
        status=status.lower(),
        line=line,
        words=words,
        source=source,
        why=why,
    )


def _place(text: str, ident: str) -> tuple[int, int]:
    """From which line to which a section stands, as a slice."""
    blocks = scan(text)
    found = (block for block in blocks if block.level == LEVEL and is_of(block.path[-1], ident))
    start = next(found, None)
    if start is None:
        raise NotFoundError(f"There is no correction {ident}.", hint="clawgit corrections list")
    behind = (one.line - 1 for one in blocks if one.line > start.line and 0 < one.level <= LEVEL)
    return start.line - 1, next(behind, len(lines_of(text)))


def _label(line: str) -> str:
    found = _FIELD.match(line)
    label = " ".join(found[1].lower().split()) if found else ""
    return label if label in _FIELDS else ""


def _last_field(body: list[str]) -> int:
    """Behind the last field of a section, and the lines that go on with it."""
    last = max((number for number, line in enumerate(body) if _label(line)), default=0)
    return _after(body, last)


def _after(body: list[str], at: int) -> int:
    """Where the lines of a field end."""
    return next(
        (n for n in range(at + 1, len(body)) if not body[n].startswith((" ", "\t"))), len(body)
    )


def _fields(body: str) -> dict[str, str]:
    """The fields by name. Said twice, the first counts; an indented line goes on with the field
    above it.
    """
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for label, value in _parts(body):
        if label:
            lines = [value]
            found.setdefault(label, lines)
        elif value:
            lines.append(value)
    return {label: "\n".join(lines).strip() for label, lines in found.items()}


def _parts(body: str) -> Iterator[tuple[str, str]]:
    """Each line as a field's name and value; without a name it belongs to the field above."""
    for line in lines_of(body):
        label, found = _label(line), _FIELD.match(line)
        yield (label, found[2].strip()) if found and label else ("", line.strip())


def _indented(value: str) -> str:
    return "\n  ".join(line.strip() for line in value.splitlines() if line.strip())


_OPTIONAL = (WORDS, EVIDENCE, WHY)
_LABELS = (
    "Trigger", "Trigger confidence", WORDS, "Agent said", CORRECT, WAS, EVIDENCE, RE_EMBEDDED,
    STATUS, WHY,
)  # fmt: skip
_FIELDS = tuple(label.lower() for label in _LABELS)
_FIELD = re.compile(
    r"(?:[-*+] +)?[*_]{0,3}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,3} ?:[*_]{0,3}(?:[ "
    r"\t]+|(?=\r?\n|$))(.*)"
)
_CITED = re.compile(r"CORRECTIONS\.md#([\w-]{1,64})")
_WAS = re.compile(r"<!-- was: ([^<>\n]*) -->")
_ESCAPES = str.maketrans({"%": "%25", "<": "%3C", ">": "%3E"})
_ESCAPED = re.compile("%(25|3C|3E)")


def unproven(before: str, after: str) -> tuple[Correction, ...]:
    """The corrections that an edit makes binding without a word of the operator's to rest on."""
    known = {one.id for one in corrections(before) if one.binds}
    return tuple(
        one for one in corrections(after) if one.binds and one.id not in known and not one.source
    )

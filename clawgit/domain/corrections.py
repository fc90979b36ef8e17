"""CORRECTIONS.md: what the operator set right, one section each, and the old value that a correction leaves behind."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import takewhile
from typing import NamedTuple

from clawgit.domain.scan import lines_of, scan

OPEN, CONFIRMED, ARCHIVED = "open", "confirmed", "archived"
"""What `status` can be: logged and not yet sure, the operator's own word, or that and moved to the archive."""


class Correction(NamedTuple):
    """One section. `time` is None where its heading names none; fields that are missing are empty or false.

    `was` is the old entry as it was written: its id and its text.
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

    @property
    def binds(self) -> bool:
        """Whether the operator stands behind it. An open one, or one that does not say, proves nothing."""
        return self.status in (CONFIRMED, ARCHIVED)

    @property
    def evidence(self) -> str:
        """How a commit cites it."""
        return f"{_FILE}#{self.id}"


def corrections(text: str) -> tuple[Correction, ...]:
    """The corrections of a file, in its order. Other sections and unknown fields are passed over; never fails."""
    blocks = scan(text)
    found: list[Correction] = []
    for number, block in enumerate(blocks):
        heading = _HEADING.fullmatch(block.path[-1]) if block.level == _LEVEL else None
        if heading is not None:
            body = takewhile(lambda below: not 0 < below.level <= _LEVEL, blocks[number + 1 :])
            fields = _fields("".join(below.text for below in body))
            found.append(_correction(heading[1], heading[2], fields, block.line))
    return tuple(found)


def cited(evidence: str) -> str:
    """The id of the correction that a piece of evidence names, "" where it names none."""
    found = _CITED.fullmatch(evidence.strip())
    return found[1] if found else ""


def render(correction: Correction) -> str:
    """The section of a correction, as `corrections` reads it."""
    time = correction.time.isoformat(timespec="seconds") if correction.time else ""
    values = (
        correction.trigger, correction.confidence, correction.said, correction.correct, correction.was,
        str(correction.re_embedded).lower(), correction.status,
    )  # fmt: skip
    lines = [f"- {label}: {_indented(value)}".rstrip() for label, value in zip(_LABELS, values, strict=True)]
    return "\n".join([f"## {correction.id} · {time}".rstrip(), "", *lines, ""])


def old_value(text: str) -> str:
    """The comment in which a corrected entry keeps what it said before: `<!-- was: Office is in Paris. -->`.

    It stands behind the new value and before the claw comment, on one line; `%`, `<` and `>` are written %25 %3C %3E.
    """
    return f"<!-- was: {' '.join(text.split()).translate(_ESCAPES)} -->"


def read_old_value(item: str) -> str | None:
    """What an entry said before it was corrected, None where it does not tell."""
    found = _WAS.search(item)
    return _ESCAPED.sub(lambda sign: chr(int(sign[1], 16)), found[1]) if found else None


def _correction(ident: str, time: str, fields: dict[str, str], line: int) -> Correction:
    trigger, confidence, said, correct, was, re_embedded, status = (fields.get(name, "") for name in _FIELDS)
    return Correction(
        id=ident,
        time=_time(time),
        trigger=trigger,
        confidence=confidence.lower(),
        said=said,
        correct=correct,
        was=was,
        re_embedded=re_embedded.lower() in ("true", "yes"),
        status=status.lower(),
        line=line,
    )


def _fields(body: str) -> dict[str, str]:
    """The fields by name. Said twice, the first counts; an indented line goes on with the field above it."""
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
        found = _FIELD.match(line)
        label = " ".join(found[1].lower().split()) if found else ""
        yield (label, found[2].strip()) if found and label in _FIELDS else ("", line.strip())


def _time(text: str) -> datetime | None:
    """A time without a zone is UTC, a date alone its beginning."""
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _indented(value: str) -> str:
    return "\n  ".join(line.strip() for line in value.splitlines() if line.strip())


_FILE = "CORRECTIONS.md"
_LEVEL = 2
_LABELS = ("Trigger", "Trigger confidence", "Agent said", "Correct", "Was", "Re-embedded", "Status")
_FIELDS = tuple(label.lower() for label in _LABELS)
_HEADING = re.compile(r"([\w-]{1,64}) *· *(.*)")
_FIELD = re.compile(r"(?:[-*+] +)?[*_]{0,3}([A-Za-z][A-Za-z -]{0,30}?)[*_]{0,3} ?:[*_]{0,3}(?:[ \t]+|(?=\r?\n|$))(.*)")
_CITED = re.compile(r"CORRECTIONS\.md#([\w-]{1,64})")
_WAS = re.compile(r"<!-- was: ([^<>\n]*) -->")
_ESCAPES = str.maketrans({"%": "%25", "<": "%3C", ">": "%3E"})
_ESCAPED = re.compile("%(25|3C|3E)")

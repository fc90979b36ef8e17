"""Logs such as CORRECTIONS.md: a section is merged as a whole by its id, and stands in time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.corrections.statuses import status_of
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.markdown.sections import LEVEL, dated_id
from clawgit.domain.merging.align import MergeUnit, Units
from clawgit.domain.merging.cutting import SECTION, cut_into_sections, grouped
from clawgit.domain.merging.weaving import Decided
from clawgit.language.lazily import lazily

_FIELD = lazily(r"- ([A-Z][A-Za-z -]{0,30}):")
_STATUS = "Status"
_OUTCOME = "Outcome"
_UNDECIDED = ("waiting", "flagged")
_OF_A_DAY = lazily(r"(?:## |[-*+] )\W{0,4}([0-2]?[0-9]):([0-5][0-9])\b")
_NO_TIME = datetime.min.replace(tzinfo=UTC)

Moment = tuple[object, ...]
"""When something in a file was written, as a sort key; () if that is not known."""


class _Chunk(NamedTuple):
    """A run of a text that is moved as a whole; `gap` is the space after it."""

    core: str
    gap: str
    moment: Moment


def cut_log(text: str) -> Units:
    """The units of a log: each of its sections is one, and so is every block above them."""
    return cut_into_sections(text, _id, LEVEL)


def decide_section(
    old: MergeUnit | None, mine: MergeUnit | None, other: MergeUnit | None
) -> Decided:
    """Two versions of a section are one with the fields of both. Of a field that both changed, the
    version that has decided more counts.
    """
    if mine is None or other is None or SECTION not in (mine.kind, other.kind):
        return Decided(tuple(unit.core for unit in (mine, other) if unit))
    was = _fields(old.core) if old else {}
    first, second = sorted((_fields(mine.core), _fields(other.core)), key=_decidedness)
    return Decided(("\n".join(_joined_fields(was, first, second)),))


def moment_of_section(core: str) -> Moment:
    """When a section of a log was written, then its id."""
    if not core.startswith("## "):
        return ()
    ident, time = dated_id(core.partition("\n")[0].strip("# \r"))
    return (time or _NO_TIME, ident) if ident else ()


def moment_of_day(core: str) -> Moment:
    """The time of the day under which a note stands."""
    match = _OF_A_DAY.match(core)
    return (int(match[1]), int(match[2])) if match else ()


def in_time(text: str, sides: Iterable[str], moment: Callable[[str], Moment]) -> str:
    """A merged text with what has a time in its order, where both sides have it in order."""
    if not all(_is_sorted(_chunks(side, moment)) for side in sides):
        return text
    chunks = _chunks(text, moment)
    if _is_sorted(chunks):
        return text
    return "".join(_in_order(chunks))


def _in_order(chunks: Sequence[_Chunk]) -> Iterator[str]:
    """The chunks, each run of those with a time in its order. The space between them stays."""
    for run in _runs(chunks):
        ordered = sorted(run, key=lambda chunk: chunk.moment) if run[0].moment else run
        for chunk, gap in zip(ordered, (chunk.gap for chunk in run), strict=True):
            yield chunk.core + gap


def _is_sorted(chunks: Sequence[_Chunk]) -> bool:
    return all(
        upper.moment <= lower.moment for run in _runs(chunks) for upper, lower in pairwise(run)
    )


def _runs(chunks: Sequence[_Chunk]) -> Iterator[list[_Chunk]]:
    """Neighbours that all have a time, and of one kind; each other chunk alone."""
    run: list[_Chunk] = []
    for chunk in chunks:
        if run and not (chunk.moment and run[-1].moment and chunk.core[:2] == run[-1].core[:2]):
            yield run
            run = []
        run.append(chunk)
    if run:
        yield run


def _chunks(text: str, moment: Callable[[str], Moment]) -> list[_Chunk]:
    blocks = scan(text)
    chunks = [_Chunk("", "", ())]
    for group in grouped(blocks, lambda block: bool(_moment_of(block, moment)), LEVEL):
        whole = "".join(block.text for block in group)
        if group[0].kind == "blank":
            chunks[-1] = chunks[-1]._replace(gap=chunks[-1].gap + whole)
            continue
        core = whole.rstrip()
        chunks.append(_Chunk(core, whole[len(core) :], moment(core)))
    return chunks


def _moment_of(block: Block, moment: Callable[[str], Moment]) -> Moment:
    return moment(block.text) if block.level == LEVEL else ()


def _id(block: Block) -> str:
    return dated_id(block.path[-1])[0] if block.level == LEVEL else ""


def _fields(core: str) -> dict[str, str]:
    """The lines of a section by what they are: a field by its name, another line by its words."""
    fields: dict[str, str] = {}
    name = ""
    for line in lines_of(core):
        match = _FIELD.match(line)
        if match or not line.startswith(" ") or not name:
            name = match[1] if match else line.strip() or f"\n{len(fields)}"
        held = fields.get(name)
        fields[name] = f"{held}\n{line.rstrip()}" if held is not None else line.rstrip()
    return fields


def _joined_fields(
    was: Mapping[str, str], first: Mapping[str, str], second: Mapping[str, str]
) -> Iterator[str]:
    """The fields as the second version has them, and those that only the first one changed."""
    for name in dict.fromkeys((*second, *first)):
        changed = first if second.get(name) == was.get(name) else second
        if name in changed:
            yield changed[name]


def _decidedness(fields: Mapping[str, str]) -> tuple[object, ...]:
    """How far a section is decided, then its words, so that either side picks the same version."""
    status = status_of(_value(fields, _STATUS))
    outcome = _value(fields, _OUTCOME).lower()
    undecided = next((at for at, name in enumerate(_UNDECIDED) if outcome.startswith(name)), 2)
    return (
        undecided,
        status.is_answered,
        status.binds,
        not status.waits,
        "\n".join(fields.values()),
    )


def _value(fields: Mapping[str, str], name: str) -> str:
    return fields.get(name, "").partition(":")[2].strip()

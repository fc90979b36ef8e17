"""Logs such as CORRECTIONS.md: a section is merged as a whole by its id, and stands in time."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby

from clawgit.domain.corrections.corrections import status_of
from clawgit.domain.markdown.scan import Block, lines_of, scan
from clawgit.domain.markdown.sections import LEVEL, dated_id
from clawgit.domain.merging.align import MergeUnit, Units
from clawgit.domain.merging.weaving import Decided
from clawgit.language.lazily import lazily

SECTION = "section"
"""The kind of a unit that is a heading with all that stands under it."""

_FIELD = lazily(r"- ([A-Z][A-Za-z -]{0,30}):")
_STATUS = "Status"
_OUTCOME = "Outcome"
_UNDECIDED = ("waiting", "flagged")
_OF_A_DAY = lazily(r"(?:## |[-*+] )\W{0,4}([0-2]?[0-9]):([0-5][0-9])\b")
_NO_TIME = datetime.min.replace(tzinfo=UTC)

Moment = tuple[object, ...]
"""When something in a file was written, as a sort key; () if that is not known."""


def cut_log(text: str) -> Units:
    """The units of a log: each of its sections is one, and so is every block above them."""
    return _cut(text, lambda block: dated_id(block.path[-1])[0])


def _cut(text: str, name: Callable[[Block], str]) -> Units:
    """The units of a text: sections of the second level whose headings have a name, which is their
    id; and the other blocks.
    """
    units, gaps = [MergeUnit("start", "", 1)], [""]
    for ident, blocks in _grouped(scan(text), name):
        first, whole = blocks[0], "".join(block.text for block in blocks)
        if first.kind == "blank":
            gaps[-1] += whole
            continue
        core = whole.rstrip()
        kind = SECTION if ident else first.kind
        level = 0 if ident else first.level
        units.append(MergeUnit(kind, core, first.line, first.path, level, ident))
        gaps.append(whole[len(core) :])
    return Units([*units, MergeUnit("end", "", units[-1].line)], gaps)


def _grouped(
    blocks: Iterable[Block], name: Callable[[Block], str]
) -> list[tuple[str, list[Block]]]:
    """Each section with its name, and every other block alone, with none."""
    groups: list[tuple[str, list[Block]]] = []
    for block in blocks:
        if groups and groups[-1][0] and not 0 < block.level <= LEVEL:
            groups[-1][1].append(block)
        else:
            groups.append((name(block) if block.level == LEVEL else "", [block]))
    return groups


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
    return _sorted(text, moment) if all(_sorted(one, moment) == one for one in sides) else text


def _sorted(text: str, moment: Callable[[str], Moment]) -> str:
    """A text with each run of neighbours that have a time, and are of one kind, in its order. The
    space between them stays.
    """
    units, gaps = _cut(text, lambda block: "dated" if moment(block.text) else "")
    runs = groupby(units, lambda unit: unit.core[:2] if moment(unit.core) else unit)
    cores = (unit.core for _, run in runs for unit in sorted(run, key=lambda one: moment(one.core)))
    return "".join(core + gap for core, gap in zip(cores, [*gaps, ""], strict=True))


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

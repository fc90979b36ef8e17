"""What becomes of an entry that both sides changed: its facts are joined, and of two texts both
stay, marked.

An entry is known by its id. One without an id is its text: with other words it is another entry.
All of this is a function of the three versions, so that machines agree in whatever order they meet.

In a log such as CORRECTIONS.md a section is merged as a whole by its id, and stands in time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby

from clawgit.core import NamedTuple
from clawgit.core.markdown.comment import (
    CORRECTED,
    DISPUTED,
    CommentParts,
    Meta,
    is_id,
    read_meta,
    split,
)
from clawgit.core.markdown.entry import Entry, entries, entry_of, id_from, with_meta
from clawgit.core.markdown.scan import Block, dated_id, lines_of
from clawgit.git.rules.ids import digest
from clawgit.history.rules.align import SECTION, MaybeUnit, MergeUnit, cut
from clawgit.history.rules.merge import joined, with_facts
from clawgit.history.rules.weaving import Decided
from clawgit.language.lazily import lazily
from clawgit.memory.rules.confidence import is_correction
from clawgit.talk.rules.corrections import STATUS, status_of
from clawgit.talk.rules.quotes import is_disputed

_ITEM = "item"


class _Version(NamedTuple):
    """An entry as one side has it. `words` are what it says, however they are spaced."""

    core: str
    parts: CommentParts
    words: str
    meta: Meta | None

    @property
    def id(self) -> str:
        return self.meta.id if self.meta else ""

    @property
    def is_correction(self) -> bool:
        return is_correction(entry_of(Block(_ITEM, 1, self.core)))

    def having(self, status: str, meta: Meta | None = None) -> str:
        return with_facts(self.parts, (meta or self.meta or Meta("")).having("status", status), ())


def decide(old: MaybeUnit, mine: MaybeUnit, other: MaybeUnit) -> Decided:
    """What becomes of a unit of a memory. Nothing conflicts: what cannot be joined stays twice."""
    sides = [*filter(None, (mine, other))]
    if any(unit.kind != _ITEM for unit in (old, *sides) if unit):
        return Decided(tuple(unit.core for unit in sides))
    was, versions = _version(old), [*filter(None, map(_version, sides))]
    match versions:
        case [here, there]:
            return Decided(_both(was, here, there))
        case [left]:
            return Decided(_left(was, left))
        case _:
            return Decided(())


def with_marks(base: str, text: str) -> str:
    """A merged text in which an entry is disputed while a text that base does not have stands
    against it; but a correction is not disputed by what it corrects.
    """
    if f"status={DISPUTED} by=" not in text:
        return text
    standing = {entry.key: entry for entry in entries(text)}
    for variant in [*standing.values()]:
        rival = standing.get(variant.meta.by) if variant.meta else None
        if not rival or not is_disputed(variant) or f"claw:{variant.key} " in base:
            continue
        loser, status = _loser(variant, rival)
        marked = (loser.meta or Meta("")).having("status", status)
        text = with_meta(text, loser, marked)
        standing[loser.key] = loser._replace(meta=marked)
    return text


def _loser(variant: Entry, rival: Entry) -> tuple[Entry, str]:
    """Which of two texts that stand against each other is marked, and how."""
    if is_correction(rival) and not is_correction(variant):
        return variant, CORRECTED
    return rival, DISPUTED


def _version(unit: MaybeUnit) -> _Version | None:
    if unit is None:
        return None
    parts = split(unit.core)
    return _Version(unit.core, parts, " ".join(parts.visible.split()), read_meta(parts))


def _left(was: _Version | None, left: _Version) -> tuple[str, ...]:
    """What stays of an entry that the other side removed. Its new words stand against its own
    removal, but for a correction's.
    """
    if was and was.words == left.words:
        return ()  # a removal counts for more than other facts about the same words
    if not (was and left.meta and was.id == left.id and is_id(left.id)) or left.is_correction:
        return (left.core,)
    return (left.having(DISPUTED, left.meta.having("by", left.id)),)


def _both(was: _Version | None, here: _Version, there: _Version) -> tuple[str, ...]:
    """The texts of an entry that both sides have, at least one of them changed."""
    old, meta = was.words if was else None, joined(was and was.meta, here.meta, there.meta)
    if here.words == old:
        frame = there
    elif there.words in (old, here.words):
        frame = here
    elif _is_same(was, here, there):
        return _two_texts(here, there)
    else:
        return (here.core, there.core)
    return (with_facts(frame.parts, meta and _with_status(meta, was, here, there), ()),)


def _is_same(was: _Version | None, here: _Version, there: _Version) -> bool:
    """Whether two versions with different words are one entry, by its id."""
    is_kept = was is None or was.id in ("", here.id)
    return is_kept and here.id == there.id and is_id(here.id)


def _with_status(meta: Meta, was: _Version | None, here: _Version, there: _Version) -> Meta:
    """The facts with the status that new words bring along: what settles the old words does not
    settle the new ones.
    """
    old = was.words if was else None
    changed = [side for side in (here, there) if side.words != old]
    if len(changed) == 1 and changed[0].is_correction:
        return meta.having("status", _own_status(changed[0]))
    is_open = DISPUTED in map(_own_status, changed)
    return meta.having("status", DISPUTED) if is_open else meta


def _own_status(version: _Version) -> str:
    """A correction has the status that the operator gave it, whatever became of the old words."""
    return version.meta.get("status") if version.meta else ""


def _two_texts(here: _Version, there: _Version) -> tuple[str, str]:
    """Both texts of one entry with their own facts, marked: the one that keeps the id, which a
    correction does, then the other with an id of its own.
    """
    # By a hash, not by side or time: every machine must give the id to the same text.
    first, second = sorted(
        (here, there), key=lambda one: (not one.is_correction, digest(one.id, one.words))
    )
    wins = first.is_correction and not second.is_correction
    kept = first.having(_own_status(first) if wins else DISPUTED)
    # The id of a text that lost its own to another text follows from both alone.
    own = Meta(id_from(f"{second.id}\0{second.words}"), second.meta.facts if second.meta else ())
    status = CORRECTED if wins else DISPUTED
    return kept, second.having(status, own.having("by", second.id))


# Logs.

_FIELD = lazily(r"- ([A-Z][A-Za-z -]{0,30}):")
_HEADING = "##"
_OUTCOME = "Outcome"
_UNDECIDED = ("waiting", "flagged")
_OF_A_DAY = lazily(r"(?:## |[-*+] )\W{0,4}([0-2]?[0-9]):([0-5][0-9])\b")
_NO_TIME = datetime.min.replace(tzinfo=UTC)

Moment = tuple[object, ...]
"""When something in a file was written, as a sort key; () if that is not known."""


def cut_log(text: str) -> list[MergeUnit]:
    """The units of a log: each of its sections is one, and so is every block above them."""
    return cut(text, lambda block: dated_id(block.path[-1])[0])


def decide_section(old: MaybeUnit, mine: MaybeUnit, other: MaybeUnit) -> Decided:
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
    units = cut(text, lambda block: "dated" if moment(block.text) else "")
    runs = groupby(units, lambda unit: unit.core[:2] if moment(unit.core) else unit)
    cores = (unit.core for _, run in runs for unit in sorted(run, key=lambda one: moment(one.core)))
    return "".join(unit.gap + core for unit, core in zip(units, cores, strict=True))


def _fields(core: str) -> dict[str, str]:
    """The lines of a section by what they are: a field by its name, another line by its words. The
    heading is one: the times of two machines differ.
    """
    heading, *lines = lines_of(core)
    fields, name = {_HEADING: heading.rstrip()}, ""
    for line in lines:
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
    status = status_of(_value(fields, STATUS))
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

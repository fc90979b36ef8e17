"""A past day by matter and time: what belongs together stands together, and each entry once.

The words of an entry stay as they are. What is added is the heading of a matter that has none, and
the times of what was said more than once.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.scan import Block
from clawgit.domain.markdown.tag_table import TAGS_BY_NAME
from clawgit.domain.markdown.tags import comments_in, tags_in, visible
from clawgit.domain.promotion.marks import GENERAL, kinds_of
from clawgit.domain.search.terms import is_unspaced
from clawgit.domain.workspace.routing import subject_of_note
from clawgit.values import NamedTuple

Known = Callable[[str], str]
"""The name of somebody or something that a text speaks of, "" where it names nobody known."""

_MOST_NAMED = 8
"""Matters that a headline names."""

_ONE_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm]\b)?"
_ZONE = r"(?:\s?(?:UTC|GMT|Z|C[ES]S?T|[ECMP][SD]?T|BST|[IJKS]ST|SGT|HKT|AE[SD]T|[+-]\d\d:?\d\d)\b)?"
_SPAN = rf"{_ONE_CLOCK}(?:\s*[-–—]\s*{_ONE_CLOCK})?{_ZONE}"
_TIME = rf"{_SPAN}(?:, {_SPAN})*"
_DAY = r"(?:\d{4}-\d\d-\d\d[T ,]*)?"
_IN_FRONT = re.compile(rf"[\[(~]?{_DAY}(?P<time>{_TIME})(?!\d)[\])]?[\s\-–—·:|,]*(?P<rest>.*)")
_BEHIND = re.compile(rf"(?P<rest>.*?\w)[\s\-–—·:|,@~]*[\[(]?{_DAY}(?P<time>(?<!\d){_TIME})[\])]?")
_PARTS = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?\s?([AaPp])?")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+")
_HEADLINE = re.compile(
    re.escape(frames.PROPERTIES).join(
        (r"(?:(?P<about>.+)", r")?[\d,]+ (?:entry|entries)(?:: .+)?\.?")
    )
)
_FRONT = re.compile(r"`{3,}yaml front matter\n")
_NOON = 12


class _Entry(NamedTuple):
    """A block, and the times to show after it: its own (`at`), and those of its repetitions."""

    block: Block
    at: str = ""
    also: tuple[str, ...] = ()


class _Section(NamedTuple):
    """What stands under one heading: `clock` is the time in its title, `name` the rest.

    `title` is "" where the note has no heading for it.
    """

    title: str
    name: str
    clock: str
    own: tuple[_Entry, ...]
    below: tuple["_Section", ...] = ()


class Retold(NamedTuple):
    """The blocks of a day by matter, and the words of its own headline, "" if it has none."""

    content: tuple[Block, ...]
    about: str = ""


def known_names(titles: Mapping[str, str]) -> Known:
    """Tells which of these names a text has first, by the title that each name goes by.

    A name counts as a whole word, or anywhere in a script that is written without spaces.
    """
    names = sorted((name for name in titles if len(name) > 1), key=len, reverse=True)
    if not names:
        return lambda _: ""
    edged = (rf"(?<!\w){re.escape(name)}(?!\w)" for name in names if not is_unspaced(name[0]))
    bare = (re.escape(name) for name in names if is_unspaced(name[0]))
    pattern = re.compile("|".join((*edged, *bare)))

    def known(text: str) -> str:
        match = pattern.search(text)
        return titles[match[0]] if match else ""

    return known


def by_matter(content: Sequence[Block], known: Known) -> Retold:
    """The blocks of a note, grouped by the highest headings, with headings from level 1 on.

    An entry below no heading goes under a known name, else under its tag, else under “Other”. A
    note with HTML in it stays in its order: a tag may hold together what stands apart, and a
    comment of its own may belong to what stands above or below.
    """
    if any(block.kind == "html" for block in content):
        return Retold(tuple(content))
    about, loose, sections = _opened(*_tree(content))
    opening, derived = _placed(loose, known)
    matters = _grouped([*derived, *_dissolved(sections, known)])
    matters.sort(key=lambda matter: not matter.title and matter.name == frames.OTHER)
    if len(matters) == 1 and not matters[0].title:
        opening, matters = (*opening, *matters[0].own), [*matters[0].below]
    return Retold((*_lines(opening), *_told(matters, 1)), about)


def headline(body: Iterable[Block], about: str) -> str:
    """How a chapter opens: its own headline, the number of its entries, and its matters.

    "" for a single entry without a headline of its own: the line would say nothing.
    """
    blocks = [block for block in body if visible(block.text).strip() and not is_front(block)]
    count = _count(blocks)
    if count <= 1 and not about:
        return ""
    told = frames.COUNTED_ENTRY if count == 1 else frames.COUNTED_ENTRIES.format(count=count)
    names = _highest(blocks)
    if names:
        told += f": {', '.join(names)}"
    return frames.PROPERTIES.join(filter(None, (about, f"{told}.")))


def _count(blocks: Iterable[Block]) -> int:
    """The items of lists, and the stretches of prose between them."""
    count = 0
    for kind, run in groupby(blocks, key=_sort_of):
        if kind == "item":
            count += sum(1 for _ in run)
        elif kind == "prose":
            count += 1
    return count


def _highest(blocks: Sequence[Block]) -> list[str]:
    """The first of the highest headings, without their times, and how many more there are."""
    headings = [block for block in blocks if block.level]
    top = min((heading.level for heading in headings), default=0)
    told = (_parted(visible(heading.path[-1]))[1] for heading in headings if heading.level == top)
    names = [*filter(None, told)]
    if len(names) <= _MOST_NAMED:
        return names
    return [*names[:_MOST_NAMED], frames.AND_MORE.format(count=len(names) - _MOST_NAMED)]


def about_of(line: str) -> str | None:
    """The headline of a note in a line as `headline` writes it; None if it is no such line."""
    match = _HEADLINE.fullmatch(line.strip())
    return match["about"] or "" if match else None


def is_front(block: Block) -> bool:
    """Whether it quotes the front matter of a note, as a chapter does."""
    return block.kind == "fence" and _FRONT.match(block.text) is not None


def _sort_of(block: Block) -> str:
    if block.level:
        return "heading"
    return "item" if block.kind == "item" else "prose"


def _tree(content: Sequence[Block]) -> tuple[tuple[_Entry, ...], tuple[_Section, ...]]:
    """What stands below no heading, and the sections below the highest ones."""
    at = next((number for number, block in enumerate(content) if block.level), len(content))
    own = tuple(_Entry(block) for block in content[:at])
    sections: list[_Section] = []
    rest = content[at:]
    while rest:
        first, level = rest[0], rest[0].level
        end = next((n for n, block in enumerate(rest) if n and 0 < block.level <= level), len(rest))
        title = " ".join(first.path[-1].split())
        clock, name = _parted(title)
        sections.append(_Section(title, name, clock, *_tree(rest[1:end])))
        rest = rest[end:]
    return own, tuple(filter(_says_something, sections))


def _opened(
    loose: tuple[_Entry, ...], sections: tuple[_Section, ...]
) -> tuple[str, tuple[_Entry, ...], tuple[_Section, ...]]:
    """Apart from the rest, the one heading that stands above everything else in a note."""
    if loose or len(sections) != 1 or sections[0].clock or not sections[0].below:
        return "", loose, sections
    return sections[0].title, sections[0].own, sections[0].below


def _says_something(section: _Section) -> bool:
    """A heading with nothing below it may be all that was said; “Notes” or “14:00” is not."""
    if section.below or any(entry.block.kind != "blank" for entry in section.own):
        return True
    if comments_in(section.title):
        return True
    return bool(section.name) and GENERAL not in kinds_of(section.name)


def _parted(title: str) -> tuple[str, str]:
    """The time in a heading, and the heading without it."""
    if match := _IN_FRONT.fullmatch(title) or _BEHIND.fullmatch(title):
        return match["time"], match["rest"].strip()
    return "", title


def _placed(
    loose: Iterable[_Entry], known: Known, clock: str = ""
) -> tuple[tuple[_Entry, ...], list[_Section]]:
    """What opens a day, and the matter of each entry that has no heading of its own."""
    opening: list[_Entry] = []
    sections: list[_Section] = []
    for unit in _units(loose):
        first = unit[0].block
        name = known(visible(first.text)) or _tag_heading(first.text)
        if name or clock or first.kind == "item":
            sections.append(_Section("", name or frames.OTHER, clock, unit))
        else:
            opening += unit
    return tuple(opening), sections


def _units(loose: Iterable[_Entry]) -> Iterator[tuple[_Entry, ...]]:
    """An item alone; a paragraph with all that follows it, for it may lead to what follows."""
    unit: list[_Entry] = []
    for entry in loose:
        if unit and (entry.block.kind == "para" or unit[0].block.kind == "item"):
            yield tuple(unit)
            unit = []
        if unit or entry.block.kind != "blank":
            unit.append(entry)
    if unit:
        yield tuple(unit)


def _tag_heading(text: str) -> str:
    tags = (TAGS_BY_NAME[tag] for tag in tags_in(text) if tag in TAGS_BY_NAME)
    return next((tag.heading for tag in tags if tag.heading), "")


def _said_in(section: _Section) -> list[_Entry]:
    return [entry for entry in section.own if entry.block.kind != "blank"]


def _dissolved(sections: Sequence[_Section], known: Known) -> Iterator[_Section]:
    """Sections that a heading names, and the entries of those whose heading is only a time.

    The same goes for a heading in which clawgit repeated the beginning of the one entry below it.
    Where one of these times has more than lines below it, all keep their headings, so that what is
    told of a day stays in order.
    """
    said = {at: _said_in(section) for at, section in enumerate(sections)}
    times = {at for at, section in enumerate(sections) if _is_only_time(section, said[at])}
    is_lines = all(_is_line(entry.block) for at in times for entry in said[at])
    for at, section in enumerate(sections):
        lines = said[at]
        if at not in times:
            yield section
        elif is_lines:
            stamped = (entry._replace(at=section.clock) for entry in lines)
            yield from _placed(stamped, known)[1]
        else:
            yield from _placed(section.own, known, section.clock)[1]


def _is_only_time(section: _Section, lines: Sequence[_Entry]) -> bool:
    if section.below or not section.clock:
        return False
    return not section.name or _repeats(section, lines)


def _repeats(section: _Section, lines: Sequence[_Entry]) -> bool:
    if len(lines) != 1 or not _is_line(lines[0].block):
        return False
    return section.name == subject_of_note(_words(lines[0].block))


def _is_line(block: Block) -> bool:
    return block.kind == "item" and "\n" not in block.text.strip()


def _is_list(own: Iterable[_Entry]) -> bool:
    return all(entry.block.kind in ("item", "blank") for entry in own)


def _grouped(sections: Iterable[_Section]) -> list[_Section]:
    """One section for each name, in the order in which the names appear."""
    groups: dict[str, list[_Section]] = {}
    for section in sections:
        groups.setdefault(section.name.casefold(), []).append(section)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[_Section]) -> _Section:
    """The sections of one matter as one: what has a time stands below, in the order of time."""
    timed = [_tidied(section) for section in _at_once(_folded(_by_time(group)))]
    rest = [section for section in group if not section.clock]
    if not rest and len(timed) == 1 and timed[0].title:
        return timed[0]
    whole = _tidied(_without_times(group[0].name, group, rest))
    moments = (section._replace(title=section.clock) for section in timed)
    return whole._replace(below=(*whole.below, *moments))


def _without_times(name: str, group: Iterable[_Section], rest: Iterable[_Section]) -> _Section:
    """What of a matter stands at no time, under its name where the note has a heading for it."""
    own: list[_Entry] = []
    below: list[_Section] = []
    for section in rest:
        own += (*section.own, _GAP)
        below += section.below
    title = name if any(section.title for section in group) else ""
    return _Section(title, name, "", tuple(own), tuple(below))


def _tidied(section: _Section) -> _Section:
    return section._replace(own=_once(section.own), below=tuple(_grouped(section.below)))


def _by_time(group: Iterable[_Section]) -> list[_Section]:
    """Those with a time, in its order; as they stand where times of several zones would mix."""
    timed = [section for section in group if section.clock]
    zones = {re.sub(_ONE_CLOCK, "", section.clock).strip(" -–—") for section in timed}
    if len(zones) > 1:
        return timed
    return sorted(timed, key=lambda section: _minute(section.clock))


def _minute(clock: str) -> tuple[int, int, int]:
    match = _PARTS.match(clock)
    if match is None:
        return 0, 0, 0
    hour, half = int(match[1]), (match[4] or "").lower()
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    return hour, int(match[2]), int(match[3] or 0)


def _folded(sections: Iterable[_Section]) -> list[_Section]:
    """Sections that say the same at several times as one, with all of its times."""
    same: dict[object, list[_Section]] = {}
    for section in sections:
        same.setdefault(_saying(section), []).append(section)
    return [_at_all(group) for group in same.values()]


def _at_once(sections: Iterable[_Section]) -> Iterator[_Section]:
    """Neighbours without headings of their own that stand at the same time as one."""
    for (_, is_titled), same in groupby(sections, key=lambda one: (one.clock, bool(one.title))):
        first, *others = same
        if is_titled:
            yield from (first, *others)
            continue
        own = [*first.own]
        for other in others:
            own += (_GAP, *other.own)
        yield first._replace(own=tuple(own))


def _at_all(group: Sequence[_Section]) -> _Section:
    first = group[0]
    times = ", ".join(dict.fromkeys(section.clock for section in group))
    return first._replace(title=first.title.replace(first.clock, times, 1), clock=times)


def _saying(section: _Section) -> object:
    """What a section says, without its time. One that says nothing is like no other."""
    own = tuple(
        (_plain(entry.block), _comments(entry.block))
        for entry in section.own
        if entry.block.kind != "blank"
    )
    below = tuple((inner.title, _saying(inner)) for inner in section.below)
    return (own, below) if own or below else section.clock


def _once(own: Sequence[_Entry]) -> tuple[_Entry, ...]:
    """A list in which a line that came again at a time of its own stands once, with its times.

    All else stays as often as it was written: a line without a time may belong to what stands
    before it, as in a list with prose, and two entries may have ids or comments of their own.
    """
    if not _is_list(own):
        return tuple(own)
    places: dict[object, int] = {}
    entries: list[_Entry] = []
    for entry in own:
        if entry.block.kind == "blank":
            continue
        clock, said = _parted(_plain(entry.block))
        time = entry.at or clock
        place = places.setdefault((said, _comments(entry.block)), len(entries))
        if place == len(entries) or not time or not _may_fold(entries[place], entry):
            entries.append(entry)
            continue
        first = entries[place]
        with_id = entry.block if split(entry.block.text).id else first.block
        stated = first.at or _parted(_plain(first.block))[0]
        also = tuple(dict.fromkeys((*first.also, *({time} - {stated}))))
        entries[place] = first._replace(block=with_id, also=also)
    if all(entry.at for entry in entries):
        entries.sort(key=lambda entry: _minute(entry.at))
    return tuple(entries)


def _may_fold(first: _Entry, other: _Entry) -> bool:
    ids = [split(entry.block.text).id for entry in (first, other)]
    return not all(ids) and _is_line(first.block) and _is_line(other.block)


def _comments(block: Block) -> tuple[str, ...]:
    """The comments of a block but for clawgit's own."""
    return comments_in(split(block.text).visible if block.kind == "item" else block.text)


def _plain(block: Block) -> str:
    return _words(block).casefold()


def _words(block: Block) -> str:
    text = split(block.text).visible if block.kind == "item" else block.text
    return " ".join(_BULLET.sub("", visible(text), count=1).split())


def _told(sections: Iterable[_Section], level: int) -> Iterator[Block]:
    for section in sections:
        title = section.title or section.name
        yield _EMPTY
        yield Block("heading", 0, f"# {title}\n", (title,), level)
        yield _EMPTY
        yield from _lines(section.own)
        yield from _told(section.below, level + 1)


def _lines(entries: Iterable[_Entry]) -> Iterator[Block]:
    """The blocks of entries, each with its times after its words."""
    for entry in entries:
        times = [entry.at, *(time for time in entry.also if time != entry.at)]
        listed = ", ".join(filter(None, times))
        if not listed:
            yield entry.block
            continue
        frame = frames.AT if entry.at else frames.ALSO_AT
        parts = split(entry.block.text)
        before = parts.before.rstrip()
        words = visible(before)
        # Comments at the end of a line stay there, so that the times follow its words.
        words, behind = (words, before[len(words) :]) if before.startswith(words) else (before, "")
        timed = f"{words} {frame.format(times=listed)}{behind}"
        text = f"{timed}{parts.comment}{parts.after.rstrip()}\n"
        yield entry.block._replace(text=text)


_EMPTY = Block("blank", 0, "\n")
_GAP = _Entry(_EMPTY)

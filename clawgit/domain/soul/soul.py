"""The principles in SOUL.md or IDENTITY.md, section by section, and how they changed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.change.word_diff import alike
from clawgit.domain.markdown.tags import visible
from clawgit.domain.merging.align import MergeUnit, align, cut, in_order
from clawgit.language.lazily import lazily

_SILENT = frozenset(["heading", "rule", "front", "blank", "start", "end"])

_BULLET = lazily(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\s|$))")


NOTHING = "no principle changed"

_QUOTED = 80
"""How many characters of a principle a summary quotes."""


class Principle(NamedTuple):
    text: str
    line: int


class SoulSection(NamedTuple):
    """What stands right under one heading. `title` is "" above the first heading."""

    title: str
    line: int
    principles: tuple[Principle, ...]


class Fate(NamedTuple):
    """What became of a principle: `old` is None if it was added, `new` if it was dropped.

    `section` is its heading in the newer text, or in the older text if that heading is gone.
    `moved`: it stands in another section or place.
    """

    section: str
    old: str | None
    new: str | None
    moved: bool = False


class SectionChange(NamedTuple):
    """What changed in a section; `was` is its former title if it was renamed."""

    section: str
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()
    moved: tuple[str, ...] = ()
    was: str = ""


def principle(unit: MergeUnit) -> str:
    """The words of a unit, without bullet, comments and line breaks; "" if it is not a principle.

    A list item with all below it is one principle; so is a paragraph, a quote, a table or a block
    of code. A heading is none.
    """
    if unit.kind in _SILENT:
        return ""
    words = unit.core
    if unit.kind == "item":
        words = _BULLET.sub("", words, count=1)
    return " ".join(visible(words).split())


def sections(text: str) -> tuple[SoulSection, ...]:
    """The sections of any text. The one above the first heading is left out if it is empty."""
    soul = _Soul(text)
    result = []
    for number, (title, line) in enumerate(zip(soul.titles, soul.lines, strict=True)):
        principles = tuple(
            Principle(soul.principles[at], soul.units[at].line) for at in soul.members(number)
        )
        if title or principles:
            result.append(SoulSection(title, line, principles))
    return tuple(result)


def fates(before: str, after: str) -> tuple[Fate, ...]:
    """Each principle of two texts once, in the order of the newer text; dropped ones come last."""
    return _Comparison(before, after).fates()


def section_changes(before: str, after: str) -> tuple[SectionChange, ...]:
    """The sections in which a principle changed, and those that have a new title."""
    comparison = _Comparison(before, after)
    by_section: defaultdict[str, list[Fate]] = defaultdict(list)
    for fate in comparison.fates():
        if fate.moved or fate.old != fate.new:
            by_section[fate.section].append(fate)
    former = comparison.former_titles()
    titles = dict.fromkeys([*comparison.new.titles, *by_section])
    return tuple(
        _section_change(title, by_section[title], former.get(title, ""))
        for title in titles
        if title in by_section or title in former
    )


def summary(changes: Sequence[SectionChange]) -> str:
    """The first line that changed, and how many more: "added “Be brief.” to Vibe, and 2 more"."""
    words = [text for change in changes for text in _in_words(change)]
    if not words:
        return NOTHING
    return words[0] + (f", and {len(words) - 1} more" if len(words) > 1 else "")


def _section_change(title: str, fates: list[Fate], was: str) -> SectionChange:
    added: list[str] = []
    dropped: list[str] = []
    reworded: list[tuple[str, str]] = []
    for fate in fates:
        match fate.old, fate.new:
            case None, str(new):
                added.append(new)
            case str(old), None:
                dropped.append(old)
            case str(old), str(new) if old != new:
                reworded.append((old, new))
    # A principle may be both reworded and moved.
    moved = tuple(fate.new for fate in fates if fate.moved and fate.new)
    return SectionChange(title, tuple(added), tuple(dropped), tuple(reworded), moved, was)


def _in_words(change: SectionChange) -> Iterator[str]:
    """What became of each line, the most telling first."""
    title = change.section or "the top"
    yield from (f"dropped {_quoted(text)} from {title}" for text in change.dropped)
    yield from (f"reworded {_quoted(old)} as {_quoted(new)}" for old, new in change.reworded)
    yield from (f"added {_quoted(text)} to {title}" for text in change.added)
    yield from (f"moved {_quoted(text)} in {title}" for text in change.moved)
    if change.was:
        yield f"renamed {change.was} to {title}"


def _quoted(text: str) -> str:
    return f"“{text}”" if len(text) <= _QUOTED else f"“{text[:_QUOTED].rstrip()} …”"


class _Soul:
    """A text cut into units; for each its principle, and the number of its section."""

    def __init__(self, text: str) -> None:
        self.units = cut(text).units
        self.principles = [principle(unit) for unit in self.units]
        self.titles = [""]
        self.lines = [1]
        self.owners: list[int] = []
        for unit in self.units:
            if unit.kind == "heading":
                self.titles.append(unit.path[-1] if unit.path else "")
                self.lines.append(unit.line)
            self.owners.append(len(self.titles) - 1)

    def members(self, section: int) -> Iterator[int]:
        """The places of the units in a section that are principles."""
        for at, owner in enumerate(self.owners):
            if owner == section and self.principles[at]:
                yield at


class _Comparison:
    """Two souls, unit by unit. `pairs`: for each newer unit the place of the older one, or -1.

    `heirs`: for a section of the older text the section that it is now.
    """

    def __init__(self, before: str, after: str) -> None:
        self.old = _Soul(before)
        self.new = _Soul(after)
        aligned = align(self.old.units, self.new.units)
        self.pairs = [
            old if old >= 0 and self._is_same(old, new) else -1 for new, old in enumerate(aligned)
        ]
        self.heirs = self._heirs()

    def fates(self) -> tuple[Fate, ...]:
        moved = self._moved()
        result: list[Fate] = []
        for new, old in enumerate(self.pairs):
            words = self.new.principles[new]
            if words:
                title = self.new.titles[self.new.owners[new]]
                was = self.old.principles[old] if old >= 0 else None
                result.append(Fate(title, was, words, new in moved))
        gone = {*range(len(self.old.units))} - {*self.pairs}
        for old in sorted(gone):
            words = self.old.principles[old]
            if words:
                result.append(Fate(self._heading_of(old), words, None))
        return tuple(result)

    def former_titles(self) -> dict[str, str]:
        pairs = (
            (self.new.titles[heir], self.old.titles[section])
            for section, heir in self.heirs.items()
        )
        return {title: was for title, was in pairs if title != was}

    def _is_same(self, old: int, new: int) -> bool:
        """`align` also pairs units that are alone of their kind in one place; these may say two
        different things.
        """
        was = self.old.principles[old]
        now = self.new.principles[new]
        return bool(was and now) and (was == now or alike(was, now))

    def _heading_of(self, old: int) -> str:
        section = self.old.owners[old]
        if section in self.heirs:
            return self.new.titles[self.heirs[section]]
        return self.old.titles[section]

    def _heirs(self) -> dict[int, int]:
        """For each older section, what it is now: by its title, or if it was renamed, by where most
        of its principles went.
        """
        places = {name: number for number, name in enumerate(_counted(self.new.titles))}
        heirs = {
            number: places[name]
            for number, name in enumerate(_counted(self.old.titles))
            if name in places
        }
        went: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for new, old in enumerate(self.pairs):
            if old >= 0:
                went[self.old.owners[old]][self.new.owners[new]] += 1
        taken = {*heirs.values()}
        for section, votes in went.items():
            heir, count = votes.most_common(1)[0]
            is_most = 2 * count > len([*self.old.members(section)])
            if section not in heirs and heir not in taken and is_most:
                heirs[section] = heir
                taken.add(heir)
        return heirs

    def _moved(self) -> set[int]:
        """Principles that changed their section, or their order within it."""
        stayed: defaultdict[int, list[int]] = defaultdict(list)
        moved: set[int] = set()
        for new, old in enumerate(self.pairs):
            if old < 0:
                continue
            section = self.new.owners[new]
            if self.heirs.get(self.old.owners[old]) == section:
                stayed[section].append(new)
            else:
                moved.add(new)
        for members in stayed.values():
            firm = in_order([self.pairs[new] for new in members])
            moved.update(new for at, new in enumerate(members) if at not in firm)
        return moved


def _counted(titles: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Titles, numbered, so that two of the same name differ."""
    seen: Counter[str] = Counter()
    for title in titles:
        yield title, seen[title]
        seen[title] += 1

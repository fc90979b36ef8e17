"""A soul: the principles that SOUL.md or IDENTITY.md holds, section by section, and what became of
each.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.domain.change.align import Unit, align, cut, in_order
from clawgit.domain.change.word_diff import alike
from clawgit.domain.markdown.tags import visible

_SILENT = frozenset(["heading", "rule", "front", "blank", "start", "end"])

_BULLET = re.compile(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\s|$))")


class Principle(NamedTuple):
    text: str
    line: int


class Section(NamedTuple):
    """What stands right under one heading. `title` is "" for what stands above the first."""

    title: str
    line: int
    principles: tuple[Principle, ...]


class Fate(NamedTuple):
    """What became of a principle. `section` is a heading of the newer text, or the older one's
    where it is gone.

    `old` is None for one that was added, `new` for one that was dropped. `moved`: to another
    section or place.
    """

    section: str
    old: str | None
    new: str | None
    moved: bool = False


class SectionChange(NamedTuple):
    """What changed in a section; `was` is its former title, where it has another one now."""

    section: str
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()
    moved: tuple[str, ...] = ()
    was: str = ""


def principle(unit: Unit) -> str:
    """What a unit tells the agent to be: its words, without bullet, comments and line breaks; ""
    where it says nothing.

    A list item with all below it is one, a paragraph, a quote, a table, a block of code. A heading
    is none.
    """
    if unit.kind in _SILENT:
        return ""
    return " ".join(
        visible(_BULLET.sub("", unit.core, count=1) if unit.kind == "item" else unit.core).split()
    )


def sections(text: str) -> tuple[Section, ...]:
    """Of any text. Above the first heading there is a section only where something stands there."""
    soul = _Soul(text)
    found = (
        Section(
            title,
            line,
            tuple(Principle(soul.said[at], soul.units[at].line) for at in soul.members(number)),
        )
        for number, (title, line) in enumerate(zip(soul.titles, soul.lines, strict=True))
    )
    return tuple(section for section in found if section.title or section.principles)


def fates(before: str, after: str) -> tuple[Fate, ...]:
    """Each principle of two texts once: in the order of the newer one, then those that are gone."""
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
    """In words: "Boundaries: 1 added, 1 reworded; Vibe: 2 moved"."""
    return "; ".join(map(_in_words, changes)) or "no principle changed"


def _section_change(title: str, found: list[Fate], was: str) -> SectionChange:
    return SectionChange(
        section=title,
        added=tuple(fate.new for fate in found if fate.old is None and fate.new is not None),
        dropped=tuple(fate.old for fate in found if fate.new is None and fate.old is not None),
        reworded=tuple(
            (fate.old, fate.new) for fate in found if fate.old and fate.new and fate.old != fate.new
        ),
        moved=tuple(fate.new for fate in found if fate.moved and fate.new),
        was=was,
    )


def _in_words(change: SectionChange) -> str:
    counts = (f"{len(change[at])} {change._fields[at]}" for at in range(1, 5) if change[at])
    renamed = [f"renamed from {change.was}"] if change.was else []
    return f"{change.section or 'top'}: {', '.join([*renamed, *counts])}"


class _Soul:
    """A text cut up: what each unit says, and the number of the section it stands in."""

    def __init__(self, text: str) -> None:
        self.units = cut(text).units
        self.said = [principle(unit) for unit in self.units]
        self.titles, self.lines = [""], [1]
        self.owners: list[int] = []
        for unit in self.units:
            if unit.kind == "heading":
                self.titles.append(unit.path[-1] if unit.path else "")
                self.lines.append(unit.line)
            self.owners.append(len(self.titles) - 1)

    def members(self, section: int) -> Iterator[int]:
        return (at for at, owner in enumerate(self.owners) if owner == section and self.said[at])


class _Comparison:
    """Two souls, unit against unit. `pairs` holds for each principle of the newer its place in the
    older, or -1.
    """

    def __init__(self, before: str, after: str) -> None:
        self.old, self.new = _Soul(before), _Soul(after)
        found = align(self.old.units, self.new.units)
        self.pairs = [i if i >= 0 and self._is_one(i, j) else -1 for j, i in enumerate(found)]
        self.heirs = self._heirs()

    def fates(self) -> tuple[Fate, ...]:
        old, new = self.old, self.new
        moved = self._moved()
        stayed = (
            Fate(
                new.titles[new.owners[j]], old.said[i] if i >= 0 else None, new.said[j], j in moved
            )
            for j, i in enumerate(self.pairs)
            if new.said[j]
        )
        gone = {*range(len(old.units))} - {*self.pairs}
        lost = (Fate(self._heading_of(i), old.said[i], None) for i in sorted(gone) if old.said[i])
        return (*stayed, *lost)

    def former_titles(self) -> dict[str, str]:
        pairs = (
            (self.new.titles[heir], self.old.titles[section])
            for section, heir in self.heirs.items()
        )
        return {title: was for title, was in pairs if title != was}

    def _is_one(self, i: int, j: int) -> bool:
        """`align` also joins what is alone of its kind in one place; as principles those may be
        two.
        """
        was, now = self.old.said[i], self.new.said[j]
        return bool(was and now) and (was == now or alike(was, now))

    def _heading_of(self, i: int) -> str:
        section = self.old.owners[i]
        return (
            self.new.titles[self.heirs[section]]
            if section in self.heirs
            else self.old.titles[section]
        )

    def _heirs(self) -> dict[int, int]:
        """For a section of the older text the one it is now: by its title, else where most of its
        principles went.
        """
        places = {name: number for number, name in enumerate(_counted(self.new.titles))}
        heirs = {
            n: places[name] for n, name in enumerate(_counted(self.old.titles)) if name in places
        }
        went: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for j, i in enumerate(self.pairs):
            if i >= 0:
                went[self.old.owners[i]][self.new.owners[j]] += 1
        taken = {*heirs.values()}
        for section, votes in went.items():
            heir, count = votes.most_common(1)[0]
            if (
                section not in heirs
                and heir not in taken
                and 2 * count > len([*self.old.members(section)])
            ):
                heirs[section] = heir
                taken.add(heir)
        return heirs

    def _moved(self) -> set[int]:
        """Principles that changed their section, or their order within it."""
        homes: defaultdict[int, list[int]] = defaultdict(list)
        moved: set[int] = set()
        for j, i in enumerate(self.pairs):
            if i >= 0 and self.heirs.get(self.old.owners[i]) == self.new.owners[j]:
                homes[self.new.owners[j]].append(j)
            elif i >= 0:
                moved.add(j)
        for stayed in homes.values():
            firm = in_order([self.pairs[j] for j in stayed])
            moved.update(j for n, j in enumerate(stayed) if n not in firm)
        return moved


def _counted(titles: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Titles, told apart by counting where two are the same."""
    seen: Counter[str] = Counter()
    for title in titles:
        yield title, seen[title]
        seen[title] += 1

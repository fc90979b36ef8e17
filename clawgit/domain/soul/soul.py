"""The principles in SOUL.md or IDENTITY.md, section by section, and how they changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from clawgit.domain.change.word_diff import alike
from clawgit.domain.markdown.tags import visible
from clawgit.domain.merging.align import MergeUnit, align, cut
from clawgit.language.lazily import lazily

_SILENT = frozenset(["heading", "rule", "front", "blank", "start", "end"])

_BULLET = lazily(r"\ufeff? {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|(?=\s|$))")


NOTHING = "no principle changed"

_QUOTED = 80
"""How many characters of a principle a summary quotes."""


class Fate(NamedTuple):
    """What became of a principle: `old` is "" if it was added, `new` if it was dropped.

    `section` is its heading in the newer text, or in the older text if that heading is gone.
    `moved`: it stands in another section.
    """

    section: str
    old: str
    new: str
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


def principles(text: str) -> list[str]:
    """All principles of a text, in their order."""
    return [*filter(None, map(principle, cut(text).units))]


def fates(before: str, after: str) -> tuple[Fate, ...]:
    """Each principle of two texts once, in the order of the newer text; dropped ones come last."""
    return tuple(_Comparison(before, after).fates())


def section_changes(before: str, after: str) -> tuple[SectionChange, ...]:
    """The sections in which a principle changed, and those that have a new title."""
    compared = _Comparison(before, after)
    old, new = compared.old.titles, compared.new.titles
    changed = _by_section(compared.fates())
    former = {new[heir]: old[section] for section, heir in compared.heirs.items()}
    renamed = {title: was for title, was in former.items() if title != was}
    return tuple(
        SectionChange(
            title,
            **{kind: tuple(texts) for kind, texts in changed.get(title, {}).items()},
            was=renamed.get(title, ""),
        )
        for title in dict.fromkeys((*new, *changed))
        if title in changed or title in renamed
    )


def _by_section(fates: Iterable[Fate]) -> dict[str, dict[str, list[Any]]]:
    """The principles that changed, by the fields of a `SectionChange`."""
    changed: defaultdict[str, defaultdict[str, list[Any]]]
    changed = defaultdict(lambda: defaultdict(list))
    for section, was, now, moved in fates:
        if not was:
            changed[section]["added"].append(now)
        elif not now:
            changed[section]["dropped"].append(was)
        elif was != now:
            changed[section]["reworded"].append((was, now))
        # A principle may be both reworded and moved.
        if moved:
            changed[section]["moved"].append(now)
    return {section: {**kinds} for section, kinds in changed.items()}


def summary(changes: Sequence[SectionChange]) -> str:
    """The first line that changed, and how many more: "added “Be brief.” to Vibe, and 2 more"."""
    words = [text for change in changes for text in _in_words(change)]
    if not words:
        return NOTHING
    return words[0] + (f", and {len(words) - 1} more" if len(words) > 1 else "")


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
        self.owners: list[int] = []
        for unit in self.units:
            if unit.kind == "heading":
                self.titles.append(unit.path[-1] if unit.path else "")
            self.owners.append(len(self.titles) - 1)


class _Comparison:
    """Two souls. `pairs`: for each newer unit the place of the older one, or -1.

    `heirs`: for a section of the older text the section that it is now, by its heading.
    """

    def __init__(self, before: str, after: str) -> None:
        self.old = _Soul(before)
        self.new = _Soul(after)
        aligned = align(self.old.units, self.new.units)
        self.pairs = [old if self._is_same(old, new) else -1 for new, old in enumerate(aligned)]
        self.heirs = {0: 0} | {
            self.old.owners[old]: self.new.owners[new]
            for new, old in enumerate(aligned)
            if old >= 0 and self.new.units[new].kind == "heading"
        }

    def _is_same(self, old: int, new: int) -> bool:
        """`align` also pairs units that are alone of their kind in one place; these may say two
        different things.
        """
        was, now = self.old.principles[old], self.new.principles[new]
        return old >= 0 and bool(was and now) and (was == now or alike(was, now))

    def fates(self) -> Iterator[Fate]:
        old, new, heirs = self.old, self.new, self.heirs
        for at, place in enumerate(self.pairs):
            if words := new.principles[at]:
                section = new.owners[at]
                moved = place >= 0 and heirs.get(old.owners[place]) != section
                was = old.principles[place] if place >= 0 else ""
                yield Fate(new.titles[section], was, words, moved)
        for place in sorted({*range(len(old.units))} - {*self.pairs}):
            if words := old.principles[place]:
                section = old.owners[place]
                heir = heirs.get(section, -1)
                title = new.titles[heir] if heir >= 0 else old.titles[section]
                yield Fate(title, words, "")

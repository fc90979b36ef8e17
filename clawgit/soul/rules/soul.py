"""The principles in SOUL.md or IDENTITY.md, section by section, and how they changed."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.markdown.tag_table import visible
from clawgit.git.rules.word_diff import alike
from clawgit.history.rules.align import MergeUnit, align, cut
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
    return [*filter(None, map(principle, cut(text)))]


def section_changes(before: str, after: str) -> tuple[SectionChange, ...]:
    """The sections in which a principle changed, and those that have a new title."""
    found, heirs = compared(before, after)
    changed: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for fate in found:
        # Asked for even if nothing changed there, so that the sections keep their order.
        fields = changed[fate.section]
        for kind, told in _told(fate):
            fields[kind] = (*fields.get(kind, ()), told)
    for title, heir in heirs.items():
        if title != heir:
            changed[heir]["was"] = title
    return tuple(SectionChange(title, **fields) for title, fields in changed.items() if fields)


def _told(fate: Fate) -> Iterator[tuple[str, Any]]:
    """The fields of a `SectionChange` that tell of a fate, and what they hold."""
    if not fate.old:
        yield "added", fate.new
    elif not fate.new:
        yield "dropped", fate.old
    elif fate.old != fate.new:
        yield "reworded", (fate.old, fate.new)
    # A principle may be both reworded and moved.
    if fate.moved:
        yield "moved", fate.new


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


def compared(before: str, after: str) -> tuple[list[Fate], dict[str, str]]:
    """The fate of each principle, in the order of the newer text, dropped ones last; and for the
    titles of the older text what they are now.
    """
    old, new = cut(before), cut(after)
    aligned = align(old, new).partners
    heirs = {"": ""}
    for place, unit in zip(aligned, new, strict=True):
        if place >= 0 and unit.kind == "heading":
            heirs[_title(old[place])] = _title(unit)
    left, found = dict(enumerate(old)), list[Fate]()
    for place, unit in zip(aligned, new, strict=True):
        words, moved = principle(unit), False
        was = _former(old[place], words) if place >= 0 else ""
        if was:
            moved = heirs.get(_title(left.pop(place))) != _title(unit)
        if words:
            found.append(Fate(_title(unit), was, words, moved))
    dropped = (
        Fate(heirs.get(_title(unit), _title(unit)), principle(unit), "") for unit in left.values()
    )
    return [*found, *(fate for fate in dropped if fate.old)], heirs


def _former(unit: MergeUnit, words: str) -> str:
    """The words that a principle had. `align` also pairs units that are alone of their kind in one
    place; these may say two different things.
    """
    was = principle(unit)
    return was if was and words and alike(was, words) else ""


def _title(unit: MergeUnit) -> str:
    return unit.path[-1] if unit.path else ""

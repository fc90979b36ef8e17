"""Lessons as entries of memory/lessons.md: a scenario, what does not work, what does, and why."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, uncommented
from clawgit.domain.markdown.entry import Entry, entries, render
from clawgit.domain.markdown.tag_table import SKILL
from clawgit.domain.markdown.tags import untagged, visible

_NAMES = (frames.WRONG, frames.RIGHT, frames.WHY)
_FIELD = re.compile(rf"\s*[-*+] ({'|'.join(_NAMES)}): (.*)")


class Lesson(NamedTuple):
    """A lesson made from expired facts may have nothing but its `scenario`."""

    scenario: str
    wrong: str = ""
    right: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """All of it, to compare it with others."""
        return " ".join(filter(None, (self.scenario, self.wrong, self.right, self.reason)))


class KeptLesson(NamedTuple):
    """A lesson in the file, with its place."""

    entry: Entry
    lesson: Lesson

    @property
    def meta(self) -> Meta:
        return self.entry.meta or Meta("")


def lessons_in(text: str) -> Iterator[KeptLesson]:
    """Every lesson of the file, with those that were written by hand."""
    for entry in entries(text):
        first, *rest = entry.text.split("\n")
        matches = filter(None, map(_FIELD.fullmatch, rest))
        fields = {field[1]: field[2].strip() for field in matches}
        known = Lesson(untagged(visible(first)), *(fields.get(name, "") for name in _NAMES))
        yield KeptLesson(entry, known)


def rendered(lesson: Lesson, meta: Meta, tag: str = SKILL) -> str:
    """The entry of a lesson, as `lessons_in` reads it; without a line end."""
    fields = [
        f"  - {name}: {uncommented(value)}"
        for name, value in zip(_NAMES, (lesson.wrong, lesson.right, lesson.reason), strict=True)
        if value.strip()
    ]
    return "\n".join([render(f"{uncommented(lesson.scenario)} #{tag}", meta), *fields])


def code(text: str) -> str:
    """A command or a value as inline code, on one line."""
    line = " ".join(text.split())
    fence = "``" if "`" in line else "`"
    return f"{fence} {line} {fence}" if "`" in line else f"`{line}`"

"""Lessons as entries of memory/lessons.md: a scenario, what does not work, what does, and why."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.lessons.scan import Attempt, ToolRecovery, is_shell
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import Meta, uncommented
from clawgit.domain.markdown.entry import Entry, entries, render
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.tag_table import SKILL
from clawgit.domain.markdown.tags import untagged, visible
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import struck

_NAMES = (frames.WRONG, frames.RIGHT, frames.WHY)
_FIELD = re.compile(rf"\s*[-*+] ({'|'.join(_NAMES)}): (.*)")


class Lesson(NamedTuple):
    """A lesson that a person wrote has nothing but its `scenario`."""

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


SURE = 0.5
"""How sure a rule is that the change is why it worked."""

_LONGEST = 240


def read_by_rules(recovery: ToolRecovery) -> Lesson | None:
    """The lesson of a recovery; None if it would carry orders for the agent."""
    failed = recovery.tried[-1]
    what = failed.tool
    if is_shell(failed.tool):
        what = f"{failed.command.program} {failed.command.verb}".strip()
    error = _short(failed.error)
    # A dict drops repeated attempts and keeps their order.
    tried = dict.fromkeys(code(_done(attempt)) for attempt in recovery.tried)
    lesson = Lesson(
        scenario=frames.LESSON_SAYS.format(what=code(struck(what)), words=error),
        wrong=frames.LESSON_THEN.join(tried),
        right=code(_done(recovery.worked)),
        reason=frames.LESSON_SAID_WHY.format(words=error),
    )
    return None if any(finding.hold for finding in poison("", lesson.text)) else lesson


def _done(attempt: Attempt) -> str:
    return _short(attempt.command.text if is_shell(attempt.tool) else attempt.arguments)


def _short(text: str) -> str:
    return in_a_line(struck(" ".join(text.split())), _LONGEST)

"""Which file and category a new entry belongs to, by rules about its words alone."""

import re
from collections.abc import Container
from datetime import datetime

from clawgit.core import NamedTuple
from clawgit.core.layout import GUIDES, LAYOUTS, NOTEBOOK, OPENCLAW, name_of
from clawgit.core.markdown import frames
from clawgit.core.markdown.tag_table import (
    KNOWLEDGE,
    LESSON_WORDS,
    PRIMARY,
    TAGS,
    TAGS_BY_NAME,
    tags_in,
    untagged,
)
from clawgit.core.tiers import dated, note_path
from clawgit.language.lazily import lazily

MANUAL = "AGENTS.md"
TOOLS = "TOOLS.md"
_LESSONS = LAYOUTS[OPENCLAW].lessons

_MANUALS = {**dict.fromkeys(GUIDES, frames.GUIDE), TOOLS: frames.TOOLS}
"""Files with lessons → the title of a new one."""

_WORDS = 6
_LONGEST = 48
"""The most words and characters of a heading that is made from a text."""

_CLAUSE = lazily(r"(?<=\w)[.;:,!?](?:\s|$)|[。;:,!?]|\s[–—-]\s")

_WORD = lazily(r"\w+(?:['’.:/@-]\w+)*")

_LESSON = lazily(LESSON_WORDS, re.IGNORECASE)

_ABOUT_TOOLS = lazily(
    r"`[^`]+`|\b(?:tools?|commands?|cli|flags?|scripts?|shell|terminal|api|endpoint|ssh|docker|git|npm|pip|browser"
    r"|camera|printer|servers?|hosts?|packages?|plugins?)\b|工具|命令|도구",
    re.IGNORECASE,
)

_NOTE = lazily(
    r"^\W*(?:(?:please,? )?(?:remember(?! that)(?: this| to)?|don['’]?t forget(?: to)?)\b|note to "
    r"self\b|reminder\b|to-?do\b|merke? dir\b|vergiss nicht\b|recuerda\b|no olvides\b"
    r"|记住|记一下|别忘了|覚えておいて|忘れないで|기억해|잊지 마)\W*",
    re.IGNORECASE,
)
"""How a reminder begins. A reminder is not a lasting fact."""

_RULES = tuple((tag.name, lazily(tag.words, re.IGNORECASE)) for tag in reversed(TAGS) if tag.words)
"""Category → what its texts say. The first that fits counts, so the surest stands first."""


class Target(NamedTuple):
    """The file of an entry, the heading above it (None: the end), and the title of a new file."""

    path: str
    heading: str | None = None
    title: str = ""


def notebook_of(paths: Container[str]) -> str:
    """The notebook among these files.

    An old workspace may have only `memory.md`.
    """
    return "memory.md" if "memory.md" in paths and NOTEBOOK not in paths else NOTEBOOK


def category(text: str) -> str:
    """The primary tag that a text names, else the first whose rule fits, else knowledge."""
    named = filter(PRIMARY.__contains__, tags_in(text))
    return next(named, "") or next((tag for tag, rule in _RULES if rule.search(text)), KNOWLEDGE)


def route(
    text: str,
    tag: str,
    now: datetime,
    to: str = "",
    notebook: str = NOTEBOOK,
    lessons: tuple[str, str] = _LESSONS,
) -> Target:
    """Where an entry goes: to `to`, if given, else by its tag and words.

    Events and reminders go into the operator's daily note, lessons into the files that the layout
    has for them, and all else into the notebook.
    """
    today = note_path(now.date())
    path = to or _usual(text, tag, today, notebook, lessons)
    if path in _MANUALS:
        return Target(path, frames.LESSONS, _MANUALS[path])
    if path == today:
        about = subject_of_note(text)
        return Target(path, frames.NOTE_OF_A_TIME.format(time=now, about=about), f"{now:%Y-%m-%d}")
    if path == notebook:
        return Target(path, TAGS_BY_NAME[tag].heading, frames.NOTEBOOK)
    day = dated(path)
    return Target(path, title=day.isoformat() if day else name_of(path)[: -len(".md")])


def _usual(text: str, tag: str, today: str, notebook: str, lessons: tuple[str, str]) -> str:
    row = TAGS_BY_NAME[tag]
    if row.may_be_lesson and _LESSON.search(text):
        return lessons[1] if _ABOUT_TOOLS.search(text) else lessons[0]
    if row.is_of_the_day or (row.may_be_reminder and _NOTE.search(text)):
        return today
    return notebook


def subject_of_note(text: str) -> str:
    """What the heading of a note says of the entry below it."""
    return subject(_NOTE.sub("", text, count=1))


def subject(text: str) -> str:
    """A few words for a heading: the beginning of the text, with a mark if it goes on."""
    text = untagged(text)
    words = [*_WORD.finditer(_CLAUSE.split(text, maxsplit=1)[0])][:_WORDS]
    fit = [word for word in words if word.end() - words[0].start() <= _LONGEST]
    if not fit:
        return frames.NOTE
    short = text[fit[0].start() : fit[-1].end()]
    return f"{short}{frames.GOES_ON}" if _WORD.search(text, fit[-1].end()) else short

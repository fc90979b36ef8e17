"""What says nothing in a file: what nobody has filled in yet, and what OpenClaw dreams."""

from functools import lru_cache

from clawgit.git.rules.ids import digest
from clawgit.language.lazily import lazily

FORMS = ("USER.md", "IDENTITY.md", "SOUL.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md")
"""Files that start as a template, which asks to be filled in; an agent may have several of each."""

_PLACEHOLDER = r"(?:_\([^\n]*\)_|\*\([^\n]*\)\*|_（[^\n]*）_|\*（[^\n]*）\*)"
"""What stands where a value should: `_(pick something you like)_`, `*(to be learned)*`."""

_OPEN_VALUE = rf"(?:{_PLACEHOLDER}|\[[^\]\n]*\]|<[^<>:@\n]*>|\{{+[^{{}}\n]*\}}+)"
"""The same after a label, where brackets of other kinds stand for a value too."""

_LABEL = r"(?:\*\*[^*\n]{1,60}(?:[:：]\*\*|\*\*[:：])|[^:：\n*]{1,60}[:：])"
_HINT = r"(?:_[^_]*_|\*[^*]+\*|[(（][^()（）]*[)）])"
_BLANK = lazily(rf"{_LABEL}\s*(?:{_HINT}|{_OPEN_VALUE})?\s*|{_PLACEHOLDER}")
"""A label with nothing after it, or with a hint in italics or brackets; or a placeholder alone."""

_MARKS = lazily(r"[\W_]+")
_DIGITS = 16


def is_form(path: str) -> bool:
    """Whether it is one of these files, in whatever folder."""
    return path.rpartition("/")[2] in FORMS


def text_key(text: str) -> str:
    """A hash of the letters and digits of a text, however it is spaced and marked up.

    A hash, so that a template of somebody else's can be listed without its text.
    """
    plain = _MARKS.sub("", text).casefold()
    return digest(plain)[:_DIGITS]


def is_blank(text: str) -> bool:
    """Whether a line of a form, without its bullet, waits to be filled in."""
    return _BLANK.fullmatch(text) is not None


# OpenClaw's dreams: a diary, and candidates for the memory.
#
# What it takes over for good goes to MEMORY.md. All else is made up, or copied from notes and
# conversations, night after night.

_DIARIES = ("DREAMS.md", "dreams.md")
_FOLDER = "/memory/dreaming/"
_MARK = "<!-- openclaw:dreaming:"
_END = ":end -->"


def is_dream(path: str) -> bool:
    """Whether OpenClaw keeps nothing in this file but its dreams, in the home of any agent."""
    return is_diary(path) or _FOLDER in f"/{path}"


def is_diary(path: str) -> bool:
    """Whether it is the diary, which a model makes up at night."""
    return path.rpartition("/")[2] in _DIARIES


@lru_cache(maxsize=256)
def staged_lines(text: str) -> frozenset[int]:
    """The lines of a note that are candidates of a dream, between its marks."""
    if _MARK not in text:
        return frozenset()
    staged = set()
    is_staged = False
    for number, line in enumerate(text.split("\n"), 1):
        is_staged |= _MARK in line
        if is_staged:
            staged.add(number)
        if _MARK in line and _END in line:
            is_staged = False
    return frozenset(staged)

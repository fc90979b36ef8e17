"""What OpenClaw writes while it dreams: a diary, and candidates for the memory.

What it takes over for good goes to MEMORY.md. All else is made up, or copied from notes and
conversations, night after night.
"""

from functools import lru_cache

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

"""Small memories in languages of which nothing is known, each with questions about it."""

from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "data" / "tongues"

LATIN = ("id", "it", "nl", "pl", "sv", "tr")
CYRILLIC = ("ru",)


class Asked(NamedTuple):
    """A question, and the line that answers it."""

    question: str
    answer: str


class Memory(NamedTuple):
    """The lines of a memory, and what is asked of it."""

    lines: tuple[str, ...]
    asked: tuple[Asked, ...]


def memory_in(language: str) -> Memory:
    """A question stands below the line that answers it, behind `?`."""
    lines: list[str] = []
    asked: list[Asked] = []
    for line in (_FOLDER / f"{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("\t? "):
            asked.append(Asked(line[3:], lines[-1]))
        else:
            lines.append(line)
    return Memory(tuple(lines), tuple(asked))

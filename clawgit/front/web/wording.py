"""A change as sentences: what a line said before and what it says after, word by word; and when."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.doors import rapidfuzz
from clawgit.git.rules.word_diff import DiffPiece, word_diff

_OURS = re.compile(r"\s*<!-- claw:.*?-->")
"""The comment behind an entry, which is for clawgit alone."""

_BULLET = re.compile(r"^\s*[-*+] +")
_ALIKE = 50
"""From so many like words in a hundred on, a line is told as the earlier one reworded."""

_LONGEST = 2000
"""Signs of a line that are compared by word; longer ones are shown one below the other."""

MOST_LINES = 500
"""Lines of a file that are told of one change. The rest is counted."""


class Line(NamedTuple):
    """A line that a change added, removed or reworded."""

    kind: str
    spans: tuple[DiffPiece, ...]


class FileLines(NamedTuple):
    """What a change did to one file; `more` lines are not told."""

    path: str
    status: str
    lines: tuple[Line, ...]
    more: int


def told(files: Iterable[Mapping[str, Any]], most: int = MOST_LINES) -> list[FileLines]:
    """The patches of a change as lines, at most so many a file."""
    return [_of_file(file, most) for file in files]


def _of_file(file: Mapping[str, Any], most: int) -> FileLines:
    lines = [line for removed, added in _blocks(file["patch"]) for line in _paired(removed, added)]
    return FileLines(file["path"], file["status"], tuple(lines[:most]), max(0, len(lines) - most))


_HEADER = re.compile(r"^(?=--- [^\n]*\n\+\+\+ [^\n]*\n@@ )", re.MULTILINE)
"""Where a file begins in a diff: a line of its text that looks so has no hunk below it."""


def of_diff(diff: str) -> list[dict[str, str]]:
    """A diff of files as patches, as a change lists them."""
    parts = [part.split("\n", 2) for part in _HEADER.split(diff) if part.startswith("--- ")]
    return [
        {
            "path": (old if new == "+++ /dev/null" else new)[4:].removeprefix("b/"),
            "status": "new" if old == "--- /dev/null" else "modified",
            "patch": f"\n{hunks}",
        }
        for old, new, hunks in parts
    ]


def _blocks(patch: str) -> Iterator[tuple[list[str], list[str]]]:
    """What stands together in a patch: the lines taken out, and those put in their place."""
    hunks = patch.partition("\n@@")[2].split("\n")
    lines = (line for line in hunks if line[:1] != "\\")  # git's remark on the end of a file
    for is_changed, block in groupby(lines, lambda line: line[:1] in {"-", "+"}):
        if is_changed:
            rows = [*block]
            removed, added = ([row[1:] for row in rows if row[0] == sign] for sign in "-+")
            yield removed, added


def _paired(removed: list[str], added: list[str]) -> Iterator[Line]:
    """Each removed line beside the added one that is most like it, if any is."""
    old, new = ([*filter(None, map(bare, lines))] for lines in (removed, added))
    for text in old:
        scorer = rapidfuzz.fuzz.token_sort_ratio
        found = rapidfuzz.process.extractOne(text, new, scorer=scorer, score_cutoff=_ALIKE)
        if found is None:
            yield Line("removed", (DiffPiece("dropped", text),))
            continue
        near = new.pop(found[2])
        if near != text:
            yield Line("reworded", by_word(text, near))
    for text in new:
        yield Line("added", (DiffPiece("added", text),))


def bare(line: str) -> str:
    """A line without our own comment and the sign of its list."""
    return _BULLET.sub("", _OURS.sub("", line)).strip()


def by_word(before: str, after: str) -> tuple[DiffPiece, ...]:
    """What of a line stayed, went and came."""
    if len(before) + len(after) > _LONGEST:
        return DiffPiece("dropped", before), DiffPiece("added", after)
    return word_diff(before, after)


def local(iso: str) -> datetime:
    """A moment in the zone of this process, which is the operator's."""
    return datetime.fromisoformat(iso).astimezone()


def moment(iso: str, form: str = "%-d %B %Y at %H:%M") -> str:
    return local(iso).strftime(form)

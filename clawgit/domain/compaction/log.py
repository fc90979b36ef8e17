"""COMPACTION_LOG.md: what left the files, why, where it is told now, and the commit that still has
it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.markdown.sections import Filed, Shelf, filed

PATH = "COMPACTION_LOG.md"
ARCHIVE = "Archive/Compaction/"
_SHORT = 12
_LONGEST = 160


class Removal(NamedTuple):
    """`what` went from `path`; `told` is where its summary or its successor stands, "" where there
    is none.
    """

    path: str
    what: str
    why: str
    told: str = ""


def removal_line(removal: Removal, head: str) -> str:
    """One removal as a line of text: nothing in it is markup that would hide or end it."""
    went = f"{_plain(removal.what)}, from {removal.path}" if removal.what else removal.path
    told = f"; now in {removal.told}" if removal.told else ""
    return f"- {went}: {_plain(removal.why)}{told}; whole in {head[:_SHORT] or 'no commit yet'}"


def logged(text: str, ident: str, now: datetime, removals: Iterable[Removal], head: str) -> str:
    """The log with one more section at its end; nothing of it is ever changed."""
    before = text or frames.COMPACTIONS
    gap = "" if before.endswith("\n\n") else "\n" if before.endswith("\n") else "\n\n"
    lines = "\n".join(removal_line(one, head) for one in removals)
    return f"{before}{gap}## {ident} · {now.isoformat(timespec='seconds')}\n\n{lines}\n"


def archived(files: Mapping[str, str], year: int) -> Filed:
    """The log of this year alone; each year before lies in a book of its own."""
    shelf = Shelf(ARCHIVE, "Compactions")
    return filed(
        files.get(PATH) or "",
        shelf,
        files,
        lambda one: one.time is not None and one.time.year < year,
    )


def whole(files: Mapping[str, str]) -> str:
    """All that was ever logged."""
    return "\n".join(files.get(path) or "" for path in (*filter(_is_archived, files), PATH))


def _is_archived(path: str) -> bool:
    return path.startswith(ARCHIVE)


def excerpt(text: str) -> str:
    """The words of an entry on one line, cut where they are many."""
    return f"“{in_a_line(text, _LONGEST)}”"


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("<!--", "<\\!--")

"""COMPACTION_LOG.md: what left the files, why, where its summary is, and which commit has it."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from clawgit.domain.markdown import frames
from clawgit.domain.markdown.comment import uncommented
from clawgit.domain.markdown.excerpt import in_a_line

PATH = "COMPACTION_LOG.md"

_SHORT = 12
"""Digits of a commit's hash: enough for any repository of notes."""

_LONGEST = 160
"""At most this many characters of an entry are quoted."""


class Removal(NamedTuple):
    """`what` went from `path`; `now_at` is where its summary or its successor stands, if any."""

    path: str
    what: str
    why: str
    now_at: str = ""


def removal_line(removal: Removal, head: str) -> str:
    """One removal as a line of text: nothing in it is markup that would hide or end it."""
    went = f"{uncommented(removal.what)}, from {removal.path}" if removal.what else removal.path
    now_in = f"; now in {removal.now_at}" if removal.now_at else ""
    return (
        f"- {went}: {uncommented(removal.why)}{now_in}; whole in {head[:_SHORT] or 'no commit yet'}"
    )


def logged(text: str, ident: str, now: datetime, removals: Iterable[Removal], head: str) -> str:
    """The log with one more section at its end; older sections never change."""
    before = text or frames.COMPACTIONS
    if not before.endswith("\n"):
        before += "\n"
    if not before.endswith("\n\n"):
        before += "\n"
    lines = "\n".join(removal_line(removal, head) for removal in removals)
    return f"{before}## {ident} · {now.isoformat(timespec='seconds')}\n\n{lines}\n"


def excerpt(text: str) -> str:
    """The words of an entry on one line, cut where they are many."""
    return f"“{in_a_line(text, _LONGEST)}”"

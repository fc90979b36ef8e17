"""What was moved from an entry's comment into the message of a commit.

    Clawgit-Entry: m7k2q9 first=2026-02-14 ev=chat:3f9c ev=memory/2026-02-14.md#L9

The first day, and evidence that was counted, need not be in a file that is read into each session.
So a change of ours moves them out of the entries that it touches, into the message of its commit.
Without that history (a shallow clone, a squash that dropped the messages) they are unknown, and
whatever was said up to the last mention is taken as counted.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from clawgit.domain.corrections.corrections import CORRECTIONS
from clawgit.domain.markdown.comment import LEAVING, Meta, is_id, read_meta, split
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.markdown.scan import lines_of
from clawgit.domain.markdown.statuses import DISPUTED

_CLAW = "claw:"
_LOGGED = f"ev={CORRECTIONS}#"


class EntryPast(NamedTuple):
    """What history has of an entry: the first day, and what was counted, in its order."""

    first: date | None = None
    evidence: tuple[str, ...] = ()


Past = Mapping[str, EntryPast]
"""By the entry's id."""

NO_PAST: Past = MappingProxyType({})

Edit = tuple[str, str | None, str | None]
"""A path, and its text before and after; None is no file."""


def recalled(meta: Meta, past: Past) -> Meta:
    """An entry's facts with those that history has. Only for reading: they must not be written
    back.
    """
    then = past.get(meta.id)
    if then is None:
        return meta
    if then.first and not meta.get("first"):
        meta = meta.having("first", then.first.isoformat())
    return meta.resting_on((*then.evidence, *meta.evidence))


def gathered(lines: Iterable[str]) -> dict[str, EntryPast]:
    """The past of entries, from what commits say of them, oldest first."""
    past: dict[str, EntryPast] = {}
    for line in lines:
        ident, *facts = line.split()
        meta, then = Meta(ident, tuple(facts)), past.get(ident, EntryPast())
        firsts = [day for day in (then.first, meta.first) if day]
        evidence = dict.fromkeys((*then.evidence, *meta.evidence))
        past[ident] = EntryPast(min(firsts, default=None), tuple(evidence))
    return past


def stays(fact: str, meta: Meta) -> bool:
    """Whether a fact stays in its comment, because something that does not read history needs
    it.
    """
    key = fact.partition("=")[0]
    if key not in LEAVING or not is_id(meta.id) or meta.get("of"):
        # Without an id, history cannot be searched. Facts made from notes are withdrawn with them.
        return True
    if key == "first":
        return meta.last is None
    # What disputes an entry was not counted, and goes when the dispute ends. The log finds an entry
    # by the last correction that it cites.
    return meta.status == DISPUTED or fact == _last_correction(meta)


def _last_correction(meta: Meta) -> str:
    return next((fact for fact in reversed(meta.facts) if fact.startswith(_LOGGED)), "")


def shortened(meta: Meta) -> Meta:
    """The facts that stay in a comment."""
    return meta._replace(facts=tuple(fact for fact in meta.facts if stays(fact, meta)))


class Shortened(NamedTuple):
    """Files by path, with short comments; and what was moved out of them, a line for each entry."""

    texts: Mapping[str, str]
    left: tuple[str, ...] = ()


class Shortener:
    """Shortens the comments of the entries that edits touch. All others stay byte for byte.

    One object serves several edits that build on each other: it remembers what it has shortened.
    """

    def __init__(self) -> None:
        self._short: dict[str, str] = {}

    def shorten(self, edits: Iterable[Edit]) -> Shortened:
        """The files of one commit. Entries that only moved from one to another are not touched."""
        known: set[str] = set()
        commented: dict[str, str] = {}
        for path, before, after in edits:
            known.update(lines_of(before or ""))
            if after and _CLAW in after:
                commented[path] = after
        left: dict[str, None] = {}
        texts = {path: self._text(after, known, left) for path, after in commented.items()}
        return Shortened(texts, tuple(left))

    def as_landed(self, text: str) -> str:
        """A text as it is after the earlier edits: with the comments that they shortened."""
        if not self._short or _CLAW not in text:
            return text
        lines = lines_of(text)
        old = {at for at, line in enumerate(lines) if line in self._short}
        for at, _ in _commented(text, old):
            lines[at] = self._short[lines[at]]
        return "".join(lines)

    def _text(self, text: str, known: Collection[str], left: dict[str, None]) -> str:
        lines = lines_of(text)
        # Mostly few or none, and found without reading the entries.
        new = {
            at
            for at, line in enumerate(lines)
            if _CLAW in line and (line in self._short or line not in known)
        }
        for at, entry in _commented(text, new):
            line = lines[at]
            if line not in self._short:
                self._short[line], gone = _written_short(line, entry)
                left |= dict.fromkeys(gone)
            lines[at] = self._short[line]
        return "".join(lines)


def _written_short(line: str, entry: Entry) -> tuple[str, tuple[str, ...]]:
    """A line with its comment written short, and what was moved out of it."""
    meta = entry.meta or Meta("")
    parts = split(entry.raw)
    before, _, behind = line.rpartition(parts.comment.strip())
    return f"{before}{shortened(meta)}{behind}", tuple(_left(meta))


def _left(meta: Meta) -> Iterator[str]:
    """What a commit says of an entry from whose comment facts leave."""
    gone = [fact for fact in meta.facts if not stays(fact, meta)]
    if meta.n == 1 and meta.first == meta.last:
        # The comment says as much: the only mention was the last one.
        gone = [fact for fact in gone if not fact.startswith("first=")]
    if gone:
        yield " ".join((meta.id, *gone))


def _commented(text: str, lines: set[int]) -> Iterator[tuple[int, Entry]]:
    """The entries with a comment on one of these lines, each with that line; they count from 0."""
    for entry in entries(text) if lines else ():
        if lines.isdisjoint(range(entry.line - 1, entry.end_line)):
            continue
        parts = split(entry.raw)
        at = entry.line - 1 + parts.before.count("\n")
        if at in lines and parts.comment and read_meta(parts):
            yield at, entry

"""What the operator said before a change, and what the texts after it no longer say: his lines in
the soul, his corrections in the log, the entries that he corrected.

`safety/taking_back.py` asks this for every way to change a file.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.memory.rules.confidence import CORRECTION, is_correction
from clawgit.talk.rules.corrections import (
    CORRECTIONS,
    Correction,
    corrections,
    holds_corrections,
)
from clawgit.talk.rules.quotes import undisputed

Texts = Mapping[str, str]
"""The texts of files by path."""


SHOWN = 80
"""How much of an entry a message shows."""


class TakenBack(NamedTuple):
    """`name` is the id of a correction in the log, or the words of an entry. `line` counts in the
    new text; it is 0 if nothing is left of it.
    """

    path: str
    name: str
    message: str
    line: int = 0


def taken_back(before: Texts, after: Texts) -> Iterator[TakenBack]:
    """What the operator said before and what is gone, or says something else, after; but for the
    lines of the soul, which its guard knows.
    """
    yield from lost_corrections(before, after)
    left = {_standing(entry) for _, entry in _corrected_entries(after)}
    for path, entry in _corrected_entries(before):
        if _standing(entry) not in left:
            words = one_line(undisputed(entry))
            gone = "an entry that the operator corrected is gone or says something else: “{}”"
            yield TakenBack(path, words, gone.format(in_a_line(words, SHOWN)))


def lost_corrections(before: Texts, after: Texts) -> Iterator[TakenBack]:
    """The corrections that the operator stands behind and that are gone or say something else now.

    One that moved into the archive is still there. One that nobody confirmed proves nothing: it may
    change, and go if it holds no words of his.
    """
    left = {correction.id: correction for correction in _logged(after)}
    yield from filter(None, (_loss(was, left.get(was.id)) for was in _logged(before)))


def _loss(was: Correction, now: Correction | None) -> TakenBack | None:
    if now is None and (was.binds or was.words):
        return TakenBack(CORRECTIONS, was.id, f"correction {was.id} is lost")
    if now is None or not was.binds or _sense(now) == _sense(was):
        return None
    message = f"correction {was.id} no longer says what it said"
    return TakenBack(CORRECTIONS, was.id, message, now.line)


def _logged(texts: Texts) -> Iterator[Correction]:
    for path, text in texts.items():
        if holds_corrections(path):
            yield from corrections(text)


def _sense(correction: Correction) -> tuple[object, ...]:
    """What makes a correction what it is: the words, and that the operator stands behind them."""
    words = (correction.correct, correction.was, correction.said, correction.words)
    return (correction.binds, correction.source, *map(one_line, words))


def _corrected_entries(texts: Texts) -> Iterable[tuple[str, Entry]]:
    for path, text in texts.items():
        # Most files have none, and are not parsed.
        if holds_entries(path) and CORRECTION in text:
            yield from ((path, entry) for entry in entries(text) if is_correction(entry))


def _standing(entry: Entry) -> tuple[str, str]:
    """An entry by its words and status, wherever it stands. A quote under it changes neither."""
    return undisputed(entry), entry.status

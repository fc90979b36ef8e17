"""The operator's corrections that a change would lose, in the log and in memory."""

from collections.abc import Iterable, Iterator, Mapping

from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, Correction, corrections
from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.values import NamedTuple

Texts = Mapping[str, str]
"""The texts of files by path."""


class LostCorrection(NamedTuple):
    """`name` is the id of a correction in the log, or the words of an entry. `line` counts in the
    new text; it is 0 if nothing is left of it.
    """

    path: str
    name: str
    message: str
    line: int = 0


def lost_corrections(before: Texts, after: Texts) -> Iterator[LostCorrection]:
    """The corrections that the operator stands behind and that are gone or say something else now.

    One that moved into the archive is still there. One that nobody confirmed proves nothing, and
    may go.
    """
    left = {correction.id: correction for correction in _logged(after)}
    for correction in _logged(before):
        now = left.get(correction.id)
        if not correction.binds:
            continue
        if now is None:
            yield LostCorrection(CORRECTIONS, correction.id, f"correction {correction.id} is lost")
        elif _sense(now) != _sense(correction):
            message = f"correction {correction.id} no longer says what it said"
            yield LostCorrection(CORRECTIONS, correction.id, message, now.line)


def lost_entries(before: Texts, after: Texts) -> Iterator[LostCorrection]:
    """The entries that the operator corrected and that are no longer in any of the files."""
    left = {_standing(entry) for _, entry in _corrected_entries(after)}
    for path, entry in _corrected_entries(before):
        if _standing(entry) not in left:
            words = " ".join(entry.text.split())
            message = f"{path} would lose an entry that the operator corrected"
            yield LostCorrection(path, words, message)


def _logged(texts: Texts) -> Iterator[Correction]:
    for path, text in texts.items():
        if path == CORRECTIONS or path.startswith(ARCHIVE):
            yield from corrections(text)


def _sense(correction: Correction) -> tuple[object, ...]:
    """What makes a correction what it is: the words, and that the operator stands behind them."""
    words = (correction.correct, correction.was, correction.said, correction.words)
    return (correction.binds, correction.source, *(" ".join(text.split()) for text in words))


def _corrected_entries(texts: Texts) -> Iterable[tuple[str, Entry]]:
    for path, text in texts.items():
        if holds_entries(path):
            yield from ((path, entry) for entry in entries(text) if is_correction(entry))


def _standing(entry: Entry) -> tuple[str, str]:
    """An entry by its words and its status, wherever it stands."""
    return entry.text, entry.meta.status if entry.meta else ACTIVE

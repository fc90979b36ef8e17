"""What the operator said before a change, and what the texts after it no longer say: his lines in
the soul, his corrections in the log, the entries that he corrected.

`safety/taking_back.py` asks this for every way to change a file.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from clawgit.core import NamedTuple
from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.tiers import tier
from clawgit.language.lazily import lazily
from clawgit.memory.rules.confidence import BASE, CORRECTION, INFERRED, is_correction
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, corrections, holds_corrections
from clawgit.talk.rules.quotes import undisputed

Texts = Mapping[str, str]
"""The texts of files by path."""


_BOX = lazily(r"(?m)^([ \t]*(?:[-*+] |[0-9]{1,9}[.)] )?)\[[ xX]\] ")

_SHOWN = 80
"""How much of an entry a message shows."""


class TakenBack(NamedTuple):
    """`name` is the id of a correction in the log, or the words of an entry. `line` counts in the
    new text; it is 0 if nothing is left of it there. `stood` is how an entry counted.
    """

    path: str
    name: str
    message: str
    line: int = 0
    stood: tuple[object, ...] = ()


def taken_back(before: Texts, after: Texts) -> Iterator[TakenBack]:
    """What the operator said before and what is gone, or says something else, after; but for the
    lines of the soul, which its guard knows.
    """
    yield from lost_corrections(before, after)
    gone = "an entry that the operator corrected is gone or says something else"
    # Most files have none, and are not parsed.
    near = {
        path: text for path, text in before.items() if CORRECTION in text and holds_entries(path)
    }
    yield from lost_entries(near, after, is_correction, gone)


def lost_entries(
    before: Texts, after: Texts, is_meant: Callable[[Entry], bool], gone: str
) -> Iterator[TakenBack]:
    """The entries that are gone, or say something else, or no longer count as they did. One that
    has moved must be in use there; its words in another file are no excuse where it stands changed.
    Of two versions, as before a merge, one has to stand. `is_meant` is asked last: it may be slow.
    """
    left = {*chain.from_iterable(_by_standing(after[path]) for path in filter(tier, after))}
    for path, text in before.items():
        was, now = _by_standing(text), _by_standing(after.get(path, ""))
        kept = {was[each].key for each in was.keys() & now.keys()}
        lines = {entry.key: entry.line for entry in now.values()}
        for stood, entry in was.items():
            # The line of what has its key now, or 0.
            line = lines.get(entry.key, 0)
            is_lost = entry.key not in kept and (line or stood not in left)
            if is_lost and not _has_grown(entry, now) and is_meant(entry):
                words = one_line(undisputed(entry))
                message = f"{gone}: “{in_a_line(words, _SHOWN)}”"
                yield TakenBack(path, words, message, line, stood)


def _has_grown(was: Entry, now: Mapping[tuple[object, ...], Entry]) -> bool:
    """Whether an entry stands as it did, with more items below it."""
    start, stood = f"{unticked(was)}\n- ", standing(was)[1:]
    return any(
        each[1:] == stood and unticked(entry).startswith(start) for each, entry in now.items()
    )


def _by_standing(text: str) -> dict[tuple[object, ...], Entry]:
    return {standing(entry): entry for entry in entries(text)}


def lost_corrections(before: Texts, after: Texts) -> Iterator[TakenBack]:
    """The corrections that the operator stands behind and that are gone or say something else now.

    One that moved into the archive is still there. One that nobody confirmed proves nothing: it may
    change, and go if it holds no words of his.
    """
    left = {correction.id: correction for correction in _logged(after)}
    for was in _logged(before):
        now = left.get(was.id)
        if now is None:
            if was.binds or was.words:
                yield TakenBack(CORRECTIONS, was.id, f"correction {was.id} is lost")
        elif was.binds and now.sense != was.sense:
            message = f"correction {was.id} no longer says what it said"
            yield TakenBack(CORRECTIONS, was.id, message, now.line)


def _logged(texts: Texts) -> Iterator[Correction]:
    for path, text in texts.items():
        if holds_corrections(path):
            yield from corrections(text)


def standing(entry: Entry) -> tuple[object, ...]:
    """An entry by its words, and what decides whether it counts, wherever it stands. A quote under
    it changes nothing, nor does one mention more or less, nor a box that is ticked.
    """
    facts = entry.facts
    is_faint = facts.conf is not None and facts.conf < BASE[INFERRED]
    return (
        one_line(unticked(entry)),
        entry.status,
        facts.src,
        facts.expires,
        facts.class_,
        is_faint,
    )


def unticked(entry: Entry) -> str:
    """What an entry says, whether its boxes are ticked or not."""
    return _BOX.sub(r"\1", undisputed(entry))


def names_of(entry: Entry) -> set[str]:
    """What tells who wrote an entry: its words, first line or id; each may be changed alone."""
    text = unticked(entry)
    first = text.partition("\n")[0]
    return {one_line(text), first, entry.facts.id or first}

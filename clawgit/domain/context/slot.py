"""A slot of a context: the pieces that it is made of, and its text."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.context.slot_budget import Claim
from clawgit.domain.context.steps import Step, gaps, with_gap

Count = Callable[[str], int]
"""How many tokens a text takes."""

NO_ROOM = "no room"

OFF = "its budget is 0"

_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)]) ")

_TICKS = re.compile("`{2,}")
"""A fence must be longer than any fence inside it."""


class ContextPiece(NamedTuple):
    """What is shown whole or not at all, below its headings `heads`; `place` orders what is shown.

    Two pieces with a name in common are the same. An `idle` one may use the room of its own slot
    only. `firm` ones stand first in their slot, and stay where they take more than its budget.
    `spare` ones are shown only where no other piece of any slot wants the room. `step` is the place
    in a numbered list.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int, ...] = ()
    why: str = ""
    names: tuple[str, ...] = ()
    idle: bool = False
    firm: bool = False
    spare: bool = False
    step: Step | None = None


class Slot(NamedTuple):
    """Pieces, the most important first. In a slot that is filled first, pieces larger than the
    budget come last, none is `idle`, and one that does not fit keeps out all after it.

    `quoted`: the text came from elsewhere and stands in a fence, below `intro`. `left`: pieces that
    were not even candidates. `spare` pieces count neither as left nor as cut. `says_cut`: a line
    below the text says what found no room.
    """

    name: str
    title: str
    budget: int
    pieces: Sequence[ContextPiece] = ()
    intro: str = ""
    quoted: bool = False
    left: Sequence[ContextPiece] = ()
    claim: Claim = Claim.IN_TURN
    says_cut: bool = False
    spare: Sequence[ContextPiece] = ()


class ContextChoice(NamedTuple):
    """A piece that was taken or left, and why."""

    source: str
    tokens: int
    why: str


def cut_by_file(sources: Iterable[str]) -> str:
    """How many pieces of which files, in words: `24 of SOUL.md, 2 of IDENTITY.md`."""
    files = Counter(source.partition("#")[0] for source in sources)
    return ", ".join(f"{count:,} of {path}" for path, count in files.items())


def slot_text(slot: Slot, pieces: Sequence[ContextPiece]) -> str:
    if not pieces:
        return ""
    tight = _is_line if slot.quoted else _is_item
    return frame(slot, _body(sorted(pieces, key=attrgetter("place")), tight))


def _body(pieces: Sequence[ContextPiece], tight: Callable[[str], bool]) -> str:
    """Pieces below each other, each heading once; no blank line between two that are `tight`.

    A line says where steps of a numbered list are missing.
    """
    parts: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    for piece, gap in zip(pieces, gaps([piece.step for piece in pieces]), strict=True):
        heads = _new_heads(piece.heads, above)
        close = not heads and tight(before) and tight(piece.text)
        parts += ["\n" if close else "\n\n", *(f"{head}\n\n" for head in heads)]
        parts.append(with_gap(piece.text, gap))
        above = piece.heads
        before = piece.text
    return "".join(parts[1:])


def _new_heads(heads: tuple[str, ...], above: tuple[str, ...]) -> tuple[str, ...]:
    """The headings of a piece from the first that is not above it already."""
    for at, head in enumerate(heads):
        if at >= len(above) or head != above[at]:
            return heads[at:]
    return ()


def frame(slot: Slot, body: str) -> str:
    inside = body
    if slot.quoted:
        runs = (
            run
            for piece in slot.pieces
            for text in (piece.text, *piece.heads)
            for run in _TICKS.findall(text)
        )
        fence = "`" * (1 + max(map(len, runs), default=2))
        inside = f"{fence}text\n{body}\n{fence}"
    return "\n\n".join(filter(None, (f"# {slot.title}", slot.intro, inside)))


def chains(heads: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return (heads[:end] for end in range(1, len(heads) + 1))


def _is_line(text: str) -> bool:
    return text != "" and "\n" not in text


def _is_item(text: str) -> bool:
    return _ITEM.match(text) is not None

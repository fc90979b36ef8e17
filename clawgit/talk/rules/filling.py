"""Assembles what a conversation starts with: slots that share one budget of tokens.

A slot is a name, a budget and pieces in the order in which they are wanted. A piece is shown whole
or not at all, and no line is shown twice.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache, lru_cache
from itertools import chain, takewhile
from operator import attrgetter

from clawgit.core import NamedTuple
from clawgit.memory.rules.likeness import words

Count = Callable[[str], int]
"""How many tokens a text takes."""

NO_ROOM = "no room"

_JOINT = 1
"""Tokens that the blank lines between two texts take."""

_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)]) ")

_BULLET = re.compile(r"\s*(?:(?:[-+*>]|[0-9]{1,9}[.)])\s+)*")

_PROMOTED = re.compile(r"\s\[score=[0-9.]+ recalls=[^\]\n]*\]\s*\Z")
"""What OpenClaw writes behind a line that it promotes: another each time."""

_TICKS = re.compile("`{2,}")
"""A fence must be longer than any fence inside it."""


class Want(IntEnum):
    """How much a piece is wanted.

    `FIRM`: in the identity even beyond its budget. `EAGER`: within it, and beyond in room that is
    left. `SPARE`: in room that nobody else wants; it is not missed.
    """

    FIRM = 0
    EAGER = 1
    SPARE = 2


class ContextPiece(NamedTuple):
    """What is shown below its headings `heads`; `place` orders what is shown.

    Two pieces of one `name` are the same. `unfit` says why a piece is never shown.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int | str, ...] = ()
    why: str = ""
    name: str = ""
    want: Want = Want.EAGER
    unfit: str = ""


class SlotKind(NamedTuple):
    """What is the same for a slot in every context. `setting` names its budget.

    `own`: its turn to take what it wants of its budget. `more`: its turn to go beyond that into
    free room; without one it never does. `says_cut`: a note says what found no room. `quoted`: the
    text came from elsewhere and stands in a fence.
    """

    name: str
    title: str
    setting: str = ""
    own: int = 7
    more: int = 9
    says_cut: bool = False
    quoted: bool = False


class Slot(NamedTuple):
    """Pieces, the most important first, which stand below `intro`."""

    kind: SlotKind
    budget: int
    pieces: Sequence[ContextPiece] = ()
    intro: str = ""


class ContextChoice(NamedTuple):
    """A piece that was taken or left, and why."""

    source: str
    tokens: int
    why: str


class FilledSlot(NamedTuple):
    """A slot with its text. `truncated` lists the sources that had no room."""

    name: str
    budget: int
    tokens: int
    sources: tuple[str, ...]
    truncated: tuple[str, ...]
    text: str
    taken: tuple[ContextChoice, ...]
    left: tuple[ContextChoice, ...]


class Assembled(NamedTuple):
    """`notes` say what was cut of the slots that say so."""

    used: int
    slots: tuple[FilledSlot, ...]
    notes: tuple[str, ...]


FIRST, NEVER = 1, 0
"""The turn of the corrections, which are cut from the end; and one that does not come."""

_FIRM_TURN, _LAST_TURN = 2, 11
"""The turns of what is firm, and of what only fills room that is left."""


def assemble(slots: Sequence[Slot], budget: int, count: Count) -> Assembled:
    """Fills the slots turn by turn. The result never counts more than the budget."""
    counted = cache(count)
    bins = [
        _Bin(slot, counted, [piece for piece in slot.pieces if not piece.unfit]) for slot in slots
    ]
    order: list[_Bin] = []
    said: dict[str, str] = {}
    turns = sorted(turn for at, bin_ in enumerate(bins) for turn in _turns(at, bin_.slot.kind))
    for _, at, wanted, is_beyond in turns:
        free = budget - sum(bin_.spent for bin_ in bins)
        own = bins[at].slot.budget - bins[at].spent
        order += bins[at].fill(wanted, free if is_beyond else min(own, free), said)
    # Tokens of parts do not add up exactly to those of the whole, so the whole is counted in the
    # end, and what came last goes first.
    while (used := counted("\n\n".join(filter(None, (bin_.text for bin_ in bins))))) > budget:
        last = order.pop()
        last.waiting.insert(0, last.taken.pop()[0])
    notes = tuple(chain.from_iterable(bin_.notes() for bin_ in bins))
    return Assembled(used, tuple(map(_Bin.filled, bins)), notes)


def _turns(at: int, kind: SlotKind) -> Iterator[tuple[int, int, Want, bool]]:
    """When a slot takes what, and whether beyond its own budget."""
    yield kind.own, at, Want.EAGER, False
    yield _FIRM_TURN, at, Want.FIRM, True
    if kind.more != NEVER:
        yield kind.more, at, Want.EAGER, True
        yield _LAST_TURN, at, Want.SPARE, True


def sayings(text: str) -> Iterator[str]:
    """Each line of a text by its words: spacing, capitals, tags, bullets and numbers of a list do
    not count.
    """
    return filter(None, map(_saying, text.split("\n")))


@dataclass(slots=True)
class _Bin:
    """A slot while it is filled."""

    slot: Slot
    count: Count
    waiting: list[ContextPiece]
    taken: list[tuple[ContextPiece, int]] = field(default_factory=list)
    repeated: list[ContextChoice] = field(default_factory=list)
    spent: int = 0

    def fill(self, most_wanted: Want, room: int, said: dict[str, str]) -> "list[_Bin]":
        """Takes what fits into so much more room, and is not said elsewhere; this slot, for each
        piece.
        """
        most, before = self.spent + room, len(self.taken)
        wanted = [piece for piece in self.waiting if piece.want <= most_wanted]
        for piece in wanted if self.slot.budget else ():
            if where := _said_in(piece, said):
                self.repeated.append(ContextChoice(piece.source, 0, f"said in {where}"))
                self.waiting.remove(piece)
                continue
            tokens = self._price(piece)
            if self.spent + tokens <= most:
                self.taken.append((piece, tokens))
                self.waiting.remove(piece)
                self.spent += tokens
                lines = filter(None, (piece.name, *sayings(piece.text)))
                said |= dict.fromkeys(lines, self.slot.kind.name)
            elif self.slot.kind.own == FIRST and tokens <= self.slot.budget:
                break  # none comes after one that did not fit, but one that never could
        # Prices only come near what the text takes.
        self.spent = self.count(self.text) + _JOINT if self.taken else 0
        return [self] * (len(self.taken) - before)

    @property
    def text(self) -> str:
        return _slot_text(self.slot, [piece for piece, _ in self.taken])

    @property
    def missed(self) -> list[ContextPiece]:
        return [piece for piece in self.waiting if piece.want is not Want.SPARE]

    def notes(self) -> Iterator[str]:
        """What was cut of a slot that says so, such as the identity."""
        kind = self.slot.kind
        if not (self.missed and kind.says_cut and self.slot.budget):
            return
        yield f"{kind.name} is cut, {_by_file(self.missed)} did not fit"
        if firm := [piece for piece in self.missed if piece.want is Want.FIRM]:
            yield (
                f"{kind.name} lacks {_by_file(firm)} that are protected or forbid something: the"
                " whole budget is too small"
            )

    def filled(self) -> FilledSlot:
        why = NO_ROOM if self.slot.budget else "its budget is 0"
        unfit = [piece for piece in self.slot.pieces if piece.unfit]
        return FilledSlot(
            name=self.slot.kind.name,
            budget=self.slot.budget,
            tokens=self.count(self.text),
            sources=tuple(piece.source for piece, _ in self.taken),
            truncated=tuple(piece.source for piece in self.missed if why == NO_ROOM),
            text=self.text,
            taken=tuple(
                ContextChoice(piece.source, tokens, piece.why) for piece, tokens in self.taken
            ),
            left=(
                *self.repeated,
                *(ContextChoice(piece.source, 0, why) for piece in self.missed),
                *(ContextChoice(piece.source, 0, piece.unfit) for piece in unfit),
            ),
        )

    def _price(self, piece: ContextPiece) -> int:
        """What a piece takes with the headings that do not stand above another one already."""
        shown = {head for kept, _ in self.taken for head in kept.heads}
        new = [head for head in piece.heads if head not in shown]
        if not self.taken:
            new.append(_framed(self.slot, ""))
        return sum(self.count(text) + _JOINT for text in (piece.text, *new))


def _by_file(pieces: Iterable[ContextPiece]) -> str:
    """How many pieces of which files, in words: `24 of SOUL.md, 2 of IDENTITY.md`."""
    files = Counter(piece.source.partition("#")[0] for piece in pieces)
    return ", ".join(f"{count:,} of {path}" for path, count in files.items())


def _said_in(piece: ContextPiece, said: Mapping[str, str]) -> str:
    """The slot that says all of a piece already, or shows one of its name; "" if none does."""
    if piece.name in said:
        return said[piece.name]
    lines = [*sayings(piece.text)]
    return said[lines[0]] if lines and all(line in said for line in lines) else ""


def _slot_text(slot: Slot, pieces: Iterable[ContextPiece]) -> str:
    """Pieces below each other, each heading once; no blank line between items of a list, or
    between quoted lines.
    """
    parts: list[str] = []
    above: tuple[str, ...] = ()
    was_tight = False
    for piece in sorted(pieces, key=attrgetter("place")):
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(piece.heads, above, strict=False))
        heads = piece.heads[len([*shared]) :]
        is_tight = "\n" not in piece.text if slot.kind.quoted else bool(_ITEM.match(piece.text))
        gap = "\n" if is_tight and was_tight and not heads else "\n\n"
        parts += [gap, *(f"{head}\n\n" for head in heads), piece.text]
        above, was_tight = piece.heads, is_tight
    return _framed(slot, "".join(parts[1:])) if parts else ""


def _framed(slot: Slot, body: str) -> str:
    inside = body
    if slot.kind.quoted:
        fence = "`" * (1 + max(map(len, _TICKS.findall(body)), default=2))
        inside = f"{fence}text\n{body}\n{fence}"
    return "\n\n".join(filter(None, (f"# {slot.kind.title}", slot.intro, inside)))


@lru_cache(maxsize=1 << 13)
def _saying(line: str) -> str:
    return " ".join(words(_PROMOTED.sub("", _BULLET.sub("", line, count=1))))

"""Assembles what a conversation starts with: slots that share one budget of tokens.

A slot is a name, a budget and pieces in the order in which they are wanted. A piece is shown whole
or not at all, and no line is shown twice.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from clawgit.domain.context.corrected_lines import wording
from clawgit.domain.markdown import frames

Count = Callable[[str], int]
"""How many tokens a text takes."""

NO_ROOM = "no room"

_OFF = "its budget is 0"

_MISFITS = 40
"""After this many pieces in a row that did not fit, no more are tried."""

_JOINT = 1
"""Tokens that the blank lines between two texts take."""

_MARK_SHARE = 20
"""The line that says what was cut is shown if it takes no more than this fraction of the budget."""

_ITEM = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)]) ")

_BULLET = re.compile(r"\s*(?:(?:[-+*>]|[0-9]{1,9}[.)])\s+)*")

_PROMOTED = re.compile(r"\s\[score=[0-9.]+ recalls=[^\]\n]*\]\s*\Z")
"""What OpenClaw writes behind a line that it promotes: another each time."""

_TICKS = re.compile("`{2,}")
"""A fence must be longer than any fence inside it."""


class Want(IntEnum):
    """How much a piece is wanted.

    `FIRM`: even beyond the budget of its slot. `EAGER`: within it, and beyond in room that is left.
    `IDLE`: within it, after all that is eager. `SPARE`: in room that nobody else wants; it is not
    missed.
    """

    FIRM = 0
    EAGER = 1
    IDLE = 2
    SPARE = 3


class Claim(Enum):
    """When a slot's turn comes.

    `FIRST`: before all others, and it leaves only the slots before it their own. `WIDE`: it takes
    from later slots what it wants. `ASKED`: it answers the message, and what it wants comes before
    what is idle in any slot. `LAST`: more than its own only if no other slot wants it.
    """

    FIRST = 0
    WIDE = 1
    IN_TURN = 2
    ASKED = 3
    LAST = 4


class ContextPiece(NamedTuple):
    """What is shown below its headings `heads`; `place` orders what is shown.

    Two pieces of one `name` are the same.
    """

    text: str
    source: str
    heads: tuple[str, ...] = ()
    place: tuple[int | str, ...] = ()
    why: str = ""
    name: str = ""
    want: Want = Want.EAGER


class Slot(NamedTuple):
    """Pieces, the most important first.

    `quoted`: the text came from elsewhere and stands in a fence, below `intro`. `left`: pieces that
    were not even candidates. `says_cut`: a line below the text says what found no room.
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
    taken: tuple[ContextChoice, ...] = ()
    left: tuple[ContextChoice, ...] = ()


class Assembled(NamedTuple):
    """`notes` say what was cut of the slots that say so."""

    budget: int
    used: int
    text: str
    slots: tuple[FilledSlot, ...]
    notes: tuple[str, ...]


_WANTED = (Want.FIRM, Want.EAGER)

_TURNS = (
    # Slots of these claims take pieces so wanted, beyond their own budget or not.
    ((Claim.FIRST,), _WANTED, True),
    ((Claim.LAST,), (Want.FIRM,), True),
    ((Claim.LAST,), (Want.EAGER,), False),
    ((Claim.WIDE,), _WANTED, True),
    ((Claim.IN_TURN, Claim.ASKED), _WANTED, False),
    ((Claim.ASKED,), _WANTED, True),
    (tuple(Claim), (Want.IDLE,), False),
    ((Claim.IN_TURN,), _WANTED, True),
    ((Claim.LAST,), (Want.EAGER,), True),
    (tuple(Claim), (Want.SPARE,), True),
)


def assemble(slots: Sequence[Slot], budget: int, count: Count) -> Assembled:
    """Fills the slots turn by turn. The result never counts more than the budget."""
    counted = cache(count)
    bins = [_Bin(slot, counted) for slot in slots]
    _fill(bins, budget)
    # Tokens of parts do not add up exactly to those of the whole, so the whole is counted in the
    # end.
    while (used := counted(_joined(bins))) > budget:
        _drop(bins)
    notes = tuple(chain.from_iterable(bin_.notes() for bin_ in bins))
    return Assembled(budget, used, _joined(bins), tuple(map(_Bin.filled, bins)), notes)


def slot_text(slot: Slot, pieces: Iterable[ContextPiece]) -> str:
    shown = sorted(pieces, key=attrgetter("place"))
    if not shown:
        return ""
    body = _body(shown, _is_line if slot.quoted else _is_item)
    return _framed(slot, body)


def sayings(text: str) -> Iterator[str]:
    """Each line of a text by its words: spacing, capitals, tags, bullets and numbers of a list do
    not count.
    """
    return filter(None, map(_saying, text.split("\n")))


@dataclass(slots=True)
class _Bin:
    """A slot while it is filled. `is_marked`: a line below its text says what found no room."""

    slot: Slot
    count: Count
    taken: list[tuple[ContextPiece, int]] = field(default_factory=list)
    waiting: list[ContextPiece] = field(default_factory=list)
    repeated: list[ContextChoice] = field(default_factory=list)
    spent: int = 0
    is_marked: bool = False

    def __post_init__(self) -> None:
        self.waiting = [*self.slot.pieces]
        if self.slot.claim is Claim.FIRST:
            # None comes after one that did not fit; one larger than the slot must not keep out all.
            self.waiting.sort(key=self._is_too_large)

    def fill(self, wants: Sequence[Want], room: int, said: dict[str, str]) -> None:
        """Takes what fits into so much more room, and is not said elsewhere."""
        most = self.spent + room
        misfits = 0
        for piece in [piece for piece in self.waiting if piece.want in wants]:
            lines = [*filter(None, (piece.name,)), *sayings(piece.text)]
            if where := _said_in(piece, lines, said):
                self.repeated.append(ContextChoice(piece.source, 0, f"said in {where}"))
                self.waiting.remove(piece)
                continue
            tokens = self._price(piece)
            if self.spent + tokens > most:
                misfits += 1
                if misfits == _MISFITS or self.slot.claim is Claim.FIRST:
                    break
                continue
            misfits = 0
            self.taken.append((piece, tokens))
            self.waiting.remove(piece)
            self.spent += tokens
            said |= dict.fromkeys(lines, self.slot.name)
        # Prices only come near what the text takes.
        self.spent = self.count(self.text) + _JOINT if self.taken else 0

    def drop(self) -> None:
        piece, _ = self.taken.pop()
        self.waiting.insert(0, piece)
        self.spent = self.count(self.text) + _JOINT if self.taken else 0

    @property
    def text(self) -> str:
        shown = slot_text(self.slot, (piece for piece, _ in self.taken))
        return f"{shown}\n\n{self.cut_line}" if shown and self.is_marked else shown

    def mark_cut(self, budget: int) -> None:
        """Says below the text what found no room, if that is worth its tokens."""
        line = self.cut_line
        self.is_marked = line != "" and self.count(line) * _MARK_SHARE <= budget

    @property
    def cut_line(self) -> str:
        cut = cut_by_file(self._cut) if self.slot.says_cut and self.slot.budget else ""
        return frames.CUT.format(parts=cut) if cut else ""

    def notes(self) -> Iterator[str]:
        """What was cut of a slot that says so, such as the identity."""
        if not self.cut_line:
            return
        name = self.slot.name
        yield f"{name} is cut, {cut_by_file(self._cut)} did not fit"
        if firm := [piece.source for piece in self.waiting if piece.want is Want.FIRM]:
            yield (
                f"{name} lacks {cut_by_file(firm)} that are protected or forbid something: the"
                " whole budget is too small"
            )

    def filled(self) -> FilledSlot:
        slot, text = self.slot, self.text
        why = NO_ROOM if slot.budget else _OFF
        missed = [piece for piece in self.waiting if piece.want is not Want.SPARE]
        left = [*self.repeated, *(ContextChoice(piece.source, 0, why) for piece in missed)]
        left += [ContextChoice(piece.source, 0, piece.why) for piece in slot.left]
        taken = tuple(
            ContextChoice(piece.source, tokens, piece.why) for piece, tokens in self.taken
        )
        return FilledSlot(
            name=slot.name,
            budget=slot.budget,
            tokens=self.count(text),
            sources=tuple(choice.source for choice in taken),
            truncated=tuple(choice.source for choice in left if choice.why == NO_ROOM),
            text=text,
            taken=taken,
            left=tuple(left),
        )

    @property
    def wanted(self) -> int:
        """What all of it takes, as far as it has room of its own."""
        all_of_it = slot_text(self.slot, self.slot.pieces)
        return min(self.slot.budget, self.count(all_of_it) + _JOINT)

    @property
    def _cut(self) -> list[str]:
        return [piece.source for piece in self.waiting if piece.want is not Want.SPARE]

    def _price(self, piece: ContextPiece) -> int:
        """What a piece takes with the headings that do not stand above another one already."""
        shown = {head for kept, _ in self.taken for head in kept.heads}
        new = [head for head in piece.heads if head not in shown]
        if not self.taken:
            new.append(_framed(self.slot, ""))
        return sum(self.count(text) + _JOINT for text in (piece.text, *new))

    def _is_too_large(self, piece: ContextPiece) -> bool:
        return self.count(piece.text) > self.slot.budget


def _fill(bins: Sequence[_Bin], budget: int) -> None:
    said: dict[str, str] = {}
    for claims, wants, is_beyond in _TURNS:
        for bin_ in bins:
            if bin_.slot.claim in claims and bin_.slot.budget:
                bin_.fill(wants, _room(bins, bin_, budget, is_beyond=is_beyond), said)
    for bin_ in bins:
        bin_.mark_cut(budget)


def _room(bins: Sequence[_Bin], for_: _Bin, budget: int, *, is_beyond: bool) -> int:
    """How much more a slot may take. The first of all leaves to the slots before it what they want
    of their own budgets.
    """
    free = budget - sum(bin_.spent for bin_ in bins)
    own = min(for_.slot.budget - for_.spent, free)
    if not is_beyond:
        return own
    is_first = for_.slot.claim is Claim.FIRST
    kept = [bin_.wanted for bin_ in bins[: bins.index(for_)]] if is_first else []
    return max(own, free - sum(kept))


def _drop(bins: Sequence[_Bin]) -> None:
    """Removes what is missed least; what must stay after the lines that say what was cut, and what
    comes first at the very end.
    """

    def missed_less(bin_: _Bin) -> tuple[bool, Want, bool, int]:
        is_last = bin_.slot.claim is Claim.LAST and bin_.spent > bin_.slot.budget
        want = bin_.taken[-1][0].want
        return bin_.slot.claim is not Claim.FIRST, want, is_last, bins.index(bin_)

    chosen = max((bin_ for bin_ in bins if bin_.taken), key=missed_less)
    is_firm = chosen.slot.claim is Claim.FIRST or chosen.taken[-1][0].want is Want.FIRM
    marked = next((bin_ for bin_ in bins if bin_.is_marked and bin_.taken), None)
    if is_firm and marked:
        marked.is_marked = False
    else:
        chosen.drop()


def _joined(bins: Iterable[_Bin]) -> str:
    return "\n\n".join(filter(None, (bin_.text for bin_ in bins)))


def cut_by_file(sources: Iterable[str]) -> str:
    """How many pieces of which files, in words: `24 of SOUL.md, 2 of IDENTITY.md`."""
    files = Counter(source.partition("#")[0] for source in sources)
    return ", ".join(f"{count:,} of {path}" for path, count in files.items())


def _said_in(piece: ContextPiece, lines: Sequence[str], said: Mapping[str, str]) -> str:
    """The slot that says all of a piece already, or shows one of its name; "" if none does."""
    if piece.name in said:
        return said[piece.name]
    own = [line for line in lines if line != piece.name]
    return said[own[0]] if own and all(line in said for line in own) else ""


def _body(pieces: Sequence[ContextPiece], tight: Callable[[str], bool]) -> str:
    """Pieces below each other, each heading once; no blank line between two that are `tight`."""
    parts: list[str] = []
    above: tuple[str, ...] = ()
    before = ""
    for piece in pieces:
        heads = _new_heads(piece.heads, above)
        close = not heads and tight(before) and tight(piece.text)
        parts += ["\n" if close else "\n\n", *(f"{head}\n\n" for head in heads), piece.text]
        above, before = piece.heads, piece.text
    return "".join(parts[1:])


def _new_heads(heads: tuple[str, ...], above: tuple[str, ...]) -> tuple[str, ...]:
    """The headings of a piece from the first that is not above it already."""
    for at, head in enumerate(heads):
        if at >= len(above) or head != above[at]:
            return heads[at:]
    return ()


def _framed(slot: Slot, body: str) -> str:
    inside = body
    if slot.quoted:
        fence = "`" * (1 + max(map(len, _TICKS.findall(body)), default=2))
        inside = f"{fence}text\n{body}\n{fence}"
    return "\n\n".join(filter(None, (f"# {slot.title}", slot.intro, inside)))


def _is_line(text: str) -> bool:
    return text != "" and "\n" not in text


def _is_item(text: str) -> bool:
    return _ITEM.match(text) is not None


@lru_cache(maxsize=1 << 13)
def _saying(line: str) -> str:
    return " ".join(wording(_PROMOTED.sub("", _BULLET.sub("", line, count=1))))

"""Who may have how much of a context: own budgets first, then what nobody uses, then what the first
slots may take.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import NamedTuple

STEALERS = 3
"""The first slots, this many, may take room from the others, beginning with the last; nobody takes
from them.
"""


class Claim(Enum):
    """When a slot's turn comes.

    `FIRST`: before all others, and nothing takes its room away. `LAST`: its own budget in its turn,
    but more only if no other slot wants it; it takes nothing from others. `ASKED`: it answers the
    message, and what it wants comes before what is idle in any slot; a larger total never gives it
    less.
    """

    FIRST = 0
    IN_TURN = 1
    LAST = 2
    ASKED = 3


class Need(NamedTuple):
    """In tokens: a slot's budget, what `every` piece of it would take, and what the `eager` ones
    would, which may use more than the budget.

    `firm`: what is shown even if it takes more than the budget.
    """

    budget: int
    every: int
    eager: int
    firm: int = 0
    claim: Claim = Claim.IN_TURN


class Room(NamedTuple):
    """The room of a slot: its own, what it is lent, and what it took from others; `given` was taken
    from it.
    """

    own: int = 0
    lent: int = 0
    stolen: int = 0
    given: int = 0

    @property
    def total(self) -> int:
        return self.own + self.lent + self.stolen - self.given


def rooms(needs: Sequence[Need], total: int) -> list[Room]:
    """The rooms of all slots, in their order; together never more than the total.

    The room of a slot that comes first never shrinks when the total grows.
    """
    shares = [Room()] * len(needs)
    left = total
    for at in _by_claim(needs, lending=False):
        own = min(max(needs[at].budget, needs[at].firm), needs[at].eager, left)
        shares[at] = Room(own)
        left -= own
    asked = [at for at, need in enumerate(needs) if need.claim is Claim.ASKED]
    left = _lend(shares, needs, asked, left)
    for at in _by_claim(needs, lending=False):
        need, own = needs[at], shares[at].own
        idle = min(max(min(max(need.budget, need.firm), need.every) - own, 0), left)
        shares[at] = shares[at]._replace(own=own + idle)
        left -= idle
    _lend(shares, needs, _by_claim(needs, lending=True), left)
    for at in _by_claim(needs[:STEALERS], lending=True):
        if needs[at].claim is not Claim.LAST:
            _steal(shares, at, needs[at].eager - shares[at].total)
    return shares


def _lend(shares: list[Room], needs: Sequence[Need], to: Iterable[int], left: int) -> int:
    """Lends to these slots what they are short of; returns what is left."""
    for at in to:
        lent = min(max(needs[at].eager - shares[at].total, 0), left)
        shares[at] = shares[at]._replace(lent=shares[at].lent + lent)
        left -= lent
    return left


def _by_claim(needs: Sequence[Need], *, lending: bool) -> Iterator[int]:
    """The places of the slots, in the order in which they get their own budget or are lent more."""

    def turn(at: int) -> tuple[bool, bool, int]:
        claim = needs[at].claim
        return claim is not Claim.FIRST, lending and claim is Claim.LAST, at

    return iter(sorted(range(len(needs)), key=turn))


def _steal(shares: list[Room], thief: int, short: int) -> None:
    """Takes what a slot is short of from the last slots."""
    for other in range(len(shares) - 1, STEALERS - 1, -1):
        taken = min(max(short, 0), shares[other].total)
        shares[other] = shares[other]._replace(given=shares[other].given + taken)
        shares[thief] = shares[thief]._replace(stolen=shares[thief].stolen + taken)
        short -= taken

"""Who may have how much of a context: own budgets first, then what nobody uses, then what the first
slots may take.
"""

from collections.abc import Iterator, Sequence
from enum import Enum

from clawgit.values import NamedTuple

STEALERS = 3
"""The first slots, this many, may take room from the others, beginning with the last; nobody takes
from them.
"""


class Claim(Enum):
    """When a slot's turn comes.

    `FIRST`: before all others, and nothing takes its room away. `LAST`: its own budget in its turn,
    but more only if no other slot wants it; it takes nothing from others.
    """

    FIRST = 0
    IN_TURN = 1
    LAST = 2


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
        need = needs[at]
        own = min(max(need.budget, need.firm), need.every, left)
        shares[at] = Room(own)
        left -= own
    for at in _by_claim(needs, lending=True):
        lent = min(max(needs[at].eager - shares[at].own, 0), left)
        shares[at] = shares[at]._replace(lent=lent)
        left -= lent
    for at in _by_claim(needs[:STEALERS], lending=True):
        if needs[at].claim is not Claim.LAST:
            _steal(shares, at, needs[at].eager - shares[at].total)
    return shares


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

"""Who may have how much of a context: own budgets first, then what nobody uses, then what the first
slots may take.
"""

from collections.abc import Sequence
from typing import NamedTuple

STEALERS = 3
"""So many slots, from the first, may take from the others, from the last one on; nobody takes from
these."""


class Need(NamedTuple):
    """A slot's budget, what all of its pieces would take, and what those would that are worth more
    than its own.
    """

    budget: int
    every: int
    eager: int


class Room(NamedTuple):
    """What a slot has of its own, what it is lent, what it took from others; `given` is what was
    taken from it.
    """

    own: int = 0
    lent: int = 0
    stolen: int = 0
    given: int = 0

    @property
    def total(self) -> int:
        return self.own + self.lent + self.stolen - self.given


def rooms(needs: Sequence[Need], total: int) -> list[Room]:
    """The rooms of all slots, in their order; together never more than the total."""
    found = _lent(needs, _own(needs, total), total)
    for at, need in enumerate(needs[:STEALERS]):
        short = need.eager - found[at].total
        for other in range(len(needs) - 1, STEALERS - 1, -1):
            taken = min(max(short, 0), found[other].total)
            found[other] = found[other]._replace(given=found[other].given + taken)
            found[at] = found[at]._replace(stolen=found[at].stolen + taken)
            short -= taken
    return found


def _own(needs: Sequence[Need], left: int) -> list[Room]:
    """Where the total is less than all budgets, the last slots go without."""
    found = []
    for need in needs:
        own = min(need.budget, need.every, left)
        found.append(Room(own))
        left -= own
    return found


def _lent(needs: Sequence[Need], found: Sequence[Room], total: int) -> list[Room]:
    left = total - sum(room.own for room in found)
    lent = []
    for need, room in zip(needs, found, strict=True):
        more = min(max(need.eager - room.own, 0), left)
        lent.append(room._replace(lent=more))
        left -= more
    return lent

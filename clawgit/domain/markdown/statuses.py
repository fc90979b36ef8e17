"""The table of statuses of an entry: what `status=` in its comment can be, one row each."""

from typing import NamedTuple

ACTIVE = "active"
CORRECTED = "corrected"
SUPERSEDED = "superseded"
ARCHIVED = "archived"
DISPUTED = "disputed"


class EntryStatus(NamedTuple):
    """One status. `is_in_use`: the entry counts as memory. `is_replaced`: something newer stands
    for it, which a search weighs instead.
    """

    name: str
    is_in_use: bool = False
    is_replaced: bool = False


ROWS = (
    EntryStatus(ACTIVE, is_in_use=True),
    EntryStatus(CORRECTED, is_replaced=True),
    EntryStatus(SUPERSEDED, is_replaced=True),
    EntryStatus(ARCHIVED),
    # The operator said something against the entry, and it is not settled what is right.
    EntryStatus(DISPUTED, is_in_use=True),
)

STATUSES = tuple(row.name for row in ROWS)
IN_USE = frozenset(row.name for row in ROWS if row.is_in_use)
REPLACED = frozenset(row.name for row in ROWS if row.is_replaced)

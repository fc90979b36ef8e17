"""The table of statuses of a correction: what `Status:` in CORRECTIONS.md can be, one row each."""

from typing import NamedTuple

OPEN = "open"
CONFIRMED = "confirmed"
ARCHIVED = "archived"
ROUTED = "routed"
QUOTED = "quoted"
SETTLED = "settled"
KEPT = "kept"
DISMISSED = "dismissed"
DOUBTED = "doubted"
"""Read in place of the status of one that nothing proves. No file has it."""


class CorrectionStatus(NamedTuple):
    """What follows from the status of a correction."""

    name: str
    result: str = ""
    """The result as a command reports it, where that is not the name."""
    binds: bool = False
    """The operator stands behind it, so memory must not say otherwise."""
    waits: bool = False
    """It waits for the operator's answer."""
    is_answered: bool = False
    """It needs no answer any more: what is said about its entry later is something new."""
    is_indexed: bool = False
    """Its text stands in memory, so the index has to hold it."""
    may_be_archived: bool = False
    """Once the index holds what it has to hold, it may go to the archive."""
    why_silent: str = ""
    """Why a context does not show it; "" if it does."""


ROWS = (
    # It waits for an answer.
    CorrectionStatus(OPEN, result="asked", waits=True),
    # Memory was corrected.
    CorrectionStatus(
        CONFIRMED, result="corrected", binds=True, is_indexed=True, may_be_archived=True
    ),
    # Memory was corrected, and the correction was moved to the archive.
    CorrectionStatus(ARCHIVED, binds=True, is_answered=True),
    # It is not about memory.
    CorrectionStatus(ROUTED, why_silent="not about memory"),
    # The operator's sentence stands under the entry and settles nothing yet.
    CorrectionStatus(QUOTED, waits=True, is_indexed=True),
    # A later correction answers it, and says what is right.
    CorrectionStatus(
        SETTLED, is_answered=True, may_be_archived=True, why_silent="a later one answers it"
    ),
    # The entry stands as it is.
    CorrectionStatus(KEPT, is_answered=True, may_be_archived=True, why_silent="the entry stands"),
    # It was no correction.
    CorrectionStatus(
        DISMISSED, is_answered=True, may_be_archived=True, why_silent="the entry stands"
    ),
    # Somebody says that the operator confirmed it, and nothing shows that.
    CorrectionStatus(DOUBTED, why_silent="it waits for the operator"),
)

_BY_NAME = {row.name: row for row in ROWS}


def status_of(name: str) -> CorrectionStatus:
    """The row of a status. One that somebody else wrote into the file means nothing to clawgit."""
    return _BY_NAME.get(name, CorrectionStatus(name))

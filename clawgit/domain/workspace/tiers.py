"""How long a file of memory is meant to last, by its path alone: its tier, and the day that it is
about.
"""

import re
from datetime import date

from clawgit.domain.workspace.layout import OTHER_NOTEBOOK

SOUL, CORE, WORKING = TIERS = ("T0", "T1", "T2")

_SOULS = frozenset({"SOUL.md", "IDENTITY.md"})
NOTEBOOKS = ("MEMORY.md", "memory.md", OTHER_NOTEBOOK)
"""The names of the notebook; the second is the one that it had first, the third for where the first
is taken."""

_DATE = re.compile(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def tier(path: str) -> str:
    """T0 who the agent is, T1 what stays true, T2 what a day brought; "" for what is none of these,
    as archives are.
    """
    if path in _SOULS:
        return SOUL
    inside = (
        path.startswith("memory/")
        and path.lower().endswith(".md")
        and not path.startswith("memory/archive/")
    )
    if path in NOTEBOOKS or (inside and "/." not in path):
        return WORKING if dated(path) else CORE
    return ""


def dated(path: str) -> date | None:
    """The day that the name of a file speaks of; None makes it evergreen."""
    found = _DATE.search(path.rpartition("/")[2])
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None

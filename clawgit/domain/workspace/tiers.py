"""How long a memory file is meant to last, by its path alone: its tier, and the day it is about."""

from datetime import date
from functools import lru_cache

from clawgit.language.lazily import lazily

SOUL, CORE, WORKING = TIERS = ("T0", "T1", "T2")

_SOULS = frozenset({"SOUL.md", "IDENTITY.md"})
NOTEBOOKS = ("MEMORY.md", "memory.md")
"""The names of the notebook: the usual one, and OpenClaw's old one."""

_DATE = lazily(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


@lru_cache(maxsize=4096)  # a write asks it of each file of memory
def tier(path: str) -> str:
    """T0: who the agent is. T1: lasting facts. T2: notes of a day. "": none of these."""
    if path in _SOULS:
        return SOUL
    if path in NOTEBOOKS or _is_memory(path):
        return WORKING if dated(path) else CORE
    return ""


def _is_memory(path: str) -> bool:
    """Whether it is Markdown below memory/, neither archived nor hidden."""
    if not path.startswith("memory/") or not path.lower().endswith(".md"):
        return False
    return not path.startswith("memory/archive/") and "/." not in path


@lru_cache(maxsize=4096)  # a search asks about each line that it ranks, several times
def dated(path: str) -> date | None:
    """The day in the name of a file; None for a file that is about no day."""
    match = _DATE.search(path.rpartition("/")[2])
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None

"""What `status` shows of the jobs, the language model, the index and the slots."""

from datetime import datetime
from typing import NamedTuple


class JobState(NamedTuple):
    """A job's last run, and its result: done, nothing, failed, cut off, or running.

    All are null before its first run. `next` is its next time by the clock, null if it has none.
    """

    job: str
    last: datetime | None = None
    outcome: str = ""
    trouble: str = ""
    next: datetime | None = None


class ModelState(NamedTuple):
    """The language model; its name is "" if none is set.

    `trouble`: what went wrong in its last call.
    """

    model: str = ""
    tokens_today: int = 0
    cap: int = 0
    trouble: str = ""


class IndexState(NamedTuple):
    """The search index as it is on disk.

    `behind` files differ from it; the next search reads them. `indexed_at` is the commit of HEAD.
    """

    state: str = "not built yet; the first search builds it"
    files: int = 0
    items: int = 0
    behind: int = 0
    indexed_at: str = ""
    bytes: int = 0

"""A question to the memory, and its answer: the hits, and how they were found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.ops.search.outside import Outside


class Request(NamedTuple):
    """A question. None means what the settings say.

    `source` narrows the search to one kind of file, `category` to one kind of memory. `archived`
    includes expired facts; `smart` derives from the question what kind of memory it is after.
    """

    query: str
    limit: int | None = None
    min_score: float | None = None
    at: str = ""
    source: str = ""
    explain: bool = False
    category: str = ""
    archived: bool = False
    smart: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """`startLine` to `endLine` hold the snippet, `line` to `lastLine` the item that was found.

    `explain` says what the score is made of, if asked for. `agent` names the owner of a memory
    other than this workspace's. `disputed` is what the operator said against the entry.
    """

    path: str
    startLine: int  # noqa: N815 - the names are OpenClaw's
    endLine: int  # noqa: N815
    score: float
    snippet: str
    source: str
    citation: str
    entryId: str  # noqa: N815
    tier: str
    line: int
    lastLine: int  # noqa: N815
    explain: Mapping[str, object] | None = None
    agent: str = ""
    disputed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """`fallback` says what answered other than usual, and why.

    `behind` counts the files that the index lacks, `searched` those that were asked; `intent` is
    what a `smart` search read into the question. Where nothing was found, `outside` says what of
    the workspace no search covers.
    """

    results: tuple[Hit, ...]
    provider: str
    model: str
    mode: str
    fallback: str | None
    indexedAt: str  # noqa: N815 - the names are OpenClaw's
    behind: int
    elapsedMs: float  # noqa: N815
    intent: Mapping[str, str] | None = None
    searched: int = 0
    outside: Outside | None = None

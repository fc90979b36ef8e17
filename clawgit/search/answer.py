"""A question to the memory, and its answer: the hits, and how they were found."""

from collections.abc import Mapping

from clawgit.core import NamedTuple


class Request(NamedTuple):
    """A question. None means what the settings say.

    `source` narrows the search to one kind of file, `category` to one kind of memory or to a tag.
    `archived` includes expired facts; `smart` derives from the question what kind of memory it is
    after. `session` is the key of the one that asks.
    Without a `min_score` of its own, a question is also answered with hits that come near the one
    of the settings.
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
    session: str = ""


class Hit(NamedTuple):
    """`snippet` is the sentence that answers, on one line; `before` and `after` are the text around
    it.

    `line` to `lastLine` hold the item that was found; `startLine` to `endLine` what is shown of
    it. `headings` stand above it; the last one of a table's
    row is the table's header. `marks` say why not to trust it as it stands: disputed, superseded,
    pending. `disputed` is what the operator said against the entry. `also` are the places of lines
    that say the same, and are no hits of their own. `likely`: the score reaches the least one, or a
    hit behind it does.

    `explain` says what the score is made of, if asked for. `agent` names the owner of a memory
    other than this workspace's.
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
    before: str = ""
    after: str = ""
    headings: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    likely: bool = True


def noted(*notes: str | None) -> str | None:
    """The notes of an answer as one, without full stops in its middle; None if there is none."""
    return "; ".join(filter(None, notes)).replace(".; ", "; ") or None


class SearchAnswer(NamedTuple):
    """`fallback` says what answered in place of the usual, and why.

    `behind` counts the files that the index lacks or has in part, `searched` those that were asked;
    `intent` is what a `smart` search read into the question. `missing` are the words of the
    question that nothing has that was searched, if that was all.
    """

    results: tuple[Hit, ...]
    provider: str = "sqlite"
    model: str = "fts5"
    mode: str = "core"
    fallback: str | None = None
    indexedAt: str = ""  # noqa: N815 - the names are OpenClaw's
    behind: int = 0
    elapsedMs: float = 0.0  # noqa: N815
    intent: Mapping[str, str] | None = None
    searched: int = 0
    missing: tuple[str, ...] = ()

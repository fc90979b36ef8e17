"""What the comments of entries leave to history (first day, evidence), from the index of
history.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property

from clawgit.domain.facts.past import EntryPast, Past, gathered
from clawgit.ops.change.reading import reading
from clawgit.ops.workspace.workspace import Workspace


def past_of(workspace: Workspace, ident: str = "", until: datetime | None = None) -> Past:
    """The past of one entry, or of all, up to a time."""
    with reading(workspace) as index:
        return gathered(index.entries(ident, int(until.timestamp()) if until else None))


class HistoryPast(Mapping[str, EntryPast]):
    """The past of all entries, read when it is first needed: most runs of agents do not need it."""

    def __init__(self, workspace: Workspace, until: datetime | None = None) -> None:
        self._workspace, self._until = workspace, until

    @cached_property
    def _past(self) -> Past:
        return past_of(self._workspace, until=self._until)

    def __getitem__(self, ident: str) -> EntryPast:
        return self._past[ident]

    def __iter__(self) -> Iterator[str]:
        return iter(self._past)

    def __len__(self) -> int:
        return len(self._past)

"""Folds undos into the changes that they took back, so that one line of a log tells each change."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from clawgit.domain.change.history import Commit
from clawgit.domain.change.undoing import Fate


class LogRow(NamedTuple):
    """A commit, the undo that took it back, and the undos and redos that are folded into it."""

    commit: Commit
    undone_by: str
    folded: tuple[str, ...] = ()


class LogPage(NamedTuple):
    """`more`: the limit left older rows out."""

    rows: tuple[LogRow, ...]
    more: bool


Takes = Callable[[Commit], bool]


def unfolded(fates: Iterable[Fate], takes: Takes, limit: int | None = None) -> LogPage:
    """Every commit that `takes` accepts, newest first."""
    rows: list[LogRow] = []
    for fate in fates:
        if takes(fate.commit):
            if len(rows) == limit:
                return LogPage(tuple(rows), more=True)
            rows.append(LogRow(*fate))
    return LogPage(tuple(rows), more=False)


def folded(fates: Iterable[Fate], takes: Takes, limit: int | None = None) -> LogPage:
    """The same without the undos and redos of changes that are on the page themselves.

    Of those that are about an older change, the newest has a line.
    """
    page = _Page(takes)
    for fate in fates:
        page.add(fate)
        # Counted only now: a change may have made room by taking its undo in.
        if len(page.rows) - 1 == limit:
            page.rows.popitem()
            return page.done(more=True)
    return page.done(more=False)


class _Step:
    """An undo or a redo, and the commits it is about that the page does not have yet."""

    def __init__(self, commit: Commit) -> None:
        self.commit = commit
        self.left = set(commit.message.evidence)


class _Page:
    def __init__(self, takes: Takes) -> None:
        self.rows: dict[str, Fate] = {}
        self._takes = takes
        self._folded: defaultdict[str, list[str]] = defaultdict(list)
        self._about: defaultdict[str, list[_Step]] = defaultdict(list)
        """The steps that are about a commit, by its name; the newest first."""

    def add(self, fate: Fate) -> None:
        commit, is_row = fate.commit, self._takes(fate.commit)
        steps = self._about.pop(commit.name, [])
        if fate.is_step:
            self._add_step(fate, steps, is_row=is_row)
        elif is_row:
            self.rows[commit.sha] = fate
            self._take_in(commit, steps)

    def done(self, *, more: bool) -> LogPage:
        rows = (LogRow(*fate, tuple(self._folded[sha])) for sha, fate in self.rows.items())
        return LogPage(tuple(rows), more=more)

    def _take_in(self, commit: Commit, steps: Iterable[_Step]) -> None:
        """Folds the steps into the change that they are about."""
        for step in steps:
            if commit.name not in step.left:  # it came here by two ways
                continue
            step.left.remove(commit.name)
            self._folded[commit.sha].append(step.commit.name)
            if not step.left:
                self.rows.pop(step.commit.sha, None)

    def _add_step(self, fate: Fate, newer: list[_Step], *, is_row: bool) -> None:
        """Adds an undo or redo. Those that took it back (`newer`) concern the same commits."""
        commit, targets = fate.commit, fate.commit.message.evidence
        if line := self._line_of(newer) or self._line_of_each(targets):
            self._folded[line].append(commit.name)
        elif is_row:
            self.rows[commit.sha] = fate
        for step in newer:
            step.left.discard(commit.name)
            step.left.update(targets)
        steps = [*newer, _Step(commit)]
        for name in targets:
            self._about[name] += steps

    def _line_of(self, steps: Iterable[_Step]) -> str:
        """The newest of the steps that has a line, "" if none has."""
        return next((step.commit.sha for step in steps if step.commit.sha in self.rows), "")

    def _line_of_each(self, names: Iterable[str]) -> str:
        """The same for the steps about several commits; "" where those about one have no line."""
        lines = [self._line_of(self._about.get(name, ())) for name in names]
        return lines[0] if lines and all(lines) else ""

"""Reads the versions of SOUL.md or IDENTITY.md, and where their lines began."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError
from clawgit.git.batch import Batch
from clawgit.git.history.pathlog import PathLog, Version, Versions, told
from clawgit.git.revisions import State, resolve_state
from clawgit.git.rules.authority import Protected
from clawgit.git.rules.history import Commit, ToldChange
from clawgit.git.rules.lines import TELLING, Spot, earlier, normal
from clawgit.git.worktree import read_file
from clawgit.talk.rules.corrections import cited
from clawgit.workspace.workspace_base import WorkspaceBase


def soul_history(workspace: WorkspaceBase, path: str) -> "SoulHistory":
    """The history of one soul as HEAD sees it."""
    (history,) = soul_histories(workspace, (path,))
    return history


def soul_histories(
    workspace: WorkspaceBase, paths: Sequence[str], *, at: str = "HEAD"
) -> tuple["SoulHistory", ...]:
    """The histories of several souls. What one has read, the others do not read again."""
    git = workspace.cgit
    objects = Batch(git)
    head = objects.read([at, *(f"{at}:{path}" for path in paths)])[0]
    index = PathLog(git, head.oid if head else None)
    return tuple(SoulHistory(workspace, index, objects, path) for path in paths)


class SoulHistory:
    """One soul: its versions, the newest first, and what stands in HEAD and on disk."""

    def __init__(self, workspace: WorkspaceBase, index: PathLog, objects: Batch, path: str) -> None:
        self.workspace = workspace
        self.index = index
        self.path = path
        self._objects = objects
        self._commits = dict[str, Commit]()

    @cached_property
    def versions(self) -> Versions:
        return self.index.versions(self.path)

    @cached_property
    def lines(self) -> "Lines":
        return Lines(self)

    @cached_property
    def committed(self) -> str | None:
        return self.text_at("HEAD")

    @cached_property
    def on_disk(self) -> str | None:
        data = read_file(self.workspace.root, self.path).data
        return None if data is None else normal(data)

    def commit(self, oid: str) -> Commit:
        if oid not in self._commits:
            self.expect([oid])
        return self._commits[oid]

    def expect(self, oids: Iterable[str]) -> None:
        """Reads several commits in one call. They are asked for one by one afterwards."""
        self._commits |= {commit.sha: commit for commit in told(self.index.git, oids)}

    def text(self, version: Version) -> str:
        """The text of a version, "" where it deletes the file."""
        return self._texts.get(version.after, "")

    def text_before(self, version: Version) -> str:
        """The text before the commit; for a merge, in the first parent that had a soul."""
        return self._texts.get(next(filter(None, version.before), None), "")

    def sides(self, version: Version) -> tuple[str, ...]:
        """For a merge, the text in each of its parents; else none."""
        parents = self.commit(version.oid).parents
        return tuple(self.text_at(each) or "" for each in parents if len(parents) > 1)

    def text_at(self, rev: str) -> str | None:
        """The soul in any commit."""
        data = self.data_at(rev, self.path)
        return None if data is None else normal(data)

    def data_at(self, oid: str, path: str) -> bytes | None:
        """Any file in a commit."""
        return self._objects.data(f"{oid}:{path}")

    def version_at(self, oid: str | None) -> Version | None:
        """The version in a commit, or in HEAD; None if it has no soul, or one that HEAD never had.

        After a merge, the one in HEAD need not be the newest.
        """
        oid = oid or self.index.head
        if oid is None:
            return None
        [blob] = self._objects.read([f"{oid}:{self.path}"])
        same = self.versions.leaving(blob.oid) if blob else []
        if len(same) > 1:
            # The same text came more than once: prefer the commit itself, then an earlier one.
            time = self.commit(oid).time
            same.sort(key=lambda one: (one.oid != oid, self.commit(one.oid).time > time))
        return next(iter(same), None)

    def state(self, word: str) -> State:
        """The commit of a change id, a revision or a date; for a day before the soul existed, its
        first version.
        """
        path = self.path if self.versions else None
        return resolve_state(
            self.index, word, self.workspace.now, lambda: self.workspace.zone, path
        )

    def point(self, oid: str | None) -> ToldChange | None:
        return self.commit(oid).told if oid else None

    @cached_property
    def _texts(self) -> dict[str | None, str]:
        """Every text that the soul had, by its blob."""
        blobs = {blob for each in self.versions for blob in (each.after, *each.before) if blob}
        return {blob.oid: normal(blob.data) for blob in self._objects.read(sorted(blobs)) if blob}


def absent(history: SoulHistory, rev: str | None = None) -> NotFoundError:
    """The error if there is no soul, at a revision or today."""
    path, hint = history.path, "`clawgit soul log` lists its versions."
    if rev and history.versions:
        message = f"There was no {path} at {rev}, as seen from what is checked out."
        return NotFoundError(message, hint=hint)
    if history.versions:
        return NotFoundError(f"{path} is gone.", hint=f"clawgit restore {path}")
    return NotFoundError(
        f"{path} was never committed.", hint="Write one; `clawgit snapshot` commits it."
    )


class Origin(NamedTuple):
    """A line, and the commits that worded it, newest first. The last one added the line."""

    line: int
    text: str
    commits: tuple[str, ...]


def origins(history: SoulHistory, version: Version | None) -> tuple[Origin, ...]:
    """The lines of a version, each followed back to where it began."""
    traced = () if version is None else history.lines.origins(version.oid)
    history.expect(oid for origin in traced for oid in origin.commits)
    return traced


def protected_lines(history: SoulHistory, version: Version | None) -> tuple[Protected, ...]:
    """The lines of a version that the operator, or a correction of his, added or reworded."""
    return tuple(filter(None, (protection(history, each) for each in origins(history, version))))


def protection(history: SoulHistory, origin: Origin) -> Protected | None:
    """How a line is protected, by its newest such commit; None without one."""
    commits = filter(None, origin.commits) if origin.text.strip() else ()
    for commit in map(history.commit, commits):
        correction = next(filter(None, map(cited, commit.message.evidence)), "")
        if correction or commit.message.by_operator:
            return Protected(origin.text, correction, commit.time, commit.sha)
    return None


_Worded = tuple[str, ...]


class Lines:
    """Which commits worded each line of each version, read forwards through merges, rewordings and
    gaps.
    """

    def __init__(self, history: SoulHistory) -> None:
        self._history = history
        self._read: dict[str, tuple[list[str], list[_Worded]]] = {}
        self._dropped: dict[str, _Worded] = {}
        self._gone: Sequence[Version] = ()
        for version in reversed(history.versions):
            older = [*history.versions.older(version)]
            self._place(version.oid, history.text(version), older)
            if version.after is None:  # a file that comes back goes on where it ended
                self._gone = older

    def on_disk(self) -> tuple[Origin, ...]:
        """The lines on disk: in place of a commit, "" has worded what is not committed."""
        current = self._history.version_at(None)
        self._place("", self._history.on_disk or "", [current] if current else [])
        return self.origins("")

    def origins(self, oid: str) -> tuple[Origin, ...]:
        rows = enumerate(zip(*self._read[oid], strict=True), 1)
        return tuple(
            Origin(number, line, tuple(dict.fromkeys(commits))) for number, (line, commits) in rows
        )

    def _place(self, oid: str, text: str, older: Sequence[Version]) -> None:
        lines, known = text.removesuffix("\n").split("\n") if text else [], list[_Worded]()
        for at, line in enumerate(lines):
            # A blank line goes with what stands above it.
            is_blank = known and not line.strip()
            known.append(known[-1] if is_blank else self._worded(oid, Spot(text, at, line), older))
        self._read[oid] = lines, known
        for before, worded in (self._read[each.oid] for each in older):
            for line in {*before} - {*lines}:
                self._dropped[line] = worded[before.index(line)]

    def _worded(self, oid: str, here: Spot, older: Sequence[Version]) -> _Worded:
        """The commits of a line: of a parent that has it unchanged, else of the line that was
        reworded, or that was dropped once and is back.
        """
        found: list[_Worded] = []
        for each in older or self._gone:
            if then := earlier(here, self._history.text(each)):
                worded = self._read[each.oid][1][then.at]
                if older and then.line == here.line:
                    return worded
                found.append(worded)
        # A short line, such as a bullet or a brace, may come back by chance.
        if not found and len(here.line.strip()) >= TELLING:
            found = [self._dropped.get(here.line, ())]
        return (oid, *(found[0] if found else ()))

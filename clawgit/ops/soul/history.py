"""Reads the versions of SOUL.md or IDENTITY.md, also under earlier names, and where lines began."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from clawgit.domain.change.authority import SOUL, made_by_operator
from clawgit.domain.change.common_ends import common_ends
from clawgit.domain.change.history import Commit
from clawgit.domain.change.lines import TELLING, Spot, earlier, normal
from clawgit.domain.corrections.corrections import cited
from clawgit.doors import difflib
from clawgit.errors import NotFoundError
from clawgit.ops.soul.trail import Trail
from clawgit.ops.workspace.workspace_base import WorkspaceBase
from clawgit.stores.git.batch import Batch, Object
from clawgit.stores.git.history.pathlog import PathLog, Version, Versions
from clawgit.stores.git.place import cut_off
from clawgit.stores.git.revisions import BeforeHistoryError, First, State, resolve, resolve_state
from clawgit.stores.git.worktree import read_file

_PAGE = 64
"""How many versions before and after one are read with it, in one call of git."""


class Point(NamedTuple):
    """A commit in the history of a soul. `id` is None if it has no change id."""

    sha: str
    id: str | None
    time: datetime
    actor: str
    summary: str


@contextmanager
def soul_history(workspace: WorkspaceBase, path: str = SOUL) -> Iterator["SoulHistory"]:
    """The history of one soul as HEAD sees it."""
    with soul_histories(workspace, (path,)) as (history,):
        yield history


@contextmanager
def soul_histories(
    workspace: WorkspaceBase, paths: Iterable[str], *, anew: bool = False
) -> Iterator[tuple["SoulHistory", ...]]:
    """The histories of several souls. What one has read, the others do not read again.

    With `anew`, they are read from git itself: whoever can write to `.git` can change the index.
    """
    paths = tuple(paths)
    git = workspace.cgit
    index, objects = PathLog(workspace.place, git, anew=anew), Batch(git)
    try:
        head = objects.read(["HEAD", *(f"HEAD:{path}" for path in paths)])[0]
        index.refresh(head.oid if head else None)
        yield tuple(SoulHistory(workspace, index, objects, path) for path in paths)
    finally:
        index.close()


class SoulHistory:
    """Texts and commits are read when they are needed, and only once."""

    def __init__(self, workspace: WorkspaceBase, index: PathLog, objects: Batch, path: str) -> None:
        self.workspace = workspace
        self.index = index
        self.path = path
        self._objects = objects
        self._texts: dict[str, str] = {}

    @cached_property
    def versions(self) -> Versions:
        return Trail(self.index, self._objects, self.begins_here).versions(self.path)

    @cached_property
    def committed(self) -> str | None:
        return self.text_at("HEAD")

    @cached_property
    def on_disk(self) -> str | None:
        data = read_file(self.workspace.root, self.path).data
        return None if data is None else normal(data)

    @cached_property
    def current(self) -> Version | None:
        """The version in HEAD, if any. After a merge, this need not be the newest."""
        return self.version_at(self.index.head) if self.index.head else None

    def commit(self, oid: str) -> Commit:
        return self._objects.read_commits([oid])[0]

    def expect(self, oids: Iterable[str]) -> None:
        """Reads several commits in one call. They are asked for one by one afterwards."""
        self._objects.read_commits(oids)

    def expect_texts(self, versions: Iterable[Version]) -> None:
        """The same for the texts before and after these versions."""
        self._read_texts(blob for version in versions for blob in (version.after, *version.before))

    def text(self, version: Version) -> str | None:
        return self._text_of(version, version.after)

    def text_before(self, version: Version) -> str | None:
        """The text before the commit; for a merge, in the first parent that had a soul."""
        return self._text_of(version, next(filter(None, version.before), None))

    def text_at(self, rev: str) -> str | None:
        """The soul in any commit, under its name there."""
        blob = self._blob_at(rev)
        return None if blob is None else normal(blob.data)

    def data_at(self, oid: str, path: str) -> bytes | None:
        """Another file in a commit."""
        return self._objects.data(f"{oid}:{path}")

    def version_at(self, oid: str) -> Version | None:
        """The version in a commit; None if it has no soul, or one that HEAD never had."""
        blob = self._blob_at(oid)
        if blob is None:
            return None
        same = self.versions.leaving(blob.oid)
        if len(same) > 1:
            time = self.commit(oid).time
            self.expect(version.oid for version in same)
            # The same text came more than once: prefer the commit itself, then an earlier one.
            same.sort(
                key=lambda version: (version.oid != oid, self.commit(version.oid).time > time)
            )
        return next(iter(same), None)

    def resolve(self, word: str) -> str:
        """The commit of a change id, a revision or a date."""
        return resolve(self.index, word, self.workspace.now, lambda: self.workspace.zone)

    def begin(self, word: str) -> str | None:
        """The same; None for a day before all history, so that everything is later."""
        try:
            return self.resolve(word)
        except BeforeHistoryError:
            return None

    def state(self, word: str) -> State:
        """The same; for a day before the soul existed, its first version."""
        first = First(self.path, self._oldest)
        return resolve_state(
            self.index, word, self.workspace.now, lambda: self.workspace.zone, first
        )

    def descent(self, version: Version | None) -> Iterator[Version]:
        """A version and the ones before it, along first parents, also across a deletion."""
        while version is not None:
            yield version
            version = next(self.versions.older(version), None) or self._before_the_gap(version)

    def begins_here(self, oid: str) -> bool:
        """Whether this shallow clone starts at the commit. Its text may then be older."""
        return oid in self._cut_off

    def _oldest(self) -> str | None:
        """The first version of the soul; if there never was one, the first commit."""
        oids = (version.oid for version in reversed(self.versions) if version.after)
        return next(oids, None) or self.index.first()

    def _before_the_gap(self, version: Version) -> Version | None:
        if any(version.before):
            return None
        rest = self.versions[self.versions.place(version) + 1 :]
        return next((older for older in rest if older.after is None), None)

    def _text_of(self, version: Version, blob: str | None) -> str | None:
        if blob and blob not in self._texts:
            self.expect_texts([version, *self._beside(version)])
        return self._texts.get(blob) if blob else None

    def _beside(self, version: Version) -> tuple[Version, ...]:
        """The versions around one: a caller that reads one reads the next ones too."""
        place = self.versions.place(version)
        return self.versions[max(place - _PAGE, 0) : place + _PAGE]

    def _read_texts(self, blobs: Iterable[str | None]) -> None:
        wanted = [oid for oid in dict.fromkeys(blobs) if oid and oid not in self._texts]
        objects = zip(wanted, self._objects.read(wanted), strict=True)
        self._texts.update({oid: normal(blob.data) for oid, blob in objects if blob})

    def _blob_at(self, rev: str) -> Object | None:
        # For HEAD today's name is enough: for earlier names the whole trail must be read.
        names = (
            [self.path]
            if rev == "HEAD"
            else list(dict.fromkeys([self.path, *(version.path for version in self.versions)]))
        )
        return next(filter(None, self._objects.read([f"{rev}:{name}" for name in names])), None)

    @cached_property
    def _cut_off(self) -> frozenset[str]:
        return frozenset(cut_off(self.workspace.place).split())


def point(history: SoulHistory, oid: str) -> Point:
    commit = history.commit(oid)
    return Point(oid, commit.id, commit.time, commit.actor, commit.message.headline)


def absent(history: SoulHistory, rev: str | None) -> NotFoundError:
    """The error if there is no soul, at a revision or today."""
    path = history.path
    if rev and history.versions:
        return NotFoundError(
            f"There was no {path} at {rev}.", hint="`clawgit soul log` lists its versions."
        )
    if history.on_disk is not None:
        return NotFoundError(
            f"{path} was never committed.", hint="`clawgit snapshot` commits what is on disk."
        )
    if history.versions:
        return NotFoundError(f"{path} is gone.", hint=f"clawgit restore {path}")
    return NotFoundError(
        f"There is no {path}, and never was.", hint="Write one; `clawgit snapshot` commits it."
    )


class Origin(NamedTuple):
    """A line, and the commits that worded it, newest first. The last one added the line."""

    line: int
    text: str
    commits: tuple[str, ...]


class ProtectedLine(NamedTuple):
    """A line that the operator, or a correction of his, added or reworded: the newest such commit.

    `correction` is "" where he did it himself.
    """

    line: str
    correction: str
    time: datetime
    origin: str


def origins(history: SoulHistory, version: Version | None) -> tuple[Origin, ...]:
    """The lines of a version, each followed back through merges, rewordings and gaps."""
    traced = () if version is None else tuple(_Blame(history).origins(version))
    history.expect(oid for origin in traced for oid in origin.commits)
    return traced


def protected_lines(history: SoulHistory, at: str = "") -> tuple[ProtectedLine, ...]:
    """The protected lines of the soul in a commit; in HEAD, if none is named."""
    version = history.version_at(at) if at else history.current
    return tuple(filter(None, (protection(history, each) for each in origins(history, version))))


def protection(history: SoulHistory, origin: Origin) -> ProtectedLine | None:
    """How a line is protected; None if neither the operator nor a correction worded it."""
    for commit in map(history.commit, origin.commits):
        correction = next(filter(None, map(cited, commit.message.evidence)), "")
        if correction or (made_by_operator(commit.message) and origin.text.strip()):
            return ProtectedLine(origin.text, correction, commit.time, commit.sha)
    return None


class _Blame:
    """Follows all lines back at once. Each waits at a version, by its place in that text."""

    def __init__(self, history: SoulHistory) -> None:
        self._history = history
        self._owed: defaultdict[int, list[str]] = defaultdict(list)
        self._waiting: defaultdict[Version, dict[int, int]] = defaultdict(dict)
        self._born: dict[int, tuple[Version, str]] = {}
        self._cut: dict[str | None, list[str]] = {}

    def origins(self, version: Version) -> Iterator[Origin]:
        self._history.expect_texts(self._history.versions)
        lines = self._lines(version)
        self._waiting[version] = {at: at for at in range(len(lines))}
        while self._waiting:
            # Newest first: by then, all lines that reach this version have arrived.
            newest = min(self._waiting, key=self._history.versions.place)
            self._pass_on(newest, self._waiting.pop(newest))
            if not self._waiting:
                self._bring_back()
        for number, line in enumerate(lines):
            yield Origin(number + 1, line, tuple(dict.fromkeys(self._owed[number])))

    def _pass_on(self, version: Version, here: dict[int, int]) -> None:
        """Passes each line on to an older version that has it. The others were written here."""
        lines = self._lines(version)
        for older in self._history.versions.older(version):
            places = unchanged(self._lines(older), lines)
            self._waiting[older].update(
                {number: places[at] for number, at in here.items() if places[at] >= 0}
            )
            here = {number: at for number, at in here.items() if places[at] < 0}
        for number, at in here.items():
            self._owed[number].append(version.oid)
            self._trace(number, version, Spot(self._history.text(version) or "", at, lines[at]))

    def _trace(self, number: int, version: Version, here: Spot) -> None:
        for older in self._history.versions.older(version) if here.line.strip() else ():
            if then := earlier(here, self._history.text(older) or ""):
                self._waiting[older][number] = then.at
                return
        self._born[number] = version, here.line

    def _bring_back(self) -> None:
        """Follows lines that were dropped and came back to before they were dropped."""
        for number, (version, line) in self._born.items():
            # A short line, such as a bullet or a brace, may come back by chance.
            gone = self._dropped.get(line, ()) if len(line.strip()) >= TELLING else ()
            at = self._history.versions.place(version)
            older = next((had for had in gone if self._history.versions.place(had) > at), None)
            if older is not None:
                self._waiting[older][number] = self._lines(older).index(line)
        self._born = {}

    @cached_property
    def _dropped(self) -> dict[str, list[Version]]:
        """Line → the versions whose successor lacks it, newest first."""
        dropped: defaultdict[str, list[Version]] = defaultdict(list)
        for version in self._history.versions:
            for older in self._history.versions.older(version):
                for line in {*self._lines(older)} - {*self._lines(version)}:
                    dropped[line].append(older)
        return dropped

    def _lines(self, version: Version) -> list[str]:
        if version.after not in self._cut:
            text = self._history.text(version)
            self._cut[version.after] = text.removesuffix("\n").split("\n") if text else []
        return self._cut[version.after]


def unchanged(olds: list[str], news: list[str]) -> list[int]:
    """For each new line the place of the same old line, -1 if it is new or reworded."""
    head, tail = common_ends(olds, news)
    old, new = olds[head : len(olds) - tail], news[head : len(news) - tail]
    middle = [-1] * len(new)
    if not {*old}.isdisjoint(new):
        for i, j, size in difflib.SequenceMatcher(
            None, old, new, autojunk=False
        ).get_matching_blocks():
            middle[j : j + size] = range(head + i, head + i + size)
        for j, line in enumerate(new):
            if middle[j] < 0 and old.count(line) == new.count(line) == 1:
                middle[j] = head + old.index(line)
    return [*range(head), *middle, *range(len(olds) - tail, len(olds))]

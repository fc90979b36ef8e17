"""`why`: every change to a line, followed back through the versions of its file and of others."""

import hashlib
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from clawgit.domain.change.history import Commit
from clawgit.domain.change.lines import (
    TELLING,
    Spot,
    claw_id,
    earlier,
    moved_from,
    normal,
    same_line,
    spot,
    spot_of,
)
from clawgit.domain.change.told import ToldChange, told_of
from clawgit.domain.markdown.entry import content_key, entries, holds_entries
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change.reading import reading
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.grep import grep, last_change_of, markdown_files
from clawgit.stores.git.history.pathlog import PathLog, Touch
from clawgit.stores.git.history.pickaxe import PLAIN, hunks
from clawgit.stores.git.worktree import read_file, relative_path
from clawgit.values import NamedTuple

_PLACE = re.compile(r"(?P<path>.+?)(?::|#L)(?P<line>[0-9]+)(?:-L?[0-9]+)?")
_ENTRY = re.compile(r"(?:claw:)?(?P<id>[a-z][a-z0-9]{3,15})")
_CONTENT_KEY = re.compile(r"h[0-9a-f]{7}")
_MEMORY = ("MEMORY.md", "memory.md", "memory")
_LOST_FOR = 200
"""A line that comes back after more versions of its file than this counts as new."""

_MOST_FILES = 200
"""A commit that touches more files than this is an import, and not searched for moved lines."""


@dataclass(frozen=True, slots=True)
class Turn(ToldChange):
    """One change to the line. `kind`: born, changed, moved (from another file), removed or
    returned.

    `path`, `line` and `text` are those after the change, or before it if the line was removed.
    """

    kind: str
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Life:
    """A line and its changes, newest first. `state`: committed, uncommitted or removed."""

    path: str
    line: int
    text: str
    state: str
    changes: tuple[Turn, ...]


class FoundLine(NamedTuple):
    """Where the search starts: a line on disk or in HEAD, or the commit that removed it."""

    path: str
    here: Spot
    state: str
    removed_by: str | None = None


def why(workspace: Workspace, place: str) -> Life:
    """The changes to a line. `PATH:LINE` counts lines on disk; an entry id is found anywhere."""
    with reading(workspace) as index:
        found = _find(workspace, index, place)
        return Life(
            path=found.path,
            line=found.here.at + 1,
            text=found.here.line,
            state=found.state,
            changes=tuple(_Teller(workspace, index).tell(found)),
        )


def _nameless(workspace: Workspace, place: str) -> UsageError:
    """The error for a place that is no line and no entry; for a file, it says what to type."""
    if (workspace.root / place).is_file():
        return UsageError(
            f"{place!r} is a file; name one of its lines.",
            hint=f"clawgit why '{place}:1', or for the whole file clawgit log -p '{place}'",
        )
    return UsageError(
        f"{place!r} is neither a line nor an entry.",
        hint="clawgit why MEMORY.md:3, or clawgit why claw:m7k2q9; for words, clawgit bisect "
        f"{shlex.quote(place)}",
    )


def _find(workspace: Workspace, index: PathLog, place: str) -> FoundLine:
    named = _PLACE.fullmatch(place)
    if named and not place.startswith("claw:"):
        return _find_line(workspace, index, named["path"], int(named["line"]))
    entry = _ENTRY.fullmatch(place)
    if not entry:
        raise _nameless(workspace, place)
    return find_entry(workspace, index, entry["id"])


def find_entry(workspace: Workspace, index: PathLog, ident: str) -> FoundLine:
    """Where an entry is, or last was, by its id or by the hash of its text."""
    found = (
        _find_on_disk(workspace, index, ident)
        or _find_by_text(workspace, index, ident)
        or _find_in_head(workspace, index, ident)
        or _find_removed(workspace, index, ident)
    )
    if found is None:
        raise NotFoundError(
            f"No entry here has or had the id {ident}.",
            hint="Name the line instead: clawgit why MEMORY.md:3",
        )
    return found


def _find_line(workspace: Workspace, index: PathLog, name: str, line: int) -> FoundLine:
    path = relative_path(workspace.root, name)
    data = read_file(workspace.root, path).data
    if data is None:
        hint = (
            f"It is in history: clawgit log '{path}'"
            if index.commits(path, 1)
            else "Name a file as PATH:LINE."
        )
        raise NotFoundError(f"There is no file {path}.", hint=hint)
    text = normal(data)
    here = spot(text, line - 1)
    if here is None:
        count = len(text.splitlines())
        raise UsageError(
            f"{path} has no line {line}.",
            hint=f"It has {count}: clawgit why '{path}:{max(count, 1)}'",
        )
    return FoundLine(path, here, _state(workspace, index, path, here))


def _state(workspace: Workspace, index: PathLog, path: str, here: Spot) -> str:
    data = workspace.git.read(index.head, path) if index.head else None
    then = None if data is None else earlier(here, normal(data))
    return "committed" if then and then.line == here.line else "uncommitted"


def _find_on_disk(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    for hit in grep(index.git, f"claw:{ident}"):
        if claw_id(hit.line) == ident:
            return _find_line(workspace, index, hit.path, hit.at + 1)
    return None


def _find_by_text(workspace: Workspace, index: PathLog, key: str) -> FoundLine | None:
    """Finds an entry by the hash of its text. That works even if it has an id by now."""
    for path in markdown_files(index.git) if _CONTENT_KEY.fullmatch(key) else []:
        if not holds_entries(path) or not (data := read_file(workspace.root, path).data):
            continue
        here = _spot_of_key(normal(data), key)
        if here is not None:
            return _find_line(workspace, index, path, here.at + 1)
    return None


def _find_in_head(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    """An entry that was deleted on disk, which is not committed yet."""
    if index.head and _CONTENT_KEY.fullmatch(ident):
        gone = _spot_in(index.git, index.head, ident)
        return FoundLine(*gone, "removed") if gone else None
    for hit in grep(index.git, f"claw:{ident}", rev=index.head) if index.head else []:
        here = spot_of(normal(workspace.git.read(index.head, hit.path) or b""), ident)
        if here:
            return FoundLine(hit.path, here, "removed")
    return None


def _find_removed(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    if index.head and _CONTENT_KEY.fullmatch(ident):
        return _find_removed_text(workspace, index, index.head, ident)
    oid = last_change_of(index.git, f"claw:{ident}", index.head) if index.head else None
    if oid is None:
        return None
    parent = _parent(workspace, oid)
    for path in index.paths(oid):
        here = spot_of(normal(workspace.git.read(parent, path) or b""), ident)
        if here:
            return FoundLine(path, here, "removed", oid)
    return None


def _find_removed_text(
    workspace: Workspace, index: PathLog, head: str, key: str
) -> FoundLine | None:
    removal = _removal_of(index.git, head, key)
    if removal is None:
        return None
    oid, path = removal
    here = _spot_of_key(normal(workspace.git.read(_parent(workspace, oid), path) or b""), key)
    return FoundLine(path, here, "removed", oid) if here else None


def _parent(workspace: Workspace, oid: str) -> str | None:
    return next(iter(workspace.git.commit(oid).parents), None)


class _Teller:
    """Walks back through the versions of a file. Each is read once: the older text of one step is
    the newer one of the next.
    """

    def __init__(self, workspace: Workspace, index: PathLog) -> None:
        self._workspace = workspace
        self._index = index

    def tell(self, found: FoundLine) -> Iterator[Turn]:
        touches = self._index.touches(found.path)
        if found.removed_by:
            yield self._turn("removed", found.removed_by, found.path, found.here._replace(line=""))
            yield from self._walk(
                found.path, touches, _version_before(touches, found.removed_by), found.here
            )
            return
        data = self._workspace.git.read(self._index.head, found.path) if self._index.head else None
        here = None if data is None else earlier(found.here, normal(data))
        if data is not None and here is not None:
            yield from self._walk(found.path, touches, _version_of(touches, data), here)

    def _walk(self, path: str, touches: list[Touch], at: int | None, here: Spot) -> Iterator[Turn]:
        """`at` is the touch that made the version in which the line is at `here`."""
        while at is not None:
            oid = touches[at].oid
            step = self._step(path, touches, at, here)
            if step is not None:
                at, then = step
                if then.line != here.line:
                    yield self._turn("changed", oid, path, here)
                here = then
                continue
            if (lost := self._lost(path, touches, at, here)) is not None:
                at, then = lost
                yield self._turn("returned", oid, path, here)
                yield self._turn("removed", touches[at - 1].oid, path, then._replace(line=""))
                here = then
                continue
            source = self._source(oid, path, here)
            yield self._turn("moved" if source else "born", oid, path, here)
            if source is None:
                return
            path, here = source
            touches = self._index.touches(path)
            at = _version_before(touches, oid)

    def _lost(
        self, path: str, touches: list[Touch], at: int, here: Spot
    ) -> tuple[int, Spot] | None:
        """An older version with the same line, which was removed and came back, for instance by an
        undo.
        """
        if len(here.line.strip()) < TELLING:
            return None
        for older in range(at + 2, min(len(touches), at + _LOST_FOR)):
            then = same_line(here.line, self._text(touches[older].oid, path))
            if then is not None:
                return older, then
        return None

    def _step(
        self, path: str, touches: list[Touch], at: int, here: Spot
    ) -> tuple[int, Spot] | None:
        """The same line one version earlier. For a merge, the parent that has it unchanged comes
        first.
        """
        found = None
        for older in _older(touches, at):
            then = earlier(here, self._text(touches[older].oid, path))
            if then is not None and then.line == here.line:
                return older, then
            if then is not None and found is None:
                found = older, then
        return found

    def _source(self, oid: str, path: str, here: Spot) -> tuple[str, Spot] | None:
        """The place in another file from which the same commit removed the line."""
        parent = _parent(self._workspace, oid)
        if parent is None:
            return None
        others = [
            other
            for other in self._index.paths(oid)
            if other != path and other.lower().endswith(".md")
        ]
        if len(others) > _MOST_FILES:
            return None
        return moved_from(
            here, {other: (self._text(parent, other), self._text(oid, other)) for other in others}
        )

    def _text(self, oid: str, path: str) -> str:
        return normal(self._workspace.git.read(oid, path) or b"")

    def _turn(self, kind: str, oid: str, path: str, here: Spot) -> Turn:
        return turn_of(self._workspace.git.commit(oid), kind, path, here.at + 1, here.line)


def turn_of(commit: Commit, kind: str, path: str, line: int, text: str) -> Turn:
    """What a commit did to a line, with who made it and why."""
    return Turn(
        *told_of(commit),
        kind=kind,
        path=path,
        line=line,
        text=text,
    )


def _older(touches: list[Touch], at: int) -> Iterator[int]:
    """The touches right before one: one, or several for a merge."""
    wanted = dict.fromkeys(blob for blob in touches[at].before if blob)
    for blob in wanted:
        older = next((n for n in range(at + 1, len(touches)) if touches[n].after == blob), None)
        if older is not None:
            yield older


def _version_before(touches: list[Touch], oid: str) -> int | None:
    """The touch right before a commit."""
    at = next((n for n, touch in enumerate(touches) if touch.oid == oid), None)
    return None if at is None else next(_older(touches, at), None)


def _version_of(touches: list[Touch], data: bytes) -> int | None:
    """The newest touch that left the file with this content, found by its blob id."""
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return next((n for n, touch in enumerate(touches) if touch.after == blob), None)


def _spot_of_key(text: str, key: str) -> Spot | None:
    """The line of the entry whose text has this key, whether or not it has an id."""
    at = next((entry.line - 1 for entry in entries(text) if content_key(entry.text) == key), None)
    return None if at is None else spot(text, at)


def _spot_in(git: CGit, rev: str, key: str) -> tuple[str, Spot] | None:
    """The file and the line of an entry in a commit."""
    listed = git.text("ls-tree", "-r", "-z", "--name-only", rev, "--", *_MEMORY).split("\0")
    paths = [path for path in listed if holds_entries(path) and "\n" not in path]
    for path, found in zip(paths, Batch(git).read(f"{rev}:{path}" for path in paths), strict=True):
        if found and (here := _spot_of_key(normal(found.data), key)):
            return path, here
    return None


def _removal_of(git: CGit, head: str, key: str) -> tuple[str, str] | None:
    """The newest commit that removed an entry, and the file. Slow: it reads history back to it."""
    history = git.start(
        *("-c", "core.quotePath=false", "log", "-p", "-U0", "--format=%x00%H"),
        *PLAIN,
        *(head, "--", *_MEMORY),
    )
    for hunk in hunks(history.lines()):
        if _spot_of_key("".join(f"{line}\n" for line in hunk.removed), key):
            return hunk.oid, hunk.path
    return None

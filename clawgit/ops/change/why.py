"""`why`: every change to a line, followed back through the versions of its file and of others."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from clawgit.domain.change.ids import blob_id
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
from clawgit.domain.change.place import place_of
from clawgit.domain.change.told import ToldChange, told_of
from clawgit.domain.markdown.entry import content_key, entries, holds_entries, is_content_key
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change.reading import reading
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.pathlog import PathLog, Version, Versions
from clawgit.stores.git.history.streams import (
    GrepHit,
    Removed,
    grep,
    last_change_of,
    pattern_of,
    removed_lines,
)
from clawgit.stores.git.worktree import read_file, relative_path
from clawgit.stores.index.sources import is_log

_ENTRY = re.compile(r"(?:claw:)?(?P<id>[a-z][a-z0-9]{3,15})")
_LONGEST = 80
"""How much of a phrase is searched for."""

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
        return _life(workspace, index, _find(workspace, index, place))


def _life(workspace: Workspace, index: PathLog, found: FoundLine) -> Life:
    return Life(
        path=found.path,
        line=found.here.at + 1,
        text=found.here.line,
        state=found.state,
        changes=tuple(_Teller(workspace, index).tell(found)),
    )


def when(workspace: Workspace, words: str) -> Life:
    """The changes to the entry with these words, or with this id, even if it is gone.

    Of several, one that stands on disk, in a file of memory if there is one.
    """
    with reading(workspace) as index:
        phrase = " ".join(words.split())
        named = _ENTRY.fullmatch(phrase)
        found = _entry(workspace, index, named["id"]) if named else None
        if found is None and phrase:
            found = _with_words(workspace, index, pattern_of(phrase[:_LONGEST]))
        if found is None:
            raise NotFoundError(
                "No line of the memory has or had these words.",
                hint="Give fewer words, as they were in one line, or the id of the entry.",
            )
        return _life(workspace, index, found)


def _with_words(workspace: Workspace, index: PathLog, pattern: str) -> FoundLine | None:
    """The line that matches; if none does, the one that did so last."""
    if hits := _memory_hits(index.git, pattern):
        return _find_line(workspace, index, hits[0].path, hits[0].at + 1)
    if index.head is None:
        return None
    for hit in _memory_hits(index.git, pattern, index.head):
        here = spot(normal(workspace.git.read(index.head, hit.path) or b""), hit.at)
        if here is not None:
            return FoundLine(hit.path, here, "removed")
    return _last_with_words(workspace, index, index.head, pattern)


def _memory_hits(git: CGit, pattern: str, rev: str | None = None) -> list[GrepHit]:
    """The matching lines, without logs, which quote what memory does not hold; memory first."""
    hits = grep(git, pattern, rev=rev, as_pattern=True)
    found = (hit for hit in hits if not is_log(hit.path))
    return sorted(found, key=lambda hit: not holds_entries(hit.path))


def _last_with_words(
    workspace: Workspace, index: PathLog, head: str, pattern: str
) -> FoundLine | None:
    said = re.compile(pattern.replace("[:space:]", r"\s"), re.IGNORECASE)
    hunks = removed_lines(index.git, head, pattern=pattern)
    gone = ((hunk, line) for hunk in hunks if not is_log(hunk.path) for line in hunk.lines)
    hunk, line = next(((hunk, line) for hunk, line in gone if said.search(line)), (None, ""))
    return _gone(workspace, index, hunk, line) if hunk else None


def _gone(workspace: Workspace, index: PathLog, hunk: Removed, line: str) -> FoundLine | None:
    """A line that a commit took away: its entry, which may have other words now, or the line."""
    if (ident := claw_id(line)) and (found := _entry(workspace, index, ident)):
        return found
    text = workspace.git.read(workspace.git.parent_of(hunk.oid), hunk.path)
    here = same_line(line, normal(text or b""))
    return FoundLine(hunk.path, here, "removed", hunk.oid) if here else None


def _nameless(workspace: Workspace, place: str) -> UsageError:
    """The error for a place that is no line and no entry; for a file, it says what to type."""
    if (workspace.root / place).is_file():
        return UsageError(
            f"{place!r} is a file; name one of its lines.",
            hint=f"clawgit why '{place}:1', or for the whole file clawgit log -p '{place}'",
        )
    return UsageError(
        f"{place!r} is neither a line nor an entry.",
        hint="clawgit why MEMORY.md:3, or clawgit why claw:m7k2q9; for words, clawgit why --when "
        f"{shlex.quote(place)}",
    )


def _find(workspace: Workspace, index: PathLog, place: str) -> FoundLine:
    named = place_of(place)
    if named and not place.startswith("claw:"):
        return _find_line(workspace, index, named.path, named.line)
    entry = _ENTRY.fullmatch(place)
    if not entry:
        raise _nameless(workspace, place)
    found = _entry(workspace, index, entry["id"])
    if found is None:
        raise NotFoundError(
            f"No entry here has or had the id {entry['id']}.",
            hint="Name the line instead: clawgit why MEMORY.md:3",
        )
    return found


def _entry(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    """Where an entry is, or last was, by its id or by the hash of its text."""
    return (
        _on_disk(workspace, index, ident)
        or _in_head(workspace, index, ident)
        or _removed(workspace, index, ident)
    )


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


def _on_disk(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    for path in _holders(index.git, ident):
        here = _line_of(read_file(workspace.root, path).data, ident)
        if here is not None:
            return _find_line(workspace, index, path, here.at + 1)
    return None


def _in_head(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    """An entry that was deleted on disk, which is not committed yet."""
    for path in _holders(index.git, ident, index.head) if index.head else ():
        here = _line_of(workspace.git.read(index.head, path), ident)
        if here is not None:
            return FoundLine(path, here, "removed")
    return None


def _removed(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    for oid, path in _removals(index, ident):
        here = _line_of(workspace.git.read(workspace.git.parent_of(oid), path), ident)
        if here is not None:
            return FoundLine(path, here, "removed", oid)
    return None


def _holders(git: CGit, ident: str, rev: str | None = None) -> list[str]:
    """The files that may hold an entry, on disk or in a commit."""
    paths = [hit.path for hit in grep(git, f"claw:{ident}", rev=rev)]
    if is_content_key(ident):
        listed = sorted(git.files(":(icase)*.md")) if rev is None else _memory_of(git, rev)
        paths += filter(holds_entries, listed)
    return list(dict.fromkeys(paths))


def _memory_of(git: CGit, rev: str) -> list[str]:
    return git.text("ls-tree", "-r", "-z", "--name-only", rev, "--", *_MEMORY).split("\0")


def _removals(index: PathLog, ident: str) -> Iterator[tuple[str, str]]:
    """Commits and files from which they may have removed an entry, newest first.

    Slow: it reads history back to them.
    """
    if index.head is None:
        return
    if not is_content_key(ident):
        oid = last_change_of(index.git, f"claw:{ident}", index.head)
        yield from ((oid, path) for path in index.paths([oid])[oid]) if oid else ()
        return
    for hunk in removed_lines(index.git, index.head, *_MEMORY):
        if _place_of_key("".join(f"{line}\n" for line in hunk.lines), ident) is not None:
            yield hunk.oid, hunk.path


def _line_of(data: bytes | None, ident: str) -> Spot | None:
    """The line of the entry with an id, or with the hash of its text, even if it has an id."""
    text = normal(data or b"")
    here = spot_of(text, ident)
    if here is None and is_content_key(ident):
        at = _place_of_key(text, ident)
        here = None if at is None else spot(text, at)
    return here


def _place_of_key(text: str, key: str) -> int | None:
    found = (entry.line - 1 for entry in entries(text) if content_key(entry.text) == key)
    return next(found, None)


class _Teller:
    """Walks back through the versions of a file. Each is read once: the older text of one step is
    the newer one of the next.
    """

    def __init__(self, workspace: Workspace, index: PathLog) -> None:
        self._workspace = workspace
        self._index = index

    def tell(self, found: FoundLine) -> Iterator[Turn]:
        versions = self._index.versions(found.path)
        here: Spot | None
        if found.removed_by:
            version, here = _before(versions, found.removed_by), found.here
            yield self._turn("removed", found.removed_by, found.path, here._replace(line=""))
        else:
            data = self._workspace.git.read(self._index.head, found.path)
            version = next(iter(versions.leaving(blob_id(data or b""))), None)
            here = None if data is None else earlier(found.here, normal(data))
        if here is not None:
            yield from self._walk(versions, version, here)

    def _walk(self, versions: Versions, version: Version | None, here: Spot) -> Iterator[Turn]:
        """`version` is the one in which the line is at `here`."""
        while version is not None:
            oid, path = version.oid, version.path
            if step := self._step(versions, version, here):
                version, then = step
                if then.line != here.line:
                    yield self._turn("changed", oid, path, here)
                here = then
            elif lost := self._lost(versions, version, here):
                version, then = lost
                removal = versions[versions.place(version) - 1].oid
                yield self._turn("returned", oid, path, here)
                yield self._turn("removed", removal, path, then._replace(line=""))
                here = then
            elif source := self._source(oid, path, here):
                yield self._turn("moved", oid, path, here)
                path, here = source
                versions = self._index.versions(path)
                version = _before(versions, oid)
            else:
                yield self._turn("born", oid, path, here)
                return

    def _lost(
        self, versions: Versions, version: Version, here: Spot
    ) -> tuple[Version, Spot] | None:
        """An older version with the same line, which was removed and came back, for instance by an
        undo.
        """
        if len(here.line.strip()) < TELLING:
            return None
        at = versions.place(version)
        for older in versions[at + 2 : at + _LOST_FOR]:
            if then := same_line(here.line, self._text(older.oid, older.path)):
                return older, then
        return None

    def _step(
        self, versions: Versions, version: Version, here: Spot
    ) -> tuple[Version, Spot] | None:
        """The same line one version earlier. For a merge, the parent that has it unchanged comes
        first.
        """
        found = None
        for older in versions.older(version):
            then = earlier(here, self._text(older.oid, older.path))
            if then is not None and then.line == here.line:
                return older, then
            if then is not None and found is None:
                found = older, then
        return found

    def _source(self, oid: str, path: str, here: Spot) -> tuple[str, Spot] | None:
        """The place in another file from which the same commit removed the line."""
        parent = self._workspace.git.parent_of(oid)
        if parent is None:
            return None
        others = [
            other
            for other in self._index.paths([oid])[oid]
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
        commit = self._workspace.git.commit(oid)
        return Turn(*told_of(commit), kind=kind, path=path, line=here.at + 1, text=here.line)


def _before(versions: Versions, oid: str) -> Version | None:
    """The version right before that of a commit."""
    version = versions.made_by(oid)
    return next(versions.older(version), None) if version else None

"""`why`: every change to a line, followed back through the versions of its file and of others."""

import os
import re
from collections.abc import Callable, Iterator

from clawgit.core import NamedTuple
from clawgit.core.errors import NotFoundError, UsageError
from clawgit.core.markdown.entry import content_key, entries, holds_entries, is_content_key
from clawgit.git.history.pathlog import PathLog, Version, Versions, told
from clawgit.git.history.streams import GrepHit, grep, pattern_of, removed_lines
from clawgit.git.rules.common_ends import common_start
from clawgit.git.rules.history import ToldChange
from clawgit.git.rules.ids import blob_id
from clawgit.git.rules.lines import (
    TELLING,
    Spot,
    claw_id,
    earlier,
    moved_from,
    normal,
    place_of,
    same_line,
    spot,
    spot_of,
)
from clawgit.git.worktree import read_file, relative_path
from clawgit.history.log import past
from clawgit.workspace.discover import is_log
from clawgit.workspace.workspace import Workspace

_ENTRY = re.compile(r"(?:claw:)?(?P<id>[a-z][a-z0-9]{3,15})")
_LONGEST = 80
"""How much of a phrase is searched for."""

_LOST_FOR = 200
"""A line that comes back after more versions of its file than this counts as new."""

_MOST_FILES = 200
"""A commit that touches more files than this is an import, and not searched for moved lines."""


class Turn(NamedTuple):
    """One change to the line. `kind`: born, changed, moved (from another file), removed or
    returned.

    `path`, `line` and `text` are those after the change, or before it if the line was removed.
    """

    change: ToldChange
    kind: str
    path: str
    line: int
    text: str


class Life(NamedTuple):
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
    """The changes to a line or an entry, even if it is gone.

    `PATH:LINE` counts lines on disk; an entry is named by its id, or by words that it has or had:
    of several, one that stands on disk, in a file of memory if there is one.
    """
    index, phrase = past(workspace), " ".join(place.split())
    named, entry = place_of(place), _ENTRY.fullmatch(phrase)
    found: FoundLine | None
    if os.path.isfile(workspace.root / place):  # noqa: PTH113 - words may be longer than a name
        raise UsageError(
            f"{place!r} is a file; name one of its lines.",
            hint=f"clawgit why '{place}:1', or for the whole file clawgit log -p '{place}'",
        )
    if named and os.path.lexists(workspace.root / named.path):
        found = _line(workspace, index, named.path, named.line)
    else:
        found = _entry(workspace, index, entry["id"]) if entry else None
        if found is None and phrase:
            found = _with_words(workspace, index, pattern_of(phrase[:_LONGEST]))
    if found is None:
        raise NotFoundError(
            f"{place!r} is no line of a file here, nor the id or the words of an entry.",
            hint="clawgit why MEMORY.md:3, clawgit why claw:m7k2q9; or fewer words, as they were "
            "in one line",
        )
    turns = tuple(_Teller(workspace, index).tell(found))
    return Life(found.path, found.here.at + 1, found.here.line, found.state, turns)


def _line(workspace: Workspace, index: PathLog, name: str, line: int) -> FoundLine:
    """A line on disk."""
    path = relative_path(workspace.root, name)
    text = normal(read_file(workspace.root, path).data)
    here = spot(text, line - 1)
    if here is None:
        raise UsageError(
            f"{path} has no line {line}; it has {len(text.splitlines())}.",
            hint=f"clawgit log -p '{path}' shows what it had before.",
        )
    then = earlier(here, _text(workspace, index.head, path)) if index.head else None
    state = "committed" if then and then.line == here.line else "uncommitted"
    return FoundLine(path, here, state)


def _entry(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    """Where an entry is, or last was."""
    standing = _standing(workspace, index, ident)
    # Not where its id is only mentioned, or begins another one.
    return standing or _gone(workspace, index, f"claw:{ident}", lambda line: claw_id(line) == ident)


def _standing(workspace: Workspace, index: PathLog, ident: str) -> FoundLine | None:
    """Where an entry is on disk, by its id or by the hash of its text."""
    git = index.git
    paths = [hit.path for hit in grep(git, f"claw:{ident}")]
    if is_content_key(ident):
        paths += filter(holds_entries, sorted(git.files(":(icase)*.md")))
    for path in paths:
        text = normal(read_file(workspace.root, path).data)
        here = spot_of(text, ident) or _spot_of_key(text, ident)
        if here is not None:
            return _line(workspace, index, path, here.at + 1)
    return None


def _spot_of_key(text: str, key: str) -> Spot | None:
    there = (one.line - 1 for one in entries(text) if content_key(one.text) == key)
    return next((spot(text, at) for at in there), None)


def _with_words(workspace: Workspace, index: PathLog, pattern: str) -> FoundLine | None:
    """The line that matches; if none does, the one that did so last."""
    for hit in _hits(index, pattern):
        return _line(workspace, index, hit.path, hit.at + 1)
    said = re.compile(pattern.replace("[:space:]", r"\s"), re.IGNORECASE).search
    return _gone(workspace, index, pattern, lambda line: bool(said(line)))


def _hits(index: PathLog, pattern: str, rev: str | None = None) -> list[GrepHit]:
    """What matches on disk or in a commit, memory first, without logs, which quote what memory does
    not hold.
    """
    hits = grep(index.git, pattern, rev=rev, as_pattern=True)
    found = (hit for hit in hits if not is_log(hit.path))
    return sorted(found, key=lambda hit: not holds_entries(hit.path))


def _gone(
    workspace: Workspace, index: PathLog, pattern: str, is_meant: Callable[[str], bool]
) -> FoundLine | None:
    """Where a line that matches, and is meant, stood last: in HEAD, or before the commit that
    removed it.
    """
    if not index.head:
        return None
    for hit in _hits(index, pattern, index.head):
        here = spot(_text(workspace, index.head, hit.path), hit.at)
        if here and is_meant(here.line):
            return FoundLine(hit.path, here, "removed")
    for hunk in removed_lines(index.git, index.head, pattern=pattern):
        line = next(filter(is_meant, hunk.lines), "")
        if not line or is_log(hunk.path):
            continue
        # Its entry may have other words now.
        if (ident := claw_id(line)) and (standing := _standing(workspace, index, ident)):
            return standing
        parent = workspace.git.commit(hunk.oid).first_parent
        if here := same_line(line, _text(workspace, parent, hunk.path)):
            return FoundLine(hunk.path, here, "removed", hunk.oid)
    return None


def _text(workspace: Workspace, oid: str | None, path: str) -> str:
    return normal(workspace.git.read(oid, path))


class _Teller(NamedTuple):
    """Walks back through the versions of a file."""

    workspace: Workspace
    history: PathLog

    def tell(self, found: FoundLine) -> Iterator[Turn]:
        versions = self.history.versions(found.path)
        here: Spot | None
        if found.removed_by:
            version, here = _before(versions, found.removed_by), found.here
            yield self._turn("removed", found.removed_by, found.path, here._replace(line=""))
        else:
            data = self.workspace.git.read(self.history.head, found.path)
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
            elif source := self._came_from(oid, path, here):
                yield self._turn("moved", oid, path, here)
                path, here = source
                versions = self.history.versions(path)
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
            if then := same_line(here.line, _text(self.workspace, older.oid, older.path)):
                return older, then
        return None

    def _step(
        self, versions: Versions, version: Version, here: Spot
    ) -> tuple[Version, Spot] | None:
        """The same line one version earlier. For a merge, as the parent has it that says the most
        of it, from its beginning: a merge may have changed the comment behind it.
        """
        steps = [
            (older, then)
            for older in versions.older(version)
            if (then := earlier(here, _text(self.workspace, older.oid, older.path)))
        ]
        return max(steps, key=lambda step: common_start(step[1].line, here.line), default=None)

    def _came_from(self, oid: str, path: str, here: Spot) -> tuple[str, Spot] | None:
        """The place in another file from which the same commit removed the line."""
        parent = self.workspace.git.commit(oid).first_parent
        if parent is None:
            return None
        others = [
            other
            for other in next(told(self.history.git, [oid])).paths
            if other != path and other.lower().endswith(".md")
        ]
        if len(others) > _MOST_FILES:
            return None
        return moved_from(
            here,
            {
                other: (_text(self.workspace, parent, other), _text(self.workspace, oid, other))
                for other in others
            },
        )

    def _turn(self, kind: str, oid: str, path: str, here: Spot) -> Turn:
        return Turn(self.workspace.git.commit(oid).told, kind, path, here.at + 1, here.line)


def _before(versions: Versions, oid: str) -> Version | None:
    """The version right before that of a commit."""
    version = versions.made_by(oid)
    return next(versions.older(version), None) if version else None

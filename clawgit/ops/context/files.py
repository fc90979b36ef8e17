"""The files that a context is made of, on disk or in a commit, and the time that it is made for."""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.when import parse_when
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.dreaming import is_dream, staged_lines
from clawgit.domain.workspace.layout import NOTEBOOK, OTHER_NOTEBOOK
from clawgit.domain.workspace.limits import readable
from clawgit.errors import PathRefusedError
from clawgit.ops.change.history import state
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.workspace.reach import reach_of, refuse_anothers
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.worktree import read_part
from clawgit.stores.index.discover import discover

_MEMORY = ("memory", "Archive")


class Moment(NamedTuple):
    """The time that a context is made for; `commit` is "" for now.

    `note`: how this differs from the state that was asked for, if it does.
    """

    now: datetime
    commit: str = ""
    note: str = ""


class Files:
    """Each file is read once. `notes` say what could not be read."""

    def __init__(self, workspace: Workspace, commit: str = "") -> None:
        self._workspace, self._commit = workspace, commit
        self._texts: dict[str, str] = {}
        self.notes: list[str] = []

    def text(self, path: str) -> str:
        """The text of a file; "" if it does not exist or may not be read."""
        if path not in self._texts:
            self._texts[path] = text_of(self._read(path))
        return self._texts[path]

    def is_dreamt(self, path: str, line: int) -> bool:
        """Whether OpenClaw wrote this line only for itself, while it dreamt."""
        if is_dream(path):
            return True
        # An absolute path belongs to another memory; its files are not read here.
        return not path.startswith("/") and line in staged_lines(self.text(path))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The Markdown files of memory and archive, in order."""
        paths: list[str] = []
        for folder in _MEMORY:
            if self._commit:
                paths += (path for path in self._then if path.startswith(f"{folder}/"))
            else:
                paths += _below(self._workspace.root, folder)
        return tuple(sorted(filter(_is_markdown, paths)))

    def below(self, folder: str) -> list[str]:
        """The Markdown files in a folder of the workspace."""
        paths: Iterable[str]
        if self._commit:
            paths = self._then
        else:
            paths = discover(reach_of(self._workspace)._replace(extra=(folder,)))
        inside = (path for path in paths if path.startswith(f"{folder}/"))
        return sorted(path for path in inside if _is_markdown(path))

    @cached_property
    def notebook(self) -> str:
        """MEMORY.md, or the name that the file has in this workspace."""
        return next((name for name in (OTHER_NOTEBOOK, NOTEBOOK) if self.text(name)), "memory.md")

    @cached_property
    def doubted(self) -> Mapping[str, str]:
        """The corrections that count for nothing as yet: id → what to do."""
        return doubted(self._workspace)

    def _read(self, path: str) -> bytes:
        if self._commit:
            return self._object(path)
        try:
            refuse_anothers(self._workspace, path)
            return read_part(self._workspace.root, path)
        except PathRefusedError as error:
            self.notes.append(error.message)
            return b""

    def _object(self, path: str) -> bytes:
        if path not in self._then:
            return b""
        return readable(Batch(self._workspace.cgit).data(self._then[path]) or b"")

    @cached_property
    def _then(self) -> dict[str, str]:
        """The blob of each plain file of the commit."""
        git = self._workspace.cgit
        oids: dict[str, str] = {}
        for record in map(
            os.fsdecode, git.run("ls-tree", "-r", "-z", "--full-tree", self._commit).split(b"\0")
        ):
            about, _, path = record.partition("\t")
            if about.startswith("100"):
                oids[path] = about.split(" ")[2]
        return oids


def _below(root: Path, folder: str) -> Iterator[str]:
    """The names of the files in a folder. No file is opened: this runs at every message."""
    for where, folders, names in os.walk(root / folder):
        if ".git" in folders or ".git" in names:
            folders.clear()  # another repository
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        inside = os.path.relpath(where, root)
        for name in names:
            if not name.startswith("."):
                yield f"{inside}/{name}"


def _is_markdown(path: str) -> bool:
    return path.lower().endswith(".md")


def moment(workspace: Workspace, at: str) -> Moment:
    """Now; or the commit of a revision, at its own time or at the date that was given.

    For a date before all history it is the first commit, at its own time.
    """
    if not at:
        return Moment(workspace.local_now)
    commit, note = state(workspace, at)
    [named_commit] = Batch(workspace.cgit).read_commits([commit])
    named = None if note else parse_when(at, workspace.now, workspace.zone)
    return Moment((named or named_commit.time).astimezone(workspace.zone), commit, note)

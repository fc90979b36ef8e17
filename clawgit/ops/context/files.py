"""The files that a context is made of: as they lie on disk, or as a commit has them; no link leads
out of here.
"""

import os
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.when import parse_when
from clawgit.domain.workspace.layout import NOTEBOOK, OTHER_NOTEBOOK
from clawgit.errors import PathRefusedError
from clawgit.ops.workspace.reach import reach_of, refuse_anothers
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import read_file
from clawgit.stores.index.discover import discover


class Moment(NamedTuple):
    """When a context is made for; `commit` is "" for now."""

    now: datetime
    commit: str = ""


def moment(workspace: Workspace, at: str) -> Moment:
    """Now; or the commit that a revision names, at its own time, or at the time that a date
    names.
    """
    if not at:
        return Moment(workspace.now.astimezone(workspace.zone))
    from clawgit.ops.change.history import revision  # noqa: PLC0415 - history is read for --at only
    from clawgit.stores.git.batch import Batch  # noqa: PLC0415
    from clawgit.stores.git.cgit import CGit  # noqa: PLC0415

    commit = revision(workspace, at)
    [found] = Batch(CGit(workspace.root, workspace.caller.env)).read_commits([commit])
    named = parse_when(at, workspace.now, workspace.zone)
    return Moment((named or found.time).astimezone(workspace.zone), commit)


class Files:
    """Each file is read once. `notes` tell of what could not be read."""

    def __init__(self, workspace: Workspace, commit: str = "") -> None:
        self._workspace, self._commit = workspace, commit
        self._texts: dict[str, str] = {}
        self.notes: list[str] = []

    def text(self, path: str) -> str:
        """The text of a file; nothing of one that is not there, or that may not be read."""
        if path not in self._texts:
            self._texts[path] = self._read(path).decode("utf-8", "replace").removeprefix("\ufeff")
        return self._texts[path]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The Markdown files of memory and archive, in order."""
        if self._commit:
            found = (
                path
                for path in self._then
                if path.startswith(tuple(f"{folder}/" for folder in _MEMORY))
            )
            return tuple(sorted(filter(_is_markdown, found)))
        return tuple(
            sorted(path for folder in _MEMORY for path in _below(self._workspace.root, folder))
        )

    def below(self, folder: str) -> list[str]:
        """The Markdown files in a folder of the workspace."""
        found = (
            self._then
            if self._commit
            else discover(reach_of(self._workspace)._replace(extra=(folder,)))
        )
        return sorted(
            path for path in found if path.startswith(f"{folder}/") and _is_markdown(path)
        )

    @cached_property
    def notebook(self) -> str:
        """MEMORY.md, under the name that it has here."""
        return next((name for name in (OTHER_NOTEBOOK, NOTEBOOK) if self.text(name)), "memory.md")

    def _read(self, path: str) -> bytes:
        if self._commit:
            return self._object(path)
        try:
            refuse_anothers(self._workspace, path)
            return read_file(self._workspace.root, path).data or b""
        except PathRefusedError as error:
            self.notes.append(error.message)
            return b""

    def _object(self, path: str) -> bytes:
        from clawgit.stores.git.batch import Batch  # noqa: PLC0415 - history is read for --at only
        from clawgit.stores.git.cgit import CGit  # noqa: PLC0415

        if path not in self._then:
            return b""
        [found] = Batch(CGit(self._workspace.root, self._workspace.caller.env)).read(
            [self._then[path]]
        )
        return found.data if found else b""

    @cached_property
    def _then(self) -> dict[str, str]:
        """The blob of each plain file of the commit."""
        from clawgit.stores.git.cgit import CGit  # noqa: PLC0415 - history is read for --at only

        git = CGit(self._workspace.root, self._workspace.caller.env)
        oids: dict[str, str] = {}
        for record in map(
            os.fsdecode, git.run("ls-tree", "-r", "-z", "--full-tree", self._commit).split(b"\0")
        ):
            about, _, path = record.partition("\t")
            if about.startswith("100"):
                oids[path] = about.split(" ")[2]
        return oids


def _below(root: Path, folder: str) -> Iterator[str]:
    """By their names alone: the search looks at the rest, and this is asked for at every
    message.
    """
    for where, folders, names in os.walk(root / folder):
        inside = os.path.relpath(where, root)
        if ".git" in folders or ".git" in names:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (
            f"{inside}/{name}" for name in names if _is_markdown(name) and not name.startswith(".")
        )


def _is_markdown(path: str) -> bool:
    return path.lower().endswith(".md")


_MEMORY = ("memory", "Archive")

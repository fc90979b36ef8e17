"""The files that a context is made of, on disk or in a commit, and the time that it is made for.

The files are cut into passages, and what the operator has corrected in them is marked.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from clawgit.domain.change.authority import SOUL
from clawgit.domain.change.when import parse_when
from clawgit.domain.claims import conflicts
from clawgit.domain.context.corrected_lines import wrong_by
from clawgit.domain.context.passage import (
    ContextPassage,
    filled_in,
    passages,
    pending,
    session_passages,
    standing,
)
from clawgit.domain.conversation.dump import as_turns, is_session
from clawgit.domain.corrections.corrections import (
    ARCHIVE,
    CORRECTIONS,
    Correction,
    corrections,
    doubting,
)
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.dreaming import is_dream, staged_lines
from clawgit.domain.markdown.entry import entries, holds_entries
from clawgit.domain.markdown.placeholders import is_form, text_key
from clawgit.domain.workspace.layout import NOTEBOOK, OTHER_NOTEBOOK
from clawgit.domain.workspace.limits import readable
from clawgit.domain.workspace.tiers import NOTEBOOKS
from clawgit.errors import PathRefusedError
from clawgit.ops.change.history import state
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.workspace.reach import reach_of, refuse_anothers
from clawgit.ops.workspace.template_text import listed, template
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


class MemoryFiles:
    """Each file is read and cut once."""

    def __init__(self, files: Files, when: Moment) -> None:
        self._files, self.today, self.notebook = files, when.now.date(), files.notebook
        self.commit = when.commit
        self._undecided_lines: dict[str, frozenset[int]] = {}
        self._corrections_in: dict[str, tuple[Correction, ...]] = {}
        self.archived = tuple(
            correction
            for path in files.paths
            if path.startswith(ARCHIVE)
            for correction in self.corrections(path)
        )
        notebook = self.passages(files.notebook)
        was = {passage.was: passage.source for passage in notebook if passage.was}
        self._wrong = wrong_by((*self.corrections(CORRECTIONS), *self.archived), was)

    def passages(self, path: str) -> tuple[ContextPassage, ...]:
        """The passages without the template's text about how to fill it in; of a saved session,
        only what was said.
        """
        text = self._files.text(path)
        if path not in NOTEBOOKS and is_session(text):
            return session_passages(path, as_turns(text), self.today)
        return _filled_in(path, as_turns(text), self.today)

    def standing(self, read: Iterable[ContextPassage]) -> list[ContextPassage]:
        """The passages, each marked if it is wrong or undecided."""
        return [*map(self._marked, standing(read, self._wrong))]

    def of(self, path: str) -> list[ContextPassage]:
        """The passages of a file, each marked if it is wrong or undecided."""
        return self.standing(self.passages(path))

    def holds(self, correction: Correction) -> bool:
        """Whether no later correction overrules this one."""
        return not self._wrong.overrules(correction)

    def corrections(self, path: str) -> tuple[Correction, ...]:
        if path not in self._corrections_in:
            read = corrections(self._files.text(path))
            self._corrections_in[path] = doubting(read, self._files.doubted)
        return self._corrections_in[path]

    def _marked(self, passage: ContextPassage) -> ContextPassage:
        is_undecided = passage.kind == "item" and passage.line in self._undecided_in(passage.path)
        return pending(passage) if is_undecided else passage

    def _undecided_in(self, path: str) -> frozenset[int]:
        """The lines at which entries begin about which the operator is asked."""
        if not self._undecided or not holds_entries(path):
            return frozenset()
        if path not in self._undecided_lines:
            self._undecided_lines[path] = frozenset(
                entry.line
                for entry in entries(self._files.text(path))
                if entry.key in self._undecided
            )
        return self._undecided_lines[path]

    @cached_property
    def _undecided(self) -> frozenset[str]:
        """The keys of the entries about which the operator is asked, as a search marks them."""
        return frozenset(filter(None, self._asked_about()))

    def _asked_about(self) -> Iterator[str]:
        yield from (each.target for each in self.corrections(CORRECTIONS) if each.waits)
        for conflict in conflicts.conflicts(self._files.text(conflicts.PATH)):
            if conflict.open:
                yield from (conflict.a.key, conflict.b.key)


def _filled_in(path: str, text: str, today: date) -> tuple[ContextPassage, ...]:
    """The passages of a file without those of its template."""
    if path in NOTEBOOKS:
        return _without(path, text, today, "MEMORY.md")
    if is_form(path):
        return _without(path, text, today, path.rpartition("/")[2])
    return passages(path, text, today)


@lru_cache(maxsize=32)
def _without(path: str, text: str, today: date, name: str) -> tuple[ContextPassage, ...]:
    """The passages of a file without those of the template of that name.

    Cached, since a server reads files again.
    """
    written = passages(path, text, today)
    return tuple(filled_in(written, _template_keys(name), is_form=is_form(name)))


@cache
def _template_keys(name: str) -> frozenset[str]:
    """The keys of the passages of a file's templates: ours, and OpenClaw's."""
    ours: Iterable[ContextPassage] = _ours(name)
    if name == SOUL:
        # The lines of our soul template count as content; only a paragraph below a heading explains
        # a section.
        ours = (passage for passage in ours if passage.kind == "para" and passage.heads[1:])
    return _keys(ours) | listed(name)


def _ours(name: str) -> tuple[ContextPassage, ...]:
    return passages(name, template(name), date.min)


def _keys(read: Iterable[ContextPassage]) -> frozenset[str]:
    return frozenset(text_key(passage.text) for passage in read)

"""The files that a context is made of, on disk or in a commit, and the time that it is made for.

The files are cut into passages, and what the operator has corrected in them is marked.
"""

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache, cached_property

from clawgit.core.errors import PathRefusedError
from clawgit.core.layout import NOTEBOOK, SOUL, is_markdown
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.core.markdown.item import whole
from clawgit.core.markdown.placeholders import is_dream, is_form, staged_lines
from clawgit.core.tiers import NOTEBOOKS
from clawgit.git.history.pathlog import told
from clawgit.git.rules.when import parse_when
from clawgit.git.worktree import read_part
from clawgit.history.log import state
from clawgit.safety.own_rules import Rules
from clawgit.search.shown_hits import Sheets
from clawgit.soul.doubted import doubted
from clawgit.talk.rules.chat import as_turns, is_session
from clawgit.talk.rules.corrections import (
    ARCHIVE,
    CORRECTIONS,
    Correction,
    corrections,
    doubting,
)
from clawgit.talk.rules.pairs import wrong_by
from clawgit.talk.rules.passage import (
    ContextPassage,
    passages,
    pending,
    session_passages,
)
from clawgit.workspace.discover import discover
from clawgit.workspace.reach import reach_of
from clawgit.workspace.template_text import says_nothing
from clawgit.workspace.workspace import Workspace

_MEMORY = ("memory/", "Archive/")


def _moment(workspace: Workspace, at: str) -> tuple[datetime, str, str]:
    """Now; or the commit of a revision, at its own time or at the date that was given.

    For a date before all history it is the first commit, at its own time, and a note says so.
    """
    if not at:
        return workspace.local_now, "", ""
    commit, note = state(workspace, at)
    [named_commit] = told(workspace.cgit, [commit])
    named = None if note else parse_when(at, workspace.now, workspace.zone)
    return (named or named_commit.time).astimezone(workspace.zone), commit, note


class MemoryFiles(Sheets):
    """The files at a moment, cut into passages; what the operator corrected in them is marked.

    Each is read as git's work tree is. `notes` say what was unusual.
    """

    def __init__(self, workspace: Workspace, at: str) -> None:
        self.now, commit, note = _moment(workspace, at)
        super().__init__(workspace, commit)
        self.notes = [note]
        self.today = self.now.date()
        self.rules = Rules(workspace, commit)
        paths = [path for path in self.paths if path.startswith(ARCHIVE)]
        self._logged = {
            path: doubting(corrections(self.whole(path)), self.doubted)
            for path in (CORRECTIONS, *paths)
        }
        self.archived = [correction for path in paths for correction in self._logged[path]]
        self._wrong = wrong_by((*self._logged[CORRECTIONS], *self.archived))
        self._undecided_in = cache(self._undecided_lines)

    def on_disk(self, path: str) -> bytes:
        try:
            return read_part(self.workspace.root, path)
        except PathRefusedError as error:
            self.notes.append(error.message)
            return b""

    def is_dreamt(self, path: str, line: int) -> bool:
        """Whether OpenClaw wrote this line only for itself, while it dreamt."""
        if is_dream(path):
            return True
        # An absolute path belongs to another memory; its files are not read here.
        return not path.startswith("/") and line in staged_lines(self.whole(path))

    @cached_property
    def paths(self) -> list[str]:
        """The Markdown files of memory and archive, in order."""
        paths: Iterable[str]
        if self.commit:
            listed = self.workspace.cgit.run("ls-tree", "-r", "-z", "--full-tree", self.commit)
            rows = (record.partition("\t") for record in os.fsdecode(listed).split("\0"))
            paths = (path for about, _, path in rows if about.startswith("100"))
        else:
            paths = discover(reach_of(self.workspace))
        return sorted(path for path in paths if path.startswith(_MEMORY) and is_markdown(path))

    @cached_property
    def notebook(self) -> str:
        """MEMORY.md, or the name that the file has in this workspace."""
        return NOTEBOOK if self.whole(NOTEBOOK) else "memory.md"

    @cached_property
    def doubted(self) -> Mapping[str, str]:
        """The corrections that count for nothing as yet: id → what to do."""
        return doubted(self.workspace)

    def passages(self, path: str) -> tuple[ContextPassage, ...]:
        """The passages without the template's text about how to fill it in; of a saved session,
        only what was said.
        """
        text = self.whole(path)
        if path not in NOTEBOOKS and is_session(text):
            return session_passages(path, as_turns(text), self.today)
        read = passages(path, text, self.today)
        if path not in NOTEBOOKS and not is_form(path):
            return read
        return tuple(passage for passage in read if _says_something(path, passage))

    def marked(self, passage: ContextPassage) -> ContextPassage:
        """A passage, marked if it is wrong or undecided."""
        where = "" if passage.stale else self._wrong.correction_of(passage.text)
        if where:
            passage = passage._replace(stale=f"corrected in {where}")
        is_open = passage.kind == "item" and passage.line in self._undecided_in(passage.path)
        return pending(passage) if is_open else passage

    def of(self, path: str) -> list[ContextPassage]:
        """The passages of a file, each marked if it is wrong or undecided."""
        return [*map(self.marked, self.passages(path))]

    def corrections(self, path: str) -> tuple[Correction, ...]:
        return self._logged.get(path, ())

    def _undecided_lines(self, path: str) -> frozenset[int]:
        """The lines at which entries begin about which the operator is asked."""
        if not self.undecided or not holds_entries(path):
            return frozenset()
        listed = entries(self.whole(path))
        return frozenset(entry.line for entry in listed if entry.key in self.undecided)


def _says_something(path: str, passage: ContextPassage) -> bool:
    """Whether a passage is not only text of a template. The rules of ours for a soul count: an
    agent is held to them.
    """
    is_rule = passage.kind == "item" and path.rpartition("/")[2] == SOUL
    return not all(
        says_nothing(path, item.text, passage.kind, with_ours=not is_rule)
        for item in whole(passage.text)
    )

"""What `doctor` examines, and what a check answers: a finding for each thing that is wrong."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from io import FileIO
from pathlib import Path
from shlex import quote
from stat import S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from clawgit.domain.change.attribution import has_conflict_markers
from clawgit.domain.markdown.decoding import is_text
from clawgit.domain.markdown.entry import EntryProblem, holds_entries, problems
from clawgit.domain.workspace.limits import readable
from clawgit.domain.workspace.scope import Scope
from clawgit.errors import first_of
from clawgit.ops.safety.secrets_found import LONGEST, FoundSecret, in_file, scanned_text
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.hardlinks import leads_outside

if TYPE_CHECKING:
    from clawgit.stores.git.transaction import Outcome

PROBLEM, NOTE = "problem", "note"
_SHOWN = 3


class Mend(NamedTuple):
    """A repair that is safe without asking. `do` returns its outcome if it makes a commit."""

    what: str
    do: "Callable[[], Outcome | None]"


class Finding(NamedTuple):
    """One thing that is wrong, or with `NOTE` worth knowing, and the next step.

    `place` is a file, with its line, or "" for the workspace as a whole.
    """

    place: str
    why: str
    remedy: str
    kind: str = PROBLEM
    mend: Mend | None = None

    @property
    def text(self) -> str:
        return f"{self.place}: {self.why}" if self.place else self.why


class Reading(NamedTuple):
    """What was noticed in the files, without their texts, which may be large. `problems` are those
    of the entries, by path.
    """

    findings: list[Finding]
    problems: dict[str, tuple[EntryProblem, ...]]
    secrets: list[FoundSecret]


def read_files(root: Path, paths: Iterable[str]) -> Reading:
    """Reads the files, one at a time. Skips those that are gone by now, or lead outside."""
    reading = Reading([], {}, [])
    for path in paths:
        try:
            # Unbuffered: of thousands of files, most are smaller than a buffer.
            with FileIO(f"{root}/{path}") as opened:
                status = os.fstat(opened.fileno())
                if leads_outside(root, status):
                    continue
                size = status.st_size
                data = opened.read(LONGEST) if size > LONGEST else opened.readall()
        except FileNotFoundError:
            continue
        reading.secrets.extend(in_file(path, scanned_text(data, size)))
        if path.lower().endswith(".md"):
            _look(reading, path, data)
    return reading


def _look(reading: Reading, path: str, data: bytes) -> None:
    if has_conflict_markers(data):
        remedy = "Keep what is right of both sides, and delete the markers."
        reading.findings.append(Finding(path, "conflict markers", remedy))
    if not is_text(data):
        why = f"it is not searched: it has a zero byte (byte {data.index(0)})"
        file, new = quote(path), quote(f"{path}.new")
        remedy = rf"Remove it: tr -d '\0' < {file} > {new} && mv {new} {file}"
        reading.findings.append(Finding(path, why, remedy))
    elif holds_entries(path):
        try:
            wrong = problems(path, readable(data).decode("utf-8"))
        except UnicodeDecodeError as error:
            remedy = f"Convert it: iconv -f LATIN1 -t UTF-8 {quote(path)}"
            why = f"it is not UTF-8 (byte {error.start})"
            reading.findings.append(Finding(path, why, remedy))
        else:
            reading.problems[path] = wrong


@dataclass(frozen=True)
class Site:
    """The workspace as the checks see it. What was read is cached; `fresh` reads it again.

    `deep`: the checks may read the whole history.
    """

    workspace: Workspace
    deep: bool = False

    @property
    def place(self) -> RepoPlace:
        return self.workspace.place

    @property
    def root(self) -> Path:
        return self.place.root

    @property
    def scope(self) -> Scope:
        return self.workspace.scope

    @cached_property
    def git(self) -> CGit:
        return self.workspace.cgit

    @cached_property
    def others(self) -> tuple[str, ...]:
        """Paths neither tracked nor ignored; the path of a nested repository ends with a slash."""
        listed = self.git.text("ls-files", "-z", "--others", "--exclude-standard")
        return tuple(listed.split("\0")[:-1])

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Every path in the scope of the workspace, on disk or not."""
        tracked = self.git.text("ls-files", "-z").split("\0")[:-1]
        others = (path for path in self.others if not path.endswith("/"))
        return tuple(sorted(filter(self.scope.covers, {*tracked, *others})))

    @cached_property
    def on_disk(self) -> dict[str, os.stat_result]:
        """The `lstat` of each file in scope, without those that are gone."""
        statuses = {}
        root = f"{self.root}/"
        for path in self.files:
            with suppress(FileNotFoundError, NotADirectoryError):
                statuses[path] = os.lstat(root + path)
        return statuses

    @cached_property
    def reading(self) -> Reading:
        """The contents of the files in scope. Each is opened once for all checks."""
        regular = (path for path, status in self.on_disk.items() if S_ISREG(status.st_mode))
        return read_files(self.root, regular)

    def fresh(self) -> "Site":
        return Site(self.workspace, self.deep)


def several(items: list[str]) -> str:
    return first_of(items, _SHOWN, "; ")

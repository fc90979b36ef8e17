"""What `doctor` examines, what a check answers, and the checks of the files: what clawgit cannot
read, OpenClaw would refuse, or git would lose.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from io import FileIO
from pathlib import Path
from shlex import quote
from stat import S_ISREG
from typing import NamedTuple

from clawgit.domain.change.actors import CLAWGIT
from clawgit.domain.change.authority import has_conflict_markers
from clawgit.domain.change.history import Intent
from clawgit.domain.markdown.decoding import is_text
from clawgit.domain.markdown.entry import holds_entries, problems, with_own_ids
from clawgit.domain.workspace.limits import readable
from clawgit.domain.workspace.scope import Scope
from clawgit.errors import first_of
from clawgit.ops.safety.masking import how_to_allow
from clawgit.ops.safety.secrets_found import (
    LONGEST,
    FoundSecret,
    gathered,
    in_file,
    judged,
    scanned_text,
)
from clawgit.ops.workspace.status import injected_in, oversize
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.info import hide_nested
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.git.transaction import Outcome
from clawgit.stores.hardlinks import leads_outside

PROBLEM, NOTE = "problem", "note"
_MEMORY = (
    "memory",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "AGENTS.md",
    "TOOLS.md",
    "MEMORY.md",
    "CORRECTIONS.md",
)
_SHOWN = 3


class Mend(NamedTuple):
    """A repair that is safe without asking. `do` returns an `Outcome` if it makes a commit."""

    what: str
    do: Callable[[], object]


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
    """What was noticed in the files, without their texts, which may be large."""

    findings: list[Finding]
    secrets: list[FoundSecret]


def _read(workspace: Workspace, paths: Iterable[str]) -> Reading:
    """Reads the files, one at a time. Skips those that are gone by now, or lead outside."""
    reading = Reading([], [])
    for path in paths:
        try:
            # Unbuffered: of thousands of files, most are smaller than a buffer.
            with FileIO(f"{workspace.root}/{path}") as opened:
                status = os.fstat(opened.fileno())
                if leads_outside(workspace.root, status):
                    continue
                size = status.st_size
                data = opened.read(LONGEST) if size > LONGEST else opened.readall()
        except FileNotFoundError:
            continue
        reading.secrets.extend(in_file(path, scanned_text(data, size)))
        if path.lower().endswith(".md"):
            reading.findings.extend(_noticed(workspace, path, data))
    return reading


def _noticed(workspace: Workspace, path: str, data: bytes) -> Iterator[Finding]:
    if has_conflict_markers(data):
        remedy = "Keep what is right of both sides, and delete the markers."
        yield Finding(path, "conflict markers", remedy)
    if not is_text(data):
        why = f"it is not searched: it has a zero byte (byte {data.index(0)})"
        file, new = quote(path), quote(f"{path}.new")
        yield Finding(path, why, rf"Remove it: tr -d '\0' < {file} > {new} && mv {new} {file}")
    elif holds_entries(path):
        try:
            text = readable(data).decode("utf-8")
        except UnicodeDecodeError as error:
            remedy = f"Convert it: iconv -f LATIN1 -t UTF-8 {quote(path)}"
            yield Finding(path, f"it is not UTF-8 (byte {error.start})", remedy)
            return
        # Only duplicate ids are repaired without asking: for any other fault somebody must know
        # what was meant.
        own = Mend(
            f"give each entry of {path} an id of its own", partial(_give_ids, workspace, path)
        )
        for problem in problems(path, text):
            place, mend = f"{path}:{problem.line}", own if problem.doubled else None
            yield Finding(place, problem.message, problem.hint, mend=mend)


def _give_ids(workspace: Workspace, path: str) -> Outcome:
    summary = f"give each entry of {path} an id of its own"
    intent = Intent(CLAWGIT, "doctor", summary, "Some had the same.")
    with workspace.git.transaction(intent, workspace.now) as tx:
        tx.put(path, with_own_ids(tx.read_text(path) or ""))
    return tx.outcome


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
        return _read(self.workspace, regular)

    def fresh(self) -> "Site":
        return Site(self.workspace, self.deep)


def several(items: list[str]) -> str:
    return first_of(items, _SHOWN, "; ")


def look_at_entries(site: Site) -> Iterable[Finding]:
    """Entries with errors, and files in which no entry can be read or which no search reads."""
    return site.reading.findings


def look_at_files(site: Site) -> Iterator[Finding]:
    """Files that OpenClaw cuts or refuses."""
    pages = [path for path in site.files if path.lower().endswith(".md")]
    for what, fix in oversize(site.root, pages, injected_in(site.workspace.layout, site.scope)):
        yield Finding("", what, fix)


def look_at_ignored(site: Site) -> Iterator[Finding]:
    """Memory on disk that git ignores, so that it is never committed, and repositories of their
    own, which `git add` would swallow.
    """
    options = ("-z", "--others", "--ignored", "--exclude-standard")
    listed = site.git.text("ls-files", *options, "--", *_MEMORY).split("\0")
    ignored = [path for path in listed if path.lower().endswith(".md") and site.scope.covers(path)]
    if ignored:
        remedy = (
            f"`git check-ignore -v {quote(ignored[0])}` names the line that hides it: remove that, "
            "or take the file out of `scope`."
        )
        yield Finding(several(ignored), "git ignores it, so it is never committed", remedy, NOTE)
    # Git lists an untracked repository as a folder, and an ordinary folder by its files.
    for path in site.others:
        if path.endswith("/") and site.scope.covers(f"{path}_.md"):
            remedy = "`clawgit doctor --fix` hides it; its own history is not touched."
            mend = Mend(f"hide {path} (.git/info/exclude)", partial(hide_nested, site.place, path))
            why = "a repository of its own, which `git add` would swallow"
            yield Finding(path, why, remedy, mend=mend)


def look_at_secrets(site: Site) -> Iterator[Finding]:
    """Secrets in the files; `secrets scan --history` looks at every commit."""
    for secret in judged(site.workspace, gathered(site.reading.secrets)):
        if not secret.allowed:
            allow = how_to_allow(secret.fingerprint)
            remedy = f"Remove it, and replace it at its issuer. If it is not a secret: {allow}"
            yield Finding(str(secret.place), _named(secret), remedy)


def _named(secret: FoundSecret) -> str:
    """Its kind and its masked text, which begins with the kind where a label gave it away."""
    return secret.shown if secret.shown.startswith(secret.rule) else f"{secret.rule} {secret.shown}"

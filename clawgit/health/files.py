"""What `doctor` examines, and the checks of the files: what clawgit cannot read, OpenClaw would
refuse, or git would lose.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from io import FileIO
from pathlib import Path
from shlex import quote
from stat import S_ISREG

from clawgit.core import NamedTuple
from clawgit.core.disk.plainfile import is_hard_link
from clawgit.core.errors import Finding, Mend, first_of
from clawgit.core.layout import is_markdown
from clawgit.core.limits import readable
from clawgit.core.markdown.decoding import has_conflict_markers, how_to_convert, is_text
from clawgit.core.markdown.entry import holds_entries, problems, with_own_ids
from clawgit.git.cgit import CGit
from clawgit.git.info import hide_nested
from clawgit.git.place import RepoPlace
from clawgit.git.rules.actors import CLAWGIT
from clawgit.git.rules.history import Intent
from clawgit.git.transaction import Change
from clawgit.safety.masking import how_to_allow
from clawgit.safety.secrets_found import LONGEST, FoundSecret, gathered, in_file, scanned_text
from clawgit.workspace.workspace import Workspace

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
                if is_hard_link(status):
                    continue
                data = opened.read(LONGEST) if status.st_size > LONGEST else opened.readall()
        except FileNotFoundError:
            continue
        reading.secrets.extend(in_file(path, scanned_text(data, status.st_size)))
        if is_markdown(path):
            reading.findings.extend(_noticed(workspace, path, data))
    return reading


def _noticed(workspace: Workspace, path: str, data: bytes) -> Iterator[Finding]:
    if has_conflict_markers(data):
        remedy = "Keep what is right of both sides, and delete the markers."
        yield Finding("conflict markers", remedy, path)
    if not is_text(data):
        why = f"it is not searched: it has a zero byte (byte {data.index(0)})"
        file, new = quote(path), quote(f"{path}.new")
        yield Finding(why, rf"Remove it: tr -d '\0' < {file} > {new} && mv {new} {file}", path)
    elif holds_entries(path):
        try:
            text = readable(data).decode("utf-8")
        except UnicodeDecodeError as error:
            why = f"it is not UTF-8 (byte {error.start})"
            yield Finding(why, how_to_convert(path, data), path)
            return
        # Only duplicate ids are repaired without asking: for any other fault somebody must know
        # what was meant.
        what = f"give each entry of {path} an id of its own"
        own = Mend(what, partial(_give_ids, workspace, path, what))
        for problem in problems(path, text):
            mend = None if problem.refused else own
            yield problem._replace(refused=True, mend=mend)


def _give_ids(workspace: Workspace, path: str, summary: str) -> Change:
    intent = Intent(CLAWGIT, "doctor", summary, "Some had the same.")
    with workspace.transaction(intent) as tx:
        tx.put(path, with_own_ids(tx.read_text(path)))
    return tx.outcome


@dataclass(frozen=True)
class Site:
    """The workspace as the checks see it. What was read is cached: another Site
    reads it again.

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
        return tuple(sorted(filter(self.workspace.scope.covers, {*tracked, *others})))

    @cached_property
    def reading(self) -> Reading:
        """The contents of the files in scope. Each is opened once for all checks."""
        return _read(self.workspace, filter(self._is_plain, self.files))

    def _is_plain(self, path: str) -> bool:
        with suppress(FileNotFoundError, NotADirectoryError):
            return S_ISREG(os.lstat(f"{self.root}/{path}").st_mode)
        return False


def several(items: list[str]) -> str:
    return first_of(items, _SHOWN, "; ")


def look_at_ignored(site: Site) -> Iterator[Finding]:
    """Memory on disk that git ignores, so that it is never committed, and repositories of their
    own, which `git add` would swallow.
    """
    options, covers = ("--others", "--ignored", "--exclude-standard"), site.workspace.scope.covers
    listed = site.git.text("ls-files", "-z", *options, "--", *_MEMORY).split("\0")
    ignored = [path for path in listed if is_markdown(path) and covers(path)]
    if ignored:
        why = "git ignores it, so it is never committed"
        remedy = (
            f"`git check-ignore -v {quote(ignored[0])}` names the line that hides it: remove that, "
            "or take the file out of `scope`."
        )
        yield Finding(why, remedy, several(ignored), refused=False)
    # Git lists an untracked repository as a folder, and an ordinary folder by its files.
    for path in site.others:
        if path.endswith("/") and covers(f"{path}_.md"):
            remedy = "`clawgit doctor --fix` hides it; its own history is not touched."
            mend = Mend(f"hide {path} (.git/info/exclude)", partial(hide_nested, site.place, path))
            why = "a repository of its own, which `git add` would swallow"
            yield Finding(why, remedy, path, mend=mend)


def look_at_secrets(site: Site) -> Iterator[Finding]:
    """Secrets in the files; `secrets scan --history` looks at every commit."""
    for secret in gathered(site.workspace, site.reading.secrets):
        if not secret.allowed:
            allow = how_to_allow(secret.fingerprint)
            remedy = f"Remove it, and replace it at its issuer. If it is not a secret: {allow}"
            yield Finding(secret.named, remedy, secret.place.path, secret.place.line)

"""History as git tells it: by path, change id, alert and time."""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from posixpath import normpath

from clawgit.core import NamedTuple
from clawgit.git.cgit import CGit
from clawgit.git.place import NO_OBJECT
from clawgit.git.rules.history import COMMIT, Commit, read_commit

_FILE = "100"
"""How the mode of a plain file begins; a link or a submodule has no text."""

_LOG = (
    *("--literal-pathspecs", "-c", "log.showRoot=true", "log", "--full-history", "--raw", "-c"),
    *("--no-abbrev", "--no-renames", "--no-relative"),
    *("--no-color", "-O/dev/null", "--format=%H"),
)
"""What each commit made of which file; of a merge, where it differs from all parents. A path is
itself, no pattern. Settings that would change git's answer are overridden."""


class Version(NamedTuple):
    """What one commit made of one file, which had the name `path` then.

    `before` has its blob in each parent, `after` the one in the commit; None where the file did not
    exist.
    """

    oid: str
    path: str
    before: tuple[str | None, ...]
    after: str | None


class Versions(tuple[Version, ...]):  # noqa: SLOT001 - it keeps what it works out
    """The versions of a file, newest first, one for each commit, including those of merged
    branches.
    """

    def place(self, version: Version) -> int:
        """Its number: a larger one is older."""
        return self._places[version.oid]

    def made_by(self, oid: str) -> Version | None:
        """The version of a commit."""
        place = self._places.get(oid)
        return None if place is None else self[place]

    def older(self, version: Version) -> Iterator[Version]:
        """The versions right before one: one, or several for a merge."""
        at = self.place(version)
        for blob in dict.fromkeys(filter(None, version.before)):
            below = (self[place] for place in range(at + 1, len(self)))
            yield from islice((one for one in below if one.after == blob), 1)

    def leaving(self, blob: str) -> list[Version]:
        """The versions that left the file with this content, newest first."""
        return [version for version in self if version.after == blob]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {version.oid: place for place, version in enumerate(self)}


def told(git: CGit, oids: Iterable[str] = (), *span: str) -> Iterator[Commit]:
    """These commits in this order, or those of a span as git names it, each read when it is asked
    for, with the files that it touches; of a merge, those that differ from every parent.
    """
    listed = "\n".join(oids).encode()
    named = ("--no-walk=unsorted", "--stdin") if listed else ()
    if not (named or span):
        return  # without a revision, git would begin at HEAD
    asked = (*_LOG, COMMIT, "-z", "--encoding=UTF-8", *named, *span)
    fields = git.start(*asked, stdin=listed).fields()
    heads = filter(None, (field.strip(b"\n") for field in fields))
    head = next(heads, b"")
    while head:
        commit, paths = read_commit((head, *islice(fields, 4))), list[str]()
        while (head := next(heads, b"")).startswith(b":"):
            paths.append(os.fsdecode(next(fields)))
        yield commit._replace(paths=tuple(paths))


class PathLog:
    """History as seen from a commit; the newest comes first.

    Nothing is kept from one question to the next: git finds a path's commits by its own filters,
    and reads ten thousand messages in the time that a table of them would take to be opened.
    """

    def __init__(self, git: CGit, head: str | None) -> None:
        self.git = git
        self.head = head

    def read(self, path: str | None = None) -> Iterator[Commit]:
        """The commits that touch a file, or anything below a folder; all of them without a path."""
        if self.head is None:
            return
        if path is None:
            yield from told(self.git, (), self.head, "--")
            return
        path = normpath(path)
        below = f"{path}/"
        if below.startswith(("../", "/")):
            return
        for commit in told(self.git, (), "--full-diff", self.head, "--", path):
            # Git lists a merge that only took a side, too, and shows no file of it.
            if any(f"{one}/".startswith(below) for one in commit.paths):
                yield commit

    def knows(self, path: str) -> bool:
        """Whether any commit touches a file, or anything below a folder."""
        return any(self.read(path))

    def versions(self, path: str) -> Versions:
        if self.head is None:
            return Versions()
        made = versions(self.git, self.head, "--", path)
        return Versions(version for version in made if version.path == path)

    def by_change_id(self, ident: str) -> Iterator[str]:
        """The commits that carry a change id, newest first: several after a cherry-pick."""
        found = self._matching(f"^Clawgit-Id: {ident}")
        return (commit.sha for commit in found if ident in commit.message.ids)

    def with_alerts(self, after: str = "") -> list[str]:
        """The commits with alerts, without those that a commit has already, if it is known here."""
        is_known = after and self.git.call("cat-file", "-e", after, ok=(0, 1, 128))[0] == 0
        found = self._matching("^Alert: ", *([f"^{after}"] if is_known else ()))
        return [commit.sha for commit in found if commit.message.alerts]

    def last_before(self, timestamp: int) -> str | None:
        """The newest commit at or before a time."""
        if self.head is None:
            return None
        told = self.git.text("rev-list", "-1", f"--before=@{timestamp} +0000", self.head, "--")
        return told.strip() or None

    def first(self, path: str | None = None) -> str | None:
        """The oldest commit; with a path, the oldest that has this file."""
        if path is None:
            return next(iter(self.oids()[::-1]), None)
        return next((one.oid for one in reversed(self.versions(path)) if one.after), None)

    def newest_first(self, oids: Iterable[str]) -> list[str]:
        """The same commits in the order of history, each once."""
        return [*filter({*oids}.__contains__, self.oids())]

    def oids(self) -> list[str]:
        """All commits, newest first."""
        return self.git.text("rev-list", self.head, "--").split() if self.head else []

    def _matching(self, pattern: str, *span: str) -> Iterator[Commit]:
        """The commits with a line that matches in their messages."""
        if self.head is None:
            return iter(())
        wanted = ("--basic-regexp", f"--grep={pattern}")
        return told(self.git, (), *wanted, *span, self.head, "--")


def versions(git: CGit, *which: str) -> Iterator[Version]:
    """What some commits made of which files, in git's order; each commit comes first, with none."""
    fields = iter(git.run(*_LOG, "-z", *which).split(b"\0"))
    oid = ""
    for field in fields:
        told = field.decode().strip("\n")
        if told.startswith(":"):
            yield _version(oid, told, os.fsdecode(next(fields)))
        elif told:
            oid = told
            yield Version(oid, "", (), None)


def _version(oid: str, told: str, path: str) -> Version:
    """One raw line: `:` for each parent, then modes and blobs (one more than parents), status."""
    parents = len(told) - len(told.lstrip(":"))
    fields = told[parents:].split(" ")
    modes, oids = fields[: parents + 1], fields[parents + 1 : 2 * parents + 2]
    *before, after = (
        blob if mode.startswith(_FILE) and blob != NO_OBJECT else None
        for mode, blob in zip(modes, oids, strict=True)
    )
    return Version(oid, path, tuple(before), after)

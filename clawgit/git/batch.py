"""Git's objects read by C git, many in one call: for commands that have no time to load libgit2."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from clawgit.git.cgit import CGit
from clawgit.git.rules.history import Commit, parse_message

_AT_ONCE = 32 << 20
"""How many bytes of objects one call of git reads. A single object may be larger."""


class Object(NamedTuple):
    oid: str
    data: bytes


class Batch:
    """Git's objects, many in one call of C git: libgit2 takes longer to load than these to read."""

    def __init__(self, git: CGit) -> None:
        self._git = git
        self._found: dict[str, Object | None] = {}
        self._commits: dict[str, Commit] = {}

    def read(self, names: Iterable[str]) -> list[Object | None]:
        """The objects of these names, None for one that does not exist."""
        names = list(names)
        missing = [name for name in dict.fromkeys(names) if name not in self._found]
        if missing:
            output = self._git.run(
                "cat-file", "--batch", stdin="\n".join(missing).encode("utf-8", "surrogateescape")
            )
            self._found.update(zip(missing, objects(output), strict=True))
        return [self._found[name] for name in names]

    def data(self, name: str) -> bytes | None:
        """One object, such as `HEAD:SOUL.md`."""
        [found] = self.read([name])
        return found.data if found else None

    def read_commits(self, oids: Iterable[str]) -> list[Commit]:
        oids = list(oids)
        missing = [oid for oid in dict.fromkeys(oids) if oid not in self._commits]
        if missing:
            shape = "--format=%H%x00%P%x00%cI%x00%an%x00%B"
            only = ("--no-walk=unsorted", "--stdin", "-z", "--encoding=UTF-8", "--no-patch")
            output = self._git.run("log", *only, shape, stdin="\n".join(missing).encode())
            self._commits.update(
                {commit.sha: commit for commit in _commits(output.decode("utf-8", "replace"))}
            )
        return [self._commits[oid] for oid in oids]


def objects(output: bytes) -> Iterator[Object | None]:
    """The output of `cat-file --batch`: for each object a line (id, kind, size), then its bytes."""
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        head, at = output[at:end], end + 1
        if head.endswith(b" missing"):
            yield None
            continue
        oid, _, size = head.decode().split(" ")
        yield Object(oid, output[at : at + int(size)])
        at += int(size) + 1


def _commits(output: str) -> Iterator[Commit]:
    fields = iter(output.split("\0"))
    for sha, parents, time, author, body in zip(
        fields, fields, fields, fields, fields, strict=False
    ):
        yield Commit(
            sha.strip(),
            tuple(parents.split()),
            datetime.fromisoformat(time),
            author,
            parse_message(body),
        )


class RawObject(NamedTuple):
    """An object: its name, its kind, and all its bytes."""

    oid: str
    kind: str
    data: bytes


def every_object(git: CGit) -> Iterator[RawObject]:
    """All objects, each once, in bounded memory."""
    kinds: dict[str, str] = {}
    size = 0
    for row in git.text(
        "cat-file", "--batch-all-objects", "--batch-check", "--buffer"
    ).splitlines():
        oid, kind, length = row.split()
        if kinds and size + int(length) > _AT_ONCE:
            yield from _every(git, kinds)
            kinds, size = {}, 0
        kinds[oid] = kind
        size += int(length)
    yield from _every(git, kinds)


def _every(git: CGit, kinds: dict[str, str]) -> Iterator[RawObject]:
    if not kinds:
        return
    output = git.run(
        "cat-file", "--batch", "--buffer", stdin="\n".join([*kinds, ""]).encode("ascii")
    )
    for found in objects(output):
        if found is not None:
            yield RawObject(found.oid, kinds[found.oid], found.data)

"""Git's objects read by C git, many in one call: for commands that have no time to load libgit2."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from io import BytesIO
from typing import IO, NamedTuple

from clawgit.git.cgit import CGit
from clawgit.git.rules.history import Commit, parse_message


class Object(NamedTuple):
    """An object: its name, its kind, and all its bytes."""

    oid: str
    kind: str
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
            asked = "\n".join(missing).encode("utf-8", "surrogateescape")
            out = BytesIO(self._git.run("cat-file", "--batch", stdin=asked))
            self._found.update([(name, _next(out)) for name in missing])
            if out.read(1):
                raise ValueError(f"one of these names has several lines: {missing}")
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


def every_object(git: CGit) -> Iterator[Object]:
    """All objects, each once, one at a time in memory."""
    return git.start("cat-file", "--batch-all-objects", "--batch", "--buffer").pieces(_next)


def _next(out: IO[bytes]) -> Object | None:
    """What git says next: a line (id, kind, size), then the bytes; None at the end, and for an
    object that does not exist.
    """
    head = out.readline()
    if not head or head.endswith(b" missing\n"):
        return None
    oid, kind, size = head.decode().split()
    return Object(oid, kind, out.read(int(size) + 1)[:-1])

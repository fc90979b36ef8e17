"""Git's objects read by C git, many in one call: for commands that have no time to load libgit2."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import IO

from clawgit.core import NamedTuple
from clawgit.git.cgit import CGit


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

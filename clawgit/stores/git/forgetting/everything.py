"""Reads every object of a repository, loose and packed, reachable or not."""

from collections.abc import Iterator

from clawgit.stores.git.batch import objects
from clawgit.stores.git.cgit import CGit
from clawgit.values import NamedTuple

_AT_ONCE = 32 << 20
"""How many bytes of objects one call of git reads. A single object may be larger."""


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
            yield from _read(git, kinds)
            kinds, size = {}, 0
        kinds[oid] = kind
        size += int(length)
    yield from _read(git, kinds)


def _read(git: CGit, kinds: dict[str, str]) -> Iterator[RawObject]:
    if not kinds:
        return
    output = git.run(
        "cat-file", "--batch", "--buffer", stdin="\n".join([*kinds, ""]).encode("ascii")
    )
    for found in objects(output):
        if found is not None:
            yield RawObject(found.oid, kinds[found.oid], found.data)

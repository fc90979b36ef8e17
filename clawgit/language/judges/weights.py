"""The learned weights: one file for each judge, mapped into memory and checked once."""

import mmap
import os
import struct
from binascii import crc32
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.doors import json
from clawgit.core.errors import StorageError
from clawgit.language.files import kept

WEIGHTS = os.path.join(os.path.dirname(__file__), "weights")  # noqa: PTH118, PTH120 - pathlib takes 5 ms to load
MAGIC = b"CLAWJUDG"
VERSION = 1
FRONT = struct.Struct("<8sHHII")
"""Magic, version, flags, checksum of what follows, length of the header that follows."""


class JudgeHead(NamedTuple):
    """What one judge has learned. `table` has a row for each class, with a small number
    per slot.
    """

    classes: tuple[str, ...]
    bias: tuple[float, ...]
    step: float
    slots: int
    table: tuple[memoryview, ...]
    raw: memoryview
    more: dict[str, Any]

    def scores(self, groups: Iterable[Sequence[int]]) -> tuple[float, ...]:
        """The score of each class: the sum of its weights over the slots.

        Each group is divided by the root of its size, because length says little.
        """
        scores = list(self.bias)
        for slots in groups:
            if not slots:
                continue
            scale = self.step / len(slots) ** 0.5
            for number, row in enumerate(self.table):
                scores[number] += scale * sum(map(row.__getitem__, slots))
        return tuple(scores)


@cache
def head(name: str) -> JudgeHead:
    """The weights of a judge. StorageError if the file is damaged: no judge guesses."""
    return read(f"{WEIGHTS}/{name}.bin")


def read(path: str) -> JudgeHead:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            # Mapped and not read: processes share the pages, and most of them are never touched.
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise _damaged(path, str(error)) from error
    if len(whole) < FRONT.size:
        raise _damaged(path, "it is cut short")
    magic, version, flags, checksum, length = FRONT.unpack_from(whole)
    if magic != MAGIC or version != VERSION:
        raise _damaged(path, "it is of another kind or version")
    if crc32(whole[FRONT.size :], seed(version, flags, length)) != checksum:
        raise _damaged(path, "its checksum does not match")
    start = FRONT.size + length
    fields = kept(path, checksum, lambda: json.loads(bytes(whole[FRONT.size : start])))
    raw = whole[start:].cast("b")
    slots = fields["slots"]
    rows = tuple(raw[at : at + slots] for at in range(0, len(raw), slots)) if slots else ()
    classes, bias = tuple(fields["classes"]), tuple(fields["bias"])
    return JudgeHead(classes, bias, fields["step"], slots, rows, raw, fields)


def seed(version: int, flags: int, length: int) -> int:
    """A checksum of these fields to start the whole checksum with, so that it covers them as
    well.
    """
    return crc32(struct.pack("<HHI", version, flags, length))


def _damaged(path: str, why: str) -> StorageError:
    return StorageError(
        f"The judges' weights in {os.path.basename(path)} cannot be read: {why}.",  # noqa: PTH119
        hint="Install clawgit again: pip install --force-reinstall clawgit",
    )

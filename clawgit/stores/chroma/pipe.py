"""The format of the pipe to the child that has Chroma open; read and written without numpy."""

import struct
from typing import TYPE_CHECKING

from clawgit.stores.chroma.standing import SIZE
from clawgit.values import NamedTuple

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Vector

HEAD = struct.Struct("<II")
"""How many vectors a page has, and of how many dimensions."""

ID = 16 + SIZE
"""Bytes of an id: the hash of a text and its standing."""

END = HEAD.pack(0, 0)
"""A page without records is the end; a pipe that ends earlier was cut off."""


class Order(NamedTuple):
    """The first line: what the child should do, and where."""

    task: str
    store: str
    collection: str


def packed(hashes: list[str], vectors: "Vector") -> bytes:
    """A page as it goes through the pipe."""
    return HEAD.pack(*vectors.shape) + bytes.fromhex("".join(hashes)) + vectors.tobytes()

"""Vectors for the tests, and the exact answer that every backend is held to."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clawgit.stores.chroma.backend import Family
from clawgit.stores.chroma.generation import Generation, newest
from clawgit.stores.chroma.standing import Standing

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Record, Vector

FAMILY = Family("static", "test/model", 16)


def records(count: int, *, seed: int = 1, dimensions: int = 16) -> "list[Record]":
    """Random directions under the ids that texts would have."""
    chance = np.random.default_rng(seed)
    rows = chance.standard_normal((count, dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [(Standing().ident(chance.bytes(16).hex()), row) for row in rows]


MANY = records(1200)
"""Enough for Chroma to write an HNSW graph, which it does at each thousand."""


def split(some: "list[Record]") -> "tuple[list[str], Vector]":
    return [one for one, _ in some], np.asarray([row for _, row in some])


def nearest(some: "list[Record]", vector: "Vector", n: int) -> list[tuple[str, float]]:
    """By exact scan."""
    ranked = sorted(((one, float(row @ vector)) for one, row in some), key=lambda pair: -pair[1])
    return ranked[:n]


def generation_in(chroma: Path) -> Generation:
    found = newest(chroma / FAMILY.collection)
    assert found is not None
    return found


def file_of(chroma: Path, name: str) -> Path:
    (found,) = generation_in(chroma).store.rglob(name)
    return found

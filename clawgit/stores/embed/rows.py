"""Arithmetic on the vectors of an embedder."""

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import Rows


def normalised(rows: Rows) -> Rows:
    """The same directions with length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit

"""What every embedder offers."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from clawgit.doors import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows: TypeAlias = "NDArray[np.float32]"
"""One vector per row."""

E5, E5_MODEL = "e5", "e5-small-8-v4"
"""The embedder that comes with clawgit."""


class EmbedLimits(NamedTuple):
    """How long one request may take, and how long retries may go on in all. `wait` sleeps."""

    seconds: float = 60
    patience: float = 60
    wait: Callable[[float], None] = time.sleep


class EmbedderOptions(NamedTuple):
    """The options of an embedder. `env` has the keys; it comes from the front end."""

    env: Mapping[str, str]
    model: str = ""
    url: str = ""
    limits: EmbedLimits = EmbedLimits()


class Embedder(Protocol):
    """Two with the same provider, model and dimensions give the same vectors."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int:
        """A service may have to be asked for it."""

    def knows(self, question: str) -> bool:
        """Whether the model has learned the letters of a question."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """A row of length 1 for each text, in order; zeros for a text that the model does not know.

        `query` marks a question, which some models embed in another way than documents.
        """


def normalised(rows: Rows) -> Rows:
    """The same directions with length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit

"""What every embedder is to its callers, and the error that makes them fall back to words."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Rows: TypeAlias = "NDArray[np.float32]"
"""One vector a row."""


class EmbedderError(ClawgitError):
    """An embedder cannot be used now: not installed, not reachable, or its answer is wrong. A
    search does without.
    """

    kind = "embedder"


class Limits(NamedTuple):
    """How long one request may take, and how long retries may go on in all. `wait` sleeps."""

    seconds: float = 60
    patience: float = 60
    wait: Callable[[float], None] = time.sleep


class Wanted(NamedTuple):
    """What is set about an embedder. `env` holds keys and HOME; the front end hands it down."""

    env: Mapping[str, str]
    model: str = ""
    url: str = ""
    limits: Limits = Limits()


class Embedder(Protocol):
    """Turns text into vectors. Two with the same provider, model and dimensions give the same
    vectors.
    """

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int:
        """Some services tell it only with their first answer: whoever has a text to embed asks this
        afterwards.
        """

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """A row of length 1 for each text, in order; a row of zeros for one in which the model
        knows nothing.

        `query` marks a question, which some models embed otherwise than what it is asked of.
        """


def normalised(rows: Rows) -> Rows:
    """The same directions with length 1; zeros stay zeros."""
    import numpy as np  # noqa: PLC0415 - 60 ms, for those alone who embed

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit

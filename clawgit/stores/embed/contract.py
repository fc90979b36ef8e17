"""What every embedder offers, and the error after which callers use words alone."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows: TypeAlias = "NDArray[np.float32]"
"""One vector per row."""


STATIC_MODEL = "minilm-256-v5"
E5_MODEL = "e5-small-8-v4"
MINILM_MODEL = "all-MiniLM-L6-v2"
"""The models of the local embedders. They are here since their modules load numpy."""


REINSTALL = "Install clawgit again: pip install --force-reinstall clawgit"


class EmbedderError(ClawgitError):
    """An embedder cannot be used now: not installed, not reachable, or its answer is wrong."""

    kind = "embedder"


def unreadable(error: Exception) -> EmbedderError:
    """What is said of a model of the package that cannot be read."""
    return EmbedderError(
        f"The model that ships with clawgit cannot be read: {error}.", hint=REINSTALL
    )


class EmbedLimits(NamedTuple):
    """How long one request may take, and how long retries may go on in all. `wait` sleeps."""

    seconds: float = 60
    patience: float = 60
    wait: Callable[[float], None] = time.sleep


class EmbedderOptions(NamedTuple):
    """The options of an embedder. `env` has keys and HOME; it comes from the front end."""

    env: Mapping[str, str]
    model: str = ""
    url: str = ""
    limits: EmbedLimits = EmbedLimits()


class Embedder(Protocol):
    """Turns text into vectors.

    Two with the same provider, model and dimensions give the same vectors.
    """

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int:
        """Some services show this only in their first answer: embed something first."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        """A row of length 1 for each text, in order; zeros for a text that the model does not know.

        `query` marks a question, which some models embed in another way than documents.
        """


def normalised(rows: Rows) -> Rows:
    """The same directions with length 1; zeros stay zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit

"""Embedders turn text into vectors: the one that comes with clawgit, or a service.

To add a service: a row in `SERVICES`, and its name in `core/config/settings.py`. Importing this
loads neither numpy nor a model: some callers only want to name a model.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, TypeAlias

from clawgit.core import NamedTuple
from clawgit.core.doors import numpy as np
from clawgit.search.rules.row import parts
from clawgit.search.stores.models import EMBEDDER, END, START, Model, ModelError, side_by_side

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RETRIEVE = "Represent this sentence for searching relevant passages: "

_PROMPTS = {
    "nomic-embed-text": ("search_query: ", "search_document: "),
    "mxbai-embed-large": (_RETRIEVE, ""),
    "snowflake-arctic-embed2": ("query: ", ""),
    "snowflake-arctic-embed": (_RETRIEVE, ""),
    "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
    "multilingual-e5": ("query: ", "passage: "),
    "e5-": ("query: ", "passage: "),
}
"""The words that some open models expect before a question and before a text, and rank worse
without, by how the name of the model begins.
"""


class Service(NamedTuple):
    """`root` is the path if an address names none. `extra` is sent with each request; with `kinds`,
    a request says whether it holds a question.
    """

    url: str
    root: str
    model: str
    keys: tuple[str, ...]
    extra: Mapping[str, int] = {}
    kinds: bool = False
    needs_key: bool = True


SERVICES = {
    "ollama": Service(
        "http://localhost:11434", "/v1", "bge-m3", ("OLLAMA_API_KEY",), needs_key=False
    ),
    "openai": Service(
        "https://api.openai.com", "/v1", "text-embedding-3-small", ("OPENAI_API_KEY",)
    ),
    "voyage": Service(
        "https://api.voyageai.com", "/v1", "voyage-4-lite", ("VOYAGE_API_KEY",), kinds=True
    ),
    # Of 3,072 dimensions the first ones hold most, and a scan reads a quarter.
    "gemini": Service(
        "https://generativelanguage.googleapis.com",
        "/v1beta/openai",
        "gemini-embedding-001",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        {"dimensions": 768},
    ),
}


def prompts(model: str) -> tuple[str, str]:
    """The words that a model expects before a question and before a text."""
    # Without the owner's name, as in `nomic-ai/…`.
    name = model.lower().rpartition("/")[2]
    return next((_PROMPTS[start] for start in _PROMPTS if name.startswith(start)), ("", ""))


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


MODELS: Mapping[str, str] = {
    E5: E5_MODEL,
    **{name: service.model for name, service in SERVICES.items()},
}
"""Embedder → the model that it uses if none is named."""


def open_embedder(name: str, wanted: EmbedderOptions) -> Embedder:
    """The embedder of that name; nothing goes over the network yet.

    Raises `ModelError` if it cannot be used.
    """
    if find_spec("numpy") is None:
        raise ModelError("The models need numpy.", hint="pip install 'clawgit[enhanced]'")
    if name in SERVICES:
        from clawgit.search.embed.wire import ServiceEmbedder  # noqa: PLC0415 - urllib, 12 ms

        return ServiceEmbedder(name, wanted)
    return E5Embedder()


_MOST_TOKENS = 128

_TEXT, _QUESTION = 0, 1
"""How the model is told which of the two it reads."""


class E5Embedder(Model):
    """Some 5 ms a line. It knows synonyms and word order. models/training/ made it."""

    provider = E5
    model = E5_MODEL

    def __init__(self) -> None:
        super().__init__(EMBEDDER)
        self.dimensions = int(self.width)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        kind = _QUESTION if query else _TEXT

        def mean(text: str) -> Rows:
            read = self.pieces.ids(as_learned(*parts(text)))[: _MOST_TOKENS - 2]
            tokens = [START, *read, END]
            row: Rows = self.read(tokens, [kind] * len(tokens))[0].mean(axis=0)
            return row

        rows = np.array(side_by_side(mean, texts), np.float32)
        return normalised(rows.reshape(len(texts), self.dimensions))


def as_learned(text: str, above: Sequence[str]) -> str:
    """A line with what stands above it, which comes last so that it is cut off, and not the line,
    if all is too long.
    """
    return " ".join((text, *(f"({heading})" for heading in above)))

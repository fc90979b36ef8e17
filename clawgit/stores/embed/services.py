"""Services that turn text into vectors. All of them are asked as OpenAI is: Ollama, Voyage and
Gemini offer the same API, as do vLLM, LM Studio, llama.cpp and LiteLLM.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from clawgit.doors import numpy as np
from clawgit.stores.embed.contract import EmbedderOptions, Rows, normalised
from clawgit.stores.embed.wire import EmbeddingServer, Json, TooMuchError, address, ask
from clawgit.stores.models import ModelError

_MOST_TEXTS, _MOST_CHARACTERS = 64, 40_000
"""In one request; the smallest limit of all services."""

_LONGEST = 6_000
"""At this many characters a text is cut."""

_SHORTENINGS = 4
"""How often a text is halved that is too long for a service: 6,000 characters end at 375."""

_EMPTY = "(empty)"
"""Sent for an empty text, which some services refuse."""

_LARGEST_NUMBER = 1e15

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
without, by how the name of the model begins."""


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


class ServiceEmbedder:
    """An `Embedder` over HTTP: cuts texts into requests, sends them, checks the answers.

    Its first answer sets the dimensions; later answers must have the same.
    """

    def __init__(self, name: str, wanted: EmbedderOptions) -> None:
        service = SERVICES[name]
        key = _key(name, service, wanted)
        self.provider = name
        self.model = wanted.model or service.model
        self._service = service
        url = address(wanted.url or service.url, service.root)
        self._server = EmbeddingServer(name, url, key, wanted.limits)
        self._dimensions = 0

    @property
    def dimensions(self) -> int:
        if not self._dimensions:
            self.embed(["dimensions"], query=True)
        return self._dimensions

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
        if not texts:
            return np.zeros((0, self._dimensions), np.float32)
        prompt = _prompt(self.model, query=query)
        cut = [prompt + (text[:_LONGEST] if text.strip() else _EMPTY) for text in texts]
        rows = [row for part in _requests(cut) for row in self._vectors(part, query=query)]
        return normalised(np.asarray(rows, np.float32).reshape(len(texts), self._dimensions))

    def knows(self, question: str) -> bool:  # noqa: ARG002 - nobody tells
        return True

    def _vectors(
        self, texts: Sequence[str], *, query: bool, shortenings: int = _SHORTENINGS
    ) -> list[list[float]]:
        """Embeds texts.

        If that is too much for the service, it halves the number of texts, then a single text.
        """
        question: Json = {"model": self.model, "input": list(texts), **self._service.extra}
        if self._service.kinds:
            question["input_type"] = "query" if query else "document"
        try:
            answer = ask(self._server, "/embeddings", question)
        except TooMuchError:
            middle = len(texts) // 2
            if middle:
                first = self._vectors(texts[:middle], query=query, shortenings=shortenings)
                second = self._vectors(texts[middle:], query=query, shortenings=shortenings)
                return [*first, *second]
            if not shortenings:
                raise
            half = texts[0][: len(texts[0]) // 2]
            return self._vectors([half], query=query, shortenings=shortenings - 1)
        return self._checked(answer, len(texts))

    def _checked(self, answer: Json, expected: int) -> list[list[float]]:
        try:
            ordered: list[Any] = sorted(answer["data"], key=itemgetter("index"))
            rows = [[float(number) for number in row["embedding"]] for row in ordered]
        except (KeyError, TypeError, ValueError) as error:
            raise self._wrong("its answer holds no vectors") from error
        if len(rows) != expected:
            raise self._wrong(f"it answered {len(rows)} of {expected} texts")
        lengths = {len(row) for row in rows}
        if self._dimensions:
            lengths.add(self._dimensions)
        if len(lengths) != 1 or 0 in lengths:
            named = " and ".join(map(str, sorted(lengths)))
            raise self._wrong(f"its vectors have {named} dimensions")
        if not all(map(_is_sound, rows)):
            raise self._wrong("its vectors hold something other than numbers")
        self._dimensions = lengths.pop()
        return rows

    def _wrong(self, what: str) -> ModelError:
        return ModelError(
            f"{self.provider} with {self.model} cannot be used: {what}.",
            hint="Check embedder in CONFIG.md.",
        )


def _key(name: str, service: Service, wanted: EmbedderOptions) -> str:
    keys = [wanted.env.get(variable, "").strip() for variable in service.keys]
    key = next(filter(None, keys), "")
    if service.needs_key and not key and not wanted.url:
        raise ModelError(
            f"{name} needs a key.",
            hint=f"Set the environment variable {' or '.join(service.keys)}.",
        )
    if not (key.isascii() and key.isprintable()):
        raise ModelError(
            f"The key of {name} holds characters that no key has.", hint="Set it again."
        )
    return key


def _prompt(model: str, *, query: bool) -> str:
    """The words that a model expects before a text."""
    # Without the owner's name, as in `nomic-ai/…`.
    name = model.lower().rpartition("/")[2]
    pairs = (prompts for start, prompts in _PROMPTS.items() if name.startswith(start))
    of_question, of_text = next(pairs, ("", ""))
    return of_question if query else of_text


def _requests(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Runs of texts that fit into one request each."""
    borders, size = [0], 0
    for at, text in enumerate(texts):
        size += len(text)
        count = at - borders[-1]
        if count and (count >= _MOST_TEXTS or size > _MOST_CHARACTERS):
            borders.append(at)
            size = len(text)
    return (texts[start:end] for start, end in pairwise([*borders, len(texts)]))


def _is_sound(row: list[float]) -> bool:
    # A NaN is not less than anything, so this catches it too.
    return all(abs(number) < _LARGEST_NUMBER for number in row)

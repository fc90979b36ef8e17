"""The embedders that are asked over the network: how each service is asked, and how it answers."""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

Json = dict[str, Any]

_GEMINI_DIMENSIONS = 768
"""Of 3,072 dimensions: the first ones hold most of the information, and a scan reads a quarter."""

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


class Dialect(NamedTuple):
    """How one service is asked.

    `root` is the path if an address names none. One request holds at most `most_texts` texts and
    `most_characters` characters; a text is cut at `longest` characters.
    """

    provider: str
    url: str
    root: str
    model: str
    keys: tuple[str, ...]
    headers: Callable[[str], Mapping[str, str]]
    question: Callable[[str, Sequence[str], bool], tuple[str, Json]]
    vectors: Callable[[Json], list[Any]]
    most_texts: int
    most_characters: int
    longest: int
    needs_key: bool = True


def _bearer(key: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _prompted(model: str, texts: Sequence[str], query: bool) -> list[str]:
    """The texts, each behind the words that the model expects."""
    # Without the owner's name, as in `nomic-ai/…`.
    name = model.lower().rpartition("/")[2]
    pairs = (prompts for start, prompts in _PROMPTS.items() if name.startswith(start))
    of_question, of_text = next(pairs, ("", ""))
    return [(of_question if query else of_text) + text for text in texts]


def _ask_ollama(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    prompted = _prompted(model, texts, query)
    return "/embed", {"model": model, "input": prompted, "truncate": True}


def _ask_openai(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    return "/embeddings", {"model": model, "input": _prompted(model, texts, query)}


def _ask_voyage(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    kind = "query" if query else "document"
    return "/embeddings", {
        "model": model,
        "input": list(texts),
        "input_type": kind,
        "truncation": True,
    }


def _ask_gemini(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    """One content for each text: two texts in one content would become one vector."""
    name = f"models/{model.removeprefix('models/')}"
    common = {
        "model": name,
        "taskType": "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT",
        "outputDimensionality": _GEMINI_DIMENSIONS,
    }
    return f"/{name}:batchEmbedContents", {
        "requests": [{**common, "content": {"parts": [{"text": text}]}} for text in texts]
    }


def _in_order(answer: Json) -> list[Any]:
    """The vectors of an answer in OpenAI's form, ordered by their index."""
    return [row["embedding"] for row in sorted(answer["data"], key=itemgetter("index"))]


OLLAMA = Dialect(
    provider="ollama",
    url="http://localhost:11434",
    root="/api",
    model="bge-m3",
    keys=("OLLAMA_API_KEY",),
    headers=_bearer,
    question=_ask_ollama,
    vectors=lambda answer: list(answer["embeddings"]),
    most_texts=64,
    most_characters=100_000,
    longest=24_000,
    needs_key=False,
)

OPENAI = Dialect(
    provider="openai",
    url="https://api.openai.com",
    root="/v1",
    model="text-embedding-3-small",
    keys=("OPENAI_API_KEY",),
    headers=_bearer,
    question=_ask_openai,
    vectors=_in_order,
    most_texts=256,
    most_characters=400_000,
    longest=24_000,
)
"""OpenAI, and servers that offer its API: vLLM, LM Studio, llama.cpp, LiteLLM."""

VOYAGE = Dialect(
    provider="voyage",
    url="https://api.voyageai.com",
    root="/v1",
    model="voyage-4-lite",
    keys=("VOYAGE_API_KEY",),
    headers=_bearer,
    question=_ask_voyage,
    vectors=_in_order,
    most_texts=128,
    most_characters=200_000,
    longest=64_000,
)

GEMINI = Dialect(
    provider="gemini",
    url="https://generativelanguage.googleapis.com",
    root="/v1beta",
    model="gemini-embedding-001",
    keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    headers=lambda key: {"x-goog-api-key": key},
    question=_ask_gemini,
    vectors=lambda answer: [row["values"] for row in answer["embeddings"]],
    most_texts=100,
    most_characters=40_000,
    longest=6_000,
)

DIALECTS = {dialect.provider: dialect for dialect in (OLLAMA, OPENAI, VOYAGE, GEMINI)}

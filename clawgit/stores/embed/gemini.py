"""Google's Gemini, one content per text: two texts in one content would become one vector."""

from collections.abc import Sequence
from typing import Any

from clawgit.stores.embed.dialect import Dialect, Json

_DIMENSIONS = 768
"""Of 3,072 dimensions: the first ones hold most of the information, and a scan reads a quarter."""


def _question(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    name = f"models/{model.removeprefix('models/')}"
    common = {
        "model": name,
        "taskType": "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT",
        "outputDimensionality": _DIMENSIONS,
    }
    return f"/{name}:batchEmbedContents", {
        "requests": [{**common, "content": {"parts": [{"text": text}]}} for text in texts]
    }


def _vectors(answer: Json) -> list[Any]:
    return [row["values"] for row in answer["embeddings"]]


GEMINI = Dialect(
    provider="gemini",
    url="https://generativelanguage.googleapis.com",
    root="/v1beta",
    model="gemini-embedding-001",
    keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    headers=lambda key: {"x-goog-api-key": key},
    question=_question,
    vectors=_vectors,
    most_texts=100,
    most_characters=40_000,
    longest=6_000,
)

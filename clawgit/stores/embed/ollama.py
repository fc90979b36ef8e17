"""Models that an Ollama on this machine runs."""

from collections.abc import Sequence
from typing import Any

from clawgit.stores.embed.dialect import Dialect, Json
from clawgit.stores.embed.prompts import prompts_of


def _question(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    prompts = prompts_of(model)
    prompted = [prompts.around(text, query=query) for text in texts]
    return "/embed", {"model": model, "input": prompted, "truncate": True}


def _vectors(answer: Json) -> list[Any]:
    return list(answer["embeddings"])


OLLAMA = Dialect(
    provider="ollama",
    url="http://localhost:11434",
    root="/api",
    model="bge-m3",
    keys=("OLLAMA_API_KEY",),
    headers=lambda key: {"Authorization": f"Bearer {key}"},
    question=_question,
    vectors=_vectors,
    most_texts=64,
    most_characters=100_000,
    longest=24_000,
    needs_key=False,
)

"""Voyage AI, which embeds a question differently from a text."""

from collections.abc import Sequence

from clawgit.stores.embed.dialect import Dialect, Json
from clawgit.stores.embed.openai import in_order


def _question(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    kind = "query" if query else "document"
    return "/embeddings", {
        "model": model,
        "input": list(texts),
        "input_type": kind,
        "truncation": True,
    }


VOYAGE = Dialect(
    provider="voyage",
    url="https://api.voyageai.com",
    root="/v1",
    model="voyage-4-lite",
    keys=("VOYAGE_API_KEY",),
    headers=lambda key: {"Authorization": f"Bearer {key}"},
    question=_question,
    vectors=in_order,
    most_texts=128,
    most_characters=200_000,
    longest=64_000,
)

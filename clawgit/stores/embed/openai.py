"""OpenAI, and servers that offer its API: vLLM, LM Studio, llama.cpp, LiteLLM."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from clawgit.stores.embed.dialect import Dialect, Json
from clawgit.stores.embed.prompts import prompts_of


def _question(model: str, texts: Sequence[str], query: bool) -> tuple[str, Json]:
    prompts = prompts_of(model)
    return "/embeddings", {
        "model": model,
        "input": [prompts.around(text, query=query) for text in texts],
    }


def in_order(answer: Json) -> list[Any]:
    """The vectors of an answer in OpenAI's form, ordered by their index."""
    return [row["embedding"] for row in sorted(answer["data"], key=itemgetter("index"))]


OPENAI = Dialect(
    provider="openai",
    url="https://api.openai.com",
    root="/v1",
    model="text-embedding-3-small",
    keys=("OPENAI_API_KEY",),
    headers=lambda key: {"Authorization": f"Bearer {key}"},
    question=_question,
    vectors=in_order,
    most_texts=256,
    most_characters=400_000,
    longest=24_000,
)

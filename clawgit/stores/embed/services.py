"""The services that turn text into vectors. All of them are asked as OpenAI is: Ollama, Voyage and
Gemini offer the same API, as do vLLM, LM Studio, llama.cpp and LiteLLM.
"""

from collections.abc import Mapping
from typing import NamedTuple

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

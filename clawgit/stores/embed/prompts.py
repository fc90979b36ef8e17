"""The words that some open models expect before a question or a text, and rank worse without."""

from clawgit.values import NamedTuple


class EmbedPrompts(NamedTuple):
    query: str = ""
    text: str = ""

    def around(self, text: str, *, query: bool) -> str:
        return (self.query if query else self.text) + text


_RETRIEVE = "Represent this sentence for searching relevant passages: "

_PROMPTS = {
    "nomic-embed-text": EmbedPrompts("search_query: ", "search_document: "),
    "mxbai-embed-large": EmbedPrompts(_RETRIEVE),
    "snowflake-arctic-embed2": EmbedPrompts("query: "),
    "snowflake-arctic-embed": EmbedPrompts(_RETRIEVE),
    "embeddinggemma": EmbedPrompts("task: search result | query: ", "title: none | text: "),
    "multilingual-e5": EmbedPrompts("query: ", "passage: "),
    "e5-": EmbedPrompts("query: ", "passage: "),
}


def prompts_of(model: str) -> EmbedPrompts:
    """The prompts of a model, found by its name without the owner (`nomic-ai/…`); often none."""
    name = model.lower().rpartition("/")[2]
    return next(
        (prompts for start, prompts in _PROMPTS.items() if name.startswith(start)), EmbedPrompts()
    )

"""The reranker that comes with clawgit: what it puts first, and what it does not believe in."""

from clawgit.search.search import Request, SearchAnswer, search
from tests.conftest import Git
from tests.making import space_of
from tests.search.conftest import first_hit

PROXY = (
    "The proxy is checked every hour, and its requests are counted.",
    "Fixed: the certificate had expired, so every request was refused by the proxy.",
    "Der Proxy wird stündlich geprüft, und alle Anfragen werden gezählt.",
    "Behoben: das Zertifikat war abgelaufen, also wies der Proxy jede Anfrage ab.",
)


def with_reranker(memory: Git, question: str, mode: str = "enhanced") -> SearchAnswer:
    memory.write("MEMORY.md", "# Proxy\n\n" + "".join(f"- {line}\n\n" for line in PROXY))
    return search(space_of(memory, CLAWGIT_SEARCH_MODE=mode), Request(question))


def test_the_built_in_reranker_puts_what_answers_before_what_shares_words(memory: Git) -> None:
    question = "why were proxy requests counted as refused"
    assert first_hit(with_reranker(memory, question)).snippet == PROXY[1]


def test_what_the_reranker_does_not_believe_in_is_not_called_likely(memory: Git) -> None:
    question = "cost of the certificate and requests"
    assert first_hit(with_reranker(memory, question, "vectors")).likely
    found = with_reranker(memory, question).results
    assert found
    assert not any(hit.likely for hit in found)

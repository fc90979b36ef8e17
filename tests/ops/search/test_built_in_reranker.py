"""The reranker that comes with clawgit: what it puts first, and what it does not believe in."""

from collections.abc import Sequence

import pytest

from clawgit.ops.search.search import Request, SearchAnswer, search
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.reranker import Reranker
from tests.conftest import Git
from tests.ops.making import space_of
from tests.ops.search.conftest import first_hit

PROXY = (
    "The proxy is checked every hour, and its requests are counted.",
    "Fixed: the certificate had expired, so every request was refused by the proxy.",
    "Der Proxy wird stündlich geprüft, und alle Anfragen werden gezählt.",
    "Behoben: das Zertifikat war abgelaufen, also wies der Proxy jede Anfrage ab.",
)


def with_reranker(memory: Git, question: str, reranker: str = "built-in") -> SearchAnswer:
    memory.write("MEMORY.md", "# Proxy\n\n" + "".join(f"- {line}\n\n" for line in PROXY))
    return search(_with(memory, reranker), Request(question))


def _with(memory: Git, reranker: str) -> Workspace:
    memory.write("CONFIG.md", f'# Config\n\n```yaml\nreranker: "{reranker}"\n```\n')
    return space_of(memory, CLAWGIT_SEARCH_MODE="enhanced")


def test_the_built_in_reranker_puts_what_answers_before_what_shares_words(memory: Git) -> None:
    question = "why were proxy requests counted as refused"
    assert first_hit(with_reranker(memory, question)).snippet == PROXY[1]


def test_the_built_in_reranker_reads_questions_in_letters_that_it_knows(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[str]()
    relevance = Reranker.relevance

    def counted(reranker: Reranker, question: str, texts: Sequence[str]) -> list[float]:
        read.append(question)
        return relevance(reranker, question, texts)

    monkeypatch.setattr(Reranker, "relevance", counted)
    with_reranker(memory, "почему proxy отклонил запросы")
    assert not read
    with_reranker(memory, "Warum zählt der Proxy jede Anfrage")
    with_reranker(memory, "why is the proxy checked")
    assert len(read) == 2


def test_what_the_reranker_does_not_believe_in_is_not_called_likely(memory: Git) -> None:
    question = "cost of the certificate and requests"
    assert first_hit(with_reranker(memory, question, "")).likely
    found = with_reranker(memory, question).results
    assert found
    assert not any(hit.likely for hit in found)


TRIP = """# Trip

- Bo is the landlord; his number is 555 0142.
- Grafana was moved from port 3000 to 3100.
- We booked the Hotel Mirador, paid with the blue card.
"""


@pytest.mark.parametrize("lookup", ["tell me about Bo", "anything on Grafana?", '"with the blue"'])
def test_a_line_that_has_what_is_looked_up_stays_likely(memory: Git, lookup: str) -> None:
    memory.write("memory/trip.md", TRIP)
    found = first_hit(with_reranker(memory, lookup))
    assert (found.path, found.likely) == ("memory/trip.md", True)


def test_an_explained_search_shows_what_the_reranker_says(memory: Git) -> None:
    memory.write("MEMORY.md", "# Proxy\n\n" + "".join(f"- {line}\n\n" for line in PROXY))
    ws = space_of(memory, CLAWGIT_SEARCH_MODE="enhanced", CLAWGIT_RERANKER="built-in")

    def said(question: str) -> object:
        hit = first_hit(search(ws, Request(question, explain=True)))
        return hit.explain and hit.explain["reranker"]

    chance = said("why were proxy requests counted as refused")
    assert isinstance(chance, float)
    assert 0.5 <= chance <= 1

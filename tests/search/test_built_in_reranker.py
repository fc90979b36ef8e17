"""The reranker that comes with clawgit: what it puts first, and what it does not believe in."""

import pytest

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

"""The reranker, which reads by default where meaning is compared."""

from collections.abc import Sequence

import pytest

from clawgit.domain.search.ranking_weights import DOUBTED
from clawgit.ops.search.answer import SearchAnswer
from clawgit.ops.search.search import Request, search
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.models import ModelError
from clawgit.stores.reranker import Reranker
from tests.conftest import Git
from tests.ops.making import space_of

ENHANCED = "search_mode: enhanced"
WITHOUT = "search_mode: vectors"

PROXY = (
    "The proxy counts its requests every hour.",
    "Fixed: the certificate had expired, so every request was refused by the proxy.",
)
QUESTION = "why were the requests of the proxy refused"


def asked(
    git: Git, question: str, settings: str = ENHANCED, least: float | None = None
) -> SearchAnswer:
    request = Request(question, explain=True, min_score=least)
    return search(workspace_of(git, settings), request)


def workspace_of(git: Git, settings: str = ENHANCED) -> Workspace:
    git.write("CONFIG.md", f"# Settings\n\n```yaml\n{settings}\n```\n")
    return space_of(git)


def chances(answer: SearchAnswer) -> list[object]:
    return [hit.explain and hit.explain["reranker"] for hit in answer.results]


@pytest.fixture
def proxy(git: Git) -> Git:
    git.write("MEMORY.md", "# Proxy\n\n" + "".join(f"- {line}\n\n" for line in PROXY))
    git.commit_all("start")
    return git


def test_it_sorts_by_what_answers(proxy: Git) -> None:
    [best, *others] = chances(asked(proxy, QUESTION))
    assert isinstance(best, float)
    assert best > 0.5
    assert all(isinstance(chance, float) and chance < best for chance in others)


@pytest.mark.parametrize("settings", [WITHOUT, "search_mode: core"])
def test_it_reads_nothing_in_core_or_if_it_is_off(proxy: Git, settings: str) -> None:
    answer = asked(proxy, QUESTION, settings)
    assert chances(answer) == [None] * len(answer.results)
    assert answer.results


@pytest.mark.parametrize(
    "question",
    [
        "почему proxy отклонил запросы",
        "proxy",
    ],
)
def test_it_reads_no_unknown_language_and_nothing_that_is_looked_up(
    proxy: Git, question: str
) -> None:
    assert not any(chances(asked(proxy, question)))


@pytest.mark.parametrize(
    ("question", "chance", "is_likely"),
    [
        # All words stand in the second line, which is doubted all the same.
        (QUESTION, 0.0, False),
        (QUESTION, DOUBTED, True),
        ("the proxy's certificate", 0.0, True),  # all of few words
        ("the hour's certificate", 0.0, False),
        # “Kazan” stands nowhere, and is more than a third of the question.
        ("requests of the proxy refused by Kazan", DOUBTED, False),
        ("requests of the proxy refused by Kazan", 0.9, True),
    ],
)
def test_its_chance_says_whether_a_hit_is_likely(
    proxy: Git, monkeypatch: pytest.MonkeyPatch, question: str, chance: float, is_likely: bool
) -> None:
    monkeypatch.setattr(Reranker, "relevance", lambda _self, _asked, texts: [chance] * len(texts))
    answer = asked(proxy, question)
    assert set(chances(answer)) == {chance}
    assert answer.results[0].likely == is_likely


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the reranker reads."""
    read = list[str]()

    def seen(_self: object, _question: str, texts: Sequence[str]) -> list[float]:
        read.extend(texts)
        return [0.5] * len(texts)

    monkeypatch.setattr(Reranker, "relevance", seen)
    return read


def test_a_number_alone_is_not_read(proxy: Git, read: list[str]) -> None:
    proxy.write("USER.md", "# USER.md\n\n- Plumber: 4155550178\n")
    assert asked(proxy, "(415) 555-0178").results
    assert not read


def test_one_that_cannot_be_read_is_named_and_the_search_goes_on(
    proxy: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_reranker: Reranker) -> None:
        raise ModelError("The reranker is not there.", hint="Install clawgit again.")

    monkeypatch.setattr(Reranker, "__init__", broken)
    found = asked(proxy, QUESTION)
    assert found.results
    assert "no reranker: The reranker is not there." in (found.fallback or "")


def test_a_line_is_read_with_the_label_above_it_and_the_line_that_leads_to_it(
    git: Git, read: list[str]
) -> None:
    git.write(
        "memory/a.md",
        "# Clients\n\n**Hotel Krone**\n\nStill open:\n\n- The photos of the roof.\n\n"
        "# Sports\n\n- The photos of hall 2.\n",
    )
    git.commit_all("start")
    found = asked(git, "which photos does the hotel want")
    assert "a › Clients › Hotel Krone › Still open › The photos of the roof." in read
    assert [hit.headings for hit in found.results][:1] == [("Clients",)]

"""The reranker, which reads by default where meaning is compared."""

from collections.abc import Sequence
from itertools import chain

import pytest

from clawgit.domain.search.ranking_weights import DOUBTED
from clawgit.ops.search.answer import Hit, SearchAnswer
from clawgit.ops.search.reranking import matter_of, remembered
from clawgit.ops.search.search import Request, search
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.models import ModelError
from clawgit.stores.reranker import Reranker
from tests.conftest import Git
from tests.ops.making import space_of

ENHANCED = "search_mode: enhanced"
WITHOUT = f'{ENHANCED}\nreranker: ""'

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


def shown(answer: SearchAnswer) -> set[str]:
    return {*chain.from_iterable(map(lines_of, answer.results))}


def lines_of(hit: Hit) -> list[str]:
    return [hit.snippet, *(other.snippet for other in hit.more)]


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
        ("the hour's certificate", DOUBTED, True),
        ("the requests of the proxy that were refused yesterday", 0.0, False),
        ("the hour of the certificate", 0.0, False),
        ("the hour of the certificate", DOUBTED, True),
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


def test_the_turns_of_a_conversation_are_read(git: Git) -> None:
    turns = [
        "Ana: We had the certificate of the proxy renewed, and the requests?",
        "Ben: They are refused, I do not know why the proxy does that.",
        "Ana: The requests were refused as the certificate had expired.",
    ]
    git.write(
        "memory/2026-02-10.md", "".join(f"**{turn.replace(':', ':**')}\n\n" for turn in turns)
    )
    git.commit_all("start")
    answer = asked(git, QUESTION)
    assert "had expired" in answer.results[0].snippet
    assert all(chances(answer))


def test_a_line_is_read_once_for_a_question() -> None:
    read: list[tuple[str, Sequence[str]]] = []

    def lengths(question: str, texts: Sequence[str]) -> list[float]:
        read.append((question, texts))
        return [float(len(text)) for text in texts]

    relevance = remembered(lengths)
    assert relevance("one", ["a", "bb", "a"]) == [1, 2, 1]
    assert relevance("one", ["bb", "ccc"]) == [2, 3]
    assert relevance("two", ["bb"]) == [2]
    assert read == [("one", ["a", "bb"]), ("one", ["ccc"]), ("two", ["bb"])]


GERMAN = "Welche Anfragen zählt der Proxy"
PLACES = (
    *("Küche", "Keller", "Garten", "Flur", "Werkstatt", "Büro", "Garage", "Balkon", "Dachboden"),
    *("Wohnzimmer", "Schuppen", "Treppenhaus"),
)


@pytest.fixture
def many(git: Git) -> Git:
    """A dozen German lines that share words with the question."""
    lines = (f"- {place}: der Proxy zählt dort Anfragen.\n" for place in PLACES)
    git.write("MEMORY.md", "# Proxy\n\n" + "\n".join(lines))
    git.commit_all("start")
    return git


def test_it_reads_another_language_where_meaning_is_compared(
    many: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[int]()

    def counted(_reranker: Reranker, _question: str, texts: Sequence[str]) -> list[float]:
        read.append(len(texts))
        return [0.5] * len(texts)

    monkeypatch.setattr(Reranker, "relevance", counted)
    found = asked(many, GERMAN)
    assert len(read) == 1
    assert 0.5 in chances(found)
    asked(many, GERMAN, "search_mode: core")
    assert len(read) == 1


@pytest.mark.parametrize("asks", ["代理服务器的密码是什么", "プロキシは何を数えますか"])
def test_it_is_believed_where_a_question_has_no_spaces(
    git: Git, monkeypatch: pytest.MonkeyPatch, asks: str
) -> None:
    git.write(
        "MEMORY.md", "# Proxy\n\n- 代理服务器在七月搬到了柏林。\n\n- プロキシは毎時間数えます。\n"
    )
    git.commit_all("start")

    def doubts(_reranker: Reranker, _question: str, texts: Sequence[str]) -> list[float]:
        return [0.01] * len(texts)

    assert any(hit.likely for hit in asked(git, asks, WITHOUT).results)
    monkeypatch.setattr(Reranker, "relevance", doubts)
    found = asked(git, asks)
    assert found.results
    assert not any(hit.likely for hit in found.results)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the reranker reads."""
    read = list[str]()

    def seen(_self: object, _question: str, texts: Sequence[str]) -> list[float]:
        read.extend(texts)
        return [0.5] * len(texts)

    monkeypatch.setattr(Reranker, "relevance", seen)
    return read


def test_it_reads_what_is_best_by_words_and_meaning_together(git: Git, read: list[str]) -> None:
    best = "He wanted 480 euros for the new crown on my molar."
    by_words = [f"Autumn, and the charge of battery {number} was low." for number in range(60)]
    by_meaning = [f"{number} euros for orthodontist and teeth." for number in range(60)]
    lines = "\n".join(f"- {line}" for line in (*by_words, *by_meaning, best))
    git.write("MEMORY.md", f"# Memory\n\n{lines}\n")
    git.commit_all("start")
    asked(git, "what did the dentist charge me for the crown last autumn")
    assert any(best in text for text in read)


@pytest.mark.parametrize(
    ("path", "asked", "matter"),
    [
        ("memory/ember/2026-02-14.md", "ember", ("ember",)),
        ("projects/ember_2.b/MEMORY.md", "ember", ("ember 2 b",)),
        ("memory/2026-02-14.md", "memory", ()),
        ("memory/ember/2026-02-14.md", "bank", ()),
        ("memory/ember/the-bank.md", "ember", ("the bank",)),
    ],
)
def test_a_file_says_by_its_name_what_it_is_about_a_note_of_a_day_by_its_folder(
    path: str, asked: str, matter: tuple[str, ...]
) -> None:
    assert matter_of(path, {asked}) == matter


def test_a_number_alone_is_not_read(proxy: Git, read: list[str]) -> None:
    proxy.write("USER.md", "# USER.md\n\n- Plumber: 4155550178\n")
    assert asked(proxy, "(415) 555-0178").results
    assert not read


def test_one_that_cannot_be_read_is_named_and_the_search_goes_on(
    many: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_reranker: Reranker) -> None:
        raise ModelError("The reranker is not there.", hint="Install clawgit again.")

    monkeypatch.setattr(Reranker, "__init__", broken)
    found = asked(many, GERMAN)
    assert found.results
    assert "no reranker: The reranker is not there." in (found.fallback or "")


def test_a_line_of_the_profile_is_read_with_the_name_of_whom_it_is_about(
    git: Git, read: list[str]
) -> None:
    git.write(
        "USER.md", "# USER.md\n\n- **Name:** Ana Ferreira\n\n## Work\n\n- Leads a team of eight.\n"
    )
    git.write("memory/a.md", "# Sports\n\n- The team of hall 2 plays.\n")
    git.commit_all("start")
    asked(git, "how big is Ana's team")
    assert any(text.startswith("Ana Ferreira ›") and text.endswith("eight.") for text in read)


def test_a_note_of_a_day_is_read_with_the_folder_that_is_asked_about(
    git: Git, read: list[str]
) -> None:
    git.write("memory/ember/2026-02-14.md", "Status: waiting for the bank.\n")
    git.commit_all("start")
    asked(git, "what is the status of the ember")
    asked(git, "what is the status of the loan")
    assert read == ["ember › Status: waiting for the bank.", "Status: waiting for the bank."]


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

"""Search with the larger of the embedders that come with clawgit."""

import os
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.search.passage import parts
from clawgit.ops.runner.runner_tasks import ERRANDS
from clawgit.ops.search import text_vectors
from clawgit.ops.search.answer import SearchAnswer
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.memory_index import index
from clawgit.ops.search.narrowing import untagged
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.search.vector_search import vectors_in
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.embed.contract import STATIC_MODEL
from clawgit.stores.git.gitdir import repo_at
from clawgit.stores.vector_files import is_unfinished, kept
from tests.conftest import NOW, Git

_LINES = (
    "The landlord put what we pay for the flat up to 850 euros.",
    "Nadège does the books on Fridays.",
    "Broad beans go in at the end of October.",
    "The server stands in the cellar, behind the boiler.",
)


@pytest.fixture
def workspace(git: Git) -> Workspace:
    git.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {line}\n" for line in _LINES))
    place = repo_at(git.root)
    assert place is not None
    env = {**os.environ, "CLAWGIT_SEARCH_MODE": "enhanced", "CLAWGIT_EMBEDDER": "e5"}
    return Workspace(place, Caller(OPERATOR, env, NOW, Path(os.environ["HOME"])))


def _asked(workspace: Workspace, question: str) -> SearchAnswer:
    with Searcher(workspace) as searcher:
        return searcher.answer(Request(question))


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how expensive is our home", 0),
        ("when do we plant legumes", 2),
        ("where is the machine in the basement", 3),
    ],
)
def test_it_finds_what_is_said_in_other_words(
    workspace: Workspace, question: str, right: int
) -> None:
    answer = _asked(workspace, question)
    assert (answer.mode, answer.provider) == ("enhanced", "e5")
    assert _LINES[right] in answer.results[0].snippet


def test_a_line_is_read_with_the_headings_above_it(git: Git, workspace: Workspace) -> None:
    git.write(
        "memory/lyon.md",
        "# Lyon #urgent\n\n## Flat\n\n- 850 a month.\n\n## Bike\n\n- 40 a month.\n",
    )
    index(workspace)
    with opened(workspace) as live:
        live.refresh()
        rows = live.rows(live.postings("month"))
        assert untagged(live, "urgent").startswith("nothing is tagged"), "it is a heading's"
        with_headings = [text for _, _, text in live.texts({*memoryview(live.live()[1]).cast("i")})]
    assert [row.text for row in rows] == ["850 a month.", "40 a month."]
    assert {
        ("850 a month.", ("Lyon #urgent", "Flat")),
        ("40 a month.", ("Lyon #urgent", "Bike")),
    } <= {*map(parts, with_headings)}
    hits = _asked(workspace, "what does riding a bicycle cost me").results
    assert (hits[0].path, hits[0].line) == ("memory/lyon.md", 9)


def test_a_question_in_letters_that_it_does_not_know_is_answered_by_words(
    workspace: Workspace,
) -> None:
    answer = _asked(workspace, "Кто пишет Nadège?")
    assert answer.mode == "core"
    assert answer.fallback == "searched by words alone: search by meaning does not know this script"


def test_the_static_model_stands_in_until_every_text_has_a_vector(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_vectors, "_AT_ONCE", {"static": None, "e5": 1})
    answer = _asked(workspace, "who writes invoices")
    assert answer.fallback == "3 texts have no vector of e5 yet: clawgit memory index"
    assert (answer.provider, answer.mode) == ("static", "enhanced")
    assert is_unfinished(vectors_in(workspace))
    assert next(each for each in ERRANDS if each.name == "index").is_needed(workspace)
    assert kept(vectors_in(workspace), "static", STATIC_MODEL) == 4
    done = index(workspace)
    assert (done.provider, done.note) == ("e5", None)
    assert not is_unfinished(vectors_in(workspace))
    answer = _asked(workspace, "who writes invoices")
    assert (answer.fallback, answer.provider) == (None, "e5")


def test_texts_of_the_past_are_none_that_the_index_command_could_embed(
    git: Git, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.commit_all("start")
    past = git.head()
    git.write("MEMORY.md", "# Memory\n\n- The lamp is blue.\n")
    git.commit_all("later")
    index(workspace)
    monkeypatch.setattr(text_vectors, "_AT_ONCE", {"static": None, "e5": 1})
    with Searcher(workspace) as searcher:
        answer = searcher.answer(Request("who writes invoices", at=past))
    assert answer.fallback == "3 texts have no vector of e5 yet"
    assert not is_unfinished(vectors_in(workspace))

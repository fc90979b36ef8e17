"""Search where nothing is known of the language of a memory."""

import os
from pathlib import Path

import pytest

from clawgit.git.gitdir import repo_at
from clawgit.git.rules.actors import OPERATOR
from clawgit.search.answer import SearchAnswer
from clawgit.search.search import Request, Searcher
from clawgit.workspace.workspace import Caller, Workspace
from tests.conftest import NOW, Git
from tests.tongues import CYRILLIC, LATIN, Memory, memory_in

_SILENT = "searched by words alone: search by meaning does not know {}"


def _answers(git: Git, memory: Memory, mode: str) -> list[SearchAnswer]:
    text = "".join(f"- {line}\n" for line in memory.lines)
    git.write("MEMORY.md", f"# Memory\n\n{text}")
    place = repo_at(git.root)
    assert place is not None
    env = {**os.environ, "CLAWGIT_SEARCH_MODE": mode}
    caller = Caller(OPERATOR, env, NOW, Path(os.environ["HOME"]))
    with Searcher(Workspace(place, caller)) as searcher:
        return [searcher.answer(Request(each.question)) for each in memory.asked]


def _right(git: Git, memory: Memory, mode: str) -> int:
    """How many questions have the right line first."""
    firsts = [
        next((hit.snippet for hit in answer.results), "") for answer in _answers(git, memory, mode)
    ]
    return sum(each.answer in first for first, each in zip(firsts, memory.asked, strict=True))


def test_meaning_finds_hardly_less_than_words_alone_where_no_list_has_the_words(git: Git) -> None:
    memories = [*map(memory_in, LATIN)]
    by_words = sum(_right(git, each, "core") for each in memories)
    by_both = sum(_right(git, each, "enhanced") for each in memories)
    # A reranker reads a language that it never learnt less well: of seventy, two may be lost.
    assert by_both >= by_words - 2
    assert by_words > 0.9 * sum(len(each.asked) for each in memories)


@pytest.mark.parametrize("language", CYRILLIC)
def test_the_model_is_silent_on_all_questions_in_another_script(git: Git, language: str) -> None:
    answers = _answers(git, memory_in(language), "enhanced")
    assert {each.fallback for each in answers} == {_SILENT.format("this script")}
    assert _right(git, memory_in(language), "enhanced") == len(answers)

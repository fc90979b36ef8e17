"""Words that the index takes for one, and who asks for one of them does not."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.search.lexicon import Words
from clawgit.domain.search.own_forms import OWN, nearness
from clawgit.ops.search.search import Request, Searcher
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import NOW, Git

_ENGLISH = (
    "The universal adapter for the trip lies in the upper drawer of the desk",
    "Generalizations of the second proof belong into the appendix",
    "Two hundred invocations of the function a day are free",
    "An invocation that fails is tried again after a minute",
    "Ana's university is in Porto",
    "The invoice of the roofer came",
    "The general assembly is in May",
)

_GERMAN = (
    "Das geht so nicht",
    "Der Zug fährt nicht am Sonntag",
    "Wir haben das nicht gebucht und rufen an",
    "Meine Nichte Lena feiert im Juni Konfirmation, und wir fahren alle hin",
    "Ob die Bank das anerkennt, wissen wir nicht",
    "Die Montage dauert zwei Tage",
    "Seit März läuft der Vertrag",
    "Auf der dritten Seite des Vertrags mit dem Vermieter steht die Kündigungsfrist",
    "Oma wohnt seit Mai bei uns",
    "Am Montag kommt der Schornsteinfeger und möchte auch auf den Dachboden",
    "Die Heizung ist seit gestern kaputt",
)


def _first(git: Git, lines: Sequence[str], question: str) -> str:
    """The line that is found first, where each has a section of its own."""
    text = "".join(f"## {number}\n\n- {line}\n\n" for number, line in enumerate(lines))
    git.write("MEMORY.md", f"# Memory\n\n{text}")
    place = repo_at(git.root)
    assert place is not None
    env = {**os.environ, "CLAWGIT_SEARCH_MODE": "core"}
    with Searcher(Workspace(place, Caller(OPERATOR, env, NOW, Path(os.environ["HOME"])))) as ask:
        return ask.answer(Request(question)).results[0].snippet


@pytest.mark.parametrize("question", ["university", "invoice", "general", "unpaid invoice"])
def test_a_word_stands_before_others_of_its_stem(git: Git, question: str) -> None:
    assert question.rsplit(maxsplit=1)[-1] in _first(git, _ENGLISH, question)


@pytest.mark.parametrize(
    ("question", "word"), [("invoices", "invoice "), ("universities", "university")]
)
def test_another_form_of_a_word_stands_before_another_word(
    git: Git, question: str, word: str
) -> None:
    assert word in _first(git, _ENGLISH, question)


def test_an_irregular_form_is_one_of_the_word() -> None:
    forms = ("buy", "bought")
    assert nearness("We bought the router", forms, Words()) == OWN
    assert nearness("The buyer of the router", forms, Words()) < OWN


def test_a_part_of_a_name_is_a_word_of_its_own(git: Git) -> None:
    lines = ("A lumbering process", "LumberFi pays on Fridays", "LumberFi moved to Rosario")
    assert "LumberFi" in _first(git, lines, "lumber")
    assert "Rosario" in _first(git, lines, "LumberFi Rosario")


@pytest.mark.parametrize("question", ["Nichte", "Montag", "Seite"])
def test_a_german_word_stands_before_one_with_another_ending(git: Git, question: str) -> None:
    assert f"{question} " in _first(git, _GERMAN, question)


@pytest.mark.parametrize("question", ["Was feiert meine Nichte?", "Was steht auf der Seite drei?"])
def test_a_word_of_a_sentence_is_no_word_of_grammar_with_its_stem(git: Git, question: str) -> None:
    word = "Nichte " if "Nichte" in question else "Seite "
    assert word in _first(git, _GERMAN, question)


@pytest.mark.parametrize("question", ["Was feiert 東京 e Nichte im Juni", "時 wann ist Montag x"])
def test_a_word_of_one_letter_in_a_question_of_two_scripts_is_a_word(
    git: Git, question: str
) -> None:
    assert _first(git, _GERMAN, question)

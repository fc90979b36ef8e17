"""The second look: news that called nobody sets an entry right only where the entry plainly says otherwise."""

from datetime import timedelta

import pytest

from clawgit.domain.chat import told
from clawgit.domain.entry import entries
from tests.agents.recalling import NOW, Came, memory, validate


def heard(text: str, *items: str, ident: str = "m3", role: str = "user", session: str = "main") -> Came:
    return validate(memory(*items), messages=(told(session, role, text, NOW - timedelta(hours=1), ident),))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (
            "the greenhouse rent is 95 euros these days",
            "The greenhouse rent is 80 euros.",
            "The greenhouse rent is 95 euros.",
        ),
        ("fyi rehearsals are on Thursdays from May", "Rehearsals are on Mondays.", "Rehearsals are on Thursdays."),
        ("The spare key is with Ottilie now.", "The spare key is with Benno.", "The spare key is with Ottilie."),
    ],
)
def test_the_same_subject_with_another_value_is_set_right(text: str, before: str, after: str) -> None:
    came = heard(text, before)
    assert came.texts == [f"{after} #knowledge #correction"]
    assert [(one.status, one.confidence, one.source) for one in came.log] == [("confirmed", "medium", "chat:main/m3")]


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("the cellar rent is 95 euros", "The greenhouse rent is 80 euros."),
        ("rent is 95 euros", "The greenhouse rent is 80 euros."),
        ("is the greenhouse rent 95 euros?", "The greenhouse rent is 80 euros."),
        ("maybe the greenhouse rent is 95 euros", "The greenhouse rent is 80 euros."),
        ("the greenhouse rent was paid on Monday", "The greenhouse rent is 80 euros."),
        ("rehearsals are on the third Monday", "Rehearsals are on Mondays."),
        ("this year the greenhouse rent is 95 euros", "Last year the greenhouse rent was 80 euros."),
        ("what a day", "The greenhouse rent is 80 euros."),
    ],
)
def test_what_may_be_about_another_thing_or_time_changes_nothing(text: str, item: str) -> None:
    came = heard(text, item)
    assert (came.texts, came.log) == ([item], ())


def test_only_the_operator_in_private_is_heard() -> None:
    text, item = "The spare key is with Ottilie now.", "The spare key is with Benno."
    assert heard(text, item, role="assistant").texts == [item]


def test_what_calls_the_validator_is_left_to_the_call() -> None:
    assert heard("No, it's with Ottilie.", "The spare key is with Benno.").log == ()


def test_what_was_said_before_an_entry_was_last_confirmed_is_no_news() -> None:
    item = "The spare key is with Benno. #knowledge <!-- claw:m7k2q9 conf=0.95 n=2 first=2026-01-01 last=2026-02-20 -->"
    came = heard("The spare key is with Ottilie now.", item)
    assert [entry.text for entry in came.memory] == [entries(f"- {item}\n")[0].text]


def test_the_second_time_nothing_changes() -> None:
    first = heard("The spare key is with Ottilie now.", "The spare key is with Benno.")
    message = told("main", "user", "The spare key is with Ottilie now.", NOW - timedelta(hours=1), "m3")
    assert validate(first.files, messages=(message,)).found.steps == ()

"""Sentences that stand for themselves."""

import pytest

from clawgit.domain.extract.patterns_en import ENGLISH
from clawgit.domain.extract.wording import standing, trimmed, turned


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I prefer tabs", "Mira prefers tabs."),
        ("I'm vegetarian and my brother isn't", "Mira is vegetarian and their brother isn't."),
        ("I've always used vim", "Mira has always used vim."),
        ("I don't do phone calls", "Mira doesn't do phone calls."),
        ("I never carry cash", "Mira never carries cash."),
        ("I signed the lease", "Mira signed the lease."),
        ("I need all receipts", "Mira needs all receipts."),
        ("call me before you deploy", "Call Mira before you deploy."),
        ("we use tabs", "We use tabs."),
        ("run `I am` in the shell", "Run `I am` in the shell."),
        ("I forgot my keys and she took mine", "Mira forgot their keys and she took theirs."),
        ("Ten is fine. i work late", "Ten is fine. Mira works late."),
        ("es ist im Büro", "Es ist im Büro."),
        ("我喜欢喝茶", "Mira喜欢喝茶。"),
        ("나는 커피를 좋아해", "Mira는 커피를 좋아해."),
    ],
)
def test_the_speaker_is_named(said: str, kept: str) -> None:
    assert standing(said, "Mira") == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("ok so btw, the port is 5433 pls", "the port is 5433"),
        ("good coffee is at Rina's", "good coffee is at Rina's"),
        ("Great, the port is 5433", "the port is 5433"),
        ("no meetings on Fridays", "no meetings on Fridays"),
        ("note to self: buy milk", "buy milk"),
        ("The plan is to ship on Friday", "The plan is to ship on Friday"),
        ("the port is 5433, keep that in mind", "the port is 5433"),
        ("don't forget", ""),
    ],
)
def test_what_only_leads_to_a_statement_is_cut_off(said: str, kept: str) -> None:
    assert trimmed(said, ENGLISH) == kept


def test_two_sentences_begin_with_two_capitals() -> None:
    assert standing("tea is fine. I work late") == "Tea is fine. The operator works late."


def test_what_the_assistant_says_of_the_operator_is_turned_round() -> None:
    assert turned("your bus leaves at 9 and you're in seat 4") == "my bus leaves at 9 and I'm in seat 4"
    assert turned("I'll take your bus") == ""


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Let's finally settle the database: we chose Postgres", "we chose Postgres"),
        ("Here's the deal: they pay on Mondays", "they pay on Mondays"),
        ("staging: we use Postgres", "staging: we use Postgres"),
    ],
)
def test_a_preamble_goes_and_a_topic_stays(said: str, kept: str) -> None:
    assert trimmed(said, ENGLISH) == kept

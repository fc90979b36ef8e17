"""What a sentence states: of what, which value, whether it is so, and when."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.statement import claims
from clawgit.domain.statement_verbs import inflected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The office is in Paris.", {"topic": {"office"}, "value": {"paris"}, "link": "in", "definite": True}),
        ("Billing uses Postgres, not MySQL.", {"topic": {"bill"}, "value": {"postgres"}, "old": {"mysql"}}),
        ("Ana is the owner of billing.", {"topic": {"owner", "bill"}, "value": {"ana"}}),
        ("We use Redis for caching.", {"topic": {"cach"}, "value": {"redis"}, "relation": "use"}),
        ("We moved the standup to 10:00.", {"topic": {"standup"}, "relation": "become"}),
        ("We no longer use Jenkins.", {"negated": True, "ended": True, "value": {"jenkins"}}),
        ("Bob can't approve invoices.", {"negated": True}),
        ("It is not impossible, never not.", {"negated": True}),
        ("The launch took place in May.", {"holds": "before"}),
        ("The launch will be in May.", {"holds": "later"}),
        ("Maybe we should use Rust.", {"holds": "perhaps"}),
        ("The wall is painted green.", {"passive": True, "relation": "paint", "value": {"green"}}),
        ("我们从 Jenkins 换成了 GitLab。", {"relation": "become", "old": {"jenkins"}, "value": {"gitlab"}}),
        ("사무실은 서울에 있다.", {"topic": {"사무실"}, "value": {"서울"}, "relation": "live"}),
    ],
)
def test_a_sentence_is_read(text: str, expected: dict[str, Any]) -> None:
    [claim] = claims(text)
    assert {name: getattr(claim, name) for name in expected} == expected


def test_what_somebody_does_is_read_as_what_is_done_too() -> None:
    active, passive = claims("We keep the key in the safe.")
    assert [set(active.value), set(passive.topic), set(passive.value)] == [{"key"}, {"key"}, {"safe"}]
    assert passive.passive
    assert [set(one.agent) for one in claims("Mrs. Bohn trains the apprentice.")] == [set(), {"bohn"}]


@pytest.mark.parametrize(
    ("text", "topic"),
    [("The hard drive is new.", {"hard", "driv"}), ("The test report is late.", {"test", "report"})],
)
def test_a_noun_that_could_be_a_verb_is_none_where_it_agrees_with_nothing(text: str, topic: set[str]) -> None:
    assert claims(text)[0].topic == topic


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("ship", ("ship", "ships", "shipped", "shipping")),
        ("write/written", ("write", "writes", "written", "writing")),
        ("supply", ("supply", "supplies", "supplied", "supplying")),
        ("wash", ("wash", "washes", "washed", "washing")),
    ],
)
def test_a_verb_is_known_in_all_its_forms(base: str, forms: tuple[str, ...]) -> None:
    assert inflected(base) == forms


def test_each_clause_is_a_claim_and_a_question_is_none() -> None:
    assert len(claims("The office is in Paris. The lab is in Rome, but the shop is in Bern.")) == 3
    assert claims("Is the office in Paris?") == ()
    assert claims("Ask Dr. Weber. Because of the rain.")[0].topic >= {"weber"}


def test_tags_comments_and_reasons_say_nothing() -> None:
    plain = claims("The office is in Paris.")
    assert claims("The office is in Paris because rents fell #knowledge <!-- was: Rome -->") == plain


def test_a_sentence_too_long_for_a_fact_is_passed_over() -> None:
    assert claims("word " * 200) == ()


@given(st.text(max_size=300), st.text(alphabet="the office is not in of 5 월은 是用 ,.-—\n", max_size=300))
def test_any_text_can_be_read(text: str, odd: str) -> None:
    for one in claims(text) + claims(odd):
        assert one.words | {""}

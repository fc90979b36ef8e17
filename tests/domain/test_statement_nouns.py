"""The verb that a noun stands for, and two claims told alike by it."""

import pytest

from clawgit.domain.statement import claims
from clawgit.domain.statement_nouns import aligned, verb_of


@pytest.mark.parametrize(
    ("noun", "relation"),
    [
        ("rehearsal", "rehearse"),
        ("delivery", "come"),
        ("flight", "fly"),
        ("trainer", "train"),
        ("council", ""),
        ("paper", ""),
        ("al", ""),
    ],
)
def test_a_noun_names_the_relation_of_its_verb(noun: str, relation: str) -> None:
    assert verb_of(noun) == relation


def test_the_noun_of_what_is_done_is_told_as_the_verb_tells_it() -> None:
    [doing, *_], [told] = claims("The choir rehearses in the hall."), claims("Choir rehearsals are in the gym.")
    same, read = aligned(doing, told)
    assert same == doing
    assert (read.topic, read.relation, read.value) == (doing.topic, "rehearse", frozenset(("gym",)))


def test_the_noun_of_who_does_it_says_by_whom_it_is_done() -> None:
    [doing, *_], [told] = claims("Mara trains the team."), claims("The trainer of the team is Ole.")
    _, read = aligned(doing, told)
    assert (read.topic, read.relation, read.passive, read.link) == (frozenset(("team",)), "train", True, "by")


def test_claims_of_one_relation_and_claims_without_such_a_noun_stay_as_they_are() -> None:
    [one, *_], [other] = claims("Mara trains the team."), claims("The team is large.")
    assert aligned(one, other) == (one, other)
    assert aligned(one, one) == (one, one)

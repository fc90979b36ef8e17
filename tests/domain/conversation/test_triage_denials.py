"""Denials and reproaches beyond the phrases of the specification: who is called by them, and who is
not."""

from clawgit.domain.conversation.triage import triage
from clawgit.domain.conversation.triage_denials import DENIALS
from clawgit.domain.conversation.triage_rules import VALIDATOR
from tests.each import for_each


def called(text: str) -> bool:
    return any(one.route == VALIDATOR for one in triage(text))


@for_each(
    "text",
    [
        "no, Kraków.",
        "Nope, we fly on the 9th.",
        "well no, he works for Siemens",
        "nah, Thursdays",
        "No they are in the cellar.",
        "Wrong again: the code is 71.",
        "Incorrect.",
        "not true, he was there",
        "The fare isn't right.",
        "Your date's not correct.",
        "That cannot be true.",
        "The address is out of date.",
        "that number is off",
        "bad date",
        "You misunderstood me, it is for two.",
        "you mixed up the sisters",
        "you have got the name wrong",
        "you wrote the street wrongly",
        "I told you last month, it is Pilsen",
        "We've been over this.",
        "Did I not mention that he retired?",
        "that's not what we agreed",
        "不对，是下午",
        "그건 잘못 알고 있어",
    ],
)
def test_who_denies_or_reproaches_calls_the_validator(text: str) -> None:
    assert called(text)


@for_each(
    "text",
    [
        "No need, thanks.",
        "no worries at all",
        "No problem, take your time.",
        "No idea.",
        "nope",
        "No, thank you.",
        "No, don't send it yet.",
        "nah, all good",
        "No, I can do that myself.",
        "Oh no, the milk!",
        "There is no bread left.",
        "It runs at cam.no/live",
        "Is the total wrong?",
        "What is wrong with the printer?",
        "nothing is wrong",
        "If that number is off, tell me.",
        "He was wrong about me.",
        "I told you a joke once.",
        "Tell me when I have told you everything.",
        "not right now",
        "The concert is off to a good start",
        "这样对不对？",
        "제가 잘못 알았네요",
    ],
)
def test_small_talk_and_answers_call_nobody(text: str) -> None:
    assert not called(text)


def test_where_a_phrase_of_the_specification_calls_already_nothing_is_added() -> None:
    patterns = {f"/{rule.pattern}/i" for rule in DENIALS}
    found = triage("No, it's Kraków. You misunderstood me.")
    assert found
    assert not {one.pattern for one in found} & patterns

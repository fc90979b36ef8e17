"""A correction of one of two texts that a merge left settles the conflict between them."""

from collections.abc import Mapping

import pytest

from clawgit.agents import conflict_detector
from clawgit.agents.contract import Snapshot
from clawgit.agents.recall_validator import ToldCorrection, correct
from clawgit.config.settings import Settings
from clawgit.domain.claims.conflicts import (
    CLOSED,
    FLAGGED,
    PATH,
    Conflict,
    ConflictSide,
    appended,
    conflicts,
)
from clawgit.domain.claims.disputed_pairs import BOTH_CHANGED, BOTH_REWORDED
from clawgit.domain.markdown.entry import content_key
from tests.agents.recalling import NOW, Came, call, landed, memory, validate

A, B = "Office door code: 3333", "Office door code: 2222"
MARKED = (
    f"{A} <!-- claw:kaaaaa c=.6 status=disputed -->",
    f"{B} <!-- claw:kbbbbb c=.6 status=disputed by=kaaaaa -->",
)
RULE = "a label with two values, 90 % sure; both were said in direct conversation"
PLAIN = (A, B)
EITHER = pytest.mark.parametrize("items", [MARKED, PLAIN])


def left(items: tuple[str, str], rule: str = "") -> dict[str, str]:
    """A memory in which a merge left two texts, and the conflict that it wrote down."""
    a, b = (
        ConflictSide(item.partition(" <!--")[0], "MEMORY.md", key)
        for item, key in zip(items, _keys(items), strict=True)
    )
    rule = rule or (BOTH_CHANGED if items[0].endswith("-->") else BOTH_REWORDED)
    conflict = Conflict("cccccc", NOW, a, b, rule, f"{FLAGGED}: the operator decides")
    return {**memory(*items, "The cat is called Minka."), PATH: appended("", [conflict])}


def _keys(items: tuple[str, str]) -> tuple[str, ...]:
    if items[0].endswith("-->"):
        return ("kaaaaa", "kbbbbb")
    return tuple(f"h{content_key(item)[:7]}" for item in items)


def seen(files: Mapping[str, str]) -> Snapshot:
    return Snapshot(NOW, Settings(), files, run="r1")


def typed(files: Mapping[str, str], text: str, was: str = "") -> Came:
    return landed(files, correct(seen(files), ToldCorrection(text, was, sure=True)))


def told(files: Mapping[str, str], text: str, turn: str) -> Came:
    return validate(files, call(text, turn))


def states(came: Came) -> dict[str, str]:
    return {
        entry.text.partition(" #")[0]: entry.meta.status if entry.meta else "active"
        for entry in came.memory
    }


def outcome(files: Mapping[str, str]) -> str:
    [conflict] = conflicts(files[PATH])
    return conflict.outcome.partition(":")[0]


def is_settled(came: Came, right: str) -> bool:
    """Whether only this text is in use, and nothing waits."""
    in_use = {text for text, status in states(came).items() if status == "active"}
    return in_use == {right, "The cat is called Minka."} and outcome(came.files) == CLOSED


@EITHER
@pytest.mark.parametrize("right", [A, B, "Office door code: 4444", "The office door code is 3333."])
def test_what_the_operator_types_settles_it(items: tuple[str, str], right: str) -> None:
    came = typed(left(items), right)
    assert is_settled(came, right)
    assert sorted(states(came).values()) == ["active", "active", "superseded"]
    [correction] = came.log
    assert correction.evidence in came.files[PATH]


@EITHER
@pytest.mark.parametrize("was", [A, B])
def test_it_does_not_matter_which_of_the_two_is_named(items: tuple[str, str], was: str) -> None:
    assert is_settled(typed(left(items), "Office door code: 4444", was), "Office door code: 4444")


@EITHER
@pytest.mark.parametrize(
    ("text", "turn", "right"),
    [
        ("No, the office door code is 2222.", "The office door code is 3333.", B),
        ("No, the office door code is 3333.", "The office door code is 2222.", A),
        ("No, it's 2222, not 3333.", "The office door code is 3333.", B),
    ],
)
def test_so_does_a_message(items: tuple[str, str], text: str, turn: str, right: str) -> None:
    assert is_settled(told(left(items), text, turn), right)


@EITHER
@pytest.mark.parametrize("text", ["No, I meant the garage.", "No, that's wrong.", "Thanks!"])
def test_a_message_that_decides_nothing_leaves_it_open(items: tuple[str, str], text: str) -> None:
    files = left(items)
    came = told(files, text, "The office door code is 3333.")
    assert (outcome(came.files), came.files["MEMORY.md"]) == (FLAGGED, files["MEMORY.md"])


def test_a_value_that_both_have_is_not_what_they_differ_in() -> None:
    files = left(("The Berlin office has 12 desks.", "The Paris office has 12 desks."))
    came = told(files, "No, the office has 14 desks, not 12.", "The office has 12 desks.")
    assert outcome(came.files) == FLAGGED
    assert "superseded" not in states(came).values()


def test_a_conflict_that_no_merge_left_is_the_detectors() -> None:
    files = left(PLAIN, RULE)
    came = typed(files, "Office door code: 4444", A)
    assert outcome(came.files) == FLAGGED
    assert states(came)[B] == "active"


MORE = (
    f"{A} <!-- claw:kaaaaa c=.6 status=disputed -->",
    f"{B}. Ring twice, then wait for Ben. <!-- claw:kbbbbb c=.6 status=disputed by=kaaaaa -->",
)


def test_a_rival_that_says_more_keeps_the_rest_or_is_asked_about() -> None:
    came = typed(left(MORE), "Office door code: 4444", "kaaaaa")
    kept = came.memory[1]
    assert "Ring twice" in kept.text
    assert kept.meta
    assert kept.meta.status != "superseded"
    assert (outcome(came.files) == CLOSED) == ("4444" in kept.text)
    # The detector does not close it while the mark stands.
    again = landed(came.files, conflict_detector.propose(seen(came.files)))
    assert outcome(again.files) == outcome(came.files)


def test_the_mark_ends_with_the_rival() -> None:
    files = left(MARKED)
    files["MEMORY.md"] = files["MEMORY.md"].replace(f"- {MARKED[1]}\n", "")
    came = landed(files, conflict_detector.propose(seen(files)))
    assert is_settled(came, A)
    again = conflict_detector.propose(seen(came.files))
    assert again.steps == ()

"""No false memory: what a message changes in an entry is what the operator said, or nothing is."""

from collections import Counter

import pytest

from clawgit.core.tiers import dated
from clawgit.talk.rules.corrections import CORRECTIONS, corrections
from clawgit.talk.rules.memories import memories
from tests.agents.recalling import USER, Came, validate
from tests.harm.exchanges import CHOSEN_BY, CLOSE, UNREAD, Exchange, changed, exchanges, files_of

BOTH = [*exchanges(UNREAD), *exchanges(CHOSEN_BY)]


def is_allowed(told: Exchange, now: str) -> bool:
    return now.casefold() in (right.casefold() for right in told.allowed)


def outcomes(name: str) -> list[tuple[Exchange, Came]]:
    return [(told, validate(told.files, told.call)) for told in exchanges(name)]


def table(told: list[tuple[Exchange, Came]]) -> Counter[tuple[bool, str]]:
    """How often a message that corrects, or does not, ended how."""
    return Counter((each.corrects, _end(each, came)) for each, came in told)


def _end(told: Exchange, came: Came) -> str:
    """What the Recall Validator made of a message; of what it left, whether the miner keeps it."""
    if came.log:
        return came.log[0].status
    return "mined" if memories([*told.call.exchange, told.call.message]) else "left"


@pytest.mark.parametrize("name", [UNREAD, CHOSEN_BY])
def test_nothing_is_written_that_nobody_said(name: str) -> None:
    told = outcomes(name)
    for each, came in told:
        for now in changed(each.files, came.files).values():
            assert is_allowed(each, now), (each, now)
        for path, text in each.files.items():
            assert not dated(path) or came.files[path] == text, each
    found = table(told)
    ordinary = sum(count for (corrects, _), count in found.items() if not corrects)
    assert found[False, "open"] <= 0.02 * ordinary, found
    assert found[False, "quoted"] + found[False, "confirmed"] <= 0.2 * ordinary, found
    meant = sum(count for (corrects, _), count in found.items() if corrects)
    # The goals collide: what is heard gives way to false changes, quotes and questions.
    assert found[True, "left"] <= 0.5 * meant, found


def test_what_is_only_close_to_a_correction_falsifies_nothing() -> None:
    told = outcomes(CLOSE)
    for each, came in told:
        for now in changed(each.files, came.files).values():
            assert is_allowed(each, now), (each, now)
    assert table(told)[True, "confirmed"] >= 6


def test_nor_in_a_memory_that_holds_them_all_and_each_correction_keeps_its_section() -> None:
    every = exchanges(UNREAD)
    files = {**files_of(every), "USER.md": USER}
    heard: dict[str, str] = {}
    # Each second one: what has been written makes those that follow slower.
    for told in every[::2]:
        came = validate(files, told.call, run=f"r{told.number}")
        for now in changed(files, came.files).values():
            assert is_allowed(told, now), (told, now)
        if came.found.steps:
            heard[f"chat:main/{told.call.message.id}"] = " ".join(told.message.split())
        files = dict(came.files)
        kept = {one.source: one.words for one in corrections(files[CORRECTIONS])} if heard else {}
        assert kept == heard


@pytest.mark.parametrize(
    "told", [each for each in BOTH if each.kind == "repetition"], ids=lambda told: told.number
)
def test_a_repetition_never_adds_a_second_line(told: Exchange) -> None:
    came = validate(told.files, told.call)
    assert came.files.keys() - told.files.keys() <= {CORRECTIONS}

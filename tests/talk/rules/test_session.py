"""A session as its model sees it: whatever shape its lines have, what is in the context, and how
full that is."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.chat import ASSISTANT
from clawgit.talk.rules.session import (
    CLEARED,
    SAFE_ANSWERS,
    TOOL,
    DueReset,
    SessionContext,
    SessionMessage,
    context,
    due,
    prune,
    said_in,
    text_of,
    tokens_in,
    tokens_of,
)
from clawgit.talk.rules.transcript import entry_of
from tests.each import for_each
from tests.session_lab import entry, result, said, sessions


def message(ident: str, role: str, content: object, **more: object) -> Mapping[str, Any]:
    return entry("message", ident, message={"role": role, "content": content, **more})


def context_of(*lines: Mapping[str, Any]) -> SessionContext:
    return context(entry_of(line, str(at)) for at, line in enumerate(lines))


def texts(found: SessionContext) -> list[str]:
    return [text_of(one) for one in found.messages]


@for_each(
    "line, role, text",
    [(message("a", "assistant",
            [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Hi"}]),
         "assistant", "Hi"), (message("a", "toolResult", [{"type": "text", "text": "41 passed"}]), "tool", "41 passed"), (message("a", "bashExecution", None, command="ls", output="a.txt"), "tool", "a.txt"), (entry("compaction", "a", summary="REST it is."), "summary", "REST it is.")],
)  # fmt: skip
def test_every_shape_of_a_message_is_read(line: Mapping[str, Any], role: str, text: str) -> None:
    found = said_in(entry_of(line, "0"))
    assert found is not None
    assert (found.role, text_of(found)) == (role, text)


def test_a_compaction_leaves_its_summary_and_what_it_kept() -> None:
    before = [
        message("a", "user", "one"),
        message("b", "assistant", "two"),
        message("c", "user", "three"),
    ]
    after = [message("d", "assistant", "four")]
    compaction = entry("compaction", "x", summary="in short", firstKeptEntryId="c")
    assert texts(context_of(*before, compaction, *after)) == ["in short", "three", "four"]
    lost = {**compaction, "firstKeptEntryId": "nobody"}
    assert texts(context_of(*before, lost, *after)) == ["in short", "four"]


def test_a_count_from_before_a_compaction_says_nothing() -> None:
    full = message("b", "assistant", "two", usage={"input": 170_000})
    assert context_of(full).messages[0].used == 170_000
    kept = context_of(full, entry("compaction", "x", summary="in short", firstKeptEntryId="b"))
    assert (texts(kept), tokens_in(kept.messages)[1]) == (["in short", "two"], "estimate")


KEYS = [
    "role", "content", "text", "type", "message", "usage", "summary", "id", "timestamp", "input",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(KEYS), JSON | st.sampled_from(["user", "message", "compaction"])
        )
    )
)
def test_no_line_is_too_odd(lines: list[dict[str, Any]]) -> None:
    found = context_of(*lines)
    assert tokens_in(found.messages)[0] >= 0
    assert all(one.time is None or one.time.year > 1 for one in found.messages)
    assert [*map(text_of, found.messages)] == [*map(text_of, found.messages)]


# Pruning: old results of tools get shorter, all else stays, and nothing ever gets longer.


ROOM = 10**9
"""Room for all."""


def work(*results: SessionMessage, answers: int = 3) -> list[SessionMessage]:
    """Calls with these results, and then so many answers."""
    return [*results, *(said("assistant", f"done {at}", at) for at in range(answers))]


def test_a_result_with_a_picture_is_safe() -> None:
    messages = work(result("1", "x" * 9000, image=True))
    assert prune(messages, 0) == messages


def test_whole_results_are_cleared_from_the_oldest_on_until_there_is_room() -> None:
    messages = work(*(result(str(at), "word " * 700) for at in range(4)))
    size = sum(map(tokens_of, messages))
    cleared = {room: [text_of(one) == CLEARED for one in prune(messages, room)[:4]]
               for room in (size - 1000, 0, size)}  # fmt: skip
    assert [*cleared.values()] == [[True, True, False, False], [True] * 4, [False] * 4]


@given(sessions(), st.integers(0, 300) | st.just(ROOM))
def test_no_message_grows_goes_or_changes_that_is_no_old_result(
    messages: list[SessionMessage], room: int
) -> None:
    answers = [at for at, one in enumerate(messages) if one.role == ASSISTANT]
    end = answers[-SAFE_ANSWERS] if len(answers) >= SAFE_ANSWERS else 0
    for at, (old, new) in enumerate(zip(messages, prune(messages, room), strict=True)):
        if at >= end or old.role != TOOL:
            assert new is old
        assert len(text_of(new)) <= len(text_of(old))
        assert {**new.value, "content": 0} == {**old.value, "content": 0}


# When the agent is asked to save its memory, and in which words.


USUAL = 200_000


# When a session is due for a fresh start: on the operator's clock, over changes to and from summer


MADRID, YORK = ZoneInfo("Europe/Madrid"), ZoneInfo("America/New_York")


def reset(last: datetime, rule: str = "daily", zone: tzinfo = MADRID) -> DueReset:
    return due(last, rule, zone)


def at(text: str, zone: tzinfo = MADRID) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def test_a_day_is_the_operators_not_that_of_utc() -> None:
    last = datetime(2026, 2, 14, 2, 30, tzinfo=UTC)
    assert reset(last).at == datetime(2026, 2, 14, 3, 0, tzinfo=UTC)
    assert reset(last, zone=YORK).at == datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


def test_the_hour_is_that_of_the_clock_on_the_wall_all_year() -> None:
    """Madrid puts its clocks on by an hour on 29 March 2026, and back on 25 October."""
    assert reset(at("2026-03-28T12:00")).at == datetime(2026, 3, 29, 2, 0, tzinfo=UTC)
    assert reset(at("2026-03-29T01:59")).at == datetime(2026, 3, 29, 2, 0, tzinfo=UTC)
    assert reset(at("2026-10-24T12:00")).at == datetime(2026, 10, 25, 3, 0, tzinfo=UTC)


MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds


@given(MOMENTS, st.sampled_from([MADRID, YORK, ZoneInfo("Pacific/Apia"), UTC]))
def test_daily_comes_within_a_day_and_the_hour_of_a_change(last: datetime, zone: tzinfo) -> None:
    found = reset(last, zone=zone).at
    assert timedelta() < found.astimezone(UTC) - last <= timedelta(hours=25)

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
    full = message("b", "assistant", "two", usage={"input": 170_000})
    before = [message("a", "user", "one"), full, message("c", "user", "three")]
    after = message("d", "assistant", "four")
    compaction = entry("compaction", "x", summary="in short", firstKeptEntryId="c")
    assert texts(context_of(*before, compaction, after)) == ["in short", "three", "four"]
    lost = {**compaction, "firstKeptEntryId": "nobody"}
    assert texts(context_of(*before, lost, after)) == ["in short", "four"]
    # A count from before it says nothing.
    assert context_of(full).messages[0].used == 170_000
    kept = context_of(full, {**compaction, "firstKeptEntryId": "b"})
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


ODD = JSON | st.sampled_from(["user", "message", "compaction"])


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), ODD)))
def test_no_line_is_too_odd(lines: list[dict[str, Any]]) -> None:
    found = context_of(*lines)
    assert tokens_in(found.messages)[0] >= 0
    assert all(one.time is None or one.time.year > 1 for one in found.messages)
    assert [*map(text_of, found.messages)] == [*map(text_of, found.messages)]


# Pruning: old results of tools get shorter, all else stays, and nothing ever gets longer.


ROOM = 10**9
"""Room for all."""


def work(*results: SessionMessage) -> list[SessionMessage]:
    """Calls with these results, and then answers."""
    return [*results, *(said("assistant", f"done {at}", at) for at in range(3))]


def test_whole_results_are_cleared_from_the_oldest_on_until_there_is_room() -> None:
    messages = work(*(result(str(at), "word " * 700) for at in range(4)))
    size = sum(map(tokens_of, messages))
    for room, count in ((size - 1000, 2), (0, 4), (size, 0)):
        cleared = [text_of(one) == CLEARED for one in prune(messages, room)[:4]]
        assert cleared == [True] * count + [False] * (4 - count)
    pictured = work(result("1", "x" * 9000, image=True))
    assert prune(pictured, 0) == pictured


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


# When a session is due for a fresh start: on the operator's clock, over changes to and from summer


MADRID, YORK = ZoneInfo("Europe/Madrid"), ZoneInfo("America/New_York")


def at(text: str, zone: tzinfo = MADRID) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@for_each(
    "last, zone, then",
    [
        (datetime(2026, 2, 14, 2, 30, tzinfo=UTC), MADRID, "2026-02-14T03:00"),
        (datetime(2026, 2, 14, 2, 30, tzinfo=UTC), YORK, "2026-02-14T09:00"),
        # Madrid puts its clocks on by an hour on 29 March 2026, and back on 25 October.
        (at("2026-03-28T12:00"), MADRID, "2026-03-29T02:00"),
        (at("2026-03-29T01:59"), MADRID, "2026-03-29T02:00"),
        (at("2026-10-24T12:00"), MADRID, "2026-10-25T03:00"),
    ],
)
def test_the_hour_is_that_of_the_operators_clock_on_the_wall_all_year(
    last: datetime, zone: tzinfo, then: str
) -> None:
    assert due(last, "daily", zone).at == at(then, UTC)


MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds


@given(MOMENTS, st.sampled_from([MADRID, YORK, ZoneInfo("Pacific/Apia"), UTC]))
def test_daily_comes_within_a_day_and_the_hour_of_a_change(last: datetime, zone: tzinfo) -> None:
    found = due(last, "daily", zone).at
    assert timedelta() < found.astimezone(UTC) - last <= timedelta(hours=25)

"""A session as its model sees it: whatever shape its lines have, what is in the context, and how
full that is."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.session import (
    SessionContext,
    context,
    said_in,
    text_of,
    tokens_in,
    tokens_of,
)
from clawgit.talk.rules.transcript import entry_of
from tests.each import for_each
from tests.session_lab import entry, said


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


def test_the_models_own_count_is_believed() -> None:
    usage = {"input": 9, "output": 60, "cacheRead": 1000, "cacheWrite": 31}
    answer = said("assistant", "Hi", usage=usage)
    assert tokens_in([said("user", "x" * 999), answer]) == (1100, "usage")
    more = said("user", "What did we pick for caching?")
    assert tokens_in([answer, more]) == (1100 + tokens_of(more), "usage")


@for_each("more", [{"usage": {}}, {"usage": {"input": 9}, "stopReason": "error"}])
def test_else_all_is_estimated(more: Mapping[str, Any]) -> None:
    messages = [said("user", "What did we pick?"), said("assistant", "Redis.", **more)]
    assert tokens_in(messages) == (tokens_of(*messages), "estimate")
    assert tokens_in([]) == (0, "estimate")


def test_a_count_from_before_a_compaction_says_nothing() -> None:
    full = message("b", "assistant", "two", usage={"input": 170_000})
    assert context_of(full).messages[0].used == 170_000
    kept = context_of(full, entry("compaction", "x", summary="in short", firstKeptEntryId="b"))
    assert (texts(kept), tokens_in(kept.messages)[1]) == (["in short", "two"], "estimate")


KEYS = [
    "role",
    "content",
    "text",
    "type",
    "message",
    "usage",
    "summary",
    "id",
    "timestamp",
    "input",
]
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

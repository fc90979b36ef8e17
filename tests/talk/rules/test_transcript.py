"""The current branch of a tree of entries, and what was said in each."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from clawgit.talk.rules.chat import numbered
from clawgit.talk.rules.transcript import (
    TranscriptEntry,
    branch,
    entry_of,
    message_of,
    message_of_line,
    moment,
)
from tests.each import for_each

NOON = datetime(2026, 2, 14, 12, tzinfo=UTC)


def entry(ident: str, parent: str | None, kind: str = "message") -> TranscriptEntry:
    return TranscriptEntry(ident, parent, kind, {})


def on_branch(entries: list[TranscriptEntry]) -> str:
    """The ids of the entries on the branch, one after the other."""
    return "".join(entries[at].id for at in branch(entries))


@for_each(
    "tree, expected",
    [
        ([entry("a", "b"), entry("b", "a")], "ab"),
        ([entry("a", None), entry("b", "lost"), entry("c", "b")], "abc"),
        ([entry("a", None), entry("r", "a", "reset"), entry("c", None)], "arc"),
    ],
)
def test_what_is_odd_loses_nothing(tree: list[TranscriptEntry], expected: str) -> None:
    assert on_branch(tree) == expected


def said(line: Mapping[str, Any]) -> tuple[str, str] | None:
    message = message_of(entry_of(line, "0"), "conversation", "", NOON)
    return message and (message.role, message.text)


def wrapped(role: str, **said: object) -> Mapping[str, Any]:
    return {"type": "message", "message": {"role": role, **said}}


LS = {"type": "toolCall", "id": "c", "name": "exec", "arguments": {"command": "ls"}}
THOUGHT, LOOK = {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look."}


@for_each(
    "line, expected",
    [
        (wrapped("user", content="hi"), ("user", "hi")),
        (
            wrapped("assistant", content=[THOUGHT, LOOK, LS]),
            ("assistant", 'I look.\n[exec {"command": "ls"}]'),
        ),
        (wrapped("toolResult", content=[{"type": "text", "text": "ok"}]), ("toolResult", "ok")),
        (
            wrapped("bashExecution", command="ls", output="a\nb"),
            ("bashExecution", "$ ls\na\nb"),
        ),
        ({"type": "branch_summary", "summary": "left"}, ("branchSummary", "left")),
        ({"type": ["odd"]}, None),
    ],
)
def test_what_is_said_in_an_entry(
    line: Mapping[str, Any], expected: tuple[str, str] | None
) -> None:
    assert said(line) == expected


def test_the_output_of_a_tool_keeps_its_ends_and_a_word_of_the_user_all() -> None:
    long = "".join(f"{number:05}" for number in range(2000))
    cut = f"{long[:3000]}\n[… 6,000 characters …]\n{long[-1000:]}"
    assert said(wrapped("toolResult", content=long)) == ("toolResult", cut)
    assert said(wrapped("user", content=long)) == ("user", long)


@for_each(
    "value, expected",
    [
        (1_771_070_400_123, datetime(2026, 2, 14, 12, 0, 0, 123_000, tzinfo=UTC)),
        ("2026-02-14T13:00:00+01:00", NOON),
        ("soon", None),
        (1e300, None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_times_of_either_kind(value: object, expected: datetime | None) -> None:
    assert moment(value) == expected


@for_each("blank", [" ", "\t\n", True, False, "", None, 1.5])
def test_what_is_no_id_makes_no_two_messages_one(blank: object) -> None:
    ident = numbered()
    lines = [{"role": "user", "text": text, "id": blank} for text in ("one", "two")]
    found = [message_of_line(line, "main", ident, NOON) for line in lines]
    assert len({message.key for message in found if message}) == 2
    entries = [entry_of({"id": blank, "type": "message"}, place) for place in ("0", "7")]
    assert [entry.id for entry in entries] == ["#0", "#7"]

"""The note of a session: which messages it holds, what it is called, and that nothing said in it is
more than text."""

from datetime import datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.markdown.entry import entries, problems
from clawgit.core.markdown.item import whole
from clawgit.core.markdown.scan import scan
from clawgit.talk.rules.session import SessionMessage, answered_by, calls_of, text_of, tokens_of
from clawgit.talk.rules.session_note import (
    About,
    compact,
    cut_before,
    ending,
    is_note_of,
    note,
    summary_by_rules,
)
from clawgit.talk.rules.transcript import TranscriptEntry, entry_of
from tests.borne import is_borne
from tests.session_lab import call, entry, result, said, sessions, talk
from tests.strategies import ANY_TEXT

ENDED = datetime(2026, 2, 14, 18, 5, tzinfo=timezone(timedelta(hours=1)))
ABOUT = About("agent:main:main", "5f1c9a52-4b7e", "telegram", ENDED)


def entries_of(*messages: SessionMessage | TranscriptEntry) -> list[TranscriptEntry]:
    return [
        one if isinstance(one, TranscriptEntry) else entry_of(one.value, str(at))
        for at, one in enumerate(messages)
    ]


def last(*messages: SessionMessage | TranscriptEntry) -> list[str]:
    return [text_of(one) for one in ending(entries_of(*messages))[0]]


def test_the_last_ones_are_taken_over_a_compaction() -> None:
    divided: list[SessionMessage | TranscriptEntry] = [
        *talk("a", "b"),
        entry_of(entry("compaction", "x", summary="in short"), "9"),
        said("user", "c"),
    ]
    assert last(*divided) == ["a", "b", "c"]


def test_a_reset_begins_another_session_once_something_was_said() -> None:
    reset = entry_of(entry("reset", "r1"), "9")
    assert last(*talk("a", "b"), reset) == ["a", "b"]
    found, mark = ending(entries_of(*talk("a", "b"), reset, said("user", "c")))
    assert ([text_of(one) for one in found], mark) == (["c"], "r1")
    assert ending([]) == ([], "")


@given(st.lists(ANY_TEXT, min_size=1, max_size=3), ANY_TEXT, ANY_TEXT)
def test_whatever_is_said_the_file_keeps_its_structure(
    texts: list[str], key: str, source: str
) -> None:
    heard, _ = ending(entries_of(*talk(*texts)))
    text, path = note(About(key, "s1", source, ENDED), heard), "memory/2026-02-14-x.md"
    kinds = [block.kind for block in scan(text) if block.kind != "blank"]
    assert kinds == ["heading", *["item"] * 3, "heading", *["para"] * len(heard)]
    assert "<!--" not in text
    assert problems(path, text) == ()
    assert [one.meta for one in entries(text)] == [None] * 3
    found = [one for one in whole(text) if one.kind not in ("item", "heading")]
    spoken = [(one.kind, one.text.partition(":")[0]) for one in found]
    assert spoken == [("turn", one.role) for one in heard]
    text.encode()


def test_a_note_is_known_by_its_session_whoever_wrote_it() -> None:
    named = "# Session: 2026-02-14 17:05:12 UTC\n\n- **Session Key**: x\n- **Session ID**: s1\n"
    assert is_note_of(named, "s1")
    assert is_note_of(named.replace("**", ""), "s1")
    assert is_note_of(note(ABOUT._replace(id="a#b*c"), talk("Hi")), "a#b*c")
    assert not is_note_of(named, "s")
    assert not is_note_of(named.replace("# Session:", "# Day"), "s1")
    assert not is_note_of("# Session: x\n" + "\n" * 30 + "- **Session ID**: s1\n", "s1")
    assert not is_note_of("", "")


def test_what_openclaw_wraps_a_message_in_is_not_noted_and_hides_no_command() -> None:
    wrapped = "[Telegram Ana 2026-02-14 09:00] {}\n[message_id: 7]"
    texts = [wrapped.format(text) for text in ("Ship it on Friday.", "/new")]
    lines = [{"role": "user", "text": text} for text in texts]
    spoken, _ = ending([entry_of(line, str(at)) for at, line in enumerate(lines)])
    assert "user: Ship it on Friday.\n" in note(ABOUT, spoken)
    assert "Telegram" not in note(ABOUT, spoken)
    assert len(spoken) == 1


# Compaction: the older part in short, the last turns whole, calls with their results; and the summ


def test_no_result_is_parted_from_its_call() -> None:
    """A user who speaks while a tool works does not end its turn."""
    done, hurry = said("assistant", "done"), said("user", "hurry")
    assert cut_before([*talk("u", "a"), call("1"), hurry, result("1", "x"), done], 1) == 2
    earlier = [call("0"), call("1"), said("user", "u"), result("1", "x"), result("0", "y")]
    assert cut_before(earlier, 1) == 0


@given(sessions(), st.integers(0, 4), st.integers(0, 80))
def test_it_keeps_the_last_turns_is_idempotent_and_never_grows(
    messages: list[SessionMessage], keep: int, budget: int
) -> None:
    done = compact(messages, keep, budget)
    cut = cut_before(messages, keep)
    older, last = messages[:cut], messages[cut:]
    kept = done.messages[len(done.messages) - len(last) :]
    assert [one.value for one in kept] == [one.value for one in last]
    assert compact(done.messages, keep, budget).messages == done.messages
    assert sum(map(tokens_of, done.messages)) <= sum(map(tokens_of, messages))
    after = {ident for one in last for ident in calls_of(one)}
    before = {ident for one in older for ident in calls_of(one)} - after
    assert all(answered_by(one) not in before for one in last)


def test_the_summary_holds_what_was_decided_dated_and_put_right_in_whole_sentences() -> None:
    turns = talk(
        "Morning! Harbor ships on 3 March.", "Noted.",
        "Decision: REST, not GraphQL, for the public API. lol", "Fine, a good choice.",
        "What did we pick for caching?", "We use Memcached. It is quick enough.",
        "That's outdated, we use Redis now.", "You are right.",
        "From now on, never run migrations without asking me first.", "NO_REPLY",
    )  # fmt: skip
    tool = result("1", "We decided that tools say nothing.")
    told = summary_by_rules([*turns, tool], 1000).splitlines()
    for line in (
        "Decision: REST, not GraphQL, for the public API.",
        "That's outdated, we use Redis now.",
        "From now on, never run migrations without asking me first.",
    ):
        assert f"- user: {line}" in told
    left = ("caching", "lol", "tools", "Fine")
    assert not any(words in line for line in told for words in left)


@given(sessions(), st.integers(0, 200))
def test_no_word_of_a_summary_is_its_own(messages: list[SessionMessage], budget: int) -> None:
    heard = [text_of(one) for one in messages]
    for line in summary_by_rules(messages, budget).splitlines():
        told = line.removeprefix("- ")
        words = told.partition(": ")[2]
        assert any(is_borne(text, told) or is_borne(text, words) for text in heard)

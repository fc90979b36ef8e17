"""Compaction: the older part in short, the last turns whole, calls with their results; and the
summary by rules."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.talk.rules.session import SessionMessage, answered_by, calls_of, text_of, tokens_of
from clawgit.talk.rules.session_note import compact, cut_before, summary_by_rules
from tests.borne import is_borne
from tests.session_lab import call, result, said, sessions, talk


def test_no_result_is_parted_from_its_call() -> None:
    """A user who speaks while a tool works does not end its turn."""
    messages = [
        *talk("u", "a"),
        call("1"),
        said("user", "hurry"),
        result("1", "x"),
        said("assistant", "done"),
    ]
    assert cut_before(messages, 1) == 2
    earlier = [call("0"), call("1"), said("user", "u"), result("1", "x"), result("0", "y")]
    assert cut_before(earlier, 1) == 0


@given(sessions(), st.integers(0, 4), st.integers(0, 80))
def test_it_keeps_the_last_turns_is_idempotent_and_never_grows(
    messages: list[SessionMessage], keep: int, budget: int
) -> None:
    done = compact(messages, keep, budget)
    cut = cut_before(messages, keep)
    assert [one.value for one in done.messages[len(done.messages) - len(messages[cut:]) :]] == [
        one.value for one in messages[cut:]
    ]
    assert compact(done.messages, keep, budget).messages == done.messages
    assert sum(map(tokens_of, done.messages)) <= sum(map(tokens_of, messages))
    after = {ident for one in messages[cut:] for ident in calls_of(one)}
    before = {ident for one in messages[:cut] for ident in calls_of(one)} - after
    assert all(answered_by(one) not in before for one in messages[cut:])


def test_the_summary_holds_what_was_decided_dated_and_put_right_in_whole_sentences() -> None:
    told = summary_by_rules(
        [
            *talk(
                "Morning! Harbor ships on 3 March.", "Noted.",
                "Decision: REST, not GraphQL, for the public API. lol", "Fine, a good choice.",
                "What did we pick for caching?", "We use Memcached. It is quick enough.",
                "That's outdated, we use Redis now.", "You are right.",
                "From now on, never run migrations without asking me first.", "NO_REPLY",
            ),
            result("1", "We decided that tools say nothing."),
        ],
        1000,
    ).splitlines()  # fmt: skip
    assert not any("caching" in line for line in told)
    for line in (
        "Decision: REST, not GraphQL, for the public API.",
        "That's outdated, we use Redis now.",
    ):
        assert f"- user: {line}" in told
    assert "- user: From now on, never run migrations without asking me first." in told
    assert not any("lol" in line or "tools" in line or "Fine" in line for line in told)


@given(sessions(), st.integers(0, 200))
def test_no_word_of_a_summary_is_its_own(messages: list[SessionMessage], budget: int) -> None:
    heard = [text_of(one) for one in messages]
    for line in summary_by_rules(messages, budget).splitlines():
        told = line.removeprefix("- ")
        words = told.partition(": ")[2]
        assert any(is_borne(text, told) or is_borne(text, words) for text in heard)

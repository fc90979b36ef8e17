"""Facts in notes: their class, how long they hold, and how two that say the same are found."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.organizer import read_by_rules
from clawgit.core.markdown.comment import Meta
from clawgit.memory.rules.organizing import Source, class_of, is_expired, sources
from clawgit.talk.rules.kept_line import bears
from tests.each import for_each

TODAY = date(2026, 3, 10)


@for_each(
    "text, under, class_",
    [
        ("Renew the certificate", ("Next steps",), "tasks"),
        ("The nas has the address 10.0.0.7", (), "system"),
        ("Ana is allergic to nuts", (), "general"),
    ],
)
def test_a_fact_has_its_class_by_heading_label_and_shape_and_is_else_general(
    text: str, under: tuple[str, ...], class_: str
) -> None:
    assert class_of(text, under) == class_


@for_each(
    "facts, over",
    [
        (("class=tasks", "last=2026-03-01", "expires=2026-03-08"), True),
        (("class=tasks", "last=2026-03-01", "expires=2026-03-10"), False),
        (("class=tasks", "last=2026-03-05", "expires=2026-03-08"), False),  # said again since
        (("class=tasks", "last=2026-03-01", "expires=2026-03-08", "src=correction"), False),
        (("class=personal", "last=2020-03-01"), False),
        (("class=personal", "last=2026-03-09", "expires=2026-03-09", "status=superseded"), True),
    ],
)
def test_when_a_fact_is_over(facts: tuple[str, ...], over: bool) -> None:
    assert is_expired(Meta("abc234", facts), TODAY) is over


@given(st.text(max_size=300))
def test_any_note_can_be_read(text: str) -> None:
    for source in sources("memory/x.md", text, TODAY):
        for found in read_by_rules(source):
            assert found.text.strip()


@for_each(
    "line",
    [
        "for 2026-12-06.",
        "**Status:** all green now",
        "10:31:07 INFO the billing service was started",
        "which way shall we go in May?",
    ],
)
def test_what_is_a_fragment_a_log_a_box_or_a_label_is_no_fact(line: str) -> None:
    told = sources("memory/2026-03-01.md", f"# Day\n\n{line}\n", TODAY)
    assert [one for source in told for one in read_by_rules(source)] == []


def test_a_saved_session_is_no_note() -> None:
    text = (
        "user: my wife's birthday is March 3 and she loves orchids\n\n"
        "assistant: I moved the billing service to port 9000 for good.\n"
    )
    assert sources("memory/2026-03-01.md", text, TODAY) == ()
    kept = "\n- The kiln is cold. <!-- claw:k1 last=2026-03-01 -->\n- Bo fires. #knowledge\n"
    told = sources("memory/2026-03-01.md", f"{text}{kept}", TODAY)
    assert [source.text for source in told] == ["The kiln is cold.", "Bo fires. #knowledge"]


SENTENCES = st.lists(
    st.sampled_from([
        "I prefer tea over coffee.", "We decided to move on Sunday",
        "Billing runs on port 9000, not 8000.",
        "我们决定下周上线。",
        "Remember that the Type I error rate is 5%.", "Marta must never be called before nine.",
        "- [ ] call Ana",
        "| a | b |", "user: my wife's birthday is March 3", "**Lesson:** never push on Fridays",
        "明天见", "x" * 30,
    ]),
    min_size=1, max_size=6,
)  # fmt: skip


@given(SENTENCES, st.sampled_from([" ", "\n", "\n\n", "\n- "]))
def test_no_fact_says_a_word_that_its_note_does_not(parts: list[str], between: str) -> None:
    text = between.join(parts)
    for source in sources("memory/2026-03-01.md", text, TODAY):
        for found in read_by_rules(source):
            assert bears(text, found.text), (text, found.text)


@for_each("text", ["NO_REPLY", "HEARTBEAT_OK #event", "**NO_REPLY** #knowledge"])
def test_that_there_was_nothing_to_say_is_no_fact(text: str) -> None:
    assert read_by_rules(Source("memory/2026-02-10.md", 3, text, date(2026, 2, 10))) == ()

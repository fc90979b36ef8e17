"""Facts in notes: their class, how long they hold, and how two that say the same are found."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from clawgit.agents.organizer import read_by_rules
from clawgit.core.markdown.comment import Meta
from clawgit.core.tiers import layer_of, opening
from clawgit.memory.rules.organizing import class_of, expires, is_expired, is_note, sources
from clawgit.talk.rules.quoting import bears
from clawgit.workspace.template_text import templates_of_layers
from tests.each import for_each

TODAY = date(2026, 3, 10)


@for_each(
    "text, under, class_",
    [
        ("Renew the certificate", ("Next steps",), "tasks"),
        ("TODO: renew the certificate", (), "tasks"),
        ("待办：续订证书", (), "tasks"),
        ("The coder forgets what it was told", ("Skills",), "agents"),
        ("The nas has the address 10.0.0.7", (), "system"),
        ("Ana's birthday is on 5 May", (), "personal"),
        ("Ana is allergic to nuts", ("People",), "personal"),
        ("Black Friday load test went through", (), "general"),
        ("Ana is allergic to nuts", (), "general"),
    ],
)
def test_a_fact_has_its_class_by_heading_label_and_shape_and_is_else_general(
    text: str, under: tuple[str, ...], class_: str
) -> None:
    assert class_of(text, under) == class_


def test_how_long_a_fact_holds() -> None:
    assert [expires(name, TODAY) for name in ("personal", "system")] == [None, None]
    assert (expires("tasks", TODAY), expires("agents", TODAY)) == (
        date(2026, 3, 17),
        date(2026, 4, 9),
    )


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
        "│ Billing │ uses │ Postgres │",
        "**Status:** all green now",
        "10:31:07 INFO the billing service was started",
        "✅ 42/42 tests passed in the end",
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


def test_which_files_are_notes_and_layers() -> None:
    assert [
        is_note(path) for path in ("memory/2026-03-01.md", "memory/trip.md", "memory/INDEX.md")
    ] == [
        True,
        True,
        False,
    ]
    assert [
        is_note(path) for path in ("memory/lessons.md", "memory/archive/2026-Q1.md", "MEMORY.md")
    ] == [False] * 3
    paths = (
        "memory/entities/ana.md",
        "memory/lessons.md",
        "memory/2026-03-01.md",
        "memory/a/b.md",
        "x.md",
    )
    assert [layer_of(path) for path in paths] == ["entities", "lessons", "", "", ""]


def test_each_layer_opens_with_its_template_and_nothing_of_it_is_an_entry() -> None:
    from clawgit.core.markdown.entry import entries

    templates = templates_of_layers()
    texts = [
        opening(f"memory/{layer}/x.md" if layer != "lessons" else "memory/lessons.md", templates)
        for layer in templates
    ]
    assert all(
        text.startswith("# ") and text.endswith("\n") and "{name}" not in text for text in texts
    )
    assert [entry for text in texts for entry in entries(text)] == []
    assert opening("memory/patterns/deploys.md", templates).startswith("# deploys\n")
    assert opening("memory/x.md", templates) == "# x\n"

from hypothesis import given
from hypothesis import strategies as st

from clawgit.history.rules.align import cut
from clawgit.soul.rules.soul import (
    SectionChange,
    compared,
    principle,
    section_changes,
    summary,
)
from tests.each import for_each
from tests.strategies import ANY_TEXT, versions

SOUL = """# SOUL.md

You are someone.

## Boundaries

- Ask before deleting files.
- What is private stays private.
- Prefer what can be undone.

## Vibe

- Short when short will do.
- Warm without gush.
"""


def edited(*changes: tuple[str, str]) -> str:
    text = SOUL
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@for_each(
    "block, said",
    [
        ("- Ask first. <!-- claw:m7k2q9 conf=1.00 -->", "Ask first."),
        ("1. Ask\n   first.", "Ask first."),
        (
            "- Ask:\n  - before you send\n  - before you pay",
            "Ask: - before you send - before you pay",
        ),
        ("> A motto.", "> A motto."),
        ("<!-- observed: 2026-02-01 | status: active -->", ""),
        ("## Heading", ""),
    ],
)
def test_a_principle_is_what_a_unit_says(block: str, said: str) -> None:
    assert said == principle(cut(block)[1])


@given(st.tuples(ANY_TEXT, ANY_TEXT) | versions().map(lambda texts: (texts[0], texts[1])))
def test_every_principle_of_any_two_texts_has_one_fate(texts: tuple[str, str]) -> None:
    before, after = texts
    old, new = ([*filter(None, map(principle, cut(text)))] for text in texts)
    found = compared(before, after)[0]
    assert sorted(old) == sorted(fate.old for fate in found if fate.old)
    assert new == [fate.new for fate in found if fate.new]
    assert section_changes(after, after) == ()
    assert summary(section_changes(before, after))


def test_each_kind_of_change_is_told_apart() -> None:
    after = edited(
        ("- Ask before deleting files.\n", "- Always ask before deleting any files.\n"),
        ("- What is private stays private.\n", ""),
        ("undone.\n", "undone.\n- Speak as yourself.\n"),
    )
    assert section_changes(SOUL, after) == (
        SectionChange(
            "Boundaries",
            added=("Speak as yourself.",),
            dropped=("What is private stays private.",),
            reworded=(("Ask before deleting files.", "Always ask before deleting any files."),),
        ),
    )
    assert (
        summary(section_changes(SOUL, after))
        == "dropped “What is private stays private.” from Boundaries, and 2 more"
    )

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.soul.drift import SectionDrift, bar, drift, sparkline
from clawgit.domain.soul.soul import sections
from tests.domain.strategies import ANY_TEXT, versions
from tests.each import for_each

THEN = """# Soul

## Boundaries

- Ask before deleting files.
- What is private stays private.

## Vibe

- Short when short will do.
- Warm without gush.
"""


def test_nothing_drifts_from_itself() -> None:
    found = drift(THEN, THEN)
    assert found.total == SectionDrift("", kept=4)
    assert found.total.share_kept == 1
    assert [(one.section, one.kept, one.distance) for one in found.sections] == [
        ("Boundaries", 2, 0),
        ("Vibe", 2, 0),
    ]


def test_each_section_drifts_on_its_own() -> None:
    now = THEN.replace("- Warm without gush.\n", "").replace(
        "private.\n", "private.\n- Speak as yourself.\n"
    )
    boundaries, vibe = drift(THEN, now).sections
    assert boundaries == SectionDrift("Boundaries", kept=2, added=1, distance=1 - 4 / 5)
    assert vibe == SectionDrift("Vibe", kept=1, dropped=1, distance=1 - 2 / 3)
    assert vibe.share_kept == 0.5
    assert drift(THEN, now).total == SectionDrift("", 3, 0, 1, 1, 1 / 4)


def test_a_reworded_principle_drifts_by_what_changed_in_it() -> None:
    little = drift(THEN, THEN.replace("deleting files", "deleting any files")).total
    more = drift(
        THEN, THEN.replace("Ask before deleting files.", "Ask before deleting or moving any files.")
    ).total
    assert (little.kept, little.reworded) == (3, 1)
    assert 0 < little.distance < more.distance < 0.25


def test_a_renamed_section_does_not_drift() -> None:
    found = drift(THEN, THEN.replace("## Vibe", "## How you sound"))
    assert [one.section for one in found.sections] == ["Boundaries", "How you sound"]
    assert found.total.distance == 0


def test_nothing_is_left() -> None:
    assert drift(THEN, "").total == SectionDrift("", dropped=4, distance=1)
    assert drift("", THEN).total == SectionDrift("", added=4, distance=1)
    assert drift("", "").total == SectionDrift("")


@given(st.tuples(ANY_TEXT, ANY_TEXT) | versions().map(lambda texts: (texts[0], texts[1])))
def test_a_distance_lies_between_none_and_all(texts: tuple[str, str]) -> None:
    then, now = (sum(len(section.principles) for section in sections(text)) for text in texts)
    total = drift(*texts).total
    assert (then, now) == (
        total.kept + total.reworded + total.dropped,
        total.kept + total.reworded + total.added,
    )
    assert 0 <= total.distance <= 1
    assert total.distance > 0 or total.dropped + total.added == 0
    assert drift(texts[0], texts[0]).total.distance == 0


def test_values_are_drawn_as_blocks() -> None:
    assert sparkline([0, 0.5, 1]) == "▁▅█"
    assert sparkline([-3, 7]) == "▁█"
    assert sparkline([]) == ""


@for_each(
    "value, drawn",
    [
        (0, "    "),
        (0.001, "▏   "),
        (0.5, "██  "),
        (0.53, "██▏ "),
        (0.999, "███▉"),
        (1, "████"),
        (9, "████"),
    ],
)
def test_a_bar_shows_every_something_and_every_lack(value: float, drawn: str) -> None:
    assert drawn == bar(value, 4)

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.soul.drift import Drift, drift
from clawgit.domain.soul.soul import sections
from tests.domain.strategies import ANY_TEXT, versions

THEN = """# Soul

## Boundaries

- Ask before deleting files.
- What is private stays private.

## Vibe

- Short when short will do.
- Warm without gush.
"""


def test_nothing_drifts_from_itself() -> None:
    assert drift(THEN, THEN) == Drift(kept=4)


def test_what_was_dropped_and_added_is_counted() -> None:
    now = THEN.replace("- Warm without gush.\n", "").replace(
        "private.\n", "private.\n- Speak as yourself.\n"
    )
    assert drift(THEN, now) == Drift(3, 0, 1, 1, 1 / 4)


def test_a_reworded_principle_drifts_by_what_changed_in_it() -> None:
    little = drift(THEN, THEN.replace("deleting files", "deleting any files"))
    more = drift(
        THEN, THEN.replace("Ask before deleting files.", "Ask before deleting or moving any files.")
    )
    assert (little.kept, little.reworded) == (3, 1)
    assert 0 < little.distance < more.distance < 0.25


def test_a_renamed_section_does_not_drift() -> None:
    assert drift(THEN, THEN.replace("## Vibe", "## How you sound")).distance == 0


def test_nothing_is_left() -> None:
    assert drift(THEN, "") == Drift(dropped=4, distance=1)
    assert drift("", THEN) == Drift(added=4, distance=1)
    assert drift("", "") == Drift()


@given(st.tuples(ANY_TEXT, ANY_TEXT) | versions().map(lambda texts: (texts[0], texts[1])))
def test_a_distance_lies_between_none_and_all(texts: tuple[str, str]) -> None:
    then, now = (sum(len(section.principles) for section in sections(text)) for text in texts)
    total = drift(*texts)
    assert (then, now) == (
        total.kept + total.reworded + total.dropped,
        total.kept + total.reworded + total.added,
    )
    assert 0 <= total.distance <= 1
    assert total.distance > 0 or total.dropped + total.added == 0
    assert drift(texts[0], texts[0]).distance == 0

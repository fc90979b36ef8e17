"""Spec 5.5.3: which vectors go, told by an entry's comment and the day alone."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import Meta
from clawgit.memory.rules.confidence import aging, old_value_aging, roomy_from

SEEN = date(2026, 1, 1)
RULES = Settings()


def _meta(*facts: str, last: str = "2026-01-01") -> Meta:
    return Meta("abc234", (*facts, f"last={last}"))


def _kept(meta: Meta | None, *tags: str, rules: Settings = RULES) -> int | None:
    """For how many days after it was last said a vector is kept; None: for ever."""
    found = aging(meta, tags)
    return (found.last_day(rules) - SEEN).days if found else None


def test_a_corrected_embedding_goes_when_it_is_older_than_seven_days() -> None:
    assert _kept(_meta("status=corrected", "n=4")) == 7


def test_one_past_the_staleness_threshold_with_one_mention_goes_after_its_grace() -> None:
    assert _kept(_meta("n=1")) == 60 + 7


def test_what_was_mentioned_twice_corrected_or_written_by_hand_keeps_its_vector() -> None:
    for meta, tags in (
        (_meta("n=2"), ()),
        (_meta("n=1", "src=correction"), ()),
        (_meta("n=1"), ("decision", "correction")),
        (Meta("abc234", ("n=1",)), ()),
        (None, ()),
    ):
        assert _kept(meta, *tags) is None


def test_the_old_value_of_a_correction_goes_after_its_grace() -> None:
    found = old_value_aging(_meta("n=9", "src=correction"))
    assert found is not None
    assert found.last_day(RULES) == SEEN + timedelta(days=7)
    assert old_value_aging(Meta("abc234")) is None


@given(st.lists(st.dates(), max_size=12), st.integers(0, 12))
def test_the_newest_have_room_and_those_of_one_day_share_their_lot(
    days: list[date], room: int
) -> None:
    first = roomy_from(days, room)
    kept = [day for day in days if day >= first or day == date.max]
    left = sorted(days, reverse=True)[len(kept) :]
    assert len([day for day in kept if day != date.max]) <= room
    assert (first == date.min) is (len(days) <= room)
    assert all(day < first for day in left)
    assert not left or len(kept) + days.count(max(left)) > room, "no more go than have no room"

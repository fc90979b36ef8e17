"""How sure an entry is: the dynamics of the spec, and what holds for all of them."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import NO_FACTS, Meta
from clawgit.memory.rules.confidence import (
    EXPLICIT,
    INFERRED,
    aging,
    confidence,
    day_of,
    mentioned,
    old_value_aging,
    roomy_from,
)
from tests.each import for_each

TODAY = date(2026, 3, 1)
DEFAULTS = Settings()


def meta(
    conf: float | None = None, *, ago: int | None = None, src: str = EXPLICIT, n: int = 1
) -> Meta:
    made = Meta("m7k2q9").having("src", src).having("n", str(n))
    made = made if conf is None else made.having("conf", f"{conf:.2f}")
    return made if ago is None else made.having("last", (TODAY - timedelta(days=ago)).isoformat())


@for_each(
    "conf, ago, expected",
    [
        (0.95, 0, 0.95),
        (0.95, 65, 0.85),
        (0.95, 3650, 0.2),
        (0.6, 90, 0.45),
        (0.1, 3650, 0.1),
        (0.95, -40, 0.95),
        (0.95, None, 0.95),
    ],
)
def test_each_30_days_of_silence_cost_a_step_down_to_the_floor(
    conf: float, ago: int | None, expected: float
) -> None:
    assert confidence(meta(conf, ago=ago), DEFAULTS, TODAY) == pytest.approx(expected)


def test_a_mention_is_worth_no_less_than_a_first_one_and_no_guess_lowers_what_was_stated() -> None:
    assert mentioned(meta(0.95, ago=300), EXPLICIT, DEFAULTS, TODAY).conf == 0.95
    assert mentioned(meta(0.6, ago=300, src=INFERRED), INFERRED, DEFAULTS, TODAY).conf == 0.6
    stated = meta(0.95, ago=0, n=2).having("first", TODAY.isoformat())
    assert mentioned(meta(0.6, ago=0, src=INFERRED), EXPLICIT, DEFAULTS, TODAY) == stated
    kept = mentioned(meta(0.95, ago=0), INFERRED, DEFAULTS, TODAY)
    assert (kept.src, kept.conf) == (EXPLICIT, 0.95)


def test_mentions_alone_never_make_an_entry_as_sure_as_a_correction() -> None:
    said = meta(0.6, ago=0, src=INFERRED)
    for _ in range(20):
        said = mentioned(said, INFERRED, DEFAULTS, TODAY)
    assert (said.n, said.conf) == (21, 0.95)


@for_each(
    "path, headings, day",
    [
        ("memory/2026-03-19.md", (), date(2026, 3, 19)),
        ("memory/2026-03-19-roof.md", ("2025-01-01",), date(2026, 3, 19)),
        ("MEMORY.md", ("2025-01-01",), None),
        ("memory/2026-02-30.md", (), None),
        ("memory/archive/2026-Q1.md", ("2026-Q1", "2026-01-05", "Studio"), date(2026, 1, 5)),
    ],
)
def test_an_item_is_about_the_day_of_its_file_and_in_an_archive_of_its_heading(
    path: str, headings: tuple[str, ...], day: date | None
) -> None:
    assert day_of(path, headings) == day


# Spec 5.5.3: which vectors go, told by an entry's comment and the day alone.


SEEN = date(2026, 1, 1)


def _meta(*facts: str, last: str = "2026-01-01") -> Meta:
    return Meta("abc234", (*facts, f"last={last}"))


@for_each(
    "meta, tags, days",
    [
        (_meta("status=corrected", "n=4"), (), 7),
        (_meta("n=1"), (), 60 + 7),
        (_meta("n=2"), (), None),
        (_meta("n=1", "src=correction"), (), None),
        (_meta("n=1"), ("decision", "correction"), None),
        (Meta("abc234", ("n=1",)), (), None),
        (NO_FACTS, (), None),
    ],
)
def test_so_many_days_after_it_was_last_said_a_vector_is_kept_and_some_for_ever(
    meta: Meta, tags: tuple[str, ...], days: int | None
) -> None:
    found = aging(meta, tags)
    assert ((found.last_day(DEFAULTS) - SEEN).days if found else None) == days


def test_the_old_value_of_a_correction_goes_after_its_grace() -> None:
    found = old_value_aging(_meta("n=9", "src=correction"))
    assert found is not None
    assert found.last_day(DEFAULTS) == SEEN + timedelta(days=7)
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

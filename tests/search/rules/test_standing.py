"""Standing: what a line counts by its age and what the operator corrected, and what never comes
before what."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import Meta
from clawgit.core.markdown.item import Item
from clawgit.search.rules.standing import Corrected, ranked, standing
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.pairs import statements
from tests.search.rules.rows import BARE

TODAY = date(2026, 3, 18)
LOG = "CORRECTIONS.md"


def row_of(ident: int, text: str, path: str = BARE.path, **more: Any) -> Item:
    return BARE._replace(id=ident, text=text, path=path, **more)


WRONG = "The office is in Paris."

Hit = tuple[Item, float]


def meta(**facts: str) -> Meta:
    return Meta("kqrxpt", tuple(f"{key}={value}" for key, value in facts.items()))


def told(right: str, *, said: str = "", **more: Any) -> Correction:
    return Correction("kkaaaa", None, said=said, correct=right, status="confirmed")._replace(**more)


_NOTHING = Corrected()


def corrected(known: Sequence[Correction]) -> Corrected:
    return Corrected(*statements(known))


def factors(row: Item, known: Corrected = _NOTHING, *, itself: bool = True) -> dict[str, float]:
    return dict(standing(row, Settings(), TODAY, known, itself=itself))


def order(hits: Sequence[Hit], known: Corrected = _NOTHING) -> list[int]:
    """The ids, best first. Whatever the order, it is that of the scores."""
    found = ranked([row for row, _ in hits], [score for _, score in hits], known)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    return [hits[at][0].id for at, _ in found]


@pytest.mark.parametrize(
    "row",
    [
        row_of(1, "The cache is Redis.", LOG, source="corrections"),
        row_of(1, "The cache is Redis.", meta=meta(src="correction")),
    ],
)
def test_a_correction_counts_more_where_it_is_asked_for_and_the_log_has_it(row: Item) -> None:
    known = corrected([told("The cache is Redis.")])
    boost = Settings().correction_relevance_boost
    assert factors(row, known)["correction"] == boost
    assert "correction" not in factors(row, known, itself=False)
    other = corrected([told("The cache is Lava.")])
    assert row.source == "corrections" or "correction" not in factors(row, other)


@pytest.mark.parametrize("status", ["superseded", "disputed"])
def test_what_no_longer_holds_counts_half(status: str) -> None:
    assert factors(row_of(1, "x", meta=meta(status=status)))[status] == 0.5


def test_what_was_replaced_comes_after_what_replaced_it() -> None:
    hits = [
        (row_of(1, "old", key="aaaaaa", meta=meta(status="superseded", by="bbbbbb")), 0.9),
        (row_of(2, "new", key="bbbbbb"), 0.2),
        (row_of(3, "older", key="cccccc", meta=meta(status="corrected", by="aaaaaa")), 1.0),
        (row_of(4, "else"), 0.3),
    ]
    assert order(hits) == [2, 1, 3, 4], "who asks by the old words gets the new ones first"


@pytest.mark.parametrize("status", ["confirmed", "quoted"])
def test_a_note_that_repeats_what_the_operator_called_wrong_counts_half(status: str) -> None:
    right = told("The office is in Berlin.", said=WRONG, words="No, Berlin.", status=status)
    note = row_of(1, f"{WRONG} #event", "memory/2026-02-10.md")
    assert factors(note, corrected([right])) == {"corrected": 0.5}
    assert factors(note._replace(text="Paris is nice."), corrected([right])) == {}
    assert factors(note, corrected([right._replace(status="open")])) == {}


def test_of_two_corrections_the_later_one_holds() -> None:
    rome, day = "The office is in Rome.", datetime(2026, 2, 3, tzinfo=UTC)
    first = told(rome, time=day)
    later = told("The office is in Oslo.", id="kkbbbb", said=rome, time=day.replace(day=9))
    log = row_of(1, rome, LOG, source="corrections")
    assert "correction" in factors(log, corrected([first]))
    for known in ([first, later], [later, first]):
        assert factors(log, corrected(known)) == {"corrected": 0.5}
    assert factors(log, corrected([first._replace(status="open")])) == {"unproven": 0.5}


def test_what_was_called_wrong_never_comes_before_what_says_it_right() -> None:
    known = corrected(
        [told("The tide review is on Wednesdays.", said="The tide review is on Mondays.")]
    )
    hits = [
        (row_of(1, "Since June, the tide review is on Mondays."), 0.9),
        (row_of(2, "The tide review is on Wednesdays, as ever."), 0.2),
    ]
    assert order(hits, known) == [2, 1]


def test_a_note_that_repeats_what_was_replaced_comes_behind_the_successor() -> None:
    lost = meta(status="superseded", by="bbbbbb")
    hits = [
        (row_of(1, "The standup is at 9:30.", "memory/2026-03-01.md"), 0.9),
        (row_of(2, "The standup is at 10:00.", key="bbbbbb"), 0.7),
        (row_of(3, "The standup is at 9:30.", key="aaaaaa", meta=lost), 0.4),
    ]
    assert order(hits) == [2, 1, 3]

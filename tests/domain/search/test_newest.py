from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.search.ranking import Scored, ScoreParts
from clawgit.domain.search.ranking_standing import DatedHit, Stood, is_alike, limits_by_newer

_TEXTS = st.frozensets(st.sampled_from("abcdefgh"))


@given(_TEXTS, _TEXTS)
def test_alike_texts_share_twice_as_many_words_as_either_has_besides(
    text: frozenset[str], other: frozenset[str]
) -> None:
    besides = max(len(text - other), len(other - text))
    assert is_alike(text, other) == (len(text & other) >= 2 * besides)


@given(st.lists(_TEXTS, max_size=8))
def test_every_older_line_that_is_alike_is_limited_by_the_newest(
    texts: list[frozenset[str]],
) -> None:
    parts = ScoreParts(1, 0, None, (), ())
    told = [
        DatedHit(
            date(2026, 2, 28) - timedelta(days=at), Stood(Scored(at, 1, 1, True, parts), 1), text, 1
        )
        for at, text in enumerate(texts)
    ]
    limited = [
        at for at, text in enumerate(texts) if any(is_alike(text, other) for other in texts[:at])
    ]
    assert [*limits_by_newer(told, lambda _newer, _older: True)] == limited

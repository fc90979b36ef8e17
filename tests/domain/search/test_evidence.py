"""Whether what was found is likely to answer."""

from clawgit.domain.search.evidence import chance, evidence
from clawgit.domain.search.lexicon import UNIT, Vector
from clawgit.domain.search.ranking import GatheredMatches, Scored, ScoreParts
from clawgit.domain.search.ranking_standing import passing
from clawgit.domain.search.ranking_weights import LEAST_CHANCE, WITH_MEANING, WORDS_ALONE

_VECTORS = {
    "name": (UNIT, 0, 0),
    "husband": (0, UNIT, 0),
    "wife": (0, UNIT - 20, 77),
    "bread": (0, 0, UNIT),
}


def _vector(word: str) -> Vector | None:
    return _VECTORS.get(word)


def _gathered(**near: float) -> GatheredMatches:
    """A question of these words, each as close to item 1 as its number says."""
    closeness = tuple({1: close} if close else {} for close in near.values())
    weights = (4.0,) * len(near)
    return GatheredMatches(
        tuple(near), closeness, {}, sum(weights), frozenset(), frozenset(), weights=weights
    )


def _hit(cosine: float | None = None, base: float = 0.5, exact: bool = False) -> Scored:
    return Scored(1, base, base, exact, ScoreParts(0.5, 0.0, cosine, (), ()))


def test_a_word_that_the_item_has_in_another_word_counts_in_part() -> None:
    asked = _gathered(name=1.0, husband=0.0)
    other, near = (
        evidence(asked, [(_hit(), text)], 100, _vector) for text in ("her bread", "his wife")
    )
    assert other
    assert near
    assert (other.covered, other.asked) == (0.5, near.asked)
    assert 0.5 < near.covered < 1


def test_the_best_of_the_first_hits_counts() -> None:
    asked = _gathered(bread=0.0, husband=0.0)
    found = [(_hit(), "wife"), (_hit()._replace(id=2), "her husband bakes bread")]
    held = evidence(asked, found, 100, _vector)
    assert held
    assert held.covered == 1


def test_a_question_in_words_that_are_in_no_list_is_not_judged() -> None:
    held = evidence(_gathered(wer=1.0, backt=0.0, bread=0.0), [(_hit(), "Brot")], 100, _vector)
    assert held is None
    assert evidence(_gathered(bread=1.0), [], 100, _vector) is None


def test_a_question_that_is_covered_is_likely_answered_however_short_it_is() -> None:
    for weights, cosine in ((WORDS_ALONE, None), (WITH_MEANING, 0.4)):
        held = evidence(_gathered(bread=1.0), [(_hit(cosine), "bread")], 3, _vector)
        assert held
        assert chance(held, weights) > LEAST_CHANCE


def test_more_that_is_covered_more_that_is_near_and_more_that_is_ahead_is_likelier() -> None:
    held = evidence(_gathered(name=1.0, husband=0.0), [(_hit(0.3), "bread")], 100, _vector)
    assert held
    chances = [
        chance(held, WITH_MEANING),
        chance(held._replace(covered=0.9), WITH_MEANING),
        chance(held._replace(covered=0.9, cosine=0.6), WITH_MEANING),
        chance(held._replace(covered=0.9, cosine=0.6, lead=0.2), WITH_MEANING),
    ]
    assert chances == sorted(set(chances))


def test_what_is_not_likely_to_answer_is_not_shown_but_for_what_is_exact() -> None:
    weak, strong, exact = _hit(), _hit(base=0.9), _hit(exact=True)
    assert passing([strong, weak, exact], 0.35, LEAST_CHANCE - 0.01) == [exact]
    assert passing([strong, weak], 0.0, 0.0) == [strong, weak]


def test_the_first_is_shown_where_an_answer_is_likely() -> None:
    weak, weaker = _hit(base=0.2), _hit(base=0.1)
    assert passing([weak, weaker], 0.35, LEAST_CHANCE) == [weak]
    assert passing([weak, weaker], 0.35) == []

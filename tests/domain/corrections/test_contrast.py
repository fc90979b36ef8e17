"""A sentence that denies what a statement says."""

import pytest

from clawgit.domain.corrections.contrast import contrasts_with


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Dario likes apples, not pears.", "Dario likes pears."),
        ("Dario prefers green tea – not coffee", "Dario prefers coffee"),
        ("The bus leaves early on Sundays, not late.", "The bus leaves late on Sundays."),
        ("Dario mag Äpfel, nicht Birnen.", "Dario mag Birnen."),
        ("A Dario le gustan las manzanas, no las peras.", "A Dario le gustan las peras."),
    ],
)
def test_a_sentence_contrasts_with_what_it_denies(sentence: str, statement: str) -> None:
    assert contrasts_with(sentence, statement)


@pytest.mark.parametrize(
    ("sentence", "statement"),
    [
        ("Dario likes apples, not pears.", "Ana likes pears."),
        ("Dario likes apples, not pears.", "Dario buys pears."),
        ("Dario likes apples, not pears.", "Dario likes pears and plums."),
        ("Dario likes apples, not plums.", "Dario likes pears."),
        ("Dario does not like pears.", "Dario does like pears."),
        ("Dario likes apples.", "Dario likes pears."),
        ("Apples, not pears.", "Pears."),
        ("Dario likes apples, not pears.", "Dario likes pears more than other pears."),
        (
            "Dario likes what grows on the tree behind the old house, not pears.",
            "Dario likes pears.",
        ),
        ("", ""),
    ],
)
def test_and_with_nothing_else(sentence: str, statement: str) -> None:
    assert not contrasts_with(sentence, statement)

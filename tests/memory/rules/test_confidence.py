"""How sure an entry is: the dynamics of the spec, and what holds for all of them."""

from datetime import date, timedelta

import pytest

from clawgit.core.config.settings import Settings
from clawgit.core.markdown.comment import Meta
from clawgit.memory.rules.confidence import CORRECTION, EXPLICIT, INFERRED, confidence, mentioned
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
        (0.95, 29, 0.95),
        (0.95, 30, 0.90),
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


def test_a_correction_does_not_fade() -> None:
    assert confidence(meta(1.0, ago=9000, src=CORRECTION), DEFAULTS, TODAY) == 1.0


def test_a_mention_is_worth_no_less_than_a_first_one() -> None:
    assert mentioned(meta(0.95, ago=300), EXPLICIT, DEFAULTS, TODAY).conf == 0.95
    assert mentioned(meta(0.6, ago=300, src=INFERRED), INFERRED, DEFAULTS, TODAY).conf == 0.6


def test_a_guess_that_the_operator_states_becomes_stated_and_no_guess_lowers_his_word() -> None:
    assert mentioned(meta(0.6, ago=0, src=INFERRED), EXPLICIT, DEFAULTS, TODAY) == meta(
        0.95, ago=0, n=2
    ).having("first", TODAY.isoformat())
    kept = mentioned(meta(0.95, ago=0), INFERRED, DEFAULTS, TODAY)
    assert (kept.src, kept.conf) == (EXPLICIT, 0.95)


def test_mentions_alone_never_make_an_entry_as_sure_as_a_correction() -> None:
    said = meta(0.6, ago=0, src=INFERRED)
    for _ in range(20):
        said = mentioned(said, INFERRED, DEFAULTS, TODAY)
    assert (said.n, said.conf) == (21, 0.95)

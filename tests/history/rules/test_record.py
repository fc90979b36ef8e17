"""Keyed hashes: forgotten words are known again, by whoever has the key, and not told."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.history.rules.needle import needle_of
from clawgit.history.rules.record import Forgetting, Forgotten, hashed

KEY = bytes(range(32))
WORDS = "Ana opens the vault with a song"
NEEDLE = needle_of(WORDS)
ACT = Forgetting("klmnopqr", "2026-02-14", KEY.hex(), hashed(KEY, [NEEDLE]))
RECORD = Forgotten((ACT,))
REWROTE = ACT._replace(first=("f",))


@given(st.permutations([ACT, REWROTE, ACT._replace(id="z", time="2026-01-01")]))
def test_records_join_in_any_order(acts: list[Forgetting]) -> None:
    one, two, three = (Forgotten((act,)) for act in acts)
    joined = one.united(two).united(three)
    assert joined == one.united(two.united(three)) == three.united(one).united(two)
    assert [act.id for act in joined] == ["z", "klmnopqr"]
    assert joined[1].first


def test_what_is_known_here_stays_known_whatever_another_record_says_of_it() -> None:
    other = Forgotten((ACT._replace(hashes=hashed(KEY, [needle_of("Something else")])),))
    assert RECORD.united(other).holds(WORDS)

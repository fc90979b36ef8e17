"""The files of the judges' weights: whole, small, and never half read."""

from itertools import product
from pathlib import Path

import pytest

from clawgit.core.errors import StorageError
from clawgit.language.judges.judging import thresholds
from clawgit.language.judges.weights import WEIGHTS as FOLDER
from clawgit.language.judges.weights import read
from tests.each import for_each

WEIGHTS = Path(FOLDER)
HEADS = (
    "words", "acts", "worth", "undone", "disputes", "lasting", "tags", "poison", "poison_first",
    "poison_kind",
)  # fmt: skip

LIMIT = 3_000_000


def test_the_weights_that_ship_are_all_there_and_small() -> None:
    assert {path.stem for path in WEIGHTS.glob("*.bin")} == {*HEADS}
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*.bin")) <= LIMIT
    for name in HEADS:
        head = read(f"{WEIGHTS}/{name}.bin")
        assert [len(row) for row in head.table] == [head.slots] * (
            len(head.classes) if head.slots else 0
        )


@for_each("name, place", product(HEADS, [0, 9, 13, 17, 40, -1]))
def test_one_changed_byte_is_an_error_with_a_way_out(tmp_path: Path, name: str, place: int) -> None:
    whole = bytearray((WEIGHTS / f"{name}.bin").read_bytes())
    whole[place] ^= 0x20
    damaged = tmp_path / f"{name}.bin"
    damaged.write_bytes(whole)
    with pytest.raises(StorageError) as caught:
        read(str(damaged))
    assert f"{name}.bin" in caught.value.message
    assert "Install clawgit again" in caught.value.hint


def test_a_file_that_is_not_there_is_the_same_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"acts\.bin"):
        read(str(tmp_path / "acts.bin"))


def test_who_acts_alone_is_surer_than_who_asks() -> None:
    bars = thresholds()
    assert 0 < bars.corrects_ask <= bars.corrects_sure <= 1
    assert 0 < bars.orders_ask <= bars.orders_sure <= 1
    assert 0 < bars.worth < 1
    assert 0 < bars.disputes < 1

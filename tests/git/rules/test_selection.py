"""Which changes a selection takes."""

from datetime import UTC, datetime, timedelta

from clawgit.git.rules.history import Commit, CommitMessage
from clawgit.git.rules.undoing import Selection
from tests.each import for_each

NINE = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)
MESSAGE = CommitMessage(
    "memory-miner: keep what was said: 1 new",
    "The operator asked for Tea.",
    ("kkkkllll",),
    "memory-miner/remember",
    ("chat:main/7",),
    session="main",
    run="r1",
)
CHANGE = Commit("1" * 40, ("0" * 40,), NINE, "Memory Miner", MESSAGE)
FOREIGN = Commit("2" * 40, ("1" * 40,), NINE, "Olga Operator", CommitMessage("by hand"))


@for_each(
    "selection, mined, foreign",
    [
        (Selection(grep="TEA"), True, False),
        (Selection(grep="hand"), False, True),
        (Selection(by="memory-miner"), True, False),
        (Selection(by="mine"), False, False),
        (Selection(by="olga"), False, True),
        (Selection(run="r1"), True, False),
        (Selection(since=NINE + timedelta(seconds=1)), False, False),
        (Selection(until=NINE), False, False),
        (Selection(grep="tea", by="olga"), False, False),
        (Selection(kind="remember"), True, False),
        (Selection(kind="undo"), False, False),
    ],
)
def test_a_change_fits_all_that_is_given(selection: Selection, mined: bool, foreign: bool) -> None:
    assert selection.takes(CHANGE) == mined
    assert selection.takes(FOREIGN) == foreign

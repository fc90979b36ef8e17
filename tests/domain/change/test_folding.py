"""One line of a log for each change, whatever was undone and redone since."""

from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.change.folding import LogPage, folded, unfolded
from clawgit.domain.change.history import Commit
from clawgit.domain.change.undoing import fates
from tests.domain.change.test_undoing import ACTS, Chain


def every(_: Commit) -> bool:
    return True


def page(chain: Chain, limit: int | None = None) -> LogPage:
    return folded(fates(chain.newest_first()), every, limit)


def names(found: LogPage) -> list[str]:
    return [row.commit.name for row in found.rows]


def undo_newest(chain: Chain) -> str:
    """Undoes whatever was done last, an undo too."""
    return chain.add("operator/undo", of=chain.commits[-1].name)


def test_an_undo_is_folded_into_what_it_took_back() -> None:
    chain = Chain()
    first, second = chain.add(), chain.add()
    undo = chain.add("operator/undo", of=first)
    found = page(chain)
    assert names(found)[:2] == [second, first]
    assert [row.undone_by for row in found.rows][:2] == ["", undo]
    assert found.rows[1].folded == (undo,)


def test_however_often_an_undo_is_undone_there_is_one_line() -> None:
    chain = Chain()
    change = chain.add()
    for times in range(1, 60):
        last = undo_newest(chain)
        [row] = [row for row in page(chain).rows if row.commit.name == change]
        assert len(page(chain).rows) == 2
        assert bool(row.undone_by) == bool(times % 2)
        assert last in row.folded


def test_what_was_brought_back_stands() -> None:
    chain = Chain()
    chain.add()
    chain.undo()
    chain.redo()
    assert [row.undone_by for row in page(chain).rows] == ["", ""]


def test_an_undo_of_several_changes_is_folded_into_each() -> None:
    chain = Chain()
    several = [chain.add() for _ in range(3)]
    undo = chain.add("operator/undo")
    newest = chain.commits[-1]
    chain.commits[-1] = newest._replace(message=newest.message._replace(evidence=tuple(several)))
    found = page(chain)
    assert names(found)[:3] == several[::-1]
    assert {row.undone_by for row in found.rows[:3]} == {undo}


def test_an_undo_of_what_is_not_on_the_page_has_a_line_and_only_the_newest() -> None:
    chain = Chain()
    change = chain.add()
    for _ in range(5):
        chain.add()
    for _ in range(4):
        newest = undo_of(chain, change)
    assert names(page(chain, 3)) == [newest, *(one.name for one in chain.commits[6:4:-1])]
    assert page(chain, 3).more
    assert newest not in names(page(chain, 6))


def undo_of(chain: Chain, change: str) -> str:
    """Takes a change back, or brings it back."""
    last = chain.commits[-1]
    return chain.add("operator/undo", of=last.name if last.message.verb == "undo" else change)


def test_what_is_left_out_takes_no_undo_in() -> None:
    chain = Chain()
    theirs = chain.add("ember/remember")
    undo = chain.add("operator/undo", of=theirs)
    mine = chain.add("operator/remember")

    def by_me(commit: Commit) -> bool:
        return commit.actor == "operator"

    found = folded(fates(chain.newest_first()), by_me)
    assert names(found) == [mine, undo]


def test_with_everything_each_commit_has_a_line() -> None:
    chain = Chain()
    chain.add()
    for _ in range(3):
        undo_newest(chain)
    found = unfolded(fates(chain.newest_first()), every)
    assert names(found) == [one.name for one in chain.newest_first()]
    assert [bool(row.undone_by) for row in found.rows] == [False, True, False, True, False]
    assert len(unfolded(fates(chain.newest_first()), every, 2).rows) == 2


@given(ACTS, st.integers(1, 12))
def test_a_page_is_never_longer_than_its_limit_and_loses_nothing(
    acts: list[str], limit: int
) -> None:
    chain = Chain()
    for act in acts:
        if act == "undo":
            chain.undo()
        elif act == "redo":
            chain.redo()
        else:
            chain.add()
    whole, cut = page(chain), page(chain, limit)
    steps = {one.name for one in chain.commits if one.message.verb in ("undo", "redo")}
    assert names(whole) == [one.name for one in chain.newest_first() if one.name not in steps]
    assert {name for row in whole.rows for name in row.folded} == steps
    assert len(cut.rows) <= limit
    assert cut.more == (len(whole.rows) > len(cut.rows)) or set(names(cut)) & steps
    standing = {row.commit.name: row.undone_by for row in whole.rows}
    assert all(standing.get(row.commit.name, row.undone_by) == row.undone_by for row in cut.rows)

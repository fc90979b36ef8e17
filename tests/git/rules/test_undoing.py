"""What a bare undo and a redo are about: a stack, as every editor has one."""

from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.git.rules.history import Commit, CommitMessage
from clawgit.git.rules.ids import change_id
from clawgit.git.rules.undoing import last_undo, since_adoption, undo_targets
from tests.conftest import NOW


class Chain(list[Commit]):
    """Commits on one branch, newest first, each a minute after the one before it."""

    def add(self, op: str, *of: str, parents: int = 1) -> str:
        number = len(self)
        before = [f"{number - 1:040}", "other"][:parents] if self else []
        ids = (change_id(number),) if op else ()
        message = CommitMessage(f"change {number}", ids=ids, op=op, evidence=of)
        time = NOW + timedelta(minutes=number)
        self.insert(0, Commit(f"{number:040}", tuple(before), time, "Olga", message))
        return self[0].name

    def undo(self) -> list[str]:
        """What a bare undo takes back; the commit for it is added."""
        names = [commit.name for commit in next(undo_targets(since_adoption(self)), ())]
        if names:
            self.add("operator/undo", *names)
        return names

    def redo(self) -> list[str]:
        undo, since = last_undo(since_adoption(self))
        if undo is None or since:
            return []
        self.add("operator/redo", undo.name)
        return [*undo.message.evidence]


@pytest.mark.parametrize("which", [0, 1])
def test_a_change_that_two_have_undone_stands_after_one_redo(which: int) -> None:
    chain = Chain()
    chain.add("clawgit/init")
    change = chain.add("operator/remember")
    undos = [chain.add("operator/undo", change) for _ in range(2)]
    chain.add("operator/redo", undos[which])
    assert chain.undo() == [change]
    assert chain.undo() == []


ACTS = st.lists(st.sampled_from(["edit", "undo", "redo", "note", "merge"]), max_size=60)


@given(ACTS)
@example(["edit", "undo", "redo", "redo", "undo", "redo"])
@example(["edit", "note", "edit", "undo", "undo", "redo", "merge", "redo", "undo", "edit", "redo"])
def test_edits_undos_and_redos_are_a_stack(acts: list[str]) -> None:
    """Against the simplest model there is: what was done, what was undone, and a new edit forgets
    the latter."""
    chain, done, undone = Chain(), list[str](), list[str]()
    chain.add("clawgit/init")
    for act in acts:
        if act == "edit":
            done.append(chain.add("operator/remember"))
            undone.clear()
        elif act == "undo":
            undone += (expected := [done.pop()] if done else [])
            assert chain.undo() == expected
        elif act == "redo":
            done += (expected := [undone.pop()] if undone else [])
            assert chain.redo() == expected
        elif act == "note":
            chain.add("recall-validator/re-embed")
        else:
            chain.add("", parents=2)
    assert [[one.name for one in change] for change in undo_targets(since_adoption(chain))] == [
        [name] for name in reversed(done)
    ]

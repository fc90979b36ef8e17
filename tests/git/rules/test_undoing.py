"""What a bare undo and a redo are about, over lists of commits: a stack, as every editor has
one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.git.rules.history import Commit, CommitMessage
from clawgit.git.rules.ids import change_id
from clawgit.git.rules.undoing import last_undo, undo_targets

START = datetime(2026, 2, 14, 9, 0, tzinfo=UTC)


class Chain:
    """Commits on one branch, each a minute after the one before it."""

    def __init__(self, *, init: bool = True) -> None:
        self.commits: list[Commit] = []
        if init:
            self.add("clawgit/init")

    def add(
        self, op: str = "operator/remember", *, of: str = "", parents: int = 1, seconds: int = 60
    ) -> str:
        number = len(self.commits)
        last = self.commits[-1] if self.commits else None
        first = (last.sha,) if last else ()
        others = tuple(f"other{number}-{n}" for n in range(1, parents))
        time = last.time + timedelta(seconds=seconds) if last else START
        ids = (change_id(number),) if op else ()
        message = CommitMessage(f"change {number}", ids=ids, op=op, evidence=(of,) if of else ())
        commit = Commit(f"{number:040}", (*first, *others), time, "Olga", message)
        self.commits.append(commit)
        return commit.name

    def newest_first(self) -> list[Commit]:
        return self.commits[::-1]

    def undoable(self, actor: str | None = None) -> list[list[str]]:
        return [[one.name for one in change] for change in undo_targets(self.newest_first(), actor)]

    def undo(self, actor: str = "operator") -> list[str]:
        """What a bare undo takes back; the commit for it is added."""
        own = None if actor == "operator" else actor
        targets = next(undo_targets(self.newest_first(), own), ())
        names = [one.name for one in targets]
        if names:
            self.add(f"{actor}/undo")
            newest = self.commits[-1]
            self.commits[-1] = newest._replace(
                message=newest.message._replace(evidence=tuple(names))
            )
        return names

    def redo(self, actor: str = "operator") -> list[str]:
        last = last_undo(self.newest_first(), None if actor == "operator" else actor)
        if last.undo is None or last.since:
            return []
        self.add(f"{actor}/redo", of=last.undo.name)
        return list(last.undo.message.evidence)


ACTS = st.lists(st.sampled_from(["edit", "undo", "redo", "note", "merge"]), max_size=60)


def lives_like_an_editor(acts: list[str]) -> None:
    """Against the simplest model there is: what was done, what was undone, and a new edit forgets
    the latter."""
    chain, done, undone = Chain(), list[str](), list[str]()
    for act in acts:
        if act == "edit":
            done.append(chain.add())
            undone.clear()
        elif act == "undo":
            expected = done.pop() if done else None
            assert chain.undo() == ([expected] if expected else [])
            undone += [expected] if expected else []
        elif act == "redo":
            expected = undone.pop() if undone else None
            assert chain.redo() == ([expected] if expected else [])
            done += [expected] if expected else []
        else:
            chain.add(
                "recall-validator/re-embed" if act == "note" else "",
                parents=1 if act == "note" else 2,
            )
    assert chain.undoable() == [[name] for name in reversed(done)]


@given(ACTS)
def test_edits_undos_and_redos_are_a_stack(acts: list[str]) -> None:
    lives_like_an_editor(acts)


@pytest.mark.slow
@given(ACTS)
@settings(max_examples=20_000)
def test_edits_undos_and_redos_are_a_stack_for_long(acts: list[str]) -> None:
    lives_like_an_editor(acts)

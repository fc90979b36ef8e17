"""What a bare undo and a redo are about, over lists of commits: a stack, as every editor has
one."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clawgit.git.rules.history import Commit, CommitMessage
from clawgit.git.rules.ids import change_id
from clawgit.git.rules.undoing import last_undo, undo_targets
from tests.each import for_each

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


@given(
    st.lists(
        st.tuples(st.sampled_from(["edit", "undo", "redo"]), st.sampled_from(["ember", "ash"])),
        max_size=40,
    )
)
def test_each_program_has_a_stack_of_its_own(acts: list[tuple[str, str]]) -> None:
    chain = Chain()
    done: dict[str, list[str]] = {"ember": [], "ash": []}
    undone: dict[str, list[str]] = {"ember": [], "ash": []}
    for act, who in acts:
        if act == "edit":
            done[who].append(chain.add(f"{who}/remember"))
            undone[who].clear()
            continue
        source, goal = (done, undone) if act == "undo" else (undone, done)
        expected = [source[who].pop()] if source[who] else []
        assert (chain.undo(who) if act == "undo" else chain.redo(who)) == expected
        goal[who] += expected


@given(
    st.lists(st.integers(0, 30), max_size=30),
    st.lists(st.sampled_from(["edit", "undo", "redo"]), max_size=30),
)
def test_what_was_taken_back_by_its_id_is_not_taken_back_again(
    picks: list[int], acts: list[str]
) -> None:
    """An undo by an id may hit any commit, an undo too: whatever stands is offered, and nothing
    else is."""
    chain = Chain()
    for number, act in enumerate(acts):
        if act == "edit":
            chain.add()
        elif act == "undo" and len(chain.commits) > 1:
            pick = picks[number % len(picks)] if picks else 0
            chain.add("operator/undo", of=chain.commits[1 + pick % (len(chain.commits) - 1)].name)
        else:
            chain.redo()
    stands: dict[str, bool] = {}
    for commit in chain.newest_first():
        takers = [one for one in chain.commits if commit.name in one.message.evidence]
        stands[commit.name] = not any(stands[one.name] for one in takers)
    edits = [
        one.name
        for one in chain.newest_first()
        if one.message.verb == "remember" and stands[one.name]
    ]
    assert chain.undoable() == [[name] for name in edits]


@for_each("op", ["recall-validator/re-embed", "vector-hygiene/prune", "operator/changelog"])
def test_what_follows_from_other_changes_is_none_and_ends_no_redo(op: str) -> None:
    chain = Chain()
    first = chain.add()
    chain.add(op)
    assert chain.undo() == [first]
    chain.add(op)
    assert chain.redo() == [first]


def test_a_snapshot_of_several_actors_is_one_change() -> None:
    chain = Chain()
    flushed = chain.add("openclaw-flush/snapshot")
    human = chain.add("human/snapshot", seconds=0)
    unknown = chain.add("unknown/snapshot", seconds=0)
    later = chain.add("unknown/snapshot", seconds=0)
    latest = chain.add("human/snapshot", seconds=1)
    assert chain.undoable() == [[latest], [later], [unknown, human, flushed]]
    assert chain.undo() == [latest]
    assert chain.undo() == [later]
    assert chain.undo() == [unknown, human, flushed]
    assert chain.redo() == [unknown, human, flushed]


def before_clawgit(chain: Chain) -> None:
    chain.add("")
    chain.add("")


def adopted(chain: Chain) -> None:
    before_clawgit(chain)
    chain.add("unknown/snapshot")
    chain.add("clawgit/init", seconds=0)


def adopted_without_a_commit(chain: Chain) -> None:
    before_clawgit(chain)
    chain.add("clawgit/doctor")


@for_each("begin", [adopted, adopted_without_a_commit])
def test_the_adoption_and_what_was_before_it_are_never_offered(
    begin: Callable[[Chain], None],
) -> None:
    chain = Chain(init=False)
    begin(chain)
    ours = [] if begin is adopted else [[chain.commits[-1].name]]
    by_git = chain.add("")
    fact = chain.add()
    assert chain.undoable() == [[fact], [by_git], *ours]

"""What plain git leaves to do after a merge: CONFLICTS.md."""

from collections.abc import Iterator

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.corrections import add
from clawgit.core.errors import ClawgitError
from clawgit.git.looked import FOLLOWED, keep_noted
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.history.after_merge import after_merge
from clawgit.history.changes import snapshot
from clawgit.history.undo import undo
from clawgit.memory.conflicts import resolve
from clawgit.memory.editing import edit, remove
from clawgit.memory.remember import NewFact, remember
from clawgit.memory.rules.conflict_log import DECIDED_TWICE, NOTHING, conflicts
from clawgit.safety.operator import NotTheOperatorError
from clawgit.workspace import githooks
from clawgit.workspace.workspace import Workspace
from tests.compat.test_merge_driver import BASE, BEN, COFFEE, MILK, NOTE, TEA, branch, text_of
from tests.conftest import Git
from tests.history.machines import Machine, meet
from tests.history.rules.machines import said
from tests.making import space_of

PAGE = "memory/drinks.md"


@pytest.fixture
def space(ws: Git) -> Iterator[Workspace]:
    ws.commit_file(NOTE, BASE, "base")
    opened = space_of(ws)
    githooks.put_driver_in(opened)
    yield opened
    opened.close()


def merged(ws: Git, ours: str, theirs: str) -> str:
    """Merges two versions of the note; returns what HEAD was before."""
    branch(ws, "theirs", theirs)
    branch(ws, "ours", ours)
    before = ws.head()
    ws("merge", "-q", "--no-edit", "theirs")
    return before


def test_each_disputed_pair_has_the_same_section_everywhere(ws: Git, space: Workspace) -> None:
    before = merged(ws, MILK, COFFEE)
    assert after_merge(space, before)
    [conflict] = conflicts(text_of(ws, "CONFLICTS.md"))
    assert (conflict.a.text, conflict.b.text) == ("Ana drinks milk.", "Ana drinks coffee.")
    assert conflict.open
    ours = text_of(ws, "CONFLICTS.md")
    assert after_merge(space, before) is None
    # The other machine merges the other way round.
    ws("switch", "-q", "theirs")
    old = ws.head()
    ws("merge", "-q", "--no-edit", "ours~1")
    assert after_merge(space, old)
    assert text_of(ws, "CONFLICTS.md") == ours
    assert ws.status() == ""


def test_the_operator_settles(ws: Git, space: Workspace) -> None:
    after_merge(space, merged(ws, MILK, COFFEE))
    [conflict] = conflicts(text_of(ws, "CONFLICTS.md"))
    for keep, statuses in (
        ("b", ["superseded", "active"]), ("a", ["active", "superseded"]),
        ("both", ["active", "active"]),
    ):  # fmt: skip
        resolve(space, conflict.id, keep)
        now = said(text_of(ws))
        assert [now[ident][1] for ident in ("kana22", "bys48b")] == statuses
        assert after_merge(space, "main") is None


def test_a_correction_leaves_the_other_text_to_the_operator(ws: Git, space: Workspace) -> None:
    after_merge(space, merged(ws, MILK, COFFEE))
    done = add(space, "Ana drinks coffee.")
    now = said(text_of(ws))
    assert (now["bys48b"][1], now["kana22"][1]) == ("disputed", "active")
    [conflict] = conflicts(text_of(ws, "CONFLICTS.md"))
    assert conflict.open
    assert ws.status() == ""
    undo(space, str(done.change.id))
    assert {said(text_of(ws))[ident][1] for ident in ("bys48b", "kana22")} == {"disputed"}


def decided_on_two_machines(ws: Git, space: Workspace, here: str, there: str) -> str:
    """The conflict of a merge, settled on two machines that then meet; returns its id."""
    [conflict] = conflicts(text_of(ws, "CONFLICTS.md"))
    ws("switch", "-q", "-c", "laptop")
    resolve(space, conflict.id, there)
    ws("switch", "-q", "ours")
    resolve(space, conflict.id, here)
    ws("merge", "-q", "--no-edit", "laptop")
    snapshot(space)
    return conflict.id


@pytest.mark.parametrize(("here", "there"), [("both", "a"), ("b", "a")])
def test_two_that_decide_differently_are_asked_again_and_nothing_is_lost(
    ws: Git, space: Workspace, here: str, there: str
) -> None:
    more = BASE.replace("tea.", "{}. She sleeps long.")
    after_merge(space, merged(ws, more.format("milk"), more.format("coffee")))
    before = said(text_of(ws))
    ident = decided_on_two_machines(ws, space, here, there)
    [again] = conflicts(text_of(ws, "CONFLICTS.md"))
    assert (again.id, again.outcome) == (ident, DECIDED_TWICE)
    assert said(text_of(ws)) == before
    # What is decided then stays decided, whatever merge is looked at again.
    resolve(space, ident, "b")
    keep_noted(space.place, FOLLOWED, ws("rev-parse", "main").strip())
    snapshot(space)
    assert conflicts(text_of(ws, "CONFLICTS.md"))[0].decision == "B wins"


BARE = "# Memory\n\n- Ana drinks tea at noon.\n- Ben eats rye.\n"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("- Ana drinks milk at noon.", "- Ana drinks milk at noon."),
        ("- Ana drinks milk at noon.", "- Ana drinks tea at noon.\n- Ana drinks rum at noon."),
        ("- Cem was here.", "- Ana drinks milk at noon."),
    ],
)
def test_what_one_side_reworded_is_none(ws: Git, space: Workspace, ours: str, theirs: str) -> None:
    ws.commit_file(NOTE, BARE, "by hand")
    tea = "- Ana drinks tea at noon."
    since = merged(ws, BARE.replace(tea, ours), BARE.replace(tea, theirs))
    assert after_merge(space, since) is None


def test_what_one_side_removed_and_the_other_reworded_is_the_operators_to_settle(
    ws: Git, space: Workspace
) -> None:
    after_merge(space, merged(ws, f"# Memory\n\n{BEN}", COFFEE))
    [conflict] = conflicts(text_of(ws, "CONFLICTS.md"))
    assert conflict.open
    assert (conflict.a.text, conflict.b.text) == ("Ana drinks coffee.", NOTHING)
    ours = text_of(ws, "CONFLICTS.md")
    ws("switch", "-q", "theirs")
    old = ws.head()
    ws("merge", "-q", "--no-edit", "ours~1")
    assert after_merge(space, old)
    assert text_of(ws, "CONFLICTS.md") == ours
    with pytest.raises(ClawgitError, match="disputed"):
        edit(space, "kana22", "Ana drinks water.")
    run_agent(space, "conflict-detector", clock=lambda: space.now)
    assert text_of(ws, "CONFLICTS.md") == ours
    # Whoever thinks again may decide otherwise.
    for keep, status in (("b", "superseded"), ("both", "active"), ("a", "active"), ("a", "active")):
        resolve(space, conflict.id, keep)
        assert said(text_of(ws))["kana22"] == ("Ana drinks coffee.", status)
    edit(space, "kana22", "Ana drinks water.")


def test_a_correction_follows_the_entry_that_was_moved(ws: Git, space: Workspace) -> None:
    right = COFFEE.replace("coffee.", "coffee. #correction")
    branch(ws, "theirs", right)
    ws("switch", "-q", "-c", "ours", "main")
    ws.write(NOTE, f"# Memory\n\n{BEN}")
    ws.write(PAGE, f"# Drinks\n\n{TEA}")
    ws.commit_all("moved")
    before = ws.head()
    ws("merge", "-q", "--no-edit", "theirs")
    after_merge(space, before)
    assert "tea" not in text_of(ws) + text_of(ws, PAGE)
    assert "coffee. #correction" in text_of(ws, PAGE)


def test_the_next_write_follows_up_a_merge_that_no_hook_saw(ws: Git, space: Workspace) -> None:
    snapshot(space)
    merged(ws, MILK, COFFEE)
    ws.commit_file("notes/later.md", "Later.\n", "on top of the merge, by plain git")
    remember(space.dry(), NewFact("Cem runs on Mondays."))
    assert not (ws.root / "CONFLICTS.md").exists()
    remember(space, NewFact("Cem runs on Mondays."))
    assert len(conflicts(text_of(ws, "CONFLICTS.md"))) == 1
    subjects = ws("log", "-2", "--format=%s").splitlines()
    assert subjects[1].endswith("bring the files of the merge into line")
    # What the operator takes out by hand is not asked for twice.
    ws.commit_file("CONFLICTS.md", "# Conflicts\n", "not worth a minute")
    remember(space, NewFact("Dora swims on Fridays."))
    assert not conflicts(text_of(ws, "CONFLICTS.md"))


def test_a_quiet_merge_makes_no_commit(ws: Git, space: Workspace) -> None:
    before = merged(ws, BASE + "- Ours.\n", BASE.replace(TEA, TEA + "- Theirs.\n"))
    head = ws.head()
    assert after_merge(space, before) is None
    assert after_merge(space, "") is None
    assert ws.head() == head


def test_an_agent_decides_against_nothing_that_the_operator_wrote(
    one: Machine, two: Machine
) -> None:
    """On another machine, too: the words tell who wrote them, since an entry keeps its id."""
    one.append("- Ana drinks tea. #knowledge <!-- claw:kana22 c=.9 -->\n")
    meet([one, two])
    edit(one.workspace(), "kana22", "Ana drinks milk.")
    edit(two.workspace(Actor("fig", "Fig")), "kana22", "Ana drinks wine.")
    meet([one, two])
    [flagged] = conflicts(two.text("CONFLICTS.md"))
    texts = flagged.a.text, flagged.b.text
    wine = "ab"[next(at for at, text in enumerate(texts) if "wine" in text)]
    with pytest.raises(NotTheOperatorError, match="The operator said") as refused:
        resolve(two.workspace(Actor("fig", "Fig")), flagged.id, wine)
    assert refused.value.hint.endswith(f"clawgit conflicts resolve {flagged.id} --keep {wine}")
    milk = {"a": "b", "b": "a"}[wine]
    resolve(two.workspace(Actor("fig", "Fig")), flagged.id, milk)
    resolve(two.workspace(), flagged.id, wine)


@pytest.mark.parametrize(("keep", "is_by_operator"), [("a", True), ("both", True), ("b", False)])
def test_an_agent_decides_for_no_words_that_the_operator_removed_nor_against_theirs(
    one: Machine, two: Machine, keep: str, is_by_operator: bool
) -> None:
    one.append("- Ana drinks tea. #knowledge <!-- claw:kana22 c=.9 -->\n")
    meet([one, two])
    actors = [OPERATOR, Actor("fig", "Fig")][:: 1 if is_by_operator else -1]
    remove(one.workspace(actors[0]), ["kana22"])
    edit(two.workspace(actors[1]), "kana22", "Ana drinks wine.")
    meet([one, two])
    [flagged] = conflicts(two.text("CONFLICTS.md"))
    assert flagged.b.text == NOTHING
    with pytest.raises(NotTheOperatorError, match="The operator"):
        resolve(two.workspace(Actor("fig", "Fig")), flagged.id, keep)
    resolve(two.workspace(Actor("fig", "Fig")), flagged.id, "b" if is_by_operator else "a")
    resolve(two.workspace(), flagged.id, keep)

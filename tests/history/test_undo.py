"""Undo and redo on a real workspace: the newest change goes, whatever it was, and comes back byte for
byte; of a run, of a session, since a time, of several ids it is one commit, all or nothing."""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from clawgit.agents.frame.corrections import add
from clawgit.core.errors import ConflictError, NotFoundError, UsageError
from clawgit.core.markdown.amend import Amendment
from clawgit.front.setup import init
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.git.rules.history import Intent
from clawgit.history import proposals as soul_changes
from clawgit.history.changes import restore, snapshot
from clawgit.history.undo import redo, undo
from clawgit.memory.remember import NewFact, remember
from clawgit.safety.trust import set_setting
from clawgit.soul.guarding import GuardError
from clawgit.workspace.workspace import Workspace
from tests.conftest import NOW, Git, files_below
from tests.examples import TIMES
from tests.git.test_transaction import age
from tests.making import asker, space_of
from tests.soulful import Soulful

EMBER = Actor("ember", "Ember")
MINER = Actor("memory-miner", "Memory Miner")
DAY = "memory/2026-02-13.md"


def files(git: Git) -> dict[str, bytes]:
    """What lies in the workspace, but for what follows from history."""
    there = files_below(git.root)
    there.pop("CHANGELOG.md", None)
    return there


def write(home: Soulful, path: str, text: str) -> None:
    age(home.git.write(path, text))


def put(home: Soulful, path: str, text: str | None, *, actor: Actor = MINER) -> str:
    return put_all(home, {path: text}, actor)


def put_all(home: Soulful, files: Mapping[str, str | None], actor: Actor = MINER) -> str:
    """One change of these files, of which None takes one away; its id."""
    space = home.later()
    intent = Intent(actor, "edit", f"edit {next(iter(files))}", evidence=("x",))
    with space.transaction(intent) as tx:
        for path, text in files.items():
            if text is None:
                tx.put(path, None)
            else:
                tx.put(path, text)
    return str(tx.outcome.id)


@pytest.fixture
def home(soulful: Soulful) -> Soulful:
    """A workspace in which clawgit has made two changes."""
    put(soulful, "memory/begun.md", "- To begin.\n", actor=OPERATOR)
    put(soulful, "memory/begun.md", "- Begun.\n", actor=OPERATOR)
    return soulful


def remembered(home: Soulful) -> None:
    remember(home.later(), NewFact("Ana leads Harbor."))


def moved(home: Soulful) -> None:
    memory = f"{home.text('MEMORY.md')}- Begun.\n"
    put_all(home, {"MEMORY.md": memory, "memory/begun.md": ""})


def deleted(home: Soulful) -> None:
    put(home, "memory/begun.md", None)


def soul_edited(home: Soulful) -> None:
    soul_changes.edit(home.later(), Amendment(add="Never guess.", section="Boundaries"), "Asked.")


def corrected(home: Soulful) -> None:
    add(home.later(), "Billing uses SQLite.", "Billing uses PostgreSQL.")


def committed_by_git(home: Soulful) -> None:
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- By git.\n")
    home.git.commit_all("by hand")


def edited(home: Soulful) -> None:
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- By hand.\n")
    write(home, "notes.md", "- New.\n")


def staged(home: Soulful) -> None:
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- Staged.\n")
    home.git("add", "MEMORY.md")
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- Not staged.\n")


@pytest.mark.parametrize("change", [
    remembered, moved, deleted, soul_edited, corrected, committed_by_git, edited, staged,
])  # fmt: skip
def test_the_newest_change_is_taken_back(home: Soulful, change: Callable[[Soulful], None]) -> None:
    before = files(home.git)
    change(home)
    after = files(home.git)
    assert after != before
    done = undo(home.later())
    now = files(home.git)
    # What the operator said stays in the log, as dismissed.
    assert (change is corrected) == (b"- Why: taken back" in now.pop("CORRECTIONS.md", b""))
    assert now == {path: text for path, text in before.items() if path != "CORRECTIONS.md"}
    assert home.git.status() == ""
    again = redo(home.later())
    assert files(home.git) == after
    assert again.undid == done.undid


def test_a_bare_undo_ends_at_the_adoption_and_leaves_what_was_before_it(git: Git) -> None:
    git.commit_file("tool.md", "Mine.\n", "mine")
    git.commit_file("tool.md", "Mine, too.\n", "mine, too")
    init(git.root, asker(), hooks=False)
    before = files(git)
    with pytest.raises(NotFoundError, match="since clawgit was set up"):
        undo(space_of(git))
    remember(space_of(git), NewFact("Ana leads Harbor."))
    undo(space_of(git))
    with pytest.raises(NotFoundError, match="since clawgit was set up"):
        undo(space_of(git))
    assert files(git) == before


def test_edits_of_several_actors_go_and_come_back_as_one(home: Soulful) -> None:
    (home.git.root / ".openclaw").mkdir()
    write(home, DAY, "# 2026-02-13\n\n- Met Ana.\n")
    snapshot(home.later())
    before = files(home.git)
    write(home, DAY, home.text(DAY) + "- Flushed.\n")
    write(home, "IDENTITY.md", "# Identity\n")
    made = snapshot(home.later())
    assert len(made.commits) == 2
    after = files(home.git)
    done = undo(home.later())
    assert {one.actor for one in done.undid} == {"unknown", "openclaw-flush"}
    assert files(home.git) == before
    redo(home.later())
    assert files(home.git) == after


def test_a_new_edit_ends_the_redos_and_the_way_back_is_named(home: Soulful) -> None:
    remembered(home)
    with_fact = home.text("MEMORY.md")
    done = undo(home.later())
    write(home, "notes.md", "- New.\n")
    for _ in ("not committed", "committed"):
        with pytest.raises(NotFoundError, match="nothing to redo") as refused:
            redo(home.later())
        assert refused.value.hint.endswith(f"clawgit undo {done.change.id}")
        snapshot(home.later())
    undo(home.later(), str(done.change.id))
    assert home.text("MEMORY.md") == with_fact


def test_a_program_takes_back_its_own_newest_change_and_no_other(home: Soulful) -> None:
    put(home, "a.md", "- Ember's.\n", actor=EMBER)
    put(home, "b.md", "- The miner's.\n")
    write(home, "c.md", "- By hand.\n")
    program = home.as_actor(EMBER)
    undo(program)
    assert sorted(set(files(home.git)) & {"a.md", "b.md", "c.md"}) == ["b.md", "c.md"]
    with pytest.raises(NotFoundError, match="no change of ember"):
        undo(program)
    put(home, "b.md", "- The miner's, again.\n")
    redo(program)
    assert "a.md" in files(home.git)


@pytest.mark.parametrize("act", [undo, redo])
def test_a_nameless_program_says_which(home: Soulful, act: Callable[[Workspace], object]) -> None:
    ident = put(home, "a.md", "- A.\n", actor=AGENT)
    before = home.git.head()
    with pytest.raises(UsageError, match="give no name") as refused:
        act(home.as_actor())
    # `--actor agent` is no name, so it is no way out: only an id is, or a name that wrote before.
    assert f"clawgit {act.__name__} --actor NAME" in refused.value.hint
    assert home.git.head() == before
    undo(home.as_actor(), ident)
    assert not (home.git.root / "a.md").exists()


def moves_on(home: Soulful) -> str:
    """A fact that is remembered, and then moved to another file; the id of the first change."""
    made = remember(home.later(), NewFact("Ana leads Harbor."))
    [line] = [line for line in home.text("MEMORY.md").splitlines() if "Harbor" in line]
    there = {"memory/knowledge.md": f"# Knowledge\n\n- Oats.\n{line}\n"}
    put_all(home, {"MEMORY.md": home.text("MEMORY.md").replace(f"{line}\n", ""), **there})
    return str(made.change.id)


def test_what_has_moved_to_another_file_is_taken_back_there(home: Soulful) -> None:
    undo(home.later(), moves_on(home))
    assert "Ana" not in home.text("MEMORY.md") + home.text("memory/knowledge.md")
    assert "- Oats." in home.text("memory/knowledge.md")
    redo(home.later())
    assert home.text("memory/knowledge.md").count("Ana leads Harbor.") == 1


def test_what_was_reworded_where_it_has_moved_to_is_a_conflict(home: Soulful) -> None:
    ident = moves_on(home)
    text = home.text("memory/knowledge.md")
    put(home, "memory/knowledge.md", text.replace("leads Harbor", "leads Delta"))
    with pytest.raises(ConflictError, match=r"memory/knowledge\.md"):
        undo(home.later(), ident)
    assert "Ana leads Delta." in home.text("memory/knowledge.md")


def test_a_merge_goes_by_its_id_against_the_side_it_came_to(home: Soulful) -> None:
    home.git("switch", "-q", "-c", "side")
    home.git.commit_file("side.md", "- Of the side.\n", "side")
    home.git("switch", "-q", "main")
    remembered(home)
    home.git("merge", "-q", "--no-edit", "side")
    merged = files(home.git)
    [newest] = undo(home.later()).undid
    assert newest.summary == "note “Ana leads Harbor.”"
    redo(home.later())
    assert files(home.git) == merged
    done = undo(home.later(), home.git("log", "--merges", "-1", "--format=%H").strip())
    assert done.change.changed == ("side.md",)
    assert [one.actor for one in done.undid] == ["Olga Operator"]
    redo(home.later())
    assert files(home.git) == merged


def test_a_change_that_something_else_took_back_is_passed_over(home: Soulful) -> None:
    remembered(home)
    home.git("switch", "-q", "-c", "side", "HEAD~1")
    home.git("merge", "-q", "--no-ff", "--no-edit", "--strategy=ours", "main")
    done = undo(home.later())
    assert done.change.changed == ("memory/begun.md",)


@pytest.mark.parametrize("became", ["a file", "another link"])
def test_a_link_is_left_as_it_is_and_named(home: Soulful, became: str) -> None:
    link = home.git.root / "memory/link.md"
    link.symlink_to("../MEMORY.md")
    home.git.commit_all("a link")
    link.unlink()
    if became == "a file":
        link.write_text("- Now a file.\n")
    else:
        link.symlink_to("../SOUL.md")
    home.git.commit_file("memory/beside.md", "- Beside it.\n", "no longer this link")
    before = home.git("ls-files", "-s", "memory/link.md")
    done = undo(home.later(), "HEAD")
    assert done.change.changed == ("memory/beside.md",)
    assert "memory/link.md stays as it is" in done.change.warnings[0]
    assert (home.git("ls-files", "-s", "memory/link.md"), home.git.status()) == (before, "")


def test_the_guard_holds_for_an_undo_of_the_soul_alone_and_among_others(home: Soulful) -> None:
    mine = line(home, "A", actor=EMBER)
    soul_edited(home)
    set_setting(home.later(), "soul_policy", "locked")
    before = files(home.git)
    soul = home.git("log", "-1", "--format=%H", "--", "SOUL.md").strip()
    for revs in ((soul,), (soul, mine)):
        with pytest.raises(GuardError):
            undo(home.as_actor(EMBER), *revs)
    assert files(home.git) == before
    assert undo(home.later()).change.changed == ("CONFIG.md",)
    assert "SOUL.md" in undo(home.later()).change.changed


# what history holds can always be restored

CLAW = "<!-- claw:m7k2q9 conf=0.90 -->"
ODD = f"""# Memory

- One id. {CLAW}
- Twice. {CLAW}
- Two tags. #event #decision
- Two {CLAW} comments. {CLAW}
"""


def test_a_text_with_odd_entries_comes_back_byte_for_byte(home: Soulful) -> None:
    write(home, "MEMORY.md", ODD)
    taken = snapshot(home.later())
    undo(home.later())
    assert redo(home.later()).change.warnings
    assert home.text("MEMORY.md") == ODD
    (home.git.root / "MEMORY.md").unlink()
    undo(home.later())
    assert home.text("MEMORY.md") == ODD
    put(home, "MEMORY.md", "# Memory\n")
    assert restore(home.later(), "MEMORY.md", taken.id).warnings
    assert home.text("MEMORY.md") == ODD
    undo(home.later())
    undo(home.later())
    assert home.text("MEMORY.md") == ODD


# any sequence

FILES = st.sampled_from(["MEMORY.md", DAY, "IDENTITY.md", "notes.md"])


class Stack(RuleBasedStateMachine):
    """A workspace beside the simplest model of it: the states it had, and which of them it is
    in."""

    lived: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.git = Git(self.folder / "ws")
        (self.git.root / ".openclaw").mkdir(parents=True)
        self.git("init", "-q")
        self.git.write(".gitignore", ".openclaw/\n")
        self.git.write("MEMORY.md", "# Memory\n\n- Tea.\n")
        self.git.write(DAY, "# 2026-02-13\n\n- Met Ana.\n")
        self.git.write("IDENTITY.md", "# Identity\n")
        self.git.commit_all("start")
        self.now, self.number, self.saves = NOW, 0, 0
        self.states, self.at, self.dirty = [files(self.git)], 0, False
        put_line(self.space(), "begun.md", "- Begun.")
        self.changed()

    def space(self) -> Workspace:
        self.now += timedelta(minutes=1)
        return space_of(self.git, OPERATOR, self.now)

    def line(self) -> str:
        self.number += 1
        return f"- Line {self.number}."

    def changed(self, *, joins: bool = False) -> None:
        """What came after this state is forgotten; edits before the next commit join into one
        change."""
        del self.states[self.at + (not joins) :]
        self.states.append(files(self.git))
        self.at = len(self.states) - 1

    def settle(self) -> None:
        if self.dirty:
            snapshot(self.space())
            self.dirty = False

    @rule(path=FILES)
    def write_ours(self, path: str) -> None:
        self.settle()
        put_line(self.space(), path, self.line())
        self.changed()

    @rule(path=FILES, end=st.booleans())
    def edit_by_hand(self, path: str, end: bool) -> None:
        file = self.git.root / path
        lines = file.read_text().splitlines() if file.exists() else []
        lines.insert(len(lines) if end else len(lines) // 2, self.line())
        self.save(path, "\n".join(lines) + "\n")

    @rule(path=FILES)
    def delete_by_hand(self, path: str) -> None:
        """With a new line elsewhere, so that it is a change in any case. Not the last memory: that
        is a disaster."""
        if not any((self.git.root / other).exists() for other in {"MEMORY.md", DAY} - {path}):
            return
        (self.git.root / path).unlink(missing_ok=True)
        other = "other.md"
        file = self.git.root / other
        self.save(other, (file.read_text() if file.exists() else "") + self.line() + "\n")

    def save(self, path: str, text: str) -> None:
        self.saves += 1
        age(self.git.write(path, text), 10 + 3 * self.saves)
        self.changed(joins=self.dirty)
        self.dirty = True

    @rule()
    def snapshot(self) -> None:
        self.settle()

    @rule(path=FILES)
    def commit_by_hand(self, path: str) -> None:
        self.edit_by_hand(path, end=True)
        self.git.commit_all("by hand")
        self.dirty = False

    @rule()
    def restore(self) -> None:
        self.settle()
        before = files(self.git)
        restore(
            self.space(), "MEMORY.md", self.git("rev-list", "HEAD", "--", "MEMORY.md").split()[-1]
        )
        if files(self.git) != before:
            self.changed()

    @rule()
    def merge(self) -> None:
        """What a branch brings is a change like those before it."""
        self.settle()
        side = f"side{self.number}.md"
        self.git("switch", "-q", "-c", side)
        self.git.commit_file(side, self.line() + "\n", "side")
        self.git("switch", "-q", "-")
        self.git("merge", "-q", "--no-ff", "--no-edit", side)
        self.changed()

    @rule(times=st.integers(1, 4))
    def undo(self, times: int) -> None:
        for _ in range(times):
            if self.at == 0:
                self.expect_nothing(undo)
                continue
            undo(self.space())
            self.at -= 1
            self.dirty = False
            assert files(self.git) == self.states[self.at]

    @rule(times=st.integers(1, 4))
    def redo(self, times: int) -> None:
        for _ in range(times):
            if self.at == len(self.states) - 1:
                self.expect_nothing(redo)
                continue
            redo(self.space())
            self.at += 1
            assert files(self.git) == self.states[self.at]

    @rule()
    def undo_all_and_redo_all(self) -> None:
        ahead = self.at
        self.undo(ahead)
        self.redo(ahead)

    def expect_nothing(self, act: Callable[[Workspace], object]) -> None:
        with pytest.raises(NotFoundError):
            act(self.space())
        assert files(self.git) == self.states[self.at]

    def teardown(self) -> None:
        Stack.lived += 1
        shutil.rmtree(self.folder)


def put_line(space: Workspace, path: str, line: str) -> None:
    with space.transaction(Intent(OPERATOR, "edit", line)) as tx:
        tx.put(path, f"{tx.read_text(path)}{line}\n")


def profile(examples: int, steps: int) -> settings:
    return settings(
        max_examples=examples * TIMES,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.hypothesis
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("examples", "steps"), [(3, 8), pytest.param(30, 30, marks=pytest.mark.slow)]
)
def test_n_undos_go_back_n_changes_and_n_redos_come_back(examples: int, steps: int) -> None:
    """Each step of each workspace is judged where it is taken."""
    before = Stack.lived
    run_state_machine_as_test(Stack, settings=profile(examples, steps))
    assert Stack.lived - before >= examples


FACT = "- Ana prefers green tea. <!-- claw:abcdef {} -->\n"


@pytest.mark.parametrize(
    "facts", [("c=.6", "c=.9", "c=.2"), ("status=superseded", "status=archived", "")]
)
def test_an_undo_chooses_no_value_of_a_fact(home: Soulful, facts: tuple[str, str, str]) -> None:
    """The later one may be the operator's."""
    first, then, last = (FACT.format(fact).replace("  ", " ") for fact in facts)
    put(home, DAY, first)
    change = put(home, DAY, then)
    put(home, DAY, last, actor=OPERATOR)
    with pytest.raises(ConflictError):
        undo(home.later(), change)
    assert home.text(DAY) == last


def line(home: Soulful, text: str, *, actor: Actor = MINER, **marks: str) -> str:
    """One change that appends a line to MEMORY.md."""
    space = home.later()
    intent = Intent(actor, "edit", text, evidence=("x",))._replace(**marks)  # type: ignore[arg-type]
    with space.transaction(intent) as tx:
        tx.put("MEMORY.md", f"{tx.read_text('MEMORY.md')}- {text}\n")
    return str(tx.outcome.id)


def lines(home: Soulful) -> list[str]:
    return [row.removeprefix("- ") for row in home.text("MEMORY.md").splitlines()[3:]]


def mixed(home: Soulful) -> dict[str, str]:
    """Five changes, of which two are of a run."""
    return {
        "A": line(home, "A", run="r1", session="main"),
        "b": line(home, "b"),
        "C": line(home, "C", run="r1"),
        "d": line(home, "d", actor=EMBER, session="main"),
        "e": line(home, "e", run="r2"),
    }


def test_a_run_is_taken_back_by_one_commit_and_brought_back_as_one(home: Soulful) -> None:
    ids = mixed(home)
    before, count = files(home.git), home.git("rev-list", "--count", "HEAD")
    done = undo(home.later(), run="r1")
    assert lines(home) == ["b", "d", "e"]
    assert int(home.git("rev-list", "--count", "HEAD")) == int(count) + 1
    assert [change.id for change in done.undid] == [ids["C"], ids["A"]]
    assert (done.change.changed, done.which) == (("MEMORY.md",), "of run r1")
    again = redo(home.later())
    assert files(home.git) == before
    assert {change.id for change in again.undid} == {ids["A"], ids["C"]}


def test_several_ids_are_taken_back_newest_first_and_each_once(home: Soulful) -> None:
    first = line(home, "A")
    second = put(home, "MEMORY.md", home.text("MEMORY.md").replace("- A\n", "- B\n"))
    done = undo(home.later(), first, second, first)
    assert [change.id for change in done.undid] == [second, first]
    assert lines(home) == []


def test_a_later_change_of_the_same_line_is_a_conflict(home: Soulful) -> None:
    ids = mixed(home)
    put(home, "MEMORY.md", home.text("MEMORY.md").replace("- A\n", "- A, reworded\n"))
    write(home, "notes.md", "- By hand.\n")
    before, head = files(home.git), home.git.head()
    for revs, run in (((), "r1"), ((ids["A"], ids["e"]), "")):
        with pytest.raises(ConflictError, match="- A, reworded") as refused:
            undo(home.later(), *revs, run=run)
        assert refused.value.message.startswith(ids["A"])
    assert (files(home.git), home.git.head()) == (before, head)


def test_a_later_change_of_a_file_that_is_gone_is_named_too(home: Soulful) -> None:
    put(home, "memory/people.md", "- Ben likes beer.\n")
    ident = put(home, "memory/people.md", "- Ben likes wine.\n")
    put(home, "memory/people.md", None)
    with pytest.raises(ConflictError) as caught:
        undo(home.later(), ident)
    assert "clawgit log PATH" in caught.value.hint


def test_edits_that_are_not_committed_go_with_what_came_since(home: Soulful) -> None:
    line(home, "A")
    before = files(home.git)
    since = (home.space.now + timedelta(minutes=1)).isoformat()
    line(home, "b")
    write(home, "MEMORY.md", home.text("MEMORY.md") + "- by hand\n")
    write(home, "notes.md", "- By hand.\n")
    dirty = files(home.git)
    dry = undo(home.later().dry(), since=since)
    assert (dry.change.commit, dry.uncommitted) == (None, True)
    assert "-- by hand" in dry.change.preview
    assert files(home.git) == dirty
    undo(home.later(), since=since)
    assert files(home.git) == before
    assert home.git.status() == ""
    redo(home.later())
    assert files(home.git) == dirty


def test_a_conflict_is_found_before_edits_are_committed(home: Soulful) -> None:
    since = (home.space.now + timedelta(minutes=1)).isoformat()
    line(home, "A")
    # A merge is no change of its own: what it says is not what the change had written.
    home.git("switch", "-q", "-c", "side")
    home.git.commit_file("side.md", "- Of the side.\n", "side")
    home.git("switch", "-q", "-")
    home.git("merge", "-q", "--no-ff", "--no-commit", "side")
    home.git.write("MEMORY.md", home.text("MEMORY.md").replace("- A\n", "- A, merged\n"))
    home.git.commit_all("merged by hand")
    write(home, "notes.md", "- By hand.\n")
    head = home.git.head()
    with pytest.raises(ConflictError):
        undo(home.later(), since=since)
    assert (home.git.head(), home.git.status()) == (head, "?? notes.md\n")


def test_a_program_takes_back_only_its_own(home: Soulful) -> None:
    mixed(home)
    write(home, "notes.md", "- By hand.\n")
    ember = home.as_actor(EMBER)
    done = undo(ember, since="2026-01-01")
    assert [change.actor for change in done.undid] == ["ember"]
    assert (home.git.root / "notes.md").exists()
    with pytest.raises(NotFoundError, match="no change of ember of run r1"):
        undo(ember, run="r1")
    with pytest.raises(UsageError, match="give no name"):
        undo(home.as_actor(AGENT), run="r1")

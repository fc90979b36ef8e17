"""Our writes, foreign edits, staging, crashes, undo and plain git in any order: whatever was
written is kept."""

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from clawgit.core.errors import BusyError, ConflictError, MassDeletionError, NotFoundError
from clawgit.git.gitdir import find_repo
from clawgit.git.store import GitStore
from clawgit.git.transaction import Transaction
from clawgit.history.undo import undo
from clawgit.soul.guarding import GuardError
from clawgit.workspace.workspace import Caller, Workspace
from tests import ready
from tests.conftest import MINER, Git, intent
from tests.examples import TIMES
from tests.git.test_transaction import age
from tests.world import litter

HOUSE = Path(__file__).parents[2]
FILES = st.sampled_from(["MEMORY.md", "memory/2026-02-13.md", "memory/new.md", "SOUL.md"])
STEPS = (
    "locked", "looked", "built", "journaled", "index-locked", "prepared", "ref-moved",
    "index-published", "unlocked",
)  # fmt: skip
MOMENTS = st.one_of(
    st.tuples(st.sampled_from(STEPS), st.just(1)), st.tuples(st.just("placed"), st.integers(1, 2))
)


class Machine(RuleBasedStateMachine):
    """`kept` are the lines that must be on disk or in history; `twins` those of which both or none
    must be there."""

    judged: ClassVar[int] = 0
    """Workspaces of which the end was looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.git = _new_workspace(self.folder / "ws")
        self.kept: set[str] = set()
        self.twins: list[str] = []
        self.ids: list[str] = []
        self.number = 0
        self.saves = 0

    # our own writes

    @rule(path=FILES)
    def append(self, path: str) -> None:
        line = self._line("ours")
        if self._write(path, lambda tx: tx.put(path, _with_line(tx.read_text(path), line))):
            self.kept.add(line)

    @rule(path=FILES)
    def edit_in_the_middle(self, path: str) -> None:
        line = self._line("ours edited")

        def edit(tx: Transaction) -> None:
            lines = tx.read_text(path).splitlines()
            lines[len(lines) // 2 : len(lines) // 2 + 1] = [line]
            tx.put(path, "\n".join(lines) + "\n")

        if self._write(path, edit):
            self.kept.add(line)

    @rule(path=FILES)
    def delete(self, path: str) -> None:
        self._write(path, lambda tx: tx.put(path, None))

    @rule(path=FILES)
    def append_while_somebody_saves(self, path: str) -> None:
        line, foreign = self._line("ours"), self._line("foreign")

        def edit(tx: Transaction) -> None:
            tx.put(path, _with_line(tx.read_text(path), line))
            file = self.git.root / path
            self._save(path, _with_line(file.read_text() if file.exists() else "", foreign))
            self.kept.add(foreign)

        if self._write(path, edit):
            self.kept.add(line)

    @rule(moment=MOMENTS)
    def crash(self, moment: tuple[str, int]) -> None:
        line = f"crashed{self.number}"
        self.number += 1
        self.twins.append(line)
        child = str(Path(__file__).with_name("crash_child.py"))
        what = (str(self.git.root), moment[0], str(moment[1]), "twin", f"- {line}\n")
        call = [ready.python(), child, *what]
        if subprocess.run(call, capture_output=True, check=False, cwd=HOUSE).returncode == 0:
            self.kept.add(f"- {line}")

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        place = find_repo(self.git.root)
        workspace = Workspace(place, Caller(MINER, os.environ, datetime.now(UTC), Path.home()))
        try:
            undo(workspace, data.draw(st.sampled_from(self.ids)))
        except (BusyError, ConflictError, NotFoundError, MassDeletionError, GuardError):
            return

    @rule()
    def heal(self) -> None:
        self._let_time_pass()
        store = self._store()
        store.heal(datetime.now(UTC))
        self._let_time_pass()
        store.heal(datetime.now(UTC))
        assert litter(self.git.root) == []
        assert self.git("for-each-ref", "refs/clawgit/tx", "refs/clawgit/parked") == ""

    # others

    @rule(path=FILES)
    def foreign_append(self, path: str) -> None:
        line = self._line("foreign")
        file = self.git.root / path
        self._save(path, _with_line(file.read_text() if file.exists() else "", line))
        self.kept.add(line)

    @rule(path=FILES, rename=st.booleans())
    def foreign_rewrite(self, path: str, rename: bool) -> None:
        """What its writer takes out again before anybody commits it may be gone."""
        self._forget_what_only_lies_in(path)
        line = self._line("rewritten")
        if rename:
            beside = self.git.write("editor.tmp", f"# Again\n\n{line}\n")
            (self.git.root / path).parent.mkdir(exist_ok=True)
            beside.replace(self.git.root / path)
            self._look_old(self.git.root / path)
        else:
            self._save(path, f"# Again\n\n{line}\n")
        self.kept.add(line)

    @rule(path=FILES)
    def foreign_delete(self, path: str) -> None:
        self._forget_what_only_lies_in(path)
        (self.git.root / path).unlink(missing_ok=True)

    @rule(path=FILES)
    def stage(self, path: str) -> None:
        self.git("add", path, ok=False)

    @rule(path=FILES)
    def unstage_and_untrack(self, path: str) -> None:
        self.git("rm", "-q", "--cached", "-f", path, ok=False)

    @rule(words=st.sampled_from([["-a"], [], ["--amend"], ["-a", "--amend"]]))
    def commit_by_hand(self, words: list[str]) -> None:
        self.git("commit", "-q", "-m", "by hand", *words, ok=False)

    @rule(number=st.integers(0, 2))
    def switch(self, number: int) -> None:
        self.git("switch", "-q", f"branch{number}", ok=False)

    @rule(number=st.integers(0, 2))
    def branch(self, number: int) -> None:
        self.git("switch", "-q", "-c", f"branch{number}", ok=False)

    @rule()
    def take_the_index_lock_away(self) -> None:
        """As git itself advises."""
        (self.git.root / ".git/index.lock").unlink(missing_ok=True)

    @rule()
    def collect_garbage(self) -> None:
        self.git("gc", "-q", "--prune=now", ok=False)

    def teardown(self) -> None:
        try:
            self._assert_all_is_kept()
            Machine.judged += 1
        finally:
            shutil.rmtree(self.folder)

    def _assert_all_is_kept(self) -> None:
        self.heal()
        self._store().snapshot(datetime.now(UTC), accept_deletions=True)
        self.heal()
        there = self._committed() | self._on_disk().keys()
        assert sorted(self.kept - there) == []
        assert [
            line for line in self.twins if (f"- {line}" in there) != (f"- twin of {line}" in there)
        ] == []
        assert [line for line, count in self._on_disk().items() if count > 1] == []
        assert self.git("fsck", "--strict", "--no-dangling") == ""
        assert self.git.status() == ""

    # how it is done

    def _line(self, who: str) -> str:
        self.number += 1
        return f"- {who} {self.number}"

    def _store(self) -> GitStore:
        return GitStore(find_repo(self.git.root), os.environ)

    def _write(self, path: str, edit: Callable[[Transaction], None]) -> bool:
        """Whether it was acknowledged."""
        try:
            with self._store().transaction(intent(path), datetime.now(UTC)) as tx:
                edit(tx)
        except (BusyError, MassDeletionError):
            return False
        if tx.outcome.id:
            self.ids.append(tx.outcome.id)
        return tx.outcome.commit is not None

    def _save(self, path: str, text: str) -> None:
        self._look_old(self.git.write(path, text))

    def _look_old(self, file: Path) -> None:
        """Each save a few seconds apart: git takes a file of the same size and second for the one
        it knows."""
        self.saves += 1
        age(file, 10 + 3 * self.saves)

    def _forget_what_only_lies_in(self, path: str) -> None:
        file = self.git.root / path
        if file.exists():
            self.kept -= set(file.read_text().splitlines()) - self._committed()

    def _let_time_pass(self) -> None:
        for card in (self.git.root / ".git/clawgit/held").glob("*.json"):
            age(card)

    def _committed(self) -> set[str]:
        refs = self.git("for-each-ref", "--format=%(refname)").split()
        patch = self.git("log", "--all", "--reflog", "-p", "-U0", "-m", "--format=", *refs)
        return {line[1:] for line in patch.splitlines() if line.startswith("+- ")}

    def _on_disk(self) -> Counter[str]:
        lines: Counter[str] = Counter()
        for file in self.git.root.rglob("*.md"):
            if file.name == "CHANGELOG.md":  # derived, and free to say the same of two changes
                continue
            lines.update(line for line in file.read_text().splitlines() if line.startswith("- "))
        return lines


def _new_workspace(root: Path) -> Git:
    root.mkdir()
    git = Git(root)
    git("init", "-q", "-b", "main")
    git("config", "user.name", "Olga Operator")
    git("config", "user.email", "olga@example.org")
    git.write("MEMORY.md", "# Memory\n\n- Billing uses PostgreSQL.\n")
    git.write("SOUL.md", "# Soul\n\n- Be kind.\n")
    git.write("memory/2026-02-13.md", "# 2026-02-13\n\n- Met Ana.\n")
    for number in range(8):
        git.write(f"notes/{number}.md", f"# {number}\n")
    git.commit_all("start")
    return git


def _with_line(text: str, line: str) -> str:
    return f"{text}{line}\n" if text.endswith("\n") or not text else f"{text}\n{line}\n"


@pytest.mark.parametrize(
    ("examples", "steps"),
    [
        pytest.param(6, 12, marks=pytest.mark.hypothesis),
        pytest.param(120, 40, marks=(pytest.mark.slow, pytest.mark.timeout(600))),
    ],
)
def test_any_order(examples: int, steps: int) -> None:
    """Each life of a workspace ends with what must be kept."""
    before = Machine.judged
    how = settings(
        max_examples=examples * TIMES,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Machine, settings=how)
    assert Machine.judged - before >= examples

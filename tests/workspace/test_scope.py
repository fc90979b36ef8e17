"""A scope, not the whole repository: adopting adds as little as will work, and nothing outside is
ever touched."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from clawgit.agents.frame.runs import edit_prompt, prompt_of
from clawgit.core.errors import PathRefusedError, UsageError
from clawgit.core.markdown.amend import Amendment
from clawgit.front import setup
from clawgit.git.rules.actors import AGENT, OPERATOR, Actor
from clawgit.git.rules.history import Intent
from clawgit.history.changes import restore, snapshot
from clawgit.history.past_lines import lines
from clawgit.history.proposals import approve, proposals
from clawgit.history.proposals import edit as edit_soul
from clawgit.history.undo import undo
from clawgit.memory.remember import NewFact, remember
from clawgit.safety.masking import SecretsError
from clawgit.safety.secrets import refuse_push
from clawgit.safety.trust import set_setting
from clawgit.soul.guarding import GuardError
from clawgit.workspace.workspace import Caller, Workspace, open_workspace
from tests.conftest import NOW, Git
from tests.git.test_transaction import age
from tests.hooks.hooked import Hooked
from tests.making import asker
from tests.trusting import accept_settings

RELEASES = "# Changelog\n\n## 2.1.0\n\n- Faster.\n"
LESSON = NewFact("Lesson learned: ask before a push.", tag="skill")
KEY = "gh" + "p_" + "q7Rz2KvT9mXc4LsW8bNd1FyH6jPa3GeU5tQi"

REPOSITORIES: Mapping[str, Mapping[str, str]] = {
    "openclaw": {
        "SOUL.md": "# Soul\n", "AGENTS.md": "# How we work\n", "memory/2026-02-13.md": "# Day\n",
    },
    "claude-code": {"CLAUDE.md": "# Use tabs\n", "app.py": "print(1)\n"},
    "code": {"pyproject.toml": "[project]\n", "CHANGELOG.md": RELEASES, "app.py": "1\n"},
}  # fmt: skip


def caller(actor: Actor = OPERATOR) -> Caller:
    return asker(actor, CLAWGIT_SEARCH_MODE="core")


def repository(git: Git, files: Mapping[str, str]) -> Git:
    for path, text in files.items():
        git.write(path, text)
    git.commit_all("as it was")
    return git


def opened(git: Git, actor: Actor = OPERATOR) -> Workspace:
    return open_workspace(git.root, caller(actor))


def adopted(git: Git, layout: str) -> Workspace:
    setup.init(repository(git, REPOSITORIES[layout]).root, caller())
    return opened(git)


def edit(git: Git, path: str, text: str) -> None:
    age(git.write(path, text))


@pytest.mark.parametrize(
    ("layout", "full"), [("claude-code", False), ("openclaw", True), ("code", False)]
)
def test_every_layout_is_adopted_as_a_dry_run_tells_and_what_was_there_stays(
    git: Git, layout: str, *, full: bool
) -> None:
    repository(git, REPOSITORIES[layout])
    before = git.head(), git.status()
    told = setup.init(git.root, caller()._replace(dry_run=True), full=full)
    assert (git.head(), git.status()) == before
    done = setup.init(git.root, caller(), full=full)
    names = ["adopted", "created", "layout", "scope", "notes", "hooks", "repository", "waiting"]
    assert [getattr(told, name) for name in names] == [getattr(done, name) for name in names]
    assert set(told.change.changed) == set(done.change.changed) == set(done.created)
    assert set(git("diff", "--name-only", before[0], "HEAD").split()) == set(done.created)
    assert (done.layout, opened(git).layout.name) == (layout, layout)
    for path, text in REPOSITORIES[layout].items():
        assert (git.root / path).read_text() == text
    again = setup.init(git.root, caller(), full=full)
    assert (again.created, again.change.commit, git.head()) == ((), None, done.change.commit)
    assert (again.layout, again.scope, git.status()) == (done.layout, done.scope, "")


class TestCodeBesideMemory:
    """`init` beside app.py and CLAUDE.md, on a feature branch, with app.py half edited."""

    @pytest.fixture
    def space(self, git: Git) -> Workspace:
        repository(git, REPOSITORIES["claude-code"])
        git("checkout", "-q", "-b", "feature")
        edit(git, "app.py", "print(1)\nprint(half")
        git.write("staged.py", "x = 1\n")
        git("add", "staged.py")
        setup.init(git.root, caller())
        return opened(git)

    def untouched(self, git: Git) -> None:
        assert sorted(git.status().splitlines()) == [" M app.py", "A  staged.py"]
        assert git("log", "--format=%s", "--", "app.py", "staged.py").splitlines() == ["as it was"]

    @pytest.mark.usefixtures("space")
    def test_adopting_adds_one_file(self, git: Git) -> None:
        assert git("diff", "--name-only", "main", "feature").split() == ["CONFIG.md"]
        self.untouched(git)

    def test_a_snapshot_takes_memory_and_leaves_code(self, git: Git, space: Workspace) -> None:
        edit(git, "CLAUDE.md", "# Use tabs\n\n- And spaces.\n")
        done = snapshot(space)
        assert done.changed == ("CLAUDE.md",)
        assert done.skipped == ()
        self.untouched(git)

    def test_an_undo_takes_back_what_is_inside(self, git: Git, space: Workspace) -> None:
        git.write("CLAUDE.md", "# Spaces\n")
        git.write("lib.py", "y = 1\n")
        git("add", "CLAUDE.md", "lib.py")
        git("commit", "-qm", "both", "--no-verify", "--", "CLAUDE.md", "lib.py")
        done = undo(space, git.head())
        assert done.change.changed == ("CLAUDE.md",)
        assert done.change.warnings == ("Left as it is, outside of the scope: lib.py.",)
        assert (git.root / "lib.py").read_text() == "y = 1\n"
        assert (git.root / "CLAUDE.md").read_text() == "# Use tabs\n"

    def test_code_is_not_restored_and_not_even_read(self, space: Workspace) -> None:
        with pytest.raises(PathRefusedError, match="outside the scope"):
            restore(space, "app.py", "main")
        with (
            pytest.raises(PathRefusedError, match="outside the scope"),
            space.git.transaction(Intent(OPERATOR, "edit", "x"), NOW) as tx,
        ):
            tx.read("app.py")


class TestGitsHooksBesideCode:
    """What a program's commits hold is no business of clawgit's hooks."""

    @pytest.fixture
    def hooked(self, git: Git) -> Hooked:
        adopted(git, "claude-code")
        return Hooked(git.root)

    def test_a_commit_of_code_keeps_its_message(self, hooked: Hooked) -> None:
        assert hooked.commit("app.py", f"key = '{KEY}'\n", "-m", "code") == (0, "")
        assert hooked.message() == "code"

    def test_of_a_mixed_commit_only_memory_is_judged(self, hooked: Hooked) -> None:
        hooked.write("app.py", f"key = '{KEY}'\n")
        hooked("add", "app.py")
        assert hooked.commit("CLAUDE.md", "# Spaces\n", "-m", "both") == (0, "")
        assert "Clawgit-Id: " in hooked.message()

    def test_a_scope_that_was_just_changed_counts_at_once(self, hooked: Hooked) -> None:
        config = hooked.root / "CONFIG.md"
        text = config.read_text().replace('"CLAUDE.md"', '"NOTES.md"')
        config.write_text(text.replace("CLAUDE.md,", "NOTES.md,"))
        os.utime(config, (2_000_000_000, 2_000_000_000))
        accept_settings(hooked.root)
        assert hooked.commit("NOTES.md", f"{KEY}\n").code == 1

    def test_pushing_code_asks_nobody(self, hooked: Hooked) -> None:
        hooked("update-ref", "refs/remotes/origin/main", "HEAD")
        hooked.commit("app.py", f"key = '{KEY}'\n", "-m", "code")
        self.push(hooked)
        hooked.commit("CLAUDE.md", "# Spaces\n", "-m", "memory")
        with pytest.raises(SecretsError, match="pushes to it are not allowed yet"):
            self.push(hooked)

    def push(self, hooked: Hooked) -> None:
        """Of the newest commit."""
        head, before = hooked("rev-parse", "HEAD", "HEAD~1").split()
        line = f"refs/heads/main {head} refs/heads/main {before}"
        refuse_push(opened(hooked), "origin", "https://forge.example.org/olga/app.git", [line])


class TestTakenNames:
    def test_of_a_programs_changelog_not_a_byte_changes(self, git: Git) -> None:
        adopted(git, "code")
        setup.init(git.root, caller(), full=True)
        edit_soul(opened(git), Amendment(add="Ask first."), reason="She asked for it.")
        assert "Ask first." in (git.root / "SOUL_CHANGELOG.md").read_text()
        assert (git.root / "CHANGELOG.md").read_text() == RELEASES
        assert git("log", "--format=%s", "--", "CHANGELOG.md").splitlines() == ["as it was"]

    def test_a_memory_md_about_something_else_is_neither_written_nor_read(self, git: Git) -> None:
        about = "# Memory management\n\nWe use arenas.\n"
        repository(git, {**REPOSITORIES["code"], "MEMORY.md": about})
        done = setup.init(git.root, caller())
        assert any("MEMORY.md is not clawgit's" in note for note in done.notes)
        space = opened(git)
        with pytest.raises(PathRefusedError, match=r"MEMORY\.md"):
            remember(space, NewFact("Billing uses PostgreSQL."))
        assert remember(space, NewFact("Billing uses Redis.", to="memory/facts.md")).change.commit
        assert (git.root / "MEMORY.md").read_text() == about
        with pytest.raises(UsageError, match="is not a file of memory"):
            lines(space, "MEMORY.md")

    def test_a_log_of_somebody_elses_is_never_written_into(self, git: Git) -> None:
        repository(git, {**REPOSITORIES["openclaw"], "CORRECTIONS.md": "# Errata of the book\n"})
        done = setup.init(git.root, caller())
        assert any("CORRECTIONS.md is not clawgit's" in note for note in done.notes)
        intent = Intent(OPERATOR, "edit", "x")
        with (
            pytest.raises(PathRefusedError, match="is not the log that clawgit keeps"),
            opened(git).git.transaction(intent, NOW) as tx,
        ):
            tx.put("CORRECTIONS.md", "# Errata of the book\n\n## k7 · now\n")


class TestWhereThingsGo:
    @pytest.mark.parametrize(
        ("layout", "guide"), [("openclaw", "AGENTS.md"), ("claude-code", "CLAUDE.md")]
    )
    def test_a_guide_changes_by_proposal_only(self, git: Git, layout: str, guide: str) -> None:
        adopted(git, layout)
        before = (git.root / guide).read_text()
        done = remember(opened(git, AGENT), LESSON._replace(to=guide))
        assert done.change.held
        assert (git.root / guide).read_text() == before
        [waiting] = proposals(opened(git)).proposals
        approve(opened(git), waiting.id)
        assert "ask before a push" in (git.root / guide).read_text()

    def test_the_guide_that_clawgit_wrote_is_the_agents_to_change(self, tmp_path: Path) -> None:
        setup.init(tmp_path / "agent", caller())
        git = Git(tmp_path / "agent")
        done = remember(opened(git, AGENT), LESSON)
        assert (done.change.held, done.entry.path) == ((), "AGENTS.md")


class TestPrompts:
    def test_they_lie_in_the_package_until_one_is_edited(self, git: Git) -> None:
        space = adopted(git, "openclaw")
        packaged = prompt_of(space, "memory-miner")
        assert packaged
        assert edit_prompt(space, "memory-miner").changed == ("agents/memory-miner/SOUL.md",)
        assert prompt_of(space, "memory-miner") == packaged
        edit_prompt(opened(git), "memory-miner", "# Memory Miner\n\nOnly decisions.\n")
        assert prompt_of(space, "memory-miner") == "# Memory Miner\n\nOnly decisions.\n"

    def test_an_agent_proposes_what_directs_another(self, git: Git) -> None:
        before = prompt_of(adopted(git, "openclaw"), "memory-miner")
        done = edit_prompt(opened(git, AGENT), "memory-miner", "# Memory Miner\n\nKeep nothing.\n")
        assert done.held
        assert prompt_of(opened(git), "memory-miner") == before


def test_the_scope_is_the_operators_to_change(git: Git) -> None:
    adopted(git, "claude-code")
    for scope in ("**", "openclaw"):
        with pytest.raises(GuardError, match="only the operator may change scope"):
            set_setting(opened(git, AGENT), "scope", scope)

"""What comes after git has changed something: nobody waits for it, only CHANGELOG.md is committed,
and a bypass is told."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from clawgit.domain.soul.changelog import END, START
from clawgit.ops.hooks.freshen import freshen
from clawgit.ops.workspace.alerts import acknowledge
from clawgit.ops.workspace.status import status
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.pathlog import PathLog
from clawgit.stores.git.lock import workspace_lock
from tests.conftest import Git
from tests.hooks.hooked import Hooked, hook_up, hooked, workspace

__all__ = ["hooked"]


def alerts(hooked: Hooked) -> list[str]:
    return [alert.message for alert in status(hooked.space).alerts]


def test_a_commit_that_nobody_checked_is_told_until_it_is_acknowledged(hooked: Hooked) -> None:
    hooked.commit("MEMORY.md", "- Checked.\n")
    assert alerts(hooked) == []
    hooked.commit("MEMORY.md", "- Unchecked.\n", "--no-verify", "-m", "in haste")
    name = hooked.head()[:10]
    assert alerts(hooked) == [f"commit {name} was made with --no-verify: nothing was checked"]
    assert acknowledge(hooked.space, name).acknowledged == (name,)
    assert alerts(hooked) == []


def test_one_that_was_amended_with_its_checks_is_not_told(hooked: Hooked) -> None:
    hooked.commit("MEMORY.md", "- Unchecked.\n", "--no-verify", "-m", "in haste")
    hooked.commit("MEMORY.md", "- Checked.\n", "--amend", "--no-edit")
    assert alerts(hooked) == []


TWO_TAGS = "- Met Ana. #event #skill\n"


def test_an_amend_washes_nothing(hooked: Hooked) -> None:
    """What was never checked is judged when it is amended with checks, whatever the amend itself
    stages."""
    hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", "-m", "in haste")
    assert hooked.commit("", None, "--amend", "--no-edit").code == 1
    assert len(alerts(hooked)) == 1
    assert hooked.commit("MEMORY.md", "- Met Ana. #event\n", "--amend", "--no-edit").code == 0
    assert alerts(hooked) == []


def test_the_first_commit_of_a_branch_can_be_amended(hooked: Hooked) -> None:
    hooked("checkout", "-q", "--orphan", "new")
    hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", "-m", "in haste")
    assert hooked.commit("", None, "--amend", "--no-edit").code == 1


@pytest.mark.parametrize(
    "again", [("--amend", "--no-edit"), ("--amend", "-m", "new"), ("-C", "HEAD")]
)
def test_an_id_from_before_hides_no_bypass(hooked: Hooked, again: tuple[str, ...]) -> None:
    hooked.commit("MEMORY.md", "- Checked.\n")
    hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", *again)
    assert alerts(hooked) == [
        f"commit {hooked.head()[:10]} was made with --no-verify: nothing was checked"
    ]


def test_checks_of_a_commit_that_was_given_up_say_nothing_of_the_next(hooked: Hooked) -> None:
    hooked.commit("MEMORY.md", "- Checked.\n")
    assert hooked.commit("MEMORY.md", "- Given up.\n", "-m", "").code == 1
    assert hooked.commit("MEMORY.md", TWO_TAGS).code == 1
    hooked.commit("MEMORY.md", TWO_TAGS, "--amend", "--no-edit", "--no-verify")
    assert len(alerts(hooked)) == 1


@pytest.fixture
def narrow(hooked: Hooked) -> Hooked:
    """The scope is known to the hooks' shell, as it is once the settings were read."""
    assert hooked.space.config.problems == ()
    return hooked


def started(hooked: Hooked, trace: Path, *args: str) -> int:
    """How many gits the hooks of a commit start to compare something."""
    hooked.commit("notes.txt", f"{os.urandom(4).hex()}\n", *args, GIT_TRACE=str(trace))
    return sum("built-in: git diff" in line for line in trace.read_text().splitlines())


def test_a_commit_of_other_files_is_looked_at_once_and_gets_no_id(
    narrow: Hooked, tmp_path: Path
) -> None:
    assert started(narrow, tmp_path / "trace") == 1
    assert narrow.message().strip() == "a change"


def test_what_was_seen_of_other_files_says_nothing_of_the_commit_of_another_git(
    narrow: Hooked,
) -> None:
    assert narrow.commit("notes.txt", "one\n", "-e", "-m", "x", GIT_EDITOR="false").code == 1
    assert (narrow.root / ".git/clawgit/checked").read_text().startswith("other ")
    narrow.commit("MEMORY.md", "- Unchecked.\n", "--no-verify", "-m", "in haste")
    assert len(alerts(narrow)) == 1


def test_a_commit_of_nothing_and_an_amend_under_another_name_keep_their_ids(
    narrow: Hooked,
) -> None:
    narrow.commit("MEMORY.md", "- Ana likes tea.\n")
    first = narrow("log", "-1", "--format=%(trailers:key=Clawgit-Id)")
    narrow("config", "alias.again", "commit --amend --no-edit")
    assert narrow.run("again").code == 0
    assert narrow("log", "-1", "--format=%(trailers:key=Clawgit-Id)") == first
    narrow.commit("", None, "--allow-empty", "-m", "nothing")
    assert "Clawgit-Id: " in narrow("log", "-1", "--format=%B")
    assert alerts(narrow) == []


def test_a_commit_without_words_is_no_bypass(hooked: Hooked) -> None:
    assert hooked.commit("MEMORY.md", "- Checked.\n", "--allow-empty-message", "-m", "").code == 0
    assert (hooked.message(), alerts(hooked)) == ("", [])


def test_another_s_hook_that_fails_hides_no_bypass(ws: Git) -> None:
    theirs = ws.root / ".git/hooks/post-commit"
    theirs.parent.mkdir(exist_ok=True)
    theirs.write_text("#!/bin/sh\nexit 7\n")
    theirs.chmod(0o755)
    hooked = hook_up(ws.root)
    assert hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", "-m", "in haste").code == 0
    assert len(alerts(hooked)) == 1


def test_git_s_own_picks_and_reverts_are_no_bypass(hooked: Hooked) -> None:
    hooked("switch", "-q", "-c", "side")
    side = hooked.commit_all("side")
    hooked("switch", "-q", "main")
    hooked.commit("a.txt", "a\n")
    hooked("cherry-pick", "--allow-empty", side)
    hooked("revert", "--no-edit", "HEAD~1")
    assert (alerts(hooked), hooked.status()) == ([], "")
    assert len(hooked.ids("HEAD~1")[0]) == 8


def test_an_interactive_rebase_keeps_ids_and_leaves_the_tree_clean(hooked: Hooked) -> None:
    for number in range(4):
        hooked.commit("MEMORY.md", f"- Fact {number}.\n")
    hooked("branch", "before")
    hooked.write("SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n- Be calm.\n")
    hooked("stash", "-q")
    hooked("-c", "sequence.editor=sed -i 1s/pick/edit/", "rebase", "-q", "-i", "HEAD~3")
    hooked.commit("new.txt", "in the middle\n", "--amend", "--no-edit")
    hooked("rebase", "--continue")
    hooked("stash", "pop", "-q")
    assert hooked.ids() == hooked.ids("before")
    assert hooked.head() != hooked("rev-parse", "before").strip()
    assert (alerts(hooked), hooked.status()) == ([], " M SOUL.md\n")


def test_freshening_follows_head(hooked: Hooked) -> None:
    freshen(hooked.space)
    hooked.commit("MEMORY.md", "- New.\n")
    stale = hooked.root / ".git/clawgit/stale"
    assert stale.exists()
    subprocess.run([sys.executable, "-m", "clawgit.hooks", "freshen"], cwd=hooked.root, check=True)
    assert not stale.exists()
    log = PathLog(CGit(hooked.root, {}), hooked.head())
    assert log.commits("MEMORY.md")[0] == hooked.head()


def test_a_freshener_that_cannot_be_imported_is_in_the_log(hooked: Hooked) -> None:
    """Nobody sees what it prints: it runs in the background."""
    broken = (
        "import sys; sys.modules['clawgit.ops.hooks.freshen'] = None;"
        "from clawgit.hooks.__main__ import main; sys.exit(main(['freshen']))"
    )
    done = subprocess.run([sys.executable, "-c", broken], cwd=hooked.root, check=False)
    log = Path(os.environ["HOME"]) / ".local/state/clawgit/crash.log"
    assert (done.returncode, "ModuleNotFoundError" in log.read_text()) == (0, True)


def quietly(hooked: Hooked, path: str, text: str) -> None:
    """A commit whose hooks do not run: the test itself plays what comes after it."""
    hooked.write(path, text)
    hooked("add", "--", path)
    hooked("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", f"new {path}")


def followed(hooked: Hooked, hook: str = "post-commit") -> list[str]:
    """What the commits since the test began say, newest first, once the background is through."""
    argv = [sys.executable, "-m", "clawgit.hooks", "freshen", hook]
    subprocess.run(argv, cwd=hooked.root, check=True)
    return hooked("log", "--format=%s", "before..").splitlines()


def test_a_soul_that_was_committed_by_hand_stands_in_the_changelog(hooked: Hooked) -> None:
    quietly(hooked, "CHANGELOG.md", f"# CHANGELOG.md\n\n{START}\n{END}\n")
    quietly(hooked, "SOUL.md", "# Soul\n\n- Be kind.\n")
    hooked("tag", "before")
    quietly(hooked, "SOUL.md", "# Soul\n\n- Be kind.\n- Be brief.\n")
    assert followed(hooked) == ["clawgit: write CHANGELOG.md from history", "new SOUL.md"]
    assert "added: Be brief." in hooked("show", "HEAD:CHANGELOG.md")
    assert hooked.status() == ""
    quietly(hooked, "MEMORY.md", "- New.\n")
    assert followed(hooked)[0] == "new MEMORY.md"


def test_a_checkout_and_a_missing_changelog_are_no_reason_for_a_commit(hooked: Hooked) -> None:
    hooked("tag", "before")
    quietly(hooked, "SOUL.md", "# Soul\n\n- Be kind.\n")
    assert followed(hooked) == ["new SOUL.md"]
    quietly(hooked, "CHANGELOG.md", f"# CHANGELOG.md\n\n{START}\n{END}\n")
    quietly(hooked, "SOUL.md", "# Soul\n\n- Be brief.\n")
    assert len(followed(hooked, "post-checkout")) == 3


def test_one_freshener_is_enough(hooked: Hooked) -> None:
    with workspace_lock(hooked.space.place.private / "freshen.lock", "a test", 0):
        assert not freshen(hooked.space)
    assert freshen(hooked.space)


@pytest.mark.parametrize("ours", [True, False])
def test_a_freshener_that_is_done_takes_its_number_away(hooked: Hooked, ours: bool) -> None:
    """Another program may have that number one day, and would keep the next from starting."""
    note = hooked.root / ".git/clawgit/freshen.pid"
    begin = f"echo $$ >{note}; " if ours else ""
    script = f'{begin}exec "{sys.executable}" -m clawgit.hooks freshen'
    subprocess.run(["sh", "-c", script], cwd=hooked.root, check=True)
    assert note.exists() is not ours


def test_an_unborn_branch_is_fresh(git: Git) -> None:
    (git.root / ".git/clawgit").mkdir()
    assert freshen(workspace(git.root))


@pytest.fixture
def slow(ws: Git, tmp_path: Path) -> Hooked:
    """Hooks whose freshener notes its start, and then waits until somebody reads from the pipe."""
    os.mkfifo(tmp_path / "gate")
    python = tmp_path / "python"
    python.write_text(
        f"#!/bin/sh\ncase $* in *freshen*) echo x >>'{tmp_path}/starts'; echo over "
        f">'{tmp_path}/gate' ;; esac\n"
    )
    python.chmod(0o755)
    hooked = hook_up(ws.root, str(python))
    (hooked.root / ".git/clawgit/freshen.pid").unlink()
    return hooked


def open_the_gate(tmp_path: Path) -> str:
    """Waits for the freshener to come so far."""
    return (tmp_path / "gate").read_text()


def test_nobody_waits_and_a_burst_starts_one(slow: Hooked, tmp_path: Path) -> None:
    for number in range(5):
        assert slow.commit(f"memory/{number}.md", "- A fact.\n").code == 0
    slow.commit("memory/0.md", "- Amended.\n", "--amend", "--no-edit")
    assert open_the_gate(tmp_path) == "over\n"
    assert (tmp_path / "starts").read_text() == "x\n"


def test_a_rebase_starts_it_at_its_end(slow: Hooked, tmp_path: Path) -> None:
    for number in range(3):
        quietly(slow, f"memory/{number}.md", "- A fact.\n")
    slow("rebase", "-q", "--force-rebase", "HEAD~2")
    assert open_the_gate(tmp_path) == "over\n"
    assert (tmp_path / "starts").read_text() == "x\n"


def test_a_revert_by_git_starts_it(slow: Hooked, tmp_path: Path) -> None:
    """Git runs no pre-commit for it; CHANGELOG.md of the soul follows all the same."""
    quietly(slow, "SOUL.md", "# Soul\n\n- Be brief.\n")
    slow("revert", "--no-edit", "HEAD")
    assert open_the_gate(tmp_path) == "over\n"


def test_a_commit_without_markdown_starts_nothing(slow: Hooked, tmp_path: Path) -> None:
    slow.commit("notes.txt", "short words\n")
    assert not (tmp_path / "starts").exists()


def test_a_workspace_that_cannot_be_written_still_commits(hooked: Hooked) -> None:
    """Where even our own folder is gone, the hooks leave git alone."""
    hooked.commit("MEMORY.md", "- One.\n")
    (hooked.root / ".git/clawgit").rename(hooked.root / ".git/elsewhere")
    assert hooked.commit("MEMORY.md", "- Two. #event #skill\n") == (0, "")
    assert not (hooked.root / ".git/clawgit").exists()


def test_the_background_ends_with_no_terminal_and_no_pipe_of_ours(ws: Git) -> None:
    """Whoever reads git's output to its end is not kept waiting by what goes on behind it."""
    hooked = hook_up(ws.root)
    (hooked.root / ".git/clawgit/freshen.pid").unlink()
    read = threading.Thread(target=lambda: hooked.commit("MEMORY.md", "- New.\n"))
    read.start()
    read.join(30)
    assert not read.is_alive()
    pid = int((hooked.root / ".git/clawgit/freshen.pid").read_text())
    with workspace_lock(hooked.root / ".git/clawgit/freshen.lock", "a test", 30):
        assert pid != os.getpid()

"""What comes after git has changed something: a bypass is told."""

from pathlib import Path

from clawgit.health.status import status
from clawgit.safety.alerts import acknowledge
from tests.conftest import Git, program
from tests.hooks.hooked import Hooked, hook_up


def alerts(hooked: Hooked) -> list[str]:
    return [alert.message for alert in status(hooked.space).alerts]


TWO_TAGS = "- Met Ana. #event #skill\n"


def test_an_amend_washes_nothing(hooked: Hooked) -> None:
    """What was never checked is judged when it is amended with checks, whatever the amend itself
    stages."""
    hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", "-m", "in haste")
    assert hooked.commit("", None, "--amend", "--no-edit").code == 1
    assert len(alerts(hooked)) == 1
    assert hooked.commit("MEMORY.md", "- Met Ana. #event\n", "--amend", "--no-edit").code == 0
    assert alerts(hooked) == []
    # Nor does the id from before hide the next bypass.
    hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", "--amend", "--no-edit")
    told = f"commit {hooked.head()[:10]} was made with --no-verify: nothing was checked"
    assert alerts(hooked) == [told]


def test_checks_of_a_commit_that_was_given_up_say_nothing_of_the_next(hooked: Hooked) -> None:
    hooked.commit("MEMORY.md", "- Checked.\n")
    assert hooked.commit("MEMORY.md", "- Given up.\n", "-m", "").code == 1
    assert hooked.commit("MEMORY.md", TWO_TAGS).code == 1
    hooked.commit("MEMORY.md", TWO_TAGS, "--amend", "--no-edit", "--no-verify")
    assert len(alerts(hooked)) == 1


def test_a_commit_of_other_files_gets_no_id(hooked: Hooked, tmp_path: Path) -> None:
    assert hooked.space.config.problems == ()  # and so the scope is known to the hooks' shell
    trace = tmp_path / "trace"
    hooked.commit("notes.txt", "Tea.\n", GIT_TRACE=str(trace))
    assert trace.read_text().count("built-in: git diff") == 1
    assert hooked.message().strip() == "a change"


def test_another_s_hook_that_fails_hides_no_bypass(ws: Git) -> None:
    program(ws.root / ".git/hooks/post-commit", "exit 7")
    hooked = hook_up(ws.root)
    assert hooked.commit("MEMORY.md", TWO_TAGS, "--no-verify", "-m", "in haste").code == 0
    assert len(alerts(hooked)) == 1


def test_a_secret_that_a_message_hides_is_told(hooked: Hooked) -> None:
    """Neither an alert that anybody typed, nor the id of one that was seen, stands for it."""
    for key, alert in (("Q3EGRX7MZT2LWBKV", "tea"), ("W5RGZX2MQT7LKBNV", "secret of yesterday")):
        said = f"x\n\nClawgit-Id: kkkkkkkk\nClawgit-Op: agent/edit\nAlert: {alert}"
        commit = ("--no-verify", "-m", said, "--author=Agent <agent@localhost>")
        hooked.commit("MEMORY.md", f"- The key is {'AK' + 'IA' + key}\n", *commit)
        assert [one for one in alerts(hooked) if "looks like a secret" in one]
        acknowledge(hooked.space)


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


def test_a_workspace_that_cannot_be_written_still_commits(hooked: Hooked) -> None:
    hooked.commit("MEMORY.md", "- One.\n")
    (hooked.root / ".git/clawgit").rename(hooked.root / ".git/elsewhere")
    assert hooked.commit("MEMORY.md", "- Two. #event #skill\n") == (0, "")
    assert not (hooked.root / ".git/clawgit").exists()

"""kill -9 at each step of a sync: nothing lost, nothing half done, and the next sync goes on."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from clawgit.core.errors import BusyError
from clawgit.git.remotes.transport import RemoteError
from clawgit.health.status import status
from tests.conftest import program
from tests.each import slow_unless
from tests.history.machines import Machine, in_a_child, killed_at, meet

STEPS = (
    "asking", "bringing", "locked:2", "edited", "looked", "looked:2", "built", "journaled",
    "index-locked", "prepared", "exchanged", "placed", "placed:2", "ref-moved", "index-published",
    "unlocked", "done", "sending",
)  # fmt: skip

SHORT = ("journaled", "placed", "ref-moved")
"""The steps of the short form; of each step of a transaction, tests/git has more."""


NINE = "memory/2026-02-14.md"


def likes(machine: Machine, *drinks: str) -> None:
    for drink in drinks:
        machine.append(f"- Likes {drink}.\n")
        machine.append(f"- {drink} at nine.\n", NINE)


def lines(machine: Machine) -> list[str]:
    text = f"{machine.text()}\n{machine.text(NINE)}"
    return sorted(line for line in text.splitlines() if line.startswith("- "))


def assert_all_agree(one: Machine, two: Machine, *drinks: str, more: tuple[str, ...] = ()) -> None:
    """Both hold what was said of each drink once, and nothing is left lying about."""
    meet([two, one], 1)
    assert one.head() == two.head()
    said = [f"- {line}" for drink in drinks for line in (f"Likes {drink}.", f"{drink} at nine.")]
    expected = sorted(["- Billing uses PostgreSQL. #decision", *said, *more])
    for clone in (one, two):
        assert (lines(clone), clone.left_over()) == (expected, "")
        assert clone("fsck", "--strict", "--no-dangling") == ""


@pytest.mark.parametrize("step", slow_unless(("bringing", *SHORT, "exchanged", "sending"), STEPS))
def test_killed_in_a_merge(one: Machine, two: Machine, step: str) -> None:
    likes(one, "tea")
    likes(two, "coffee")
    one.sync()
    assert killed_at(two, step) == -signal.SIGKILL
    assert_all_agree(one, two, "tea", "coffee")


FETCHING = """#!/bin/sh
for word; do
  case "$word" in +refs/heads/*:refs/*)
    mkdir -p "{git}/$(dirname "${{word##*:}}")"; : > "{git}/${{word##*:}}.lock"; kill -9 {who}
  esac
done
exec {program} "$@"
"""


def test_killed_while_git_fetches(
    one: Machine, two: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lock of the ref that it fetches into."""
    likes(one, "tea")
    one.sync()
    script = {"git": two.root / ".git", "program": shutil.which("git")}
    with monkeypatch.context() as patch:
        patch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
        program(tmp_path / "bin/git", FETCHING.format(**script, who="$PPID"))
        assert killed_at(two, "never") == -signal.SIGKILL
        program(tmp_path / "bin/git", FETCHING.format(**script, who="$$"))
        with pytest.raises(RemoteError, match="git ended before it could say why"):
            two.sync()
    assert_all_agree(one, two, "tea")


def test_a_lock_that_may_be_somebody_elses_is_named_and_status_says_so(
    one: Machine, two: Machine
) -> None:
    likes(one, "tea")
    one.sync()
    lock = two.write(".git/refs/remotes/origin/main.lock", "")
    with pytest.raises(BusyError, match=r"refs/remotes/origin/main\.lock") as refused:
        two.sync()
    assert "clawgit doctor" in refused.value.hint
    [alert] = [each for each in status(two.workspace()).alerts if each.next == "clawgit sync"]
    assert "main.lock" in alert.message
    lock.unlink()
    assert_all_agree(one, two, "tea")


FORWARDS = (step for step in STEPS if step not in ("looked:2", "locked:2", "sending"))


def killed_in_a_fast_forward(one: Machine, two: Machine, step: str) -> None:
    likes(one, "tea")
    one.sync()
    assert killed_at(two, step) == -signal.SIGKILL


@pytest.mark.parametrize("step", slow_unless(SHORT, FORWARDS))
def test_killed_in_a_fast_forward(one: Machine, two: Machine, step: str) -> None:
    """The commits of the other machine are taken as they are all the same: no merge is made."""
    killed_in_a_fast_forward(one, two, step)
    assert_all_agree(one, two, "tea")
    assert two("rev-list", "--merges", "HEAD") == ""


BY_HAND = ("journaled", "prepared", "placed", "placed:2", "ref-moved")


@pytest.mark.parametrize("step", slow_unless(("journaled", "ref-moved"), BY_HAND))
def test_somebody_commits_between_kill_and_recovery(one: Machine, two: Machine, step: str) -> None:
    killed_in_a_fast_forward(one, two, step)
    (two.root / ".git/index.lock").unlink(missing_ok=True)
    two.append("- By hand.\n")
    two("commit", "-qam", "by hand")
    assert_all_agree(one, two, "tea", more=("- By hand.",))


@pytest.mark.parametrize("step", slow_unless(["placed"], ["journaled", "placed", "ref-moved"]))
def test_gc_between_kill_and_recovery(one: Machine, two: Machine, step: str) -> None:
    killed_in_a_fast_forward(one, two, step)
    two("reflog", "expire", "--expire=now", "--all")
    two("gc", "--prune=now", "--quiet")
    assert_all_agree(one, two, "tea")


@pytest.mark.parametrize("room", slow_unless([400], [0, 100, 400, 1000, 3000]))
def test_after_a_full_disk_the_next_sync_goes_on(one: Machine, two: Machine, room: int) -> None:
    """The limit hits, from small to large: objects, packs, references, texts, the index."""
    for machine, drink in ((one, "tea"), (two, "coffee")):
        likes(machine, drink)
        machine.append("- A long fact that fills the notebook.\n" * 200, f"memory/{drink}.md")
    one.sync()
    code, said = in_a_child(two, f"full:{room}")
    assert (code, "The disk is full" in said) == (1, True)
    assert_all_agree(one, two, "tea", "coffee")

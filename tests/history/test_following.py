"""A history that was rewritten to forget words: the one rewrite that a sync follows."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path

import pytest

from clawgit.core.errors import Alert
from clawgit.git.place import FORGOTTEN_REF
from clawgit.git.rules.actors import AGENT
from clawgit.history.forgetting.forget import forget, plan
from clawgit.memory.remember import NewFact, remember
from clawgit.safety.committed_texts import of_commits
from clawgit.safety.secrets_found import ForgottenError
from tests.chatting import at_a_terminal
from tests.conftest import Git, move_in
from tests.history.forgetting.planting import IDENT, WORDS, found_in
from tests.history.machines import Hub, Machine, Pair, copied, machines, meet

LINE = f"- {WORDS}. #knowledge <!-- claw:{IDENT} conf=0.9 -->\n"


def gone(machine: Machine, what: str = WORDS, *, history: bool = True) -> None:
    workspace = at_a_terminal(machine.root)
    forget(workspace, plan(workspace, what, history=history))


@pytest.fixture(scope="module")
def made(molds: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Path]:
    """Both know the words; one has forgotten them, from history too if told so. Made once."""

    @cache
    def of(history: bool) -> Path:
        folder = tmp_path_factory.mktemp("made")
        with pytest.MonkeyPatch.context() as patch:
            move_in(folder / "home", patch)
            ws = Git(shutil.copytree(molds / "begun", folder / "ws"))
            _, (one, two) = machines(ws, folder, 2)
            one.append(LINE)
            meet([one, two])
            gone(one, IDENT, history=history)
        return folder

    return of


@pytest.fixture(params=[True])
def pair(request: pytest.FixtureRequest, made: Callable[[bool], Path], tmp_path: Path) -> Pair:
    return copied(made(request.param), tmp_path, timedelta(hours=1))


IN_FILES_ALONE = pytest.mark.parametrize("pair", [False], indirect=True)


def publish(one: Machine) -> None:
    one("push", "-q", "--force", "origin", "main", FORGOTTEN_REF)


def test_a_remote_that_still_holds_the_words_is_not_merged_nor_fetched(
    hub: Hub, one: Machine
) -> None:
    before = hub.head()
    done = one.sync()
    assert (done.state, hub.head()) == ("diverged", before)
    assert "still holds what was forgotten here" in done.message
    assert f"git push --force origin main:main {FORGOTTEN_REF}" in done.next
    assert found_in(one.root, one.root) == []
    publish(one)
    assert one.sync().state == "in_sync"


def test_a_remote_that_has_got_more_meanwhile_is_so_told(one: Machine, two: Machine) -> None:
    """Whoever overwrites it must know who still has that."""
    two.append("- Likes coffee.\n")
    two.sync()
    done = one.sync()
    assert "If it also has commits that are not here" in done.message
    publish(one)
    gone(two)
    assert two.sync().state in ("merged", "pushed")
    one.sync()
    assert "- Likes coffee." in one.text()


def test_another_clone_is_told_and_merges_once_it_has_forgotten_too(
    hub: Hub, one: Machine, two: Machine
) -> None:
    publish(one)
    two.append("- Likes coffee.\n")
    before = two.head()
    for dry_run in (False, True):
        done = two.sync(dry_run=dry_run)
        assert (done.state, "clawgit forget TEXT --history" in done.next) == ("diverged", True)
    assert before in two("rev-list", "HEAD").split()
    assert WORDS in two.text()
    gone(two)
    assert two.sync().state in ("merged", "pushed")
    assert found_in(two.root, two.root) == []
    assert hub.head() == two.head()
    assert two.workspace().forgotten().holds(WORDS)
    assert one.sync().state == "merged"
    assert "- Likes coffee." in one.text()
    assert WORDS not in one.text()


def test_a_plain_pull_of_the_old_history_is_an_alert(hub: Hub, one: Machine) -> None:
    before = hub.head()
    assert alerts_of(one) == []
    one("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert WORDS in one.text()
    [alert] = alerts_of(one)
    assert "words that `clawgit forget` removed" in alert.message
    done = one.sync()
    assert (done.state, hub.head()) == ("diverged", before)
    assert "clawgit forget TEXT --history" in done.next
    gone(one)
    assert found_in(one.root, one.root) == []
    assert alerts_of(one) == []
    publish(one)
    assert one.sync().state == "in_sync"


def alerts_of(machine: Machine) -> list[Alert]:
    workspace = machine.workspace()
    return of_commits(workspace, machine.head())


@IN_FILES_ALONE
def test_the_record_of_what_left_the_files_travels(hub: Hub, one: Machine, two: Machine) -> None:
    assert one.sync().state == "pushed"
    assert FORGOTTEN_REF in hub("for-each-ref", "--format=%(refname)").split()
    assert two.sync().state == "merged"
    assert WORDS not in two.text()
    with pytest.raises(ForgottenError):
        remember(two.workspace(AGENT), NewFact(WORDS))


@IN_FILES_ALONE
def test_what_was_written_elsewhere_does_not_bring_it_back(one: Machine, two: Machine) -> None:
    """Whichever machine merges first."""
    three = Machine(shutil.copytree(two.root, two.root.with_name("three")), two.now)
    for machine, place in ((two, "memory/2026-02-14.md"), (three, "memory/2026-02-15.md")):
        machine.append(f"- {WORDS}.\n- Tea at {machine.root.name}.\n", place)
        machine.append(f"\nWe said: {WORDS}, and went.\n", "notes.md")
        machine.append("- Likes coffee.\n", "other.md")
    two.sync()
    assert one.sync().state == "merged"
    assert three.sync().state == "merged"
    everybody = [one, two, three]
    meet(everybody)
    assert {machine.tree() for machine in everybody} == {one.tree()}
    for machine in everybody:
        texts = "\n".join(machine.texts())
        assert WORDS not in texts
        assert "We said: [forgotten], and went." in texts
        assert {"- Tea at machine1.", "- Tea at three.", "- Likes coffee."} < {*texts.splitlines()}
        assert alerts_of(machine) == []


@IN_FILES_ALONE
def test_what_an_operator_has_written_again_stays(one: Machine, two: Machine) -> None:
    """He knew what he did: both machines had the record by then."""
    meet([one, two])
    two.append(f"- {WORDS}.\n", "memory/2026-02-14.md")
    two.commit_all("on purpose")
    meet([two, one])
    assert WORDS in one.text("memory/2026-02-14.md")

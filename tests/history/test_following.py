"""A history that was rewritten to forget words: the one rewrite that a sync follows."""

import shutil
from pathlib import Path

import pytest

from clawgit.core.errors import Alert
from clawgit.git.forgotten import FORGOTTEN_REF
from clawgit.git.rules.actors import AGENT
from clawgit.history.forgetting.forget import forget, plan
from clawgit.memory.remember import NewFact, remember
from clawgit.safety.committed_texts import of_commits
from clawgit.safety.secrets_found import ForgottenError
from tests.chatting import at_a_terminal
from tests.conftest import Git
from tests.history.forgetting.planting import IDENT, WORDS, found_in
from tests.history.machines import Hub, Machine, machines, meet

LINE = f"- {WORDS}. #knowledge <!-- claw:{IDENT} conf=0.9 -->\n"


@pytest.fixture
def pair(ws: Git, tmp_path: Path) -> tuple[Hub, Machine, Machine]:
    (ws.root / ".git/clawgit").mkdir()
    hub, (one, two) = machines(ws, tmp_path, 2)
    one.append(LINE)
    meet([one, two])
    workspace = at_a_terminal(one.root)
    forget(workspace, plan(workspace, IDENT, history=True))
    return hub, one, two


def publish(one: Machine) -> None:
    one("push", "-q", "--force", "origin", "main", FORGOTTEN_REF)


def test_a_remote_that_still_holds_the_words_is_not_merged_nor_fetched(
    pair: tuple[Hub, Machine, Machine],
) -> None:
    hub, one, _ = pair
    before = hub.head()
    done = one.sync()
    assert (done.state, hub.head()) == ("diverged", before)
    assert "still holds what was forgotten here" in done.message
    assert f"git push --force origin main:main {FORGOTTEN_REF}" in done.next
    assert found_in(one.root, one.root) == []
    publish(one)
    assert one.sync().state == "in_sync"


def test_a_remote_that_has_got_more_meanwhile_is_not_said_to_be_empty_of_it(
    pair: tuple[Hub, Machine, Machine],
) -> None:
    """Whoever overwrites it must know who still has that."""
    _, one, two = pair
    two.append("- Likes coffee.\n")
    two.sync()
    done = one.sync()
    assert "If it also has commits that are not here" in done.message
    publish(one)
    forget_too(two)
    assert two.sync().state in ("merged", "pushed")
    one.sync()
    assert "- Likes coffee." in one.text()


def forget_too(machine: Machine) -> None:
    workspace = at_a_terminal(machine.root)
    forget(workspace, plan(workspace, WORDS, history=True))


def test_another_clone_is_told_and_merges_once_it_has_forgotten_too(
    pair: tuple[Hub, Machine, Machine],
) -> None:
    hub, one, two = pair
    publish(one)
    two.append("- Likes coffee.\n")
    before = two.head()
    for dry_run in (False, True):
        done = two.sync(dry_run=dry_run)
        assert (done.state, "clawgit forget TEXT --history" in done.next) == ("diverged", True)
    assert before in two("rev-list", "HEAD").split()
    assert WORDS in two.text()
    forget_too(two)
    assert two.sync().state in ("merged", "pushed")
    assert found_in(two.root, two.root) == []
    assert hub.head() == two.head()
    assert two.workspace().forgotten().holds(WORDS)
    assert one.sync().state == "merged"
    assert "- Likes coffee." in one.text()
    assert WORDS not in one.text()


def test_a_plain_pull_of_the_old_history_is_an_alert_and_is_not_sent(
    pair: tuple[Hub, Machine, Machine],
) -> None:
    hub, one, _ = pair
    before = hub.head()
    assert alerts_of(one) == []
    one("pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    assert WORDS in one.text()
    [alert] = alerts_of(one)
    assert "words that `clawgit forget` removed" in alert.message
    done = one.sync()
    assert (done.state, hub.head()) == ("diverged", before)
    assert "clawgit forget TEXT --history" in done.next
    workspace = at_a_terminal(one.root)
    forget(workspace, plan(workspace, WORDS, history=True))
    assert found_in(one.root, one.root) == []
    assert alerts_of(one) == []
    publish(one)
    assert one.sync().state == "in_sync"


def alerts_of(machine: Machine) -> list[Alert]:
    workspace = machine.workspace()
    return of_commits(workspace, workspace.cgit, machine.head())


@pytest.fixture
def apart(ws: Git, tmp_path: Path) -> tuple[Hub, Machine, Machine]:
    """Two machines that know the words; one has taken them from its files, not from history."""
    (ws.root / ".git/clawgit").mkdir()
    hub, (one, two) = machines(ws, tmp_path, 2)
    one.append(LINE)
    meet([one, two])
    take_out(one, IDENT)
    return hub, one, two


def take_out(machine: Machine, ident: str) -> None:
    workspace = at_a_terminal(machine.root)
    forget(workspace, plan(workspace, ident))


def test_the_record_travels_with_what_was_taken_from_the_files_alone(
    apart: tuple[Hub, Machine, Machine],
) -> None:
    hub, one, two = apart
    assert one.sync().state == "pushed"
    assert FORGOTTEN_REF in hub("for-each-ref", "--format=%(refname)").split()
    assert two.sync().state == "merged"
    assert WORDS not in two.text()
    with pytest.raises(ForgottenError):
        remember(two.workspace(AGENT), NewFact(WORDS))


def test_what_was_written_elsewhere_before_it_was_known_does_not_bring_it_back(
    apart: tuple[Hub, Machine, Machine],
) -> None:
    """Whichever machine merges first."""
    _, one, two = apart
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


def test_what_an_operator_has_written_again_stays(apart: tuple[Hub, Machine, Machine]) -> None:
    """He knew what he did: both machines had the record by then."""
    _, one, two = apart
    meet([one, two])
    two.append(f"- {WORDS}.\n", "memory/2026-02-14.md")
    two.commit_all("on purpose")
    meet([two, one])
    assert WORDS in one.text("memory/2026-02-14.md")

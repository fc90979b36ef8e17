"""Conflicts of memory in a real workspace: one commit a run, the winner found first, the operator's
decision."""

import pytest

from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.runs import AgentRun
from clawgit.core.errors import NotFoundError
from clawgit.core.markdown.entry import entries
from clawgit.git.rules.actors import AGENT
from clawgit.health.status import status
from clawgit.history.undo import undo
from clawgit.memory.conflicts import conflicts, resolve
from clawgit.memory.rules.conflict_log import conflicts as read
from clawgit.safety.operator import NotTheOperatorError
from tests.soulful import Soulful

FACTS = "conf=0.95 n=1 src=explicit"
OLD = (
    f"- The move is not free. #knowledge <!-- claw:maaaaa {FACTS} last=2025-12-01 ev=chat:s/1 -->\n"
)
NEW = f"- The move is free. #knowledge <!-- claw:mbbbbb {FACTS} last=2026-02-13 ev=chat:s/2 -->\n"
FLAGGED = "- The standup is at 9:30.\n- The standup is at 10:00.\n"


def detect(home: Soulful, *, dry_run: bool = False) -> AgentRun:
    space = home.later().dry() if dry_run else home.later()
    return run_agent(space, "conflict-detector", clock=lambda: space.now)


@pytest.fixture
def flagged(soulful: Soulful) -> tuple[Soulful, str]:
    """A workspace with one conflict that waits, and its id."""
    soulful.git.write("MEMORY.md", f"# Memory\n\n{FLAGGED}")
    detect(soulful)
    return soulful, conflicts(soulful.space).conflicts[0].id


def states(home: Soulful) -> list[str]:
    return [one.meta.status if one.meta else "" for one in entries(home.text("MEMORY.md"))]


def test_a_run_is_one_commit_with_the_evidence_of_both_sides_and_a_second_run_is_none(
    soulful: Soulful,
) -> None:
    soulful.git.write("MEMORY.md", f"# Memory\n\n{OLD}{NEW}{FLAGGED}")
    before = soulful.text("MEMORY.md")
    shown = detect(soulful, dry_run=True)
    assert [one.kind for one in shown.proposed] == ["superseded", "flagged"]
    assert soulful.text("MEMORY.md") == before
    done = detect(soulful)
    assert len(done.commits) == 1
    assert set(done.change.changed) == {"CONFLICTS.md", "MEMORY.md"}
    message = soulful.git("log", "-1", "--format=%an%n%B")
    assert message.startswith(
        "Conflict Detector\nconflict-detector: 2 conflicts: 1 flagged, 1 superseded\n"
    )
    assert "Evidence: chat:s/1\nEvidence: MEMORY.md#L4\nEvidence: chat:s/2\n" in message
    lost = "<!-- claw:maaaaa c=.95 last=2025-12-01 ev=chat:s/1 status=superseded by=mbbbbb -->"
    assert soulful.text("MEMORY.md") == before.replace(OLD[OLD.index("<!--") : -1], lost)
    head = soulful.git.head()
    assert detect(soulful).commits == ()
    assert soulful.git.head() == head
    assert soulful.git.status() == ""


def test_the_operator_decides_by_one_commit_that_can_be_undone(
    flagged: tuple[Soulful, str],
) -> None:
    home, ident = flagged
    before = home.text("MEMORY.md")
    assert [one.message for one in status(home.space).alerts] == [
        "1 conflict waits for the operator"
    ]
    preview = resolve(home.later().dry(), ident, "b")
    assert (preview.commit, "superseded" in preview.preview) == (None, True)
    done = resolve(home.later(), ident, "b")
    assert set(done.changed) == {"CONFLICTS.md", "MEMORY.md"}
    assert states(home) == ["superseded", "active"]
    [one] = conflicts(home.space, everything=True).conflicts
    assert (one.outcome, one.open) == ("B wins: decided by the operator; A is superseded", False)
    assert conflicts(home.space).conflicts == ()
    assert status(home.space).alerts == ()
    assert resolve(home.later(), ident, "b").commit is None
    assert detect(home).commits == ()
    undo(home.later(), str(done.id))
    assert home.text("MEMORY.md") == before
    assert conflicts(home.space).conflicts[0].open


def test_a_decision_can_be_turned_round_and_both_can_stand(flagged: tuple[Soulful, str]) -> None:
    home, ident = flagged
    resolve(home.later(), ident, "b")
    resolve(home.later(), ident, "a")
    assert states(home) == ["active", "superseded"]
    resolve(home.later(), ident, "both")
    assert states(home) == ["active", "active"]
    assert read(home.text("CONFLICTS.md"))[0].outcome == "both stand: decided by the operator"
    assert detect(home).commits == ()


def test_a_decision_is_turned_round_though_its_winner_was_set_right_since(
    flagged: tuple[Soulful, str],
) -> None:
    home, ident = flagged
    resolve(home.later(), ident, "a")
    home.git.write("MEMORY.md", home.text("MEMORY.md").replace("at 9:30.", "at 9:45. #correction"))
    resolve(home.later(), ident, "b")
    assert states(home) == ["active", "active"]


def test_an_agent_may_decide_but_only_the_operator_lets_a_correction_lose(soulful: Soulful) -> None:
    right = "- The standup is at 10:00. #correction\n- The standup is at 9:30. #correction\n"
    soulful.git.write("MEMORY.md", f"# Memory\n\n{FLAGGED}")
    detect(soulful)
    ident = conflicts(soulful.space).conflicts[0].id
    resolve(soulful.as_actor(AGENT), ident, "a")
    assert "A wins: decided by agent; B is superseded" in soulful.text("CONFLICTS.md")
    soulful.git.write("MEMORY.md", f"# Memory\n\n{right}")
    detect(soulful)
    [other] = conflicts(soulful.space).conflicts
    with pytest.raises(NotTheOperatorError):
        resolve(soulful.as_actor(AGENT), other.id, "a")
    assert states(soulful) == ["", ""]
    resolve(soulful.later(), other.id, "a")
    with pytest.raises(NotTheOperatorError, match="The operator decided"):
        resolve(soulful.as_actor(AGENT), other.id, "both")
    assert states(soulful) == ["active", "superseded"]


def test_an_entry_that_was_moved_is_found_and_one_that_is_gone_cannot_win(
    flagged: tuple[Soulful, str],
) -> None:
    home, ident = flagged
    first, second = FLAGGED.splitlines(keepends=True)
    home.git.write("MEMORY.md", f"# Memory\n\n{first}")
    with pytest.raises(NotFoundError, match="B is no longer in memory"):
        resolve(home.later(), ident, "b")
    home.git.write("memory/team.md", second)
    resolve(home.later(), ident, "a")
    assert "status=superseded by=" in home.text("memory/team.md")


@pytest.fixture
def twofold(flagged: tuple[Soulful, str]) -> tuple[Soulful, str]:
    """A conflict one side of which says something else, too."""
    home, ident = flagged
    for path in ("MEMORY.md", "CONFLICTS.md"):
        home.git.write(path, home.text(path).replace("at 9:30.", "at 9:30. Ana leads it."))
    return home, ident


def test_what_says_more_can_be_kept(twofold: tuple[Soulful, str]) -> None:
    home, ident = twofold
    before = home.text("MEMORY.md")
    resolve(home.later(), ident, "both")
    home.git.write("MEMORY.md", before.replace("The standup is at 9:30. Ana", "Ana"))
    assert detect(home).commits == ()


def test_the_whole_entry_goes(twofold: tuple[Soulful, str]) -> None:
    home, ident = twofold
    resolve(home.later(), ident, "b")
    assert states(home) == ["superseded", "active"]

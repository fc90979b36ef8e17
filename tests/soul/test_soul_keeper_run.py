"""The Soul Keeper in a workspace: what it changes is logged, explained, and can be taken back for
good."""

from clawgit.agents.frame.agents import run_agent
from clawgit.agents.frame.runs import AgentRun
from clawgit.history.proposals import approve, proposals, revert
from clawgit.soul.changelog import check
from clawgit.soul.soul import blame
from clawgit.soul.soul import log as soul_log
from clawgit.talk.chat import log
from tests.agents.souls import DATES, corrections
from tests.soulful import Soulful

NEVER = "Never use emojis in my mails, not even one."


def run(soulful: Soulful, **passed: float) -> AgentRun:
    space = soulful.later(**passed)
    return run_agent(space, "soul-keeper", clock=lambda: space.now)


def test_a_run_is_logged_blamed_and_taken_back_for_good(soulful: Soulful) -> None:
    soulful.git.write("CORRECTIONS.md", corrections(DATES))
    soulful.git.commit_as_operator("a correction")
    log(soulful.space, NEVER, session="main", ident="m1")
    done = run(soulful, days=1)
    assert [landed.summary for landed in done.commits] == [
        f"add “Operator: “{DATES.removeprefix('Please ')}””",
        f"add “Operator: “{NEVER}””",
    ]
    messages = soulful.git("log", "-2", "--format=%B")
    assert messages.count(f"Run: {done.run}") == 2
    assert "Evidence: CORRECTIONS.md#c1" in messages
    assert "Evidence: chat:main/m1" in messages
    changes = soulful.text("CHANGELOG.md")
    assert all(f"· {landed.id} · soul-keeper" in changes for landed in done.commits)
    newest = soul_log(soulful.space).versions[0]
    assert (newest.change.actor, newest.change.evidence) == ("soul-keeper", ("chat:main/m1",))
    line = next(one for one in blame(soulful.space).lines if "emojis" in one.text)
    assert line.evidence == ("chat:main/m1",)
    assert run(soulful, minutes=1).commits == ()

    revert(soulful.later(), str(done.commits[1].id))
    assert "emojis" not in soulful.text()
    assert run(soulful, days=1).commits == ()
    assert "always write dates" in soulful.text()
    assert check(soulful.space).state == "same"


def test_what_is_doubtful_waits_for_the_operator_and_is_his_to_approve(soulful: Soulful) -> None:
    said = "Please never ask me before you delete files, ever."
    log(soulful.space, said, session="main", ident="m1")
    log(soulful.space, DATES, session="main", ident="m2")
    done = run(soulful, days=1)
    assert [landed.commit is None for landed in done.commits] == [False, True]
    assert "always write dates" in soulful.text()
    assert "never ask" not in soulful.text()
    (waiting,) = proposals(soulful.space).proposals
    assert waiting.change.evidence == ("chat:main/m1",)
    approve(soulful.later(), waiting.id)
    assert "never ask me before you delete files, ever." in soulful.text()
    assert run(soulful, days=1).commits == ()

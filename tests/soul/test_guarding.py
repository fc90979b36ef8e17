"""Every transaction asks the guard of the soul: undo, restore and revert too, and a foreign edit
rings its alarm."""

from typing import TYPE_CHECKING

import pytest

from clawgit.git.rules.actors import OPERATOR
from clawgit.health.status import status
from clawgit.history import changes
from clawgit.history import proposals as soul_changes
from clawgit.history.changes import snapshot
from clawgit.history.proposals import proposals
from clawgit.history.undo import undo
from clawgit.safety.alerts import acknowledge
from clawgit.safety.trust import set_setting
from clawgit.soul.guarding import GuardError
from clawgit.soul.identity_rules import policy_in_force
from clawgit.soul.verify import verify
from clawgit.talk.rules.corrections import Correction, render
from tests.conftest import NOW, intent
from tests.git.test_transaction import age
from tests.soulful import SOUL, Soulful

if TYPE_CHECKING:
    from collections.abc import Callable

    from clawgit.workspace.workspace import Workspace


PAYROLL = "Never touch the payroll."


def correct(soulful: Soulful) -> str:
    """The operator sets something right, and the soul keeps it."""
    correction = Correction("p1", NOW, correct=PAYROLL, status="confirmed")
    soulful.git.write("CORRECTIONS.md", "# Corrections\n\n" + render(correction))
    soulful.git.commit_all("a correction")
    done = soulful.write(
        "- Ask before",
        f"- {PAYROLL}\n- Ask before",
        actor=OPERATOR,
        evidence="CORRECTIONS.md#p1",
    )
    return str(done.id)


def test_what_an_agent_drops_or_weakens_that_a_correction_brought_waits(soulful: Soulful) -> None:
    ident = correct(soulful)
    agent = soulful.as_actor()
    for done in (
        soulful.write(f"- {PAYROLL}\n", ""),
        soulful.write(PAYROLL, "Try not to touch the payroll."),
        undo(agent, ident).change,
        soul_changes.revert(agent, ident).change,
        changes.restore(agent, "SOUL.md", "HEAD~2"),
    ):
        assert any("comes from correction p1" in why for why in done.held)
    assert PAYROLL in soulful.text()


def test_the_operator_may_and_is_warned(soulful: Soulful) -> None:
    ident = correct(soulful)
    done = soul_changes.revert(soulful.later(), ident)
    assert soulful.text() == SOUL
    assert any("correction p1" in warning for warning in done.change.warnings)


def test_an_agent_that_overreaches_is_told_each_reason(soulful: Soulful) -> None:
    soulful.set(soul_max_tokens="60")
    lines = "".join(f"- Number {number}, and {'one ' * 9}\n" for number in range(9))
    with pytest.raises(GuardError) as caught:
        soulful.write("## Vibe", f"{lines}\n## Vibe")
    rules = [problem["rule"] for problem in caught.value.data["problems"]]  # type: ignore[attr-defined]
    assert rules == ["size", "share"]
    assert soulful.text() == SOUL


def test_a_dry_run_is_judged_too(soulful: Soulful) -> None:
    soulful.set(soul_policy="review")
    done = soulful.write("Be kind.", "Be kinder.", actor=OPERATOR)
    held = undo(soulful.as_actor().dry(), str(done.id))
    assert held.change.held[0] == "changes to SOUL.md by an agent wait for the operator"
    assert proposals(soulful.space).proposals == ()


def oversteps(soulful: Soulful) -> bool:
    """Whether `status` says that somebody did what only the operator may."""
    alerts = status(soulful.later()).alerts
    return any("changed what only the operator may" in alert.message for alert in alerts)


def test_an_edit_without_authority_shows_in_status_until_it_is_acknowledged(
    soulful: Soulful,
) -> None:
    soulful.set(soul_policy="review")
    age(soulful.git.write("SOUL.md", SOUL.replace("Be kind.", "Be cruel.")))
    done = changes.snapshot(soulful.later())
    assert oversteps(soulful)
    soul_changes.revert(soulful.later(), str(done.id))
    assert soulful.text() == SOUL
    acknowledge(soulful.later())
    assert status(soulful.space).alerts == ()


def test_a_soul_that_says_again_what_it_said_once_is_judged(soulful: Soulful) -> None:
    soulful.write("Be kind.", "Be kind to all.", actor=OPERATOR)
    extra = soulful.write("Be kind to all.", "Be kind to all. Now.", actor=OPERATOR)
    undo(soulful.later(), str(extra.id))
    soulful.git.write("SOUL.md", soulful.text().replace("Be kind to all.", "Be cruel."))
    soulful.git.commit_all("by plain git")
    assert any("operator" in alert.message for alert in status(soulful.later()).alerts)


def test_what_waits_for_the_operator_shows_in_status(soulful: Soulful) -> None:
    soulful.set(soul_policy="review")
    soulful.write("Be kind.", "Be kinder.")
    (alert,) = status(soulful.space).alerts
    assert alert.message == "1 change waits for the operator"
    assert alert.next == "clawgit soul proposals"


def test_an_agent_does_not_free_itself_from_the_policy(soulful: Soulful) -> None:
    loosen: tuple[Callable[[Workspace], object], ...] = (
        lambda agent: set_setting(agent, "soul_policy", "evolve"),
        lambda agent: undo(agent, "HEAD"),
    )
    set_setting(soulful.later(), "soul_policy", "locked")
    for way in loosen:
        soulful.later()
        with pytest.raises(GuardError, match="only the operator may change soul_policy"):
            way(soulful.as_actor())
        assert policy_in_force(soulful.as_actor()) == "locked"
    set_setting(soulful.later(), "soul_policy", "review")


def test_an_agent_does_not_reach_further_by_a_setting(soulful: Soulful) -> None:
    name, value = "llm_model", "command:sh"
    soulful.later()
    with pytest.raises(GuardError, match=f"only the operator may change {name}") as refused:
        set_setting(soulful.as_actor(), name, value)
    assert name in (refused.value.hint or "")
    set_setting(soulful.as_actor(), "min_score", "0.5")
    set_setting(soulful.later(), name, value)
    with pytest.raises(GuardError, match=name):
        undo(soulful.as_actor(), "HEAD")


def test_a_foreign_edit_of_what_is_the_operators_to_set_is_flagged(soulful: Soulful) -> None:
    soulful.set(min_score="0.5")
    more = soulful.text("CONFIG.md").replace("min_score", "digest_to: [x]\nmin_score")
    age(soulful.git.write("CONFIG.md", more))
    assert snapshot(soulful.later()).commit
    assert oversteps(soulful)


def test_an_edit_on_disk_loosens_nothing_before_it_is_committed_and_is_flagged_then(
    soulful: Soulful,
) -> None:
    soulful.set(soul_policy="locked")
    age(soulful.git.write("CONFIG.md", soulful.text("CONFIG.md").replace("locked", "evolve")))
    assert policy_in_force(soulful.later()) == "locked"
    assert snapshot(soulful.later()).commit
    assert oversteps(soulful)


def test_settings_that_are_deleted_are_one_deletion_and_not_a_change_of_each(
    soulful: Soulful,
) -> None:
    soulful.set(soul_policy="locked", soul_max_tokens="700")
    (soulful.git.root / "CONFIG.md").unlink()
    assert snapshot(soulful.later()).commit
    assert oversteps(soulful)
    undo(soulful.later(), "HEAD")
    agent = soulful.later()
    with (
        pytest.raises(GuardError, match=r"may delete CONFIG\.md, which sets soul_max_tokens, soul"),
        agent.transaction(intent()) as tx,
    ):
        tx.put("CONFIG.md", None)


def test_a_config_that_cannot_be_read_counts_as_locked(soulful: Soulful) -> None:
    soulful.git.write("CONFIG.md", "```yaml\nsoul_policy: [\n```\n")
    assert policy_in_force(soulful.later()) == "locked"


def test_a_foreign_edit_that_drops_what_a_correction_brought_is_flagged(soulful: Soulful) -> None:
    correct(soulful)
    age(soulful.git.write("SOUL.md", soulful.text().replace(f"- {PAYROLL}\n", "")))
    assert snapshot(soulful.later()).commit
    (alert,) = status(soulful.later()).alerts
    assert "took back what the operator said" in alert.message


def test_verify_names_a_plain_commit_that_drops_what_a_correction_brought(soulful: Soulful) -> None:
    correct(soulful)
    soulful.git.write("SOUL.md", soulful.text().replace("- Be kind.\n", "- Be kind and calm.\n"))
    soulful.git.commit_all("reword what is nobody's in particular")
    assert verify(soulful.later()).ok
    soulful.git.write("SOUL.md", soulful.text().replace(f"- {PAYROLL}\n", ""))
    dropped = soulful.git.commit_all("tidy")
    (one,) = verify(soulful.later()).unauthorised
    assert (one.change.sha, "payroll" in one.reasons[0]) == (dropped, True)

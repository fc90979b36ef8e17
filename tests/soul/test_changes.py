"""soul revert and soul edit: one change taken back, a version brought back, the operator's own
words."""

import pytest

from clawgit.core.errors import ConflictError, UsageError
from clawgit.core.markdown.amend import Amendment
from clawgit.git.rules.actors import AGENT
from clawgit.git.rules.history import Intent
from clawgit.history import proposals as soul_changes
from clawgit.safety.operator import NotTheOperatorError
from clawgit.soul.guarding import GuardError
from tests.git.test_transaction import age
from tests.soulful import SOUL, Soulful


def test_revert_takes_one_change_back_and_later_ones_stay(soulful: Soulful) -> None:
    """Also one that nobody has committed: that is done first."""
    first = soulful.write("- Be kind.", "- Be kind, always.")
    soulful.write("- Be brief.", "- Be brief and clear.")
    age(soulful.git.write("SOUL.md", soulful.text() + "- Written by hand.\n"))
    done = soul_changes.revert(soulful.later(), str(first.id), reason="she prefers it plain")
    kept = SOUL.replace("- Be brief.", "- Be brief and clear.")
    assert soulful.text() == f"{kept}- Written by hand.\n"
    assert (done.change.changed, len(done.change.snapshots)) == (("CHANGELOG.md", "SOUL.md"), 1)
    body = soulful.git("log", "-1", "--format=%B")
    assert f"revert: take back {first.id} (" in body
    assert "she prefers it plain" in body
    assert f"Evidence: {first.id}" in body
    assert "Clawgit-Op: operator/revert" in body


def test_revert_leaves_alone_what_else_the_change_did(soulful: Soulful) -> None:
    space = soulful.later()
    intent = Intent(AGENT, "edit", "two files", evidence=("memory/2026-02-13.md#L3",))
    with space.transaction(intent) as tx:
        tx.put("SOUL.md", SOUL.replace("- Be kind.", "- Be very kind."))
        tx.put("MEMORY.md", "# Memory\n\n- Billing uses MySQL. #decision\n")
    soul_changes.revert(soulful.later(), str(tx.outcome.id))
    assert soulful.text() == SOUL
    assert "MySQL" in soulful.text("MEMORY.md")


def test_a_conflict_is_shown_by_section_and_changes_nothing(soulful: Soulful) -> None:
    first = soulful.write("Ask before deleting files", "Ask before deleting anything")
    soulful.write("Ask before deleting anything", "Ask twice before deleting anything")
    head = soulful.git.head()
    with pytest.raises(ConflictError) as caught:
        soul_changes.revert(soulful.later(), str(first.id))
    assert caught.value.data["conflicts"] == [
        {"path": "SOUL.md", "line": 14, "heading": "Boundaries",
            "now": "- Ask twice before deleting anything.",
         "before": "- Ask before deleting files.", "then": "- Ask before deleting anything."}
    ]  # fmt: skip
    assert "SOUL.md:14 (Boundaries)" in caught.value.message
    assert soulful.git.head() == head


def test_an_agent_may_revert_within_the_guards(soulful: Soulful) -> None:
    first = soulful.write("- Be kind.", "- Be kind, always.")
    soul_changes.revert(soulful.as_actor(), str(first.id))
    assert soulful.text() == SOUL
    again = soulful.write("- Be kind.", "- Be kind, always.")
    soulful.set(soul_policy="locked")
    with pytest.raises(GuardError, match="locked"):
        soul_changes.revert(soulful.as_actor(), str(again.id))
    soulful.set(soul_policy="review")
    held = soul_changes.revert(soulful.as_actor(), str(again.id))
    assert held.change.commit is None
    assert [one.id for one in soul_changes.proposals(soulful.space).proposals] == [held.change.id]


def test_edit_is_the_operators_and_needs_a_reason(soulful: Soulful) -> None:
    wish, evidence = Amendment(add="Sing.", section="Vibe"), ("memory/2026-02-13.md#L3",)
    with pytest.raises(NotTheOperatorError) as caught:
        soul_changes.edit(soulful.as_actor(), wish, "why not")
    assert "clawgit soul propose" in caught.value.hint
    with pytest.raises(UsageError, match="reason"):
        soul_changes.edit(soulful.space, wish, "  ")
    done = soul_changes.edit(soulful.space, wish, "she likes it", evidence=evidence)
    assert soulful.text() == SOUL + "- Sing.\n"
    body = soulful.git("log", "-1", "--format=%B")
    assert body.startswith("edit: SOUL.md: added “Sing.” to Vibe\n\nshe likes it\n")
    assert "Evidence: memory/2026-02-13.md#L3" in body
    assert done.changed == ("CHANGELOG.md", "SOUL.md")

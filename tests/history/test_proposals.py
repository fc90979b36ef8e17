"""What agents may not do themselves waits for the operator: proposed, held back, approved,
rejected."""

import pytest

from clawgit.core.errors import ConflictError, NotFoundError, UsageError
from clawgit.core.markdown.amend import Amendment
from clawgit.git.rules.actors import AGENT
from clawgit.git.transaction import Change
from clawgit.history.proposals import approve, proposals, propose, reject
from clawgit.safety.operator import NotTheOperatorError
from tests.git.test_transaction import age
from tests.soulful import KEEPER, SOUL, Soulful

EVIDENCE = ("memory/2026-02-13.md#L3",)


def suggest(soulful: Soulful, old: str, new: str) -> Change:
    soulful.later()
    wish = Amendment(replace=(old, new))
    return propose(soulful.as_actor(KEEPER), wish, "she asked twice", evidence=EVIDENCE)


def test_a_proposal_waits_beside_the_branch_and_is_listed(soulful: Soulful) -> None:
    head = soulful.git.head()
    done = suggest(soulful, "Be kind.", "Be kind, always.")
    soulful.later(days=2)
    assert (soulful.git.head(), soulful.text(), soulful.git.status()) == (head, SOUL, "")
    assert (done.commit, done.changed, done.held) == (None, ("SOUL.md",), ("proposed",))
    (one,) = proposals(soulful.space).proposals
    assert soulful.git("rev-parse", f"refs/clawgit/proposals/{done.id}").strip() == one.change.sha
    assert (one.id, one.change.actor) == (done.id, "soul-keeper")
    assert one.change.summary == "SOUL.md: reworded “Be kind.” as “Be kind, always.”"
    assert one.change.reason == "she asked twice"
    assert (one.change.evidence, one.held) == (EVIDENCE, ("proposed",))
    assert one.age_seconds == 2 * 24 * 3600
    assert "-- Be kind.\n+- Be kind, always.\n" in one.diff


def test_approval_lands_it_with_reason_evidence_and_who_proposed_it(soulful: Soulful) -> None:
    done = suggest(soulful, "Be kind.", "Be kind, always.")
    soulful.write("- Be brief.", "- Be brief and clear.")
    approved = approve(soulful.later(), str(done.id))
    text = SOUL.replace("kind.", "kind, always.").replace("brief.", "brief and clear.")
    assert soulful.text() == text
    assert approved.changed == ("CHANGELOG.md", "SOUL.md")
    body = soulful.git("log", "-1", "--format=%B")
    assert body.startswith(
        "approve: SOUL.md: reworded “Be kind.” as “Be kind, always.”\n\nshe asked twice\n\n"
    )
    assert f"Proposed as {done.id} by soul-keeper on 2026-02-14 10:00." in body
    assert "Clawgit-Op: operator/approve" in body
    assert f"Evidence: {EVIDENCE[0]}" in body
    assert "Alert:" not in body
    assert proposals(soulful.space).proposals == ()
    with pytest.raises(NotFoundError):
        approve(soulful.later(), str(done.id))


def test_a_proposal_that_meets_a_later_change_is_shown_and_stays(soulful: Soulful) -> None:
    done = suggest(soulful, "Be kind.", "Be kind, always.")
    soulful.write("- Be kind.", "- Be kind to strangers.")
    head = soulful.git.head()
    with pytest.raises(ConflictError) as caught:
        approve(soulful.later(), str(done.id))
    assert caught.value.data["conflicts"] == [
        {"path": "SOUL.md", "line": 5, "heading": "Core truths", "now": "- Be kind to strangers.",
         "proposed": "- Be kind, always.", "then": "- Be kind."}
    ]  # fmt: skip
    assert soulful.git.head() == head
    assert [one.id for one in proposals(soulful.space).proposals] == [done.id]


def test_what_is_rejected_stays_findable_with_the_reason(soulful: Soulful) -> None:
    done = suggest(soulful, "Be kind.", "Be cruel.")
    told = reject(soulful.later(), str(done.id), "never")
    assert proposals(soulful.space).proposals == ()
    (one,) = proposals(soulful.space, rejected=True).proposals
    assert (one.id, one.rejected, one.change.actor) == (done.id, "never", "soul-keeper")
    assert "+- Be cruel.\n" in one.diff
    soulful.git("gc", "-q", "--prune=now")
    assert soulful.git("show", f"{told.commit}^:SOUL.md") == SOUL.replace("kind", "cruel")


def test_only_the_operator_decides(soulful: Soulful) -> None:
    done = suggest(soulful, "Be kind.", "Be kind, always.")
    for decide in (approve, reject):
        with pytest.raises(NotTheOperatorError):
            decide(soulful.as_actor(AGENT), str(done.id))
    assert len(proposals(soulful.space).proposals) == 1


def test_a_proposal_needs_a_reason_and_a_change(soulful: Soulful) -> None:
    with pytest.raises(UsageError, match="reason"):
        propose(soulful.as_actor(), Amendment(add="Sing."), "")
    assert propose(soulful.as_actor(), SOUL, "nothing new").id is None
    assert proposals(soulful.space).proposals == ()


def test_what_others_wrote_meanwhile_is_no_part_of_it(soulful: Soulful) -> None:
    age(soulful.git.write("SOUL.md", SOUL + "- Written by hand.\n"))
    done = suggest(soulful, "Be kind.", "Be kind, always.")
    (one,) = proposals(soulful.space).proposals
    assert len(done.snapshots) == 1
    changed = [line for line in one.diff.splitlines() if line.startswith(("+", "-"))]
    assert "Written by hand" not in "".join(changed)
    approve(soulful.later(), str(done.id))
    assert soulful.text() == SOUL.replace("kind.", "kind, always.") + "- Written by hand.\n"


def test_under_review_an_agents_change_becomes_a_proposal_by_itself(soulful: Soulful) -> None:
    soulful.set(soul_policy="review")
    done = soulful.write("Be kind.", "Be kind, always.")
    assert done.commit is None
    assert soulful.text() == SOUL
    assert done.held == ("changes to SOUL.md by an agent wait for the operator",)
    approve(soulful.later(), str(done.id))
    assert "always" in soulful.text()

"""`agent compare`: both readings of the same days, side by side, and nothing written."""

from datetime import timedelta

from clawgit.agents.frame.comparing import Compared, compare
from clawgit.talk.chat import log
from clawgit.workspace.workspace import Workspace
from tests.acting import modelled
from tests.conftest import NOW, Git

DECIDED = "We decided to use PostgreSQL for billing from now on."
KEPT = {"number": 1, "words": "to use PostgreSQL for billing"}
UNPROVEN = {"number": 1, "words": "Mallory owns the vault."}


def compared(space: Workspace) -> Compared:
    return compare(space, "memory-miner", clock=lambda: NOW)


def say(space: Workspace) -> None:
    when = (NOW - timedelta(days=1)).isoformat()
    log(space, DECIDED, session="agent:main:main", ident="1", time=when)


def test_both_are_shown_and_nothing_is_written(ws: Git) -> None:
    space = modelled(ws, {"chosen": [KEPT, UNPROVEN]})
    say(space)
    before = (ws.head(), ws.status(), (ws.root / "MEMORY.md").read_bytes())
    done = compared(space)
    assert (ws.head(), ws.status(), (ws.root / "MEMORY.md").read_bytes()) == before
    assert done.heard == 1
    assert "PostgreSQL" in str(done.model.proposed)
    assert "Mallory" not in str(done.model.proposed)
    assert [one.what for one in done.model.skipped] == ["Mallory owns the vault."]
    assert done.used.calls == 1


def test_a_model_without_an_answer_leaves_the_judges_and_says_so(ws: Git) -> None:
    space = modelled(ws, "no")
    say(space)
    done = compared(space)
    assert done.model.proposed == done.judges.proposed
    assert done.same == len(done.judges.proposed)
    assert "the model gave no answer" in " ".join(done.model.notes)

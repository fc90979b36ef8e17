"""`agent compare`: both readings of the same days, side by side, and nothing written."""

import json
from datetime import timedelta

from clawgit.agents.frame.comparing import Compared, compare
from clawgit.talk.chat import log
from clawgit.workspace.workspace import Workspace
from tests.chatting import opened
from tests.conftest import NOW, Git
from tests.trusting import accept_settings

DECIDED = "We decided to use PostgreSQL for billing from now on."
KEPT = {"number": 1, "words": "to use PostgreSQL for billing"}
UNPROVEN = {"number": 1, "words": "Mallory owns the vault."}


def with_model(ws: Git, answer: object) -> Workspace:
    program = ws.root.parent / "model"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\ncat <<'EOF'\n{json.dumps(answer)}\nEOF\n")
    program.chmod(0o755)
    ws.write("CONFIG.md", f"```yaml\nllm_model: 'command:{program}'\n```\n")
    accept_settings(ws.root)
    ws.commit_all("settings")
    return opened(ws.root)


def compared(space: Workspace, name: str = "memory-miner", **given: int) -> Compared:
    return compare(space, name, clock=lambda: NOW, **given)


def say(space: Workspace, text: str, days: int = 1, ident: str = "1") -> None:
    log(
        space,
        text,
        session="agent:main:main",
        ident=ident,
        time=(NOW - timedelta(days=days)).isoformat(),
    )


def test_both_are_shown_and_nothing_is_written(ws: Git) -> None:
    space = with_model(ws, {"chosen": [KEPT, UNPROVEN]})
    say(space, DECIDED)
    before = (ws.head(), ws.status(), (ws.root / "MEMORY.md").read_bytes())
    done = compared(space)
    assert (ws.head(), ws.status(), (ws.root / "MEMORY.md").read_bytes()) == before
    assert done.heard == 1
    assert "PostgreSQL" in str(done.model.proposed)
    assert "Mallory" not in str(done.model.proposed)
    assert [one.what for one in done.model.skipped] == ["Mallory owns the vault."]
    assert done.used.calls == 1


def test_a_model_without_an_answer_leaves_the_judges_and_says_so(ws: Git) -> None:
    space = with_model(ws, "no")
    say(space, DECIDED)
    done = compared(space)
    assert done.model.proposed == done.judges.proposed
    assert done.same == len(done.judges.proposed)
    assert "the model gave no answer" in " ".join(done.model.notes)

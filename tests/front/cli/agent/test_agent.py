"""`agent`: what it prints, in words and in JSON."""

import json

from tests.conftest import Git
from tests.front.cli.typed import typed

said, _ = typed()


def test_a_run_answers_as_the_contract_has_it(here: Git) -> None:
    shape = json.loads(said("agent", "run", "conflict-detector", "--json"))
    assert {
        "agent", "run", "proposed", "commits", "skipped", "used", "commit", "id", "changed",
    } <= {*shape}  # fmt: skip
    assert shape["agent"] == "conflict-detector"
    assert (shape["used"], shape["commit"]) == ({"model": "", "tokens": 0, "calls": 0}, None)
    assert "nothing to do" in said("agent", "run", "conflict-detector", "--dry-run")
    wrong = json.loads(said("agent", "run", "gardener", "--json", code=2))
    assert wrong["error"]["kind"] == "usage"


def test_the_prompt_of_an_agent_is_changed_from_a_file(here: Git) -> None:
    new = here.write("new.txt", "# Memory Miner\n\nOnly decisions.\n")
    shown = said("agent", "edit", "memory-miner", "--file", str(new), "--dry-run")
    assert "+Only decisions." in shown
    assert not (here.root / "agents").exists()
    done = json.loads(said("agent", "edit", "memory-miner", "--file", str(new), "--json"))
    assert done["held"], "who calls is no operator: there is no terminal"
    assert not (here.root / "agents").exists()

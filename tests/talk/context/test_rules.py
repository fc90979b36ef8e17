"""Rules are always in a context, and come first where permission is asked, in a search too."""

import pytest

from clawgit.front.setup import init
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.history.undo import undo
from clawgit.search.answer import Request
from clawgit.search.search import search
from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import Context, context
from clawgit.workspace.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.making import space_of

_GUIDE = """# Agents

## Every session

- Read the notes about main before a push.

## CRITICAL

- Never push to main without a green pipeline.
- Customer e-mails are drafted by hand.
"""
_MEMORY = """# Memory

## Facts

- The key of the shed hangs in the hall.

## CRITICAL

- The shed stays locked for the neighbours.
"""
_NOTE = "# 2026-02-13\n\n- I pushed to main and pushed to main again.\n- The shed was painted.\n"


@pytest.fixture
def house(git: Git) -> Git:
    git.write("SOUL.md", "# Soul\n\n## Truths\n\n- Be kind.\n\n## Rules\n\n- Answer in a line.\n")
    git.write("AGENTS.md", _GUIDE)
    git.write("MEMORY.md", _MEMORY)
    git.write("memory/2026-02-13.md", _NOTE)
    return git


def text_of(made: Context, name: str) -> str:
    return next(slot.text for slot in made.slots if slot.name == name)


def adopted(git: Git, actor: Actor = OPERATOR) -> Workspace:
    caller = space_of(git).caller._replace(actor=actor)
    init(git.root, caller, openclaw_rules=False, hooks=False)
    git.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    return open_workspace(git.root, caller)


def who(space: Workspace, message: str = "") -> str:
    """What the slot of who the agent is says."""
    return text_of(context(space, ContextRequest(message)), "identity")


def test_rules_of_soul_and_guide_are_in_and_the_one_that_is_asked_about_is_first(
    house: Git,
) -> None:
    space = space_of(house, CLAWGIT_SEARCH_MODE="core")
    shown = who(space)
    assert "- Answer in a line." in shown
    assert "## AGENTS.md\n\n### CRITICAL\n\n- Never push to main" in shown
    assert "Read the notes" not in shown
    first = "# Who you are\n\n## AGENTS.md\n\n### CRITICAL\n\n- Never push to main without a green"
    assert who(space, "May I push to main now?").startswith(first)


@pytest.mark.parametrize(("actor", "is_first"), [(OPERATOR, True), (Actor("a", "a@b"), False)])
def test_a_rule_of_memory_counts_if_the_operator_adopted_it(
    house: Git, actor: Actor, is_first: bool
) -> None:
    """And stays out of a group."""
    space = adopted(house, actor)
    question = "can I open the shed for the neighbours?"
    [first, *_] = search(space, Request(question, explain=True)).results
    assert who(space, question).startswith("# Who you are\n\n## MEMORY.md") is is_first
    assert ("rule" in str(first.explain)) is is_first
    asking = ContextRequest("may I open the shed?", session="agent:main:telegram:group:-100")
    assert "shed stays locked" not in str(context(space, asking).slots)


def test_a_program_writes_no_rule_nor_does_the_operators_undo_of_what_it_took_out(
    house: Git,
) -> None:
    space = adopted(house)
    question = "may I open the shed for strangers?"
    house.commit_file("MEMORY.md", _MEMORY + "- The shed is open for strangers.\n", "a program")
    assert "strangers" not in who(space, question)
    house.commit_file("MEMORY.md", _MEMORY, "the program takes it out again")
    undo(space, "HEAD")
    assert "strangers" in (house.root / "MEMORY.md").read_text()
    assert "strangers" not in who(space, question)


def test_a_line_that_was_moved_under_another_heading_is_no_rule_there(house: Git) -> None:
    key = "- The key of the shed hangs in the hall.\n"
    space = adopted(house)
    house.commit_file("MEMORY.md", f"{_MEMORY.replace(key, '')}{key}", "a program")
    assert "hangs in the hall" not in who(space, "may I take the key of the shed?")

"""What a context recalls for a message, and how it reads."""

import pytest

from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from tests.conftest import Git
from tests.each import for_each
from tests.making import space_of
from tests.talk.context.test_context import slot


@pytest.fixture
def shed(git: Git) -> Git:
    git.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    return git


def recalled(shed: Git, message: str) -> str:
    return slot(context(space_of(shed), ContextRequest(message)), "semantic_recall").text


@for_each("message", ["Thanks!", "danke", "好的"])
def test_small_talk_recalls_nothing(shed: Git, message: str) -> None:
    shed.write("notes/rope.md", f"# Rope\n\n- {message} was said by Wanda, who is thanked.\n")
    made = context(space_of(shed), ContextRequest(message))
    assert slot(made, "semantic_recall").text == ""
    assert made.notes == ("the message asks nothing, so nothing was recalled",)
    assert "Wanda" in recalled(shed, f"{message} Wanda")


def test_of_a_turn_too_long_for_its_slot_the_line_that_was_found_is_shown_with_its_speaker(
    shed: Git,
) -> None:
    said = "\n\n".join(f"Gravel {number} is sand of the pit by the road." for number in range(400))
    turn = f"assistant: {said}\n\nThe kiln manual is in the blue cabinet.\n\n{said}\n"
    head = "# Session: 2026-02-13 09:00 UTC\n\n- **Session Key**: agent:main:main\n\n"
    shed.write("memory/2026-02-13-0900-kiln.md", f"{head}user: Where is it?\n{turn}user: thanks\n")
    told = recalled(shed, "Where is the kiln manual?")
    assert "assistant: […] The kiln manual is in the blue cabinet." in told

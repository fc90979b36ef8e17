"""Somebody's folder, adopted and asked at once: what lies in it is found, whatever kind it is."""

from collections.abc import Mapping

import pytest

from clawgit.front import setup
from clawgit.history.past_lines import lines
from clawgit.search.search import Request, SearchAnswer, search
from clawgit.workspace.workspace import Caller, Workspace, open_workspace
from tests.conftest import Git
from tests.making import asker

HOME = {
    name: f"# {name}\n" for name in ("SOUL.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "BOOT.md")
}
PROGRAM = {"package.json": "{}\n", "src/app.ts": "run()\n", "README.md": "# Shop\n"}
NOTE = "---\nname: a rule\ndescription: about kilns\nmetadata:\n  type: feedback\n---\n\n"

FOLDERS: Mapping[str, tuple[str, Mapping[str, str], Mapping[str, str]]] = {
    "an agent's home with programs in it": (
        "openclaw",
        {
            **HOME,
            "package.json": "{}\n",
            "USER.md": "# User\n\n- **Name:** Olga\n- **Call her:** Captain Olga\n",
            "IDENTITY.md": "# Name tag\n\n- **Creature:** a heron in the reeds\n",
            "research/clay.md": "# Clay\n\nStoneware shrinks by twelve percent.\n",
        },
        {
            "what is Olga called": "USER.md",
            "which creature in the reeds": "IDENTITY.md",
            "how much does stoneware shrink": "research/clay.md",
        },
    ),
    "Claude Code beside a program": (
        "claude-code",
        {
            **PROGRAM,
            "CLAUDE.md": "# Rules\n\n- Indent with tabs.\n",
            ".claude/memory/MEMORY.md": "- [Kilns](feedback_kilns.md)\n",
            ".claude/memory/feedback_kilns.md": (
                f"{NOTE}Open the kiln below ninety degrees.\n\n**Why:** The shelf cracked once.\n\n"
                "**How to apply:** Read the pyrometer first.\n"
            ),
        },
        {
            "how do we indent": "CLAUDE.md",
            "why do we open the kiln below ninety degrees": ".claude/memory/feedback_kilns.md",
            "what is read before the kiln is opened": ".claude/memory/feedback_kilns.md",
        },
    ),
    "Claude Code among notes": (
        "claude-code",
        {"CLAUDE.md": "# Rules\n", "travel/lisbon.md": "# Lisbon\n\nThe ferry leaves at eight.\n"},
        {"when does the ferry leave": "travel/lisbon.md"},
    ),
    "Letta": (
        "markdown",
        {
            "system/persona.md": "---\ndescription: me\n---\nI am a careful librarian.\n",
            "reference/loans.md": "---\ndescription: loans\n---\nLoans last three weeks.\n",
        },
        {
            "who is a careful librarian": "system/persona.md",
            "how long do loans last": "reference/loans.md",
        },
    ),
    "a memory bank in a folder of its own": (
        "memory-bank",
        {
            **PROGRAM,
            "memory-bank/projectbrief.md": "# Brief\n\nA shop for used looms.\n",
            "memory-bank/activeContext.md": "# Now\n\nThe checkout is being rewritten.\n",
        },
        {
            "what does the shop sell": "memory-bank/projectbrief.md",
            "what is being rewritten": "memory-bank/activeContext.md",
        },
    ),
    "any folder of Markdown": (
        "markdown",
        {"ideas.md": "# Ideas\n\nA bridge of paper.\n", "deep/er/list.md": "- A kite of tin.\n"},
        {"bridge of paper": "ideas.md", "kite of tin": "deep/er/list.md"},
    ),
}


def caller() -> Caller:
    return asker(CLAWGIT_SEARCH_MODE="core")


def adopted(git: Git, files: Mapping[str, str]) -> tuple[setup.Initialized, Workspace]:
    for path, text in files.items():
        git.write(path, text)
    git.commit_all("as it was")
    done = setup.init(git.root, caller(), openclaw_rules=False)
    return done, open_workspace(git.root, caller())


def asked(space: Workspace, question: str, **narrowed: str) -> SearchAnswer:
    return search(space, Request(question, **narrowed))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", FOLDERS)
def test_what_lies_in_a_folder_is_found_at_once_and_can_be_read(git: Git, kind: str) -> None:
    layout, files, questions = FOLDERS[kind]
    done, space = adopted(git, files)
    assert (done.layout, done.created) == (layout, ("CONFIG.md",))
    answers = {question: asked(space, question).results for question in questions}
    assert {question: hits[0].path for question, hits in answers.items() if hits} == questions
    for path in questions.values():
        assert lines(space, path)["text"] == files[path]
        assert lines(space, path, at="HEAD")["text"] == files[path]


def test_a_program_keeps_its_manual_to_itself(git: Git) -> None:
    done, space = adopted(git, {**HOME, **PROGRAM, "USER.md": "# U\n", "docs/a.md": "# Deploy\n"})
    assert not space.scope.covers("README.md")
    assert asked(space, "deploy").results == ()
    assert done.layout == "openclaw"


def test_a_profile_that_nobody_filled_in_is_no_answer(git: Git) -> None:
    blank = "# User\n\n- **Timezone:**\n- **Pronouns:** _(optional)_\n"
    _, space = adopted(git, {**HOME, "USER.md": blank})
    assert asked(space, "timezone").results == ()
    assert asked(space, "pronouns optional").results == ()
    git.write("USER.md", blank.replace("**Timezone:**", "**Timezone:** Lisbon"))
    assert asked(space, "timezone").results[0].line == 3


def test_a_saved_session_is_shown_as_it_was_said(git: Git) -> None:
    dump = (
        "# Session: 2026-02-14 09:00:00 UTC\n\n- **Session Key**: agent:main:77\n"
        "- **Session ID**: 5f1c\n\n## Conversation Summary\n\n"
        'user: Conversation info (untrusted metadata):\n```json\n{"message_id": "18"}\n```\n\n'
        "When does the kiln open?\nassistant: It opens at nine.\n"
    )
    _, space = adopted(git, {**HOME, "memory/2026-02-14-0900.md": dump})
    assert [hit.snippet for hit in asked(space, "when does the kiln open").results] == [
        "user: When does the kiln open?",
        "assistant: It opens at nine.",
    ]
    for query in ("message_id", "session key agent"):
        found = [hit.snippet for hit in asked(space, query).results]
        assert not [line for line in found if "message_id" in line or "Session Key" in line]

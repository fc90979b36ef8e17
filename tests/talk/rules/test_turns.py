"""A saved session in a context: who speaks is told, and no turn runs into the next."""

from datetime import date

from clawgit.talk.rules.chat import as_turns
from clawgit.talk.rules.passage import session_passages

TODAY = date(2026, 2, 14)
_SESSION = """# Session: 2026-02-13 01:32:45 UTC

- **Session Key**: agent:main:main

user: Please stop the updates.
assistant: Hourly update:
- Changed: nothing.
- Next step: ready for you.
assistant: Hourly update:
- Changed: the door.
user: Thanks.
"""


def read(text: str) -> list[tuple[int, int, str]]:
    found = session_passages("memory/2026-02-13-0132.md", as_turns(text), TODAY)
    return [(one.line, one.end_line, one.text) for one in found]


def test_a_turn_is_shown_whole_after_its_speaker() -> None:
    """`Next step: ready for you.` stood below the words of the user."""
    assert read(_SESSION) == [
        (5, 5, "user: Please stop the updates."),
        (6, 8, "assistant: Hourly update:\n- Changed: nothing.\n- Next step: ready for you."),
        (9, 10, "assistant: Hourly update:\n- Changed: the door."),
        (11, 11, "user: Thanks."),
    ]

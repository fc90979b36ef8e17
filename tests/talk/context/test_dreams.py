"""Where OpenClaw dreams: what it stages night after night takes the room of no note."""

import pytest

from clawgit.talk.context.asking import ContextRequest
from clawgit.talk.context.context import context
from tests.conftest import Git
from tests.making import space_of

_CANDIDATE = (
    "- Candidate: User: [cron:313d brief] A reminder was set up, and is sent on Telegram every "
    "morning: {day}, February {at}th, 7:00 AM.\n"
    "  - confidence: 0.58\n  - recalls: 0\n  - status: staged\n"
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_QUESTION = "set up a reminder that is sent on Telegram every morning"
_RULE = "- A reminder on Telegram is sent by the agent's turn, never by announce."


@pytest.fixture
def dreamer(git: Git) -> Git:
    for at in range(1, 14):
        staged = _CANDIDATE.format(day=_DAYS[at % 7], at=at)
        git.write(f"memory/dreaming/light/2026-02-{at:02}.md", f"# Light Sleep\n\n{staged}")
    git.write("DREAMS.md", "# Dream Diary\n\nTelegram sent the morning a reminder of itself.\n")
    git.write("memory/2026-01-05.md", f"# 2026-01-05\n\n{_RULE}\n- The mast was painted.\n")
    git.write(
        "memory/2026-02-13.md",
        "# 2026-02-13\n\n- Ana bought an anchor.\n\n<!-- openclaw:dreaming:light:start -->\n"
        "- Candidate: Assistant: the chain of the anchor is rusty and Bo knows it\n"
        "  - status: staged\n<!-- openclaw:dreaming:light:end -->\n",
    )
    git.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\nmax_results: 3\n```\n")
    return git


def asked(git: Git, message: str) -> dict[str, str]:
    made = context(space_of(git), ContextRequest(message))
    return {slot.name: slot.text for slot in made.slots}


def test_the_last_days_are_without_dreams(dreamer: Git) -> None:
    for message in ("", _QUESTION):
        recent = asked(dreamer, message)["recent_memory"]
        assert "Ana bought an anchor" in recent
        assert "Candidate" not in recent
        assert "staged" not in recent

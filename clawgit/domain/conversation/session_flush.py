"""The memory flush: an agent is asked to save what must last before its context is compacted."""

from datetime import date
from typing import NamedTuple

from clawgit.domain.conversation.session import NO_REPLY

_PROMPT = (
    "This conversation is about to be condensed. Append what must last to {path}: decisions, "
    "facts, preferences, open tasks, with real dates. Only add; change nothing that is there. "
    "Nothing worth keeping? Reply {no_reply}."
)
_SYSTEM = (
    "The context is nearly full. This turn is for saving memory only: write to {path} what would "
    "be lost, then reply {no_reply}. The user sees nothing of it."
)


class Limit(NamedTuple):
    """The tokens of a context window: `reserve` stays free, and `soft` is left for the flush."""

    window: int
    reserve: int = 20_000
    soft: int = 4000

    @property
    def threshold(self) -> int:
        return self.window - self.reserve - self.soft


class FlushPrompts(NamedTuple):
    prompt: str
    system_prompt: str


def why_not(tokens: int, limit: Limit, *, enabled: bool, asked: bool) -> str:
    """Why no flush is due; "" if one is. `asked`: one was asked for since the last compaction."""
    if not enabled:
        return "memory_flush is off"
    if limit.threshold <= 0:
        return f"a window of {limit.window:,} tokens is not larger than what must stay free of it"
    if tokens < limit.threshold:
        return f"{limit.threshold - tokens:,} tokens are left until then"
    return "it was already asked for since the last compaction" if asked else ""


def flush_prompts(day: date) -> FlushPrompts:
    """The prompts for the agent. Both name NO_REPLY."""
    named = {"path": daily_note(day), "no_reply": NO_REPLY}
    return FlushPrompts(_PROMPT.format(**named), _SYSTEM.format(**named))


def daily_note(day: date) -> str:
    return f"memory/{day.isoformat()}.md"

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
_ANSWER = "If there is nothing to store, reply {no_reply}."


class Limit(NamedTuple):
    """The tokens of a context window: `reserve` stays free, and `soft` is left for the flush."""

    window: int
    reserve: int
    soft: int

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


def flush_prompts(prompt: str, system_prompt: str, day: date) -> FlushPrompts:
    """The prompts for the agent; the built-in ones if empty. Both name NO_REPLY."""
    return FlushPrompts(_worded(prompt or _PROMPT, day), _worded(system_prompt or _SYSTEM, day))


def daily_note(day: date) -> str:
    return f"memory/{day.isoformat()}.md"


def _worded(text: str, day: date) -> str:
    # Not `str.format`: a prompt of the operator may have braces of its own.
    text = text.replace("{path}", daily_note(day)).replace("{no_reply}", NO_REPLY)
    text = text.replace("YYYY-MM-DD", day.isoformat())
    if NO_REPLY in text:
        return text
    return f"{text.rstrip()} {_ANSWER.replace('{no_reply}', NO_REPLY)}"

"""A session as OpenClaw saves it in memory/: read as turns, without what only the runtime needs.

The text stays line for line, so that a place in it is a place in the file: what is left out becomes
an empty line.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from clawgit.language.lazily import lazily

_TURN = lazily(r"(?P<role>user|assistant|system|tool):(?:[ \t]+(?P<words>.*))?\Z", re.IGNORECASE)

_HEADER = lazily(r"[ \t]*[-*][ \t]+\*\*(?:Session Key|Session ID|Source)\*\*:")
_SESSION = lazily(r"[ \t]*[-*][ \t]+\*\*Session (?:Key|ID)\*\*:")
_SUMMARY = lazily(r"## Conversation Summary\s*\Z", re.IGNORECASE)
_HEADING = lazily(r"#{1,6}[ \t]+(?P<title>.*?)[ \t#]*\Z")

_FENCE = lazily(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_PUT_IN = lazily(
    r"(?:^|(?<=\nuser: ))(?:(?:\[[^\]\n]*\][ \t]*)?[^\n`:]{1,80}\(untrusted[^)\n]*\):[ \t]*\n"
    r"[ \t]*(`{3,}|~{3,}).*\n(?:.*\n){0,5000}?[ \t]*\1"
    r"|<<<(EXTERNAL_[A-Z_]+\b[^>\n]*)>>>[ \t]*\n(?:.*\n){0,5000}?<<<END_\2>>>)[ \t]*$",
    re.MULTILINE,
)
"""What the runtime puts before a message: an envelope, or what it adds from a channel or a page and
does not trust. A block of more lines has no end, and is text like any other.
"""

_PLUGINS = lazily(
    r"^user:\s*(?:<([a-z][\w-]*)>[ \t]*\n(?:.*\n){0,5000}?</\1>\s*)+$", re.MULTILINE | re.IGNORECASE
)
"""Blocks of plugins at the top of a user's turn. They may quote other turns."""

_STAMP = lazily(r"\[[^\]\n]*[0-9]{4}-[0-9]{2}-[0-9]{2}[^\]\n]*\][ \t]*")
"""The channel and the time, with which a runtime opens a message: `[Telegram Ana 2026-02-03]`."""

_HINT = lazily(r"\[(?:message_id|media attached)\b[^\]\n]*\]\s*\Z|\[\[reply_to[^\]\n]*\]\]\s*")
_WRAPPER = lazily(r"</?final>\s*\Z|Untrusted context \(metadata[^)\n]*\):\s*\Z")
EVENT = lazily(
    r"System(?: \(untrusted\))?: \[[0-9]{4}-[0-9]{2}-[0-9]{2}[^\]\n]*\][^\n]*(?:\n\s*|\Z)"
)
"""A line of what the runtime reports at the top of a user's turn."""

RUNTIME = (
    "A new session was started via /new or /reset",
    "Read HEARTBEAT.md if it exists",
    "Pre-compaction memory flush",
    "An async command you ran earlier has completed",
    "✅ New session started",
    "HEARTBEAT_OK",
    "NO_REPLY",
)
"""Turns in which the runtime talks to the model, or the model to it."""

_HEAD = 20
"""A dump has its header among this many lines at the top."""


def as_turns(text: str) -> str:
    """The text as it was said, where it is a saved session; any other text as it is."""
    if not is_session(text):
        return text
    text = _PUT_IN.sub(_emptied, text.replace("\r\n", "\n"))
    lines = _PLUGINS.sub(lambda blocks: f"user:{_emptied(blocks)}", text).split("\n")
    starts = [*_starts(lines), (len(lines), "")]
    read = [
        "" if _HEADER.match(line) or _SUMMARY.match(line) else line
        for line in lines[: starts[0][0]]
    ]
    for (first, role), (end, _) in pairwise(starts):
        words = "\n".join(lines[first:end])[len(role) + 1 :].lstrip(" \t")
        read.append(_said(role, words))
    return "\n".join(read)


def is_session(text: str) -> bool:
    """Whether a text is a saved session: it has the header of one, or turns of both sides."""
    if "assistant:" not in text and "user:" not in text:
        return False
    lines = text.split("\n")
    if any(_SESSION.match(line) for line in lines[:_HEAD]):
        return True
    roles = {turn["role"].lower() for line in lines if (turn := _TURN.match(line))}
    return {"user", "assistant"} <= roles


class SavedTurn(NamedTuple):
    """One turn, from its line on; `text` begins with the role."""

    line: int
    role: str
    text: str


def turns(text: str) -> Iterator[SavedTurn]:
    """The turns of a text that `as_turns` has read, in their order."""
    lines = text.split("\n")
    starts = [*_starts(lines), (len(lines), "")]
    for (first, role), (end, _) in pairwise(starts):
        yield SavedTurn(first + 1, role, "\n".join(lines[first:end]).rstrip())


def _starts(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Where the turns begin, and who speaks. In a block of code, `user:` is code."""
    in_code = ""
    for at, line in enumerate(lines):
        if in_code:
            in_code = "" if line.strip() == in_code else in_code
        elif fence := _FENCE.match(line):
            in_code = fence["marks"]
        elif (turn := _TURN.match(line)) and not EVENT.match(line):
            yield at, turn["role"].lower()


def _emptied(block: re.Match[str]) -> str:
    return "\n" * block[0].count("\n")


def _said(role: str, words: str) -> str:
    """What was said in a turn, after the name of its speaker."""
    lines: list[str] = []
    speaker, fence = f"{role}: ", ""
    for line in words.split("\n"):
        if fence:
            fence = "" if line.strip() == fence else fence
        elif speaker and line.startswith(RUNTIME):
            # The runtime speaks from the first words of a turn to its end.
            return "\n" * words.count("\n")
        elif opened := _FENCE.match(line):
            fence = opened["marks"]
        elif line := _typed(line, is_first=bool(speaker)):
            line, speaker = f"{speaker}{line}", ""  # noqa: PLW2901
        lines.append(line)
    return "\n".join(lines)


def _typed(line: str, *, is_first: bool) -> str:
    """A line without what the runtime adds to it; "" if nothing else is in it."""
    if EVENT.match(line):
        return ""
    if is_first:
        line = _STAMP.sub("", line, count=1)
    line = _HINT.sub("", line)
    if not line.strip() or _WRAPPER.match(line):
        return ""
    # A heading inside a message is not a heading of the conversation.
    heading = _HEADING.match(line)
    return f"**{heading['title']}**" if heading else line

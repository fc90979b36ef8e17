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

_FENCE = lazily(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_USER = lazily(r"^user:[ \t]*", re.MULTILINE | re.IGNORECASE)
EVENT = lazily(r"System(?: \(untrusted\))?: \[[0-9]{4}-[0-9]{2}-[0-9]{2}[^\]\n]*\][^\n]*")
"""A line of what the runtime reports in a user's turn."""

_FRONT = lazily(
    rf"\s+|{EVENT.pattern}"
    # an envelope of metadata
    r"|(?:\[[^\]\n]*\][ \t]*)?[^\n`:]{1,80}\(untrusted[^)\n]*\):[ \t]*\n[ \t]*(`{3,}|~{3,}).*\n"
    r"(?:.*\n){0,5000}?[ \t]*\1"
    # a block of a plugin, which may quote other turns
    r"|<([a-z][\w-]*)>[ \t]*\n(?:.*\n){0,5000}?</\2>",
    re.IGNORECASE,
)
"""What the runtime puts before the words of a user. A block of more lines has no end, and is text
like any other.
"""

_STAMP = lazily(r"\[[^\]\n]*\]\s+")
"""The channel and the time behind that: `[Telegram Ana 2026-02-03]`. Another one is the user's."""

_INSIDE = lazily(
    r"^<<<(EXTERNAL_[A-Z_]+\b[^>\n]*)>>>[ \t]*\n(?:.*\n){0,5000}?<<<END_\1>>>[ \t]*$"
    r"|^</?final>[ \t]*$|^Untrusted context \(metadata[^)\n]*\):[ \t]*$"
    r"|\[(?:message_id|media attached)\b[^\]\n]*\][ \t]*$|\[\[reply_to[^\]\n]*\]\][ \t]*",
    re.MULTILINE,
)
"""What it adds anywhere in a message."""

_TITLE = lazily(r"[ \t]*#{1,6}[ \t]+(.*?)[ \t#]*\Z")

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
    lines = _without_fronts(_INSIDE.sub(_emptied, text.replace("\r\n", "\n"))).split("\n")
    starts = [*_starts(lines), (len(lines), "")]
    read = [
        "" if _HEADER.match(line) or _SUMMARY.match(line) else line
        for line in lines[: starts[0][0]]
    ]
    for (first, role), (end, _) in pairwise(starts):
        read.append(_said(role, "\n".join(lines[first:end])[len(role) + 1 :]))
    return "\n".join(read)


def typed(text: str) -> str:
    """What a user typed of a message; "" if the runtime speaks in the user's place."""
    # Most messages have none of these signs, and then nothing is around them.
    if "[" in text or "<" in text or "(untrusted" in text:
        text = _INSIDE.sub("", text).strip()
        # Where nothing else is left, what looks like a front is what the user typed.
        text = text[_begun(text) :] or ("" if EVENT.match(text) else text)
    text = text.strip()
    return "" if text.startswith(RUNTIME) else text


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
    for at, line in _outside_code(lines):
        if (turn := _TURN.match(line)) and not EVENT.match(line):
            yield at, turn["role"].lower()


def _untitled(lines: list[str]) -> list[str]:
    """The lines with headings in bold."""
    read = [*lines]
    for at, line in _outside_code(lines):
        if title := _TITLE.match(line):
            read[at] = f"**{title[1]}**"
    return read


def _outside_code(lines: list[str]) -> Iterator[tuple[int, str]]:
    in_code = ""
    for at, line in enumerate(lines):
        if in_code:
            in_code = "" if line.strip() == in_code else in_code
        elif fence := _FENCE.match(line):
            in_code = fence["marks"]
        else:
            yield at, line


def _emptied(block: re.Match[str]) -> str:
    return "\n" * block[0].count("\n")


def _said(role: str, words: str) -> str:
    """What was said in a turn, after the name of its speaker."""
    said = words.lstrip()
    if not said or said.startswith(RUNTIME):
        return "\n" * words.count("\n")
    above = "\n" * words.count("\n", 0, len(words) - len(said))
    # A heading inside a message is not a heading of the conversation.
    return f"{above}{role}: " + "\n".join(_untitled(said.split("\n")))


def _without_fronts(text: str) -> str:
    """The text with empty lines for what stands before the words of each user's turn."""
    read, at = list[str](), 0
    for turn in _USER.finditer(text):
        # It may stand in a block that was left out.
        if turn.start() >= at:
            end = _begun(text, turn.end())
            read.append(text[at : turn.end()] + "\n" * text.count("\n", turn.end(), end))
            at = end
    return "".join(read) + text[at:]


def _begun(text: str, at: int = 0) -> int:
    """Where the words begin that a user typed."""
    while front := _FRONT.match(text, at):
        at = front.end()
    stamp = _STAMP.match(text, at)
    return stamp.end() if stamp else at

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

_ENVELOPE = lazily(r"(?:\[[^\]\n]*\][ \t]*)?[^\n`]{1,80}\(untrusted[^)\n]*\):\s*\Z")
_FENCE = lazily(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_TAG = lazily(r"<(?P<name>[a-z][\w-]*)>\s*\Z")
_STAMP = lazily(r"\[[^\]\n]*[0-9]{4}-[0-9]{2}-[0-9]{2}[^\]\n]*\][ \t]*")
"""The channel and the time, with which a runtime opens a message: `[Telegram Ana 2026-02-03]`."""

_HINT = lazily(r"\[(?:message_id|media attached)\b[^\]\n]*\]\s*\Z|\[\[reply_to[^\]\n]*\]\]\s*")
_WRAPPER = lazily(r"</?final>\s*\Z|Untrusted context \(metadata[^)\n]*\):\s*\Z")
_FOREIGN = lazily(r"<<<(?P<name>EXTERNAL_[A-Z_]+\b[^>\n]*)>>>\s*\Z")
"""The first line of what the runtime adds from a channel or a page, and does not trust."""


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

_LONGEST_BLOCK = 5000
"""A block of more lines than this has no end, and is text like any other."""


def as_turns(text: str) -> str:
    """The text as it was said, where it is a saved session; any other text as it is."""
    return "\n".join(_Dump(text.split("\n")).read()) if is_session(text) else text


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
        elif turn := _TURN.match(line):
            yield at, turn["role"].lower()


class _Dump:
    """Reads a dump line by line. `_role` is set while a turn has no words yet."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = [line.rstrip("\r") for line in lines]
        self._in_turns = self._is_runtime = False
        self._role = self._in_code = ""
        self._left_out = 0

    def read(self) -> Iterator[str]:
        for at, line in enumerate(self._lines):
            yield self._read_line(line, at)

    def _read_line(self, line: str, at: int) -> str:
        if at < self._left_out or self._is_event(line):
            return ""
        # In a block of code, `user:` is code.
        turn = None if self._in_code else _TURN.match(line)
        if turn:
            return self._opened_turn(turn, at)
        if self._in_turns:
            return self._line_of_turn(line, at)
        if _HEADER.match(line) or _SUMMARY.match(line):
            return ""
        return line

    def _opened_turn(self, turn: re.Match[str], at: int) -> str:
        words = (turn["words"] or "").strip()
        self._in_turns, self._role, self._is_runtime = True, turn["role"].lower(), False
        return "" if self._is_event(words) else self._line_of_turn(words, at)

    def _is_event(self, line: str) -> bool:
        return self._in_turns and not self._in_code and EVENT.match(line) is not None

    def _line_of_turn(self, line: str, at: int) -> str:
        """A line of a turn, as it was said."""
        # The runtime speaks from the first words of a turn to its end.
        self._is_runtime |= self._role != "" and line.startswith(RUNTIME)
        if self._is_runtime:
            return ""
        if self._in_code:
            self._in_code = "" if line.strip() == self._in_code else self._in_code
            return line
        if end := self._end_of_block(line, at):
            self._left_out = end + 1
            return ""
        if self._role:
            line = _STAMP.sub("", line, count=1)
        line = _HINT.sub("", line)
        return self._spoken(line) if line.strip() and not _WRAPPER.match(line) else ""

    def _end_of_block(self, line: str, at: int) -> int:
        """The last line of what was put before a message, an envelope or the block of a plugin; 0
        if none begins.
        """
        if self._role == "user" and (tag := _TAG.match(line)):
            return self._next(f"</{tag['name']}>", at)
        if foreign := _FOREIGN.match(line):
            return self._next(f"<<<END_{foreign['name']}>>>", at)
        following = self._lines[at + 1] if at + 1 < len(self._lines) else ""
        if _ENVELOPE.match(line) and (fence := _FENCE.match(following)):
            return self._next(fence["marks"], at + 1)
        return 0

    def _next(self, closing: str, at: int) -> int:
        """The next line after this one that is `closing`, 0 if none is near."""
        last = min(len(self._lines), at + _LONGEST_BLOCK)
        closings = (line for line in range(at + 1, last) if self._lines[line].strip() == closing)
        return next(closings, 0)

    def _spoken(self, line: str) -> str:
        """A line, after the name of its speaker if it is the first of a turn."""
        if heading := _HEADING.match(line):
            # A heading inside a message is not a heading of the conversation.
            line = f"**{heading['title']}**"
        if fence := _FENCE.match(line):
            self._in_code = fence["marks"]
            return line
        role, self._role = self._role, ""
        return f"{role}: {line}" if role else line

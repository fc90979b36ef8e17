"""Finds recoveries in a transcript: something failed, and worked when it was tried in another way.

A run that failed and later passed unchanged teaches nothing, nor does a search that found nothing
or a failing test. What counts is a failed call, and soon after a different call of the same tool or
command that worked.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from clawgit.domain.conversation.transcript import TranscriptEntry, content_text, moment
from clawgit.domain.runner.run_marks import digest

REACH = 12
"""A retry may come at most this many calls after the failure."""

_ALIKE = 0.34
"""The share of words that a retry has in common with the failure."""
_LONGEST = 4_000
_LONGEST_LINE = 200
_MOST_TRIES = 4
_SUBJECTS = ("path", "file_path", "file", "url")
_JOINS = re.compile(r"&&|\|\||;|\n|(?<!\|)\|(?!\|)")
_BEFORE = re.compile(r"\s*(?:cd|export|source|\.|set|mkdir|pushd|echo|sleep)\b")
_NOT_THE_PROGRAM = re.compile(r"[A-Za-z_]\w*=.*|sudo|time|env|nohup|nice|command|exec|npx|uvx")
_SHELLS = frozenset(
    ("bash", "exec", "shell", "sh", "run", "terminal", "run_command", "execute", "process")
)
_LOOKS = frozenset(
    (
        "ls", "cat", "head", "tail", "grep", "rg", "find", "which", "type", "test", "[", "diff",
        "stat", "wc", "pwd", "echo", "sed", "awk", "ps", "ping", "cd", "sleep",
        "read", "glob", "search", "web_search", "memory_search", "memory_get",
    )
)  # fmt: skip
"""Programs and tools that only look. If one finds nothing, that is an answer and no failure."""

_CHECKS = re.compile(
    r"\b(?:tests?|check|lint|typecheck|build|verify|pytest|jest|vitest|mocha|ruff|mypy|eslint|tsc)\b"
)
"""A command that checks something else: its failure is not about how it was called."""


class ToolCommand(NamedTuple):
    """`program` is what runs, without `sudo`, `cd …` and variables before it.

    `verb` is the first word after it that is no option.
    """

    text: str
    program: str
    verb: str
    words: frozenset[str]


class Attempt(NamedTuple):
    """One tool call and its result. `id` is the entry of the result; `error` is "" if it worked."""

    tool: str
    arguments: str
    command: ToolCommand
    id: str
    time: datetime | None
    error: str
    asked: str = ""


class ToolRecovery(NamedTuple):
    """What failed, in the order in which it was tried, and what worked then."""

    session: str
    tried: tuple[Attempt, ...]
    worked: Attempt

    @property
    def evidence(self) -> tuple[str, ...]:
        """The messages that show it, as entries cite them."""
        return tuple(
            f"chat:{self.session}/{attempt.id}" for attempt in (self.tried[0], self.worked)
        )

    @property
    def name(self) -> str:
        return digest(*self.evidence)


class TriedTools(NamedTuple):
    """What new and grown transcripts show, and the mark of all that have been read now."""

    recoveries: tuple[ToolRecovery, ...] = ()
    mark: str = ""
    notes: tuple[str, ...] = ()


def recoveries(entries: Iterable[TranscriptEntry], session: str) -> Iterator[ToolRecovery]:
    """Every recovery in one transcript, in the order of their successes."""
    waiting: dict[Attempt, int] = {}
    for number, attempt in enumerate(_attempts(entries)):
        waiting = _within_reach(waiting, number)
        if _teaches_nothing(attempt):
            continue
        if attempt.error:
            waiting[attempt] = number
        elif tried := tuple(failed for failed in waiting if _is_retry(failed, attempt)):
            for failed in tried:
                del waiting[failed]
            yield ToolRecovery(session, tried[-_MOST_TRIES:], attempt)


def _within_reach(waiting: Mapping[Attempt, int], now: int) -> dict[Attempt, int]:
    # The further away a success is, the less it has to do with the failure.
    return {failed: at for failed, at in waiting.items() if now - at <= REACH}


def _attempts(entries: Iterable[TranscriptEntry]) -> Iterator[Attempt]:
    """The calls of a transcript with their results, in the order of the results."""
    calls: dict[str, tuple[str, Any]] = {}
    asked = ""
    for entry in entries:
        message = entry.said.get("message")
        body: Mapping[str, Any] = message if isinstance(message, Mapping) else {}
        role = body.get("role")
        if role == "user":
            asked = content_text(body.get("content"))[:_LONGEST]
        elif role == "assistant":
            calls |= dict(_calls(body.get("content")))
        elif role == "toolResult" and (call := calls.pop(str(body.get("toolCallId")), None)):
            when = moment(body.get("timestamp")) or moment(entry.said.get("timestamp"))
            yield _attempt(entry.id, *call, body, when)._replace(asked=asked)


def _calls(content: object) -> Iterator[tuple[str, tuple[str, Any]]]:
    for part in content if isinstance(content, list) else ():
        is_call = isinstance(part, Mapping) and part.get("type") == "toolCall"
        if is_call and isinstance(part.get("name"), str) and isinstance(part.get("id"), str):
            yield part["id"], (part["name"], part.get("arguments", {}))


def _attempt(
    ident: str, tool: str, arguments: Any, body: Mapping[str, Any], when: datetime | None
) -> Attempt:
    text = json.dumps(arguments, ensure_ascii=False, sort_keys=True)[:_LONGEST]
    values = arguments if isinstance(arguments, Mapping) else {}
    if is_shell(tool):
        command = read_command(str(values.get("command", values.get("cmd", ""))))
    else:
        # A tool that is no shell is about the file that it names.
        about = next((str(values[name]) for name in _SUBJECTS if name in values), "")
        words = " ".join(map(str, values.values()))
        command = ToolCommand("", tool, about, frozenset(words[:_LONGEST].split()))
    return Attempt(tool, text, command, ident, when and when.astimezone(UTC), _failure(body))


def _failure(body: Mapping[str, Any]) -> str:
    """What went wrong, as the first line of the output says it; "" if nothing did."""
    details = body.get("details")
    code = details.get("exitCode") if isinstance(details, Mapping) else body.get("exitCode")
    if body.get("isError") is not True and (not isinstance(code, int) or code == 0):
        return ""
    lines = content_text(body.get("content", body.get("output"))).split("\n")
    first = next(filter(None, map(str.strip, lines)), "")
    return first[:_LONGEST_LINE] or f"exit code {code or 1}"


def read_command(text: str) -> ToolCommand:
    """Reads the first program of a line that does the work. Never fails."""
    tokens = _working_part(text).split()
    while len(tokens) > 1 and _NOT_THE_PROGRAM.fullmatch(tokens[0]):
        tokens = tokens[1:]
    if not tokens:
        return ToolCommand(text.strip(), "", "", frozenset())
    program, *rest = (token.strip("\"'()") for token in tokens)
    verb = next((token for token in rest if not token.startswith("-")), "")
    # `/usr/bin/python` and `python` are one program.
    name = program.rpartition("/")[2]
    return ToolCommand(text.strip(), name, verb, frozenset(filter(None, rest)))


def _working_part(text: str) -> str:
    """The first part of a line that does more than prepare: `cd x && make` works in `make`."""
    parts = [part for part in _JOINS.split(text[:_LONGEST]) if part.strip()] or [""]
    return next((part for part in parts if not _BEFORE.match(part)), parts[-1])


def is_shell(tool: str) -> bool:
    return tool.lower() in _SHELLS


def _is_retry(failed: Attempt, later: Attempt) -> bool:
    """Whether a call tries the same thing in another way: the same tool on the same matter, or a
    command like it.
    """
    before, after = failed.command, later.command
    # The same call again shows that something else had changed.
    if failed.arguments == later.arguments:
        return False
    if (failed.tool, before.program) != (later.tool, after.program):
        return False
    # The 1 is for commands without words, which share nothing.
    fewest = max(min(len(before.words), len(after.words)), 1)
    is_alike = is_shell(failed.tool) and len(before.words & after.words) / fewest >= _ALIKE
    return is_alike or before.verb == after.verb


def _teaches_nothing(attempt: Attempt) -> bool:
    """Whether a call only looks, or checks something else."""
    program = attempt.command.program.lower()
    words = " ".join((program, *sorted(attempt.command.words)))
    return program in _LOOKS or (is_shell(attempt.tool) and bool(_CHECKS.search(words)))

"""Failure, retry, success: where a transcript shows that the same thing was tried again in another
way until it worked.

Not every red test is one: a run that failed and later passed unchanged teaches nothing, nor does a
look that found nothing. What counts is a call that failed and one soon after, of the same tool or
command, that was put otherwise.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from clawgit.domain.conversation.transcript import Entry, content_text, moment
from clawgit.domain.lessons.commands import (
    is_look,
    is_misuse,
    is_shell,
    is_slip,
    is_test_run,
    read_command,
)
from clawgit.domain.lessons.failure import failure
from clawgit.domain.lessons.tried import Attempt, Command, Recovery

REACH = 12
"""So many calls after a failure may still be its retry."""

_ALIKE = 0.34
_ALIKE_ELSEWHERE = 0.5
_LONGEST = 4_000
_MOST_TRIES = 4


def recoveries(entries: Iterable[Entry], session: str) -> tuple[Recovery, ...]:
    """Every recovery in one transcript, in the order in which it worked."""
    found: list[Recovery] = []
    waiting: list[tuple[int, Attempt]] = []
    for number, attempt in enumerate(attempts(entries)):
        waiting = [(at, one) for at, one in waiting if number - at <= REACH]
        if attempt.error:
            waiting.append((number, attempt))
            continue
        tried = [one for _, one in waiting if is_retry(one, attempt)]
        if tried:
            waiting = [(at, one) for at, one in waiting if one not in tried]
            found.append(Recovery(session, tuple(tried[-_MOST_TRIES:]), attempt))
    return tuple(one for one in found if _teaches(one))


def attempts(entries: Iterable[Entry]) -> Iterator[Attempt]:
    """The calls of a transcript with their results, in the order of these."""
    calls: dict[str, tuple[str, Any]] = {}
    asked = ""
    for entry in entries:
        said = entry.said.get("message")
        body: Mapping[str, Any] = said if isinstance(said, Mapping) else {}
        role = body.get("role")
        when = moment(body.get("timestamp")) or moment(entry.said.get("timestamp"))
        if role == "user":
            asked = content_text(body.get("content"))[:_LONGEST]
        elif role == "assistant":
            calls |= dict(_calls(body.get("content")))
        elif role == "toolResult":
            ident = body.get("toolCallId")
            tool, arguments = (
                calls.pop(ident, (body.get("toolName"), None))
                if isinstance(ident, str)
                else (None, None)
            )
            if isinstance(tool, str) and arguments is not None:
                yield _attempt(entry.id, tool, arguments, body, when)._replace(asked=asked)
        elif role == "bashExecution" and isinstance(body.get("command"), str):
            yield _attempt(entry.id, "bash", {"command": body["command"]}, body, when)._replace(
                asked=asked
            )


def is_retry(failed: Attempt, later: Attempt) -> bool:
    """Whether a call is the same thing put otherwise: the same tool on the same matter, or a
    command like it.
    """
    one, other = failed.command, later.command
    if failed.tool != later.tool or failed.arguments == later.arguments:
        return False
    same = len(one.words & other.words) / max(min(len(one.words), len(other.words)), 1)
    if not is_shell(failed.tool):
        return one.verb == other.verb if one.verb and other.verb else same >= _ALIKE_ELSEWHERE
    if one.program == other.program:
        return one.verb == other.verb or same >= _ALIKE or is_test_run(one)
    return same >= _ALIKE_ELSEWHERE and not is_slip(one.program, other.program)


def _teaches(one: Recovery) -> bool:
    """A look that found nothing teaches nothing; a test that was red does where it was called in a
    wrong way.
    """
    return any(_was_wrong(failed) for failed in one.tried) and not is_look(one.worked.command)


def _was_wrong(failed: Attempt) -> bool:
    if not is_shell(failed.tool):
        return failed.tool.lower() not in _LOOKS
    if is_look(failed.command):
        return False
    return is_misuse(failed.error) if is_test_run(failed.command) else True


def _attempt(
    ident: str, tool: str, arguments: Any, body: Mapping[str, Any], when: datetime | None
) -> Attempt:
    text = json.dumps(arguments, ensure_ascii=False, sort_keys=True)[:_LONGEST]
    command = (
        read_command(_command_line(arguments)) if is_shell(tool) else _as_command(tool, arguments)
    )
    return Attempt(tool, text, command, ident, when and when.astimezone(UTC), failure(tool, body))


def _command_line(arguments: Any) -> str:
    told = (
        arguments.get("command", arguments.get("cmd"))
        if isinstance(arguments, Mapping)
        else arguments
    )
    if isinstance(told, list):
        return " ".join(map(str, told))
    return told if isinstance(told, str) else ""


def _as_command(tool: str, arguments: Any) -> Command:
    """The call of a tool that is no shell, to be compared like a command: it is about the file that
    it names.
    """
    values = arguments if isinstance(arguments, Mapping) else {}
    about = next((str(values[name]) for name in _SUBJECTS if isinstance(values.get(name), str)), "")
    words = " ".join(
        str(value) for value in values.values() if isinstance(value, (str, int, float))
    )
    return Command("", tool, about, frozenset(words[:_LONGEST].split()))


def _calls(content: object) -> Iterator[tuple[str, tuple[str, Any]]]:
    for part in content if isinstance(content, list) else ():
        if (
            isinstance(part, Mapping)
            and part.get("type") == "toolCall"
            and isinstance(part.get("name"), str)
        ):
            arguments = part.get("arguments")
            yield str(part.get("id")), (part["name"], {} if arguments is None else arguments)


_LOOKS = frozenset(
    {"read", "glob", "grep", "find", "ls", "search", "web_search", "memory_search", "memory_get"}
)
_SUBJECTS = ("path", "file_path", "file", "url")

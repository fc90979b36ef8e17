"""Finds recoveries in a transcript: something failed, and worked when it was tried in another way.

Not every failed test is one. A run that failed and later passed unchanged teaches nothing, nor does
a search that found nothing. What counts is a failed call, and soon after a different call of the
same tool or command that worked.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from clawgit.domain.conversation.transcript import TranscriptEntry, content_text, moment
from clawgit.domain.lessons.tried import Attempt, ToolCommand, ToolRecovery

REACH = 12
"""A retry may come at most this many calls after the failure."""

_ALIKE = 0.34
_ALIKE_ELSEWHERE = 0.5
"""The share of words that a retry has in common with the failure: of one program, and of two."""
_LONGEST = 4_000
_MOST_TRIES = 4


_LOOKS = frozenset(
    {"read", "glob", "grep", "find", "ls", "search", "web_search", "memory_search", "memory_get"}
)
_SUBJECTS = ("path", "file_path", "file", "url")


_LONGEST_OUTPUT = 20_000

_LONGEST_LINE = 200

_CODE = re.compile(
    r"(?:exit(?:ed)?(?: with)?(?: code| status)?|return code)[ :=(]+(\d{1,3})\b", re.IGNORECASE
)

_RAISED = re.compile(r"[\w.]{1,80}(?:Error|Exception|Exit|Interrupt|Warning)\b")

_COMPLAINS = re.compile(
    r"^(?:\S{1,60}: )?(?:fatal|error|err!|panic|e)\b(?:\[\w+\])?:|\b(?:command not found|no such "
    r"file or directory"
    r"|permission denied|not a git repository|is not recognized as|unrecognized "
    r"(?:arguments?|option)"
    r"|unknown (?:option|flag|command)|invalid option|cannot (?:find|open|access)"
    r"|could not (?:find|open|resolve|connect)"
    r"|no module named|externally-managed-environment|connection refused|already in use|timed "
    r"out|access denied"
    r"|unauthori[sz]ed|authentication failed)\b|^npm "
    r"(?:err!|error)|^(?:syntax|type|name|value|import|key)error\b",
    re.IGNORECASE,
)


def recoveries(entries: Iterable[TranscriptEntry], session: str) -> tuple[ToolRecovery, ...]:
    """Every recovery in one transcript, in the order of their successes."""
    recovered: list[ToolRecovery] = []
    waiting: list[tuple[int, Attempt]] = []
    for number, attempt in enumerate(attempts(entries)):
        # The further away a success is, the less it has to do with the failure.
        waiting = _within_reach(waiting, number)
        if attempt.error:
            waiting.append((number, attempt))
            continue
        tried = [failed for _, failed in waiting if is_retry(failed, attempt)]
        if tried:
            waiting = [pair for pair in waiting if pair[1] not in tried]
            recovered.append(ToolRecovery(session, tuple(tried[-_MOST_TRIES:]), attempt))
    return tuple(filter(_teaches, recovered))


def _within_reach(waiting: Iterable[tuple[int, Attempt]], now: int) -> list[tuple[int, Attempt]]:
    return [(number, failed) for number, failed in waiting if now - number <= REACH]


def attempts(entries: Iterable[TranscriptEntry]) -> Iterator[Attempt]:
    """The calls of a transcript with their results, in the order of the results."""
    calls: dict[str, tuple[str, Any]] = {}
    asked = ""
    for entry in entries:
        message = entry.said.get("message")
        body: Mapping[str, Any] = message if isinstance(message, Mapping) else {}
        role = body.get("role")
        when = moment(body.get("timestamp")) or moment(entry.said.get("timestamp"))
        if role == "user":
            asked = content_text(body.get("content"))[:_LONGEST]
        elif role == "assistant":
            calls |= dict(_calls(body.get("content")))
        elif role == "toolResult":
            ident = body.get("toolCallId")
            if not isinstance(ident, str):
                continue
            tool, arguments = calls.pop(ident, (body.get("toolName"), None))
            if isinstance(tool, str) and arguments is not None:
                yield _attempt(entry.id, tool, arguments, body, when)._replace(asked=asked)
        elif role == "bashExecution" and isinstance(body.get("command"), str):
            command = {"command": body["command"]}
            yield _attempt(entry.id, "bash", command, body, when)._replace(asked=asked)


def is_retry(failed: Attempt, later: Attempt) -> bool:
    """Whether a call tries the same thing in another way: the same tool on the same matter, or a
    command like it.
    """
    # The same call again shows that something else had changed.
    if failed.tool != later.tool or failed.arguments == later.arguments:
        return False
    before, after = failed.command, later.command
    shared_words = _share(before.words, after.words)
    same_verb = before.verb == after.verb
    if not is_shell(failed.tool):
        has_verbs = bool(before.verb and after.verb)
        return same_verb if has_verbs else shared_words >= _ALIKE_ELSEWHERE
    if before.program == after.program:
        if same_verb or is_test_run(before):
            return True
        return shared_words >= _ALIKE
    # Another program needs more in common: `npm test` and `yarn test`.
    return shared_words >= _ALIKE_ELSEWHERE and not is_slip(before.program, after.program)


def _share(first: frozenset[str], second: frozenset[str]) -> float:
    """How much of the smaller set is in the other one."""
    # The 1 is for commands without words, which share nothing.
    return len(first & second) / max(min(len(first), len(second)), 1)


def _teaches(recovery: ToolRecovery) -> bool:
    """Whether a recovery holds a lesson.

    A search that found nothing does not. A failed test does if it was called in a wrong way.
    """
    if is_look(recovery.worked.command):
        return False
    return any(_was_wrong(failed) for failed in recovery.tried)


def _was_wrong(failed: Attempt) -> bool:
    if not is_shell(failed.tool):
        return failed.tool.lower() not in _LOOKS
    if is_look(failed.command):
        return False
    return not is_test_run(failed.command) or is_misuse(failed.error)


def _attempt(
    ident: str, tool: str, arguments: Any, body: Mapping[str, Any], when: datetime | None
) -> Attempt:
    text = json.dumps(arguments, ensure_ascii=False, sort_keys=True)[:_LONGEST]
    if is_shell(tool):
        command = read_command(_command_line(arguments))
    else:
        command = _as_command(tool, arguments)
    return Attempt(tool, text, command, ident, when and when.astimezone(UTC), failure(tool, body))


def _command_line(arguments: Any) -> str:
    line = arguments
    if isinstance(arguments, Mapping):
        line = arguments.get("command", arguments.get("cmd"))
    if isinstance(line, list):
        return " ".join(map(str, line))
    return line if isinstance(line, str) else ""


def _as_command(tool: str, arguments: Any) -> ToolCommand:
    """The call of a tool that is not a shell, in the form of a command. It is about the file it
    names.
    """
    values = arguments if isinstance(arguments, Mapping) else {}
    about = next((str(values[name]) for name in _SUBJECTS if isinstance(values.get(name), str)), "")
    words = " ".join(
        str(value) for value in values.values() if isinstance(value, (str, int, float))
    )
    return ToolCommand("", tool, about, frozenset(words[:_LONGEST].split()))


def _calls(content: object) -> Iterator[tuple[str, tuple[str, Any]]]:
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, Mapping) or part.get("type") != "toolCall":
            continue
        if isinstance(part.get("name"), str):
            arguments = part.get("arguments")
            yield str(part.get("id")), (part["name"], {} if arguments is None else arguments)


def failure(tool: str, body: Mapping[str, Any]) -> str:
    """The line that says best what went wrong, "" if nothing did.

    An exit code of 0 settles it, whatever the output says.
    """
    output = content_text(body.get("content", body.get("output")))[-_LONGEST_OUTPUT:]
    code = _exit_code(body, output) if is_shell(tool) else 0
    if body.get("isError") is True or code:
        return _complaint(output) or _last_line(output) or f"exit code {code or 1}"
    # A shell that reports no exit code may have failed: its words decide.
    return _complaint(output) if code is None else ""


def _exit_code(body: Mapping[str, Any], text: str) -> int | None:
    details = body.get("details")
    code = details.get("exitCode") if isinstance(details, Mapping) else body.get("exitCode")
    if isinstance(code, int) and not isinstance(code, bool):
        return code
    # Some transcripts have the code only in the text, near its end.
    codes = [*_CODE.finditer(text)]
    return int(codes[-1][1]) if codes else None


def _complaint(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for at, line in enumerate(lines):
        if line.startswith("Traceback (most recent"):
            return _raised(lines[at:])[:_LONGEST_LINE]
    complaints = (line for line in lines if _COMPLAINS.search(line))
    return next(complaints, "")[:_LONGEST_LINE]


def _raised(trace: Sequence[str]) -> str:
    """The exception at the end of a traceback."""
    raised = (line for line in reversed(trace) if _RAISED.match(line))
    return next(raised, trace[0])


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _CODE.search(line)]
    return lines[-1][:_LONGEST_LINE] if lines else ""


_LONGEST_COMMAND = 2_000
_SLIP = 2
_JOINS = re.compile(r"&&|\|\||;|\n|(?<!\|)\|(?!\|)")
_BEFORE = re.compile(r"\s*(?:cd|export|source|\.|set|mkdir|pushd|echo|sleep)\b")
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
_WRAPPERS = frozenset({"sudo", "time", "env", "nohup", "nice", "command", "exec", "timeout"})
_RUNNERS = frozenset({"npx", "uvx", "poetry", "pipenv", "bunx"})
_SHELLS = frozenset(
    {"bash", "exec", "shell", "sh", "run", "terminal", "run_command", "execute", "process"}
)
_LOOKING = frozenset(
    (
        "ls", "cat", "head", "tail", "grep", "egrep", "rg", "find", "fd", "which", "whereis",
        "type", "test", "[",
        "diff", "cmp", "stat", "file", "wc", "pwd", "echo", "tree", "less", "sed", "awk", "ps",
        "pgrep", "lsof",
        "ping", "true", "false", "cd", "sleep",
    )
)  # fmt: skip
_JUDGING = frozenset((
    "pytest", "jest", "vitest", "mocha", "ruff", "mypy", "eslint", "tsc", "flake8", "pylint",
    "shellcheck", "rspec",
))  # fmt: skip
_TESTS = re.compile(r"\b(?:test|tests|check|lint|typecheck|build|verify)\b")
_MISUSED = re.compile(
    r"unrecognized (?:arguments?|option)|unknown (?:option|flag|command|argument)|invalid "
    r"(?:option|argument|choice)"
    r"|no such option|usage:|command not found|not recognized as|no module "
    r"named|modulenotfounderror|cannot find module"
    r"|permission denied|not installed|missing script|no tests? (?:ran|found)|file or directory "
    r"not found",
    re.IGNORECASE,
)


def read_command(text: str) -> ToolCommand:
    """Reads the first program of a line that does the work. Never fails."""
    tokens = _unwrapped(_working_part(text).split())
    if not tokens:
        return ToolCommand(text.strip(), "", "", frozenset())
    # `/usr/bin/python` and `python` are one program.
    program = tokens[0].rpartition("/")[2].strip("\"'()")
    rest = [token.strip("\"'") for token in tokens[1:]]
    verb = next((token for token in rest if not token.startswith("-")), "")
    if program in _RUNNERS and verb:
        # `npx jest`: the program is what is run.
        behind = " ".join(rest[rest.index(verb) :])
        return read_command(behind)._replace(text=text.strip())
    return ToolCommand(text.strip(), program, verb, frozenset(filter(None, rest)))


def _working_part(text: str) -> str:
    """The first part of a line that does more than prepare: `cd x && make` works in `make`."""
    parts = [part for part in _JOINS.split(text[:_LONGEST_COMMAND]) if part.strip()]
    working = (part for part in parts if not _BEFORE.match(part))
    last = parts[-1] if parts else ""
    return next(working, last)


def is_shell(tool: str) -> bool:
    return tool.lower() in _SHELLS


def is_look(command: ToolCommand) -> bool:
    """Whether a command only looks. If it finds nothing, that is an answer and no failure."""
    return command.program in _LOOKING


def is_test_run(command: ToolCommand) -> bool:
    """Whether a command checks something else, so that its failure is not about how it
    was called.
    """
    if command.program in _JUDGING:
        return True
    words = " ".join(sorted(command.words))
    return _TESTS.search(f"{command.program} {words}") is not None


def is_slip(program: str, other: str) -> bool:
    """Whether one program name is a typo of the other, which is no lesson."""
    return (
        program[:1] == other[:1]
        and abs(len(program) - len(other)) <= 1
        and len({*program} ^ {*other}) <= _SLIP
    )


def is_misuse(error: str) -> bool:
    """Whether a command complains about how it was called, or about what it needs to run."""
    return _MISUSED.search(error) is not None


def _unwrapped(tokens: list[str]) -> list[str]:
    """The words without those before the program: variables, `sudo`, `time`, `env`."""
    while tokens and (_VARIABLE.match(tokens[0]) or tokens[0] in _WRAPPERS):
        tokens = tokens[1:]
    return tokens

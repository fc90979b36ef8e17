"""Lessons of memory/lessons.md: a scenario, what does not work, what does, and why; and the
recoveries in transcripts that show them.

A recovery is a failed call, and soon after a different call of the same tool or command that
worked. A run that failed and later passed unchanged teaches nothing, nor does a search that found
nothing or a failing test.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.comment import Meta, uncommented
from clawgit.core.markdown.entry import Entry, entries, render
from clawgit.core.markdown.excerpt import in_a_line, one_line
from clawgit.core.markdown.tag_table import SKILL, untagged, visible
from clawgit.git.rules.ids import digest
from clawgit.safety.rules.injection import findings as poison
from clawgit.safety.rules.masks import struck
from clawgit.talk.rules.transcript import TranscriptEntry, body_of, content_text, moment

TRANSCRIPTS = "transcripts"
"""The mark of the transcripts that were read."""

REACH = 12
"""A retry may come at most this many calls after the failure."""

SURE = 0.5
"""How sure a rule is that the change is why it worked."""

_ALIKE = 0.34
"""The share of words that a retry has in common with the failure."""
_LONGEST = 4_000
_LONGEST_LINE = 200
_SHOWN = 240
_MOST_TRIES = 4
_SUBJECTS = ("path", "file_path", "file", "url")
_JOINS = re.compile(r"&&|\|\||;|\n|(?<!\|)\|(?!\|)")
_BEFORE = re.compile(r"\s*(?:cd|export|source|\.|set|mkdir|pushd|echo|sleep)\b")
_NOT_THE_PROGRAM = re.compile(r"[A-Za-z_]\w*=.*|sudo|time|env|nohup|nice|command|exec|npx|uvx")
_SHELLS = frozenset(
    ("bash", "exec", "shell", "sh", "run", "terminal", "run_command", "execute", "process")
)
_LOOKING = """
    ls cat head tail grep rg find which type test [ diff stat wc pwd echo sed awk ps ping cd sleep
    read glob search web_search memory_search memory_get """
_LOOKS = frozenset(_LOOKING.split())
"""Programs and tools that only look. If one finds nothing, that is an answer and no failure."""

_CHECKS = re.compile(
    r"\b(?:tests?|check|lint|typecheck|build|verify|pytest|jest|vitest|mocha|ruff|mypy|eslint|tsc)\b"
)
"""A command that checks something else: its failure is not about how it was called."""

_NAMES = (frames.WRONG, frames.RIGHT, frames.WHY)
_FIELD = re.compile(rf"\s*[-*+] ({'|'.join(_NAMES)}): (.*)")


class Attempt(NamedTuple):
    """One tool call and its result. `done` is the command, or the arguments of another tool, whose
    `program` is its name and whose `verb` the file that it is about.

    `id` is the entry of the result; `error` is "" if it worked; `asked` is what the user wanted.
    """

    tool: str
    done: str
    program: str
    verb: str
    words: frozenset[str]
    id: str
    time: datetime | None
    error: str
    asked: str = ""

    @property
    def is_shell(self) -> bool:
        return self.tool.lower() in _SHELLS

    @property
    def teaches_nothing(self) -> bool:
        """Whether it only looks, or checks something else."""
        words = " ".join((self.program.lower(), *sorted(self.words)))
        is_check = self.is_shell and _CHECKS.search(words) is not None
        return is_check or self.program.lower() in _LOOKS


class ToolRecovery(NamedTuple):
    """What failed, in the order in which it was tried, and what worked then."""

    session: str
    tried: tuple[Attempt, ...]
    worked: Attempt

    @property
    def evidence(self) -> tuple[str, ...]:
        """The messages that show it, as entries cite them."""
        return tuple(f"chat:{self.session}/{each.id}" for each in (self.tried[0], self.worked))

    @property
    def name(self) -> str:
        return digest(*self.evidence)


def recoveries(entries: Iterable[TranscriptEntry], session: str) -> Iterator[ToolRecovery]:
    """Every recovery in one transcript, in the order of their successes."""
    waiting: dict[Attempt, int] = {}
    for number, attempt in enumerate(_attempts(entries)):
        # The further away a success is, the less it has to do with the failure.
        for failed, at in [*waiting.items()]:
            if number - at > REACH:
                del waiting[failed]
        if attempt.teaches_nothing:
            continue
        if attempt.error:
            waiting[attempt] = number
            continue
        tried = tuple(failed for failed in waiting if _is_retry(failed, attempt))
        for failed in tried:
            del waiting[failed]
        if tried:
            yield ToolRecovery(session, tried[-_MOST_TRIES:], attempt)


def _attempts(entries: Iterable[TranscriptEntry]) -> Iterator[Attempt]:
    """The calls of a transcript with their results, in the order of the results."""
    calls: dict[str, tuple[str, Any]] = {}
    asked = ""
    for entry in entries:
        body = body_of(entry) or {}
        content, role = body.get("content"), body.get("role")
        if role == "user":
            asked = content_text(content)[:_LONGEST]
        elif role == "assistant":
            calls.update(_calls(content))
        elif role == "toolResult" and (call := calls.pop(str(body.get("toolCallId")), None)):
            when = moment(body.get("timestamp")) or moment(entry.said.get("timestamp"))
            done = attempted(*call, entry.id, when, _failure(body))
            yield done._replace(asked=asked)


def _calls(content: object) -> Iterator[tuple[str, tuple[str, Any]]]:
    """The calls in a message by their ids, each a name and its arguments."""
    for part in content if isinstance(content, list) else ():
        is_call = isinstance(part, Mapping) and part.get("type") == "toolCall"
        if is_call and isinstance(part.get("name"), str):
            yield str(part.get("id")), (part["name"], part.get("arguments", {}))


def attempted(
    tool: str, arguments: object, ident: str, when: datetime | None, error: str
) -> Attempt:
    """A call with its result. Never fails."""
    values = arguments if isinstance(arguments, Mapping) else {}
    if tool.lower() in _SHELLS:
        command = str(values.get("command", values.get("cmd", ""))).strip()[:_LONGEST]
        return Attempt(tool, command, *_command(command), ident, when, error)
    done = json.dumps(arguments, ensure_ascii=False, sort_keys=True)[:_LONGEST]
    about = next((str(values[name]) for name in _SUBJECTS if name in values), "")
    words = frozenset(" ".join(map(str, values.values()))[:_LONGEST].split())
    return Attempt(tool, done, tool, about, words, ident, when, error)


def _command(line: str) -> tuple[str, str, frozenset[str]]:
    """The first program of a line that does the work, without `sudo` and variables before it; the
    first word after it that is no option; and all its words.
    """
    program, *rest = (token.strip("\"'()") for token in _working(line) or [""])
    verb = next((token for token in rest if not token.startswith("-")), "")
    # `/usr/bin/python` and `python` are one program.
    return program.rpartition("/")[2], verb, frozenset(filter(None, rest))


def _working(line: str) -> list[str]:
    # `cd x && make` works in `make`.
    parts = [part for part in _JOINS.split(line[:_LONGEST]) if part.strip()] or [""]
    tokens = next((part for part in parts if not _BEFORE.match(part)), parts[-1]).split()
    while len(tokens) > 1 and _NOT_THE_PROGRAM.fullmatch(tokens[0]):
        tokens = tokens[1:]
    return tokens


def _failure(body: Mapping[str, Any]) -> str:
    """What went wrong, as the first line of the output says it; "" if nothing did."""
    given = body.get("details")
    details: Mapping[str, Any] = given if isinstance(given, Mapping) else body
    # OpenClaw says `status: error` of a command that failed, and that it is no error of the tool.
    failed = details.get("status") == "error" or details.get("exitCode", 0) not in (0, None)
    if not failed and body.get("isError") is not True:
        return ""
    said = details.get("error") or content_text(body.get("content", body.get("output")))
    first = next(filter(None, map(str.strip, str(said).split("\n"))), "")
    return first[:_LONGEST_LINE] or "it failed"


def _is_retry(failed: Attempt, later: Attempt) -> bool:
    """Whether a call tries the same thing in another way: the same tool on the same matter, or a
    command like it. The same call again shows that something else had changed.
    """
    if failed.done == later.done or (failed.tool, failed.program) != (later.tool, later.program):
        return False
    # The 1 is for commands without words, which share nothing.
    fewest = max(min(len(failed.words), len(later.words)), 1)
    is_alike = failed.is_shell and len(failed.words & later.words) / fewest >= _ALIKE
    return is_alike or failed.verb == later.verb


class Lesson(NamedTuple):
    """A lesson that a person wrote has nothing but its `scenario`."""

    scenario: str
    wrong: str = ""
    right: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """All of it, to compare it with others."""
        return " ".join(filter(None, self))


def lessons_in(text: str) -> Iterator[tuple[Entry, Lesson]]:
    """Every lesson of the file, with those that were written by hand."""
    for entry in entries(text):
        first, *rest = entry.text.split("\n")
        fields = {match[1]: match[2].strip() for match in map(_FIELD.fullmatch, rest) if match}
        told = (fields.get(name, "") for name in _NAMES)
        yield entry, Lesson(untagged(visible(first)), *told)


def rendered(lesson: Lesson, meta: Meta) -> str:
    """The entry of a lesson, as `lessons_in` reads it; without a line end."""
    fields = [
        f"  - {name}: {uncommented(value)}"
        for name, value in zip(_NAMES, lesson[1:], strict=True)
        if value.strip()
    ]
    return "\n".join([render(f"{uncommented(lesson.scenario)} #{SKILL}", meta), *fields])


def read_by_rules(recovery: ToolRecovery) -> Lesson | None:
    """The lesson of a recovery; None if it would carry orders for the agent."""
    failed = recovery.tried[-1]
    what = f"{failed.program} {failed.verb}".strip() if failed.is_shell else failed.tool
    error = _short(failed.error)
    # A dict drops repeated attempts and keeps their order.
    tried = dict.fromkeys(code(_short(attempt.done)) for attempt in recovery.tried)
    lesson = Lesson(
        scenario=frames.LESSON_SAYS.format(what=code(struck(what)), words=error),
        wrong=frames.LESSON_THEN.join(tried),
        right=code(_short(recovery.worked.done)),
        reason=frames.LESSON_SAID_WHY.format(words=error),
    )
    return None if poison("", lesson.text) else lesson


def code(text: str) -> str:
    """A command or a value as inline code, on one line."""
    line = one_line(text)
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def _short(text: str) -> str:
    return in_a_line(struck(one_line(text)), _SHOWN)

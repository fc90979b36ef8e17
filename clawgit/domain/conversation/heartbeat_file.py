"""HEARTBEAT.md, as OpenClaw reads it: what the agent is to look after between conversations."""

import re
from collections.abc import Iterator

from clawgit.domain.markdown.scan import scan

PATH = "HEARTBEAT.md"
OK = "HEARTBEAT_OK"
"""The answer by which an agent tells OpenClaw that nothing needs the human."""
MAINTAIN = "heartbeat --maintain"
"""What the file names where it asks for the upkeep."""

_EMPTY = re.compile(r"#+(?:\s.*)?|[-*+]\s*(?:\[[ xX]?\]\s*)?|")
_BOX = re.compile(r"[-*+]\s+(?:\[[ xX]?\]\s*)?")
_TASKS = "tasks:"
_IN_TASKS = re.compile(r"\s.*|-.*|")
"""A line that does not end a block of tasks."""

_FIELD = re.compile(r"(?:- )?\s*([a-z]+):\s*(.*)")
_PROMPT = "prompt"
_LINE = f"- [ ] Once a day: run `clawgit {MAINTAIN}`, and do what it asks."


def asked(text: str) -> tuple[str, ...]:
    """What the file asks for, line by line; of a block of tasks, what each task asks for.

    Headings, blank lines and empty boxes are nothing: a file of these alone costs no model call.
    """
    return tuple(_asked(text.splitlines()))


def with_upkeep(text: str, template: str) -> str:
    """The file with a task for the upkeep; as it is where it asks for that already.

    OpenClaw reads a file that has tasks only when one is due. So a file that has none but asks for
    something else gets a line instead: with a task, that would be read less often than before.
    OpenClaw takes `tasks:` in a code fence for tasks, too; we write nothing into an example.
    """
    asks = asked(text)
    if any(MAINTAIN in line for line in asks):
        return text
    if not text.strip():
        return template
    newline = "\r\n" if "\r\n" in text else "\n"
    task = template.partition(f"{_TASKS}\n")[2].strip().replace("\n", newline)
    lines = text.splitlines(keepends=True)
    at = _first_block(text)
    if at is not None:
        before = "".join(lines[: at + 1]).rstrip("\r\n")
        rest = "".join(lines[at + 1 :]).lstrip("\r\n")
        return f"{before}{newline * 2}{task}{newline * 2}{rest}"
    begun = text.rstrip()
    if asks and not has_tasks(text):
        return f"{begun}{newline}{_LINE}{newline}"
    return f"{begun}{newline * 2}{_TASKS}{newline * 2}{task}{newline}"


def _first_block(text: str) -> int | None:
    """The number of the line, from 0, that begins the tasks; None if none does outside of code."""
    for block in scan(text):
        if block.kind not in ("fence", "code"):
            for number, line in enumerate(block.text.splitlines(), block.line - 1):
                if line.rstrip() == _TASKS:
                    return number
    return None


def has_tasks(text: str) -> bool:
    """Whether OpenClaw calls the model only when a task of this file is due."""
    return any(line.rstrip() == _TASKS for line in text.splitlines())


def _asked(lines: list[str]) -> Iterator[str]:
    is_task = False
    for line in lines:
        is_task = line.rstrip() == _TASKS or (is_task and bool(_IN_TASKS.fullmatch(line)))
        if not _EMPTY.fullmatch(line.strip()):
            yield from _of_task(line) if is_task else (_BOX.sub("", line.strip(), count=1),)


def _of_task(line: str) -> tuple[str, ...]:
    """The prompt of a task; nothing of the lines around it."""
    field = _FIELD.fullmatch(line.strip())
    if field is None:
        return (line.strip(),)
    return (field[2].strip("\"'"),) if field[1] == _PROMPT else ()

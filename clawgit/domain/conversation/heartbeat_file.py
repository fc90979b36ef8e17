"""HEARTBEAT.md, as OpenClaw reads it: what the agent is to look after between conversations."""

import re

PATH = "HEARTBEAT.md"
OK = "HEARTBEAT_OK"
"""The answer by which an agent tells OpenClaw that nothing needs the human."""
MAINTAIN = "heartbeat --maintain"
"""What the file names where it asks for the upkeep."""

_ASKED = re.compile(
    r"\s*(?:#+(?:\s.*)?|(?:[-*+](?:\s+|$))?(?:\[[ xX]?\](?:\s+|$))?(?P<what>.*?))\s*"
)
_TASKS = "tasks:"
_FIELD = re.compile(r"\s*(?:- )?\s*(?P<name>[a-z]+):\s*(?P<value>.*?)\s*")
_LINE = f"- [ ] Once a day: run `clawgit {MAINTAIN}`, and do what it asks."


def asked(text: str) -> tuple[str, ...]:
    """What the file asks for, line by line; of a block of tasks, what each task asks for.

    Headings, blank lines and empty boxes are nothing: a file of these alone costs no model call.
    """
    found: list[str] = []
    is_task = False
    for line in text.splitlines():
        # Tasks end at the first line of text that is not indented.
        is_task = line.rstrip() == _TASKS or (is_task and (not line or line[0] in " \t-"))
        field = _FIELD.fullmatch(line) if is_task else None
        if field is None:
            what = _ASKED.fullmatch(line)
            found.append((what and what["what"]) or "")
        elif field["name"] == "prompt":
            found.append(field["value"].strip("\"'"))
    return tuple(filter(None, found))


def with_upkeep(text: str, template: str) -> str:
    """The file with a task for the upkeep; as it is where it asks for that already.

    OpenClaw reads a file that has tasks only when one is due. So a file that has none but asks for
    something else gets a line instead: with a task, that would be read less often than before.
    """
    asks = asked(text)
    if any(MAINTAIN in line for line in asks):
        return text
    if not text.strip():
        return template
    newline = "\r\n" if "\r\n" in text else "\n"
    task = template.partition(f"{_TASKS}\n")[2].strip().replace("\n", newline)
    before, tasks, rest = f"\n{text}".rpartition(f"\n{_TASKS}{newline}")
    # OpenClaw takes `tasks:` in a code fence for tasks, too; we write nothing into an example.
    if tasks and before.count("```") % 2 == 0:
        after = f"{before}{tasks}{newline}{task}{newline * 2}{rest.lstrip()}"
        return after[1:]
    begun = text.rstrip()
    if asks and not tasks:
        return f"{begun}{newline}{_LINE}{newline}"
    return f"{begun}{newline * 2}{_TASKS}{newline * 2}{task}{newline}"

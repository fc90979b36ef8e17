"""Whether a call of a tool failed, and by which words: the error that it names, its exit code, what
it complains of.
"""

import re
from collections.abc import Mapping
from typing import Any

from clawgit.domain.conversation.transcript import content_text
from clawgit.domain.lessons.commands import is_shell

_LONGEST_OUTPUT = 20_000
_LONGEST = 200


def failure(tool: str, body: Mapping[str, Any]) -> str:
    """The line that says best what went wrong, "" where nothing did. An exit code of 0 settles it,
    whatever is said.
    """
    text = content_text(body.get("content", body.get("output")))
    shown = (
        text
        if len(text) <= _LONGEST_OUTPUT
        else f"{text[: _LONGEST_OUTPUT // 2]}\n{text[-_LONGEST_OUTPUT // 2 :]}"
    )
    code = _exit_code(body, shown) if is_shell(tool) else None
    if code == 0 and body.get("isError") is not True:
        return ""
    complaint = _complaint(shown)
    if body.get("isError") is True or code:
        return (
            complaint
            or _last_line(shown)
            or (f"exit code {code}" if code else "an error without words")
        )
    return complaint if is_shell(tool) and code is None else ""


def _exit_code(body: Mapping[str, Any], text: str) -> int | None:
    details = body.get("details")
    told = details.get("exitCode") if isinstance(details, Mapping) else body.get("exitCode")
    if isinstance(told, int) and not isinstance(told, bool):
        return told
    found = [*_CODE.finditer(text)]
    return int(found[-1][1]) if found else None


def _complaint(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    trace = next(
        (at for at, line in enumerate(lines) if line.startswith("Traceback (most recent")), None
    )
    if trace is not None:
        return next(
            (line for line in reversed(lines[trace:]) if _RAISED.match(line)), lines[trace]
        )[:_LONGEST]
    return next((line for line in lines if _COMPLAINS.search(line)), "")[:_LONGEST]


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _CODE.search(line)]
    return lines[-1][:_LONGEST] if lines else ""


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

"""Whether a tool call failed, and the line that says why: an error, an exit code, a complaint."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from clawgit.domain.conversation.transcript import content_text
from clawgit.domain.lessons.commands import is_shell

_LONGEST_OUTPUT = 20_000
_LONGEST = 200


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


def failure(tool: str, body: Mapping[str, Any]) -> str:
    """The line that says best what went wrong, "" if nothing did.

    An exit code of 0 settles it, whatever the output says.
    """
    output = _both_ends(content_text(body.get("content", body.get("output"))))
    is_error = body.get("isError") is True
    code = _exit_code(body, output) if is_shell(tool) else None
    if is_error or code:
        return _complaint(output) or _last_line(output) or _without_words(code)
    # A shell that reports no exit code may have failed: its words decide.
    if is_shell(tool) and code is None:
        return _complaint(output)
    return ""


def _both_ends(text: str) -> str:
    """A long output without its middle."""
    if len(text) <= _LONGEST_OUTPUT:
        return text
    half = _LONGEST_OUTPUT // 2
    return f"{text[:half]}\n{text[-half:]}"


def _without_words(code: int | None) -> str:
    return f"exit code {code}" if code else "an error without words"


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
            return _raised(lines[at:])[:_LONGEST]
    complaints = (line for line in lines if _COMPLAINS.search(line))
    return next(complaints, "")[:_LONGEST]


def _raised(trace: Sequence[str]) -> str:
    """The exception at the end of a traceback."""
    raised = (line for line in reversed(trace) if _RAISED.match(line))
    return next(raised, trace[0])


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _CODE.search(line)]
    return lines[-1][:_LONGEST] if lines else ""

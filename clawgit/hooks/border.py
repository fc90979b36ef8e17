"""What every hook needs: it catches bugs, so that they stop no commit, and prints findings.

Each commit waits for this module, so what most commits do not need is imported late.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from clawgit.domain.safety.secrets import masked
from clawgit.domain.safety.visible import inline, shown
from clawgit.ops.hooks.finding import (
    CONFIG_RULE,
    CORRECTIONS_RULE,
    ENTRIES,
    SECRET,
    SOUL,
    HookCheck,
    HookFinding,
)

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace import Workspace

REFUSED = 10
"""The exit code that stops git. Any other means that nothing was checked: Python exits with 1 if a
module is missing."""

BYPASS = "`git {} --no-verify` goes on without these checks{}."

_MOST_ALIKE = 5
"""At most this many warnings of one rule are printed; a program gets all of them."""

_NEVER_UNCHECKED = (SOUL, SECRET, CONFIG_RULE, CORRECTIONS_RULE, ENTRIES)
"""Rules that refuse if their check breaks, so that nothing passes unchecked. The last three are
checked by the same module as the soul, and break with it."""


def run_safely(check: HookCheck) -> list[HookFinding]:
    """The findings, also those from before a bug. A bug refuses only for `_NEVER_UNCHECKED`."""
    findings: list[HookFinding] = []
    try:
        findings.extend(check.find())
    except Exception as error:  # noqa: BLE001 - a bug of ours must not keep the operator from committing memory
        findings.append(
            HookFinding(
                path=check.path,
                line=0,
                rule="broken",
                message=f"{check.rule} could not be checked: {type(error).__name__}: {error}",
                hint=f"Its log is {_log(error)}.",
                refused=check.rule in _NEVER_UNCHECKED,
            )
        )
    return findings


def verdict(findings: Sequence[HookFinding], subject: str, bypass: str) -> int:
    """Prints the findings, and returns the exit code of the hook."""
    if findings:
        say(report(findings, subject, bypass))
    return REFUSED if any(finding.refused for finding in findings) else 0


def report(findings: Sequence[HookFinding], subject: str, bypass: str) -> str:
    """What is refused, then the warnings, then what to do next."""
    rows = sorted(findings, key=lambda finding: (not finding.refused, finding.path, finding.line))
    refused = [row(finding) for finding in rows if finding.refused]
    warnings = [*_warnings([finding for finding in rows if not finding.refused])]
    lines = []
    if refused:
        lines += [f"error: clawgit refuses {subject}", *refused]
    if warnings:
        lines += [f"clawgit warns about {subject}", *warnings]
    if refused:
        lines.append(f" next: fix it and try again; {bypass}")
    return "\n".join(lines)


def _warnings(warnings: Sequence[HookFinding]) -> Iterator[str]:
    """The first few warnings of each rule, and how many more it has."""
    counts: dict[str, int] = {}
    for warning in warnings:
        counts[warning.rule] = counts.get(warning.rule, 0) + 1
        if counts[warning.rule] <= _MOST_ALIKE:
            yield row(warning)
    for rule, count in counts.items():
        if count > _MOST_ALIKE:
            yield f"  and {count - _MOST_ALIKE:,} more of this kind ({rule})"


def row(finding: HookFinding) -> str:
    """One finding on one line. A path may hold newlines, which must not end the line."""
    path = finding.path
    place = ""
    if path:
        place = f"{path}:{finding.line}: " if finding.line else f"{path}: "
    hint = f" · {finding.hint}" if finding.hint else ""
    return f"  {inline(f'{place}{finding.message}{hint}')}"


def say(text: str) -> None:
    """Prints a text with secrets masked, control characters made visible and odd bytes replaced."""
    safe = shown(masked(text))
    sys.stdout.buffer.write(safe.encode(sys.stdout.encoding, "backslashreplace") + b"\n")
    sys.stdout.flush()


@cache
def workspace() -> "Workspace":
    """The workspace of the current folder, opened once."""
    from clawgit.hooks.opening import open_here  # noqa: PLC0415 - 25 ms, and few commits need it

    return open_here()


def _log(error: Exception) -> str:
    """Writes the traceback where every bug of clawgit is logged, and returns the place."""
    try:
        from clawgit.stores.failures import keep_bug  # noqa: PLC0415 - pathlib and traceback, 6 ms
    except ImportError:
        # The findings must be reported even if the bug cannot be logged.
        return "nowhere: clawgit has to be installed again"
    return keep_bug(error, os.environ, os.environ.get("HOME", "/"))

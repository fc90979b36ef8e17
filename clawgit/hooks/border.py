"""What every hook needs: it catches bugs, so that they stop no commit, and prints findings.

Each commit waits for this module, so what most commits do not need is imported late.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from clawgit.core.errors import Finding
from clawgit.hooks.checks.staged import NEVER_UNCHECKED
from clawgit.safety.rules.secrets import masked
from clawgit.safety.rules.visible import inline, shown

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace

REFUSED = 10
"""The exit code that stops git. Any other means that nothing was checked: Python exits with 1 if a
module is missing."""

_BYPASS = "`git {} --no-verify` goes on without these checks{}."

_MOST_ALIKE = 5
"""At most this many warnings of one kind are printed."""


def run_safely(kind: str, path: str, find: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """The findings, also those from before a bug. A bug refuses only for `NEVER_UNCHECKED`."""
    findings: list[Finding] = []
    try:
        for found in find():
            findings.append(found if found.kind else found._replace(kind=kind, path=path))  # noqa: PERF401 - keeps those from before a bug
    except Exception as error:  # noqa: BLE001 - a bug of ours must not keep the operator from committing memory
        why = f"{kind} could not be checked: {type(error).__name__}: {error}"
        log = f"Its log is {_log(error)}."
        refused = kind in NEVER_UNCHECKED
        findings.append(Finding(why, log, path, refused=refused, kind="broken"))
    return findings


def verdict(findings: Sequence[Finding], command: str, bypassed: str = "") -> int:
    """Prints the findings, and returns the exit code of the hook."""
    if findings:
        safe = shown(masked("\n".join(_report(findings, command, bypassed))))
        # Odd bytes are replaced.
        sys.stdout.buffer.write(safe.encode(sys.stdout.encoding, "backslashreplace") + b"\n")
        sys.stdout.flush()
    return REFUSED if any(found.refused for found in findings) else 0


def _report(findings: Iterable[Finding], command: str, bypassed: str) -> Iterator[str]:
    """What is refused, then the warnings, then what to do next."""
    rows = sorted(findings, key=lambda found: (found.path, found.line))
    refused = [row(found) for found in rows if found.refused]
    warnings = [*_warnings(found for found in rows if not found.refused)]
    if refused:
        yield f"error: clawgit refuses this {command}"
        yield from refused
    if warnings:
        yield f"clawgit warns about this {command}"
        yield from warnings
    if refused:
        yield f" next: fix it and try again; {_BYPASS.format(command, bypassed)}"


def _warnings(warnings: Iterable[Finding]) -> Iterator[str]:
    """The first few warnings of each kind, and how many more it has."""
    counts = Counter[str]()
    for warning in warnings:
        counts[warning.kind] += 1
        if counts[warning.kind] <= _MOST_ALIKE:
            yield row(warning)
    for kind, count in counts.items():
        if count > _MOST_ALIKE:
            yield f"  and {count - _MOST_ALIKE:,} more of this kind ({kind})"


def row(finding: Finding) -> str:
    """One finding on one line. A path may hold newlines, which must not end the line."""
    hint = f" · {finding.remedy}" if finding.remedy else ""
    return f"  {inline(f'{finding.text}{hint}')}"


@cache
def workspace() -> "Workspace":
    """The workspace of the current folder, opened once."""
    from clawgit.hooks.opening import open_here  # noqa: PLC0415 - 25 ms, and few commits need it

    return open_here()


def _log(error: Exception) -> str:
    """Writes the traceback where every bug of clawgit is logged, and returns the place."""
    try:
        from clawgit.core.disk.failures import keep_bug  # noqa: PLC0415 - pathlib and traceback, 6 ms
    except ImportError:
        # The findings must be reported even if the bug cannot be logged.
        return "nowhere: clawgit has to be installed again"
    return keep_bug(error, os.environ, os.environ.get("HOME", "/"))

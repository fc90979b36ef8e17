"""commit-msg: refuses a message that tells a secret, since history keeps the message as well."""

from collections.abc import Iterable, Sequence
from functools import partial

from clawgit.hooks.border import BYPASS, REFUSED, report, run_safely, say, workspace
from clawgit.ops.hooks.check import message_findings
from clawgit.ops.hooks.finding import SECRET, HookCheck, HookFinding


def run(arguments: Sequence[str]) -> int:
    """Takes the file that git wrote the message to."""
    in_message = partial(_in_message, arguments[0])
    findings = run_safely(in_message, HookCheck(SECRET, "the commit message", tuple))
    if findings:
        say(report(findings, "this commit", BYPASS.format("commit", "")))
    return REFUSED if any(finding.refused for finding in findings) else 0


def _in_message(file: str) -> Iterable[HookFinding]:
    with open(file, encoding="utf-8", errors="replace") as message:  # noqa: PTH123 - pathlib takes 3 ms to load
        return tuple(message_findings(message.read(), workspace))

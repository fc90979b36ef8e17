"""commit-msg: refuses a message with a secret, since it stays in history, and one that names
another actor.
"""

import os
from collections.abc import Iterable, Sequence
from functools import partial

from clawgit.hooks.border import BYPASS, run_safely, verdict, workspace
from clawgit.ops.hooks.check import message_findings
from clawgit.ops.hooks.finding import ACTOR, SECRET, HookCheck, HookFinding
from clawgit.ops.hooks.naming import named_findings

_OPERATOR = "operator"
_AMEND = "--amend"


def run(arguments: Sequence[str]) -> int:
    """Takes the file that git wrote the message to, who commits, and whether by an amend."""
    file, *more = arguments
    findings = [
        *run_safely(HookCheck(SECRET, "the commit message", partial(_secrets, file))),
        *run_safely(HookCheck(ACTOR, "the commit message", partial(_names, file, more))),
    ]
    return verdict(findings, "this commit", BYPASS.format("commit", ""))


def _secrets(file: str) -> Iterable[HookFinding]:
    return message_findings(_text(file), workspace)


def _names(file: str, more: Sequence[str]) -> Iterable[HookFinding]:
    return named_findings(
        _text(file), os.environ, operator=_OPERATOR in more, amends=_AMEND in more
    )


def _text(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace", newline="") as message:  # noqa: PTH123 - pathlib takes 3 ms to load
        return message.read()

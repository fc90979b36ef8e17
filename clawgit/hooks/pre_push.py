"""pre-push: refuses to let secrets leave the machine."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial

from clawgit.domain.safety.remotes import shown_address
from clawgit.errors import ClawgitError
from clawgit.hooks.border import BYPASS, run_safely, verdict, workspace
from clawgit.ops.hooks.finding import SECRET, HookCheck, HookFinding
from clawgit.ops.safety.secrets import refuse_push


def run(arguments: Sequence[str]) -> int:
    """Takes the caller, the name of the remote, and its address.

    If the scan fails, the push is refused: a push cannot be taken back.
    """
    _caller, remote, url = arguments
    leaving = partial(_leaving, remote, url)
    findings = run_safely(HookCheck(SECRET, shown_address(url), leaving))
    return verdict(findings, "this push", BYPASS.format("push", ""))


def _leaving(remote: str, url: str) -> Iterator[HookFinding]:
    try:
        refuse_push(workspace(), remote, url, sys.stdin.read().splitlines())
    except ClawgitError as error:
        yield HookFinding("", 0, SECRET, error.message, error.hint)

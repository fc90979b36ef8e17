"""pre-commit: judges what is staged, file by file."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial

from clawgit.core.errors import Finding
from clawgit.git.staged import (
    StagedPath,
    differing_from_all,
    edits,
    merge_heads,
    read_staged,
    texts,
)
from clawgit.hooks.border import run_safely, verdict, workspace
from clawgit.hooks.checks import Asker
from clawgit.hooks.checks.staged import RULES
from clawgit.safety.own_files import kept_scope


def run(arguments: Sequence[str]) -> int:
    """Reads what `git diff --cached --raw` says on standard input, and judges those files."""
    judged = partial(_judged, sys.stdin.buffer.read(), operator="operator" in arguments)
    findings = run_safely("reading it", "the index", judged)
    return verdict(findings, "commit", ", and `clawgit status` will say so")


def _judged(raw: bytes, *, operator: bool) -> Iterator[Finding]:
    env = os.environ
    # In a merge, a file that agrees with one of the sides was judged when that side was committed.
    staged = differing_from_all(_in_scope(read_staged(raw)), merge_heads(env), env)
    gone = partial(texts, [file.before for file in staged if file.before and not file.after], env)
    asker = Asker(operator, env, workspace, gone)
    for edit in edits(staged, env):
        for kind, is_for, find in RULES:
            if is_for(edit):
                yield from run_safely(kind, edit.path, partial(find, edit, asker))


def _in_scope(staged: list[StagedPath]) -> list[StagedPath]:
    """The staged files in clawgit's scope; the others are not even read."""
    if not staged:
        return []
    scope = kept_scope(os.environ) or workspace().scope
    return [file for file in staged if scope.covers(file.path)]

"""pre-commit: judges what is staged, file by file."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial

from clawgit.hooks.border import (
    BYPASS,
    can_be_signed,
    run_safely,
    verdict,
    workspace,
)
from clawgit.ops.hooks.check import checks
from clawgit.ops.hooks.finding import SOUL, Asker, HookCheck, HookFinding
from clawgit.ops.workspace.own_files import kept_scope
from clawgit.stores.git.staged import (
    StagedPath,
    differing_from_all,
    edits,
    merge_heads,
    read_staged,
    texts,
)

_OPERATOR = "operator"
_NOTE = "--note="
"""The beginning of the argument that names the note for reference-transaction."""


def run(arguments: Sequence[str]) -> int:
    """Reads what `git diff --cached --raw -z` says on standard input, and judges those files."""
    judged = partial(_judged, sys.stdin.buffer.read(), operator=_OPERATOR in arguments)
    findings = run_safely(HookCheck("reading it", "the index", judged))
    note = _note_in(arguments)
    if note:
        findings = _left_to_a_signature(findings, note)
    bypass = BYPASS.format("commit", ", and `clawgit status` will say so")
    return verdict(findings, "this commit", bypass)


def _judged(raw: bytes, *, operator: bool) -> Iterator[HookFinding]:
    env = os.environ
    # In a merge, a file that agrees with one of the sides was judged when that side was committed.
    staged = differing_from_all(_in_scope(read_staged(raw)), merge_heads(env), env)
    gone = partial(texts, [file.before for file in staged if file.before and not file.after], env)
    for check in checks(edits(staged, env), Asker(operator, env, workspace, gone)):
        yield from run_safely(check)


def _in_scope(staged: list[StagedPath]) -> list[StagedPath]:
    """The staged files in clawgit's scope; the others are not even read."""
    if not staged:
        return []
    scope = kept_scope(os.environ) or workspace().scope
    return [file for file in staged if scope.covers(file.path)]


def _note_in(arguments: Sequence[str]) -> str:
    notes = (argument for argument in arguments if argument.startswith(_NOTE))
    return next(notes, "").removeprefix(_NOTE)


def _left_to_a_signature(findings: list[HookFinding], note: str) -> list[HookFinding]:
    """The same findings as warnings, if only the soul's guard refuses and a key could overrule it.

    There is no commit yet whose signature could be checked. The note makes reference-transaction
    check it once there is one.
    """
    refusals = [finding for finding in findings if finding.refused]
    if not _all_of_the_soul(refusals):
        return findings
    # A bug here must not turn the refusals into warnings, so code that may fail runs inside
    # `run_safely`.
    warn = partial(_as_warnings, refusals, note)
    answers = run_safely(HookCheck("the operator key", "", warn))
    if not _all_of_the_soul(answers):
        return [*findings, *answers]
    return [*answers, *(finding for finding in findings if not finding.refused)]


def _all_of_the_soul(findings: Sequence[HookFinding]) -> bool:
    """Whether there are findings, and all of them are of the soul's guard."""
    return bool(findings) and all(finding.rule == SOUL for finding in findings)


def _as_warnings(refusals: Sequence[HookFinding], note: str) -> list[HookFinding]:
    """The refusals as warnings, after they are noted; empty if the operator has no key."""
    if not can_be_signed():
        return []
    lines = [f"{refusal.path}: {refusal.message}\n" for refusal in refusals]
    with open(note, "w", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123 - pathlib takes 3 ms to load
        file.writelines(lines)
    hint = "This commit goes on only if the operator signs it: git commit -S"
    return [refusal._replace(refused=False, hint=hint) for refusal in refusals]

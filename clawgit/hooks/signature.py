"""reference-transaction: a commit that changes the soul against its guard needs a signature.

pre-commit leaves a note if the guard refused. This hook runs when the branch is about to move: only
then does the commit exist, and its signature can be checked.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from clawgit.hooks.border import run_safely, verdict, workspace
from clawgit.ops.hooks.finding import SOUL, HookCheck, HookFinding
from clawgit.ops.workspace.operator import signers_of
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.signatures import signed_by


def run(arguments: Sequence[str]) -> int:
    """Refuses to move a branch to a commit with a note, unless the operator has signed it.

    Takes the note. Standard input has what git gives this hook: the old id, the new id and the
    name of each reference.
    """
    [note] = arguments
    unsigned = partial(_unsigned, note, sys.stdin.read().splitlines())
    findings = run_safely(HookCheck(SOUL, "the soul", unsigned))
    return verdict(findings, "this commit", "or sign it: git commit -S")


def _unsigned(note: str, lines: Sequence[str]) -> Iterator[HookFinding]:
    tips = set(_new_tips(lines))
    opened = workspace()
    signed = signed_by(CGit(opened.root, os.environ), sorted(tips), signers_of(opened))
    if tips <= signed:
        return
    for refusal in Path(note).read_text("utf-8", "surrogateescape").splitlines():
        yield HookFinding("", 0, SOUL, refusal, "No valid signature of the operator is on it.")


def _new_tips(lines: Sequence[str]) -> Iterator[str]:
    """The commits that HEAD or a branch moves to. An id of zeros means a reference is deleted."""
    for line in lines:
        _, new, name = line.split(" ", 2)
        is_branch = name == "HEAD" or name.startswith("refs/heads/")
        if is_branch and new.strip("0"):
            yield new

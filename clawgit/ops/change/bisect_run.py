"""`bisect --run`: finds the change after which the operator's check fails, by git's own bisect."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from clawgit.domain.change.told import ToldChange, told_of
from clawgit.domain.safety.secrets import masked
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.change.history import revision
from clawgit.ops.change.reading import reading
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.child import Child
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.guards.hardened import without_local
from clawgit.stores.git.history.aside import (
    BAD,
    GOOD,
    SKIP,
    Aside,
    begin,
    check_out,
    go_on,
    worktree_aside,
)

_SKIP_CODE = 125
_ABORT = 128
_NO_PROGRAM = (126, 127)
_MOMENT = 0.2

_NEVER_BAD = (
    "The check passes on the newer state, so no change broke it.",
    "Name the state at which it failed with --bad, or turn the check around: --run '! CMD'",
)
_NEVER_GOOD = (
    "The check fails on the older state too: it was not good there.",
    "Name a state at which it passed: --good 2026-02-01",
)


@dataclass(frozen=True, slots=True)
class CheckedState:
    """A state that was checked.

    `verdict`: good, bad or skip; `words` is the end of the check's output.
    """

    sha: str
    id: str | None
    time: datetime
    summary: str
    verdict: str
    words: str


@dataclass(frozen=True, slots=True)
class BisectedRun:
    """`found` is one change; several where those between them could not be tested."""

    found: tuple[ToldChange, ...]
    tested: tuple[CheckedState, ...]
    bring_back: tuple[str, ...]


Tell = Callable[[CheckedState], None]


def bisect_run(workspace: Workspace, command: str, good: str, bad: str, tell: Tell) -> BisectedRun:
    """Runs a command on states between a good and a bad one; "" means the first state, and HEAD.

    It runs in the folder of the state, and exits as for `git bisect run`: 0 is good, 125 cannot be
    tested, above 127 stops the search, any other code is bad. `tell` is called for each state.
    """
    if not command.strip():
        raise UsageError(
            "There is no command to run.", hint="clawgit bisect --run 'grep -q tea MEMORY.md'"
        )
    first, last = _ends(workspace, good, bad)
    caller, filters = workspace.caller, workspace.trusted_filters
    with worktree_aside(
        workspace.place, workspace.cgit, last, lambda folder: CGit(folder, caller.env, filters)
    ) as aside:
        return _Bisect(workspace, command, aside, tell).between(first, last)


def _ends(workspace: Workspace, good: str, bad: str) -> tuple[str, str]:
    with reading(workspace) as index:
        if index.head is None:
            raise NotFoundError("There is no commit yet.", hint="clawgit snapshot")
        last = revision(workspace, bad, index) if bad else index.head
        first = revision(workspace, good, index) if good else index.first() or last
        git = index.git
    if first == last:
        raise UsageError(
            "The good and the bad state are the same one.",
            hint="Name an older one at which the check passed: --good 2026-02-01",
        )
    code, _ = git.call("merge-base", "--is-ancestor", first, last, ok=(0, 1))
    if code:
        raise UsageError(
            "The good state is not an earlier state of the bad one.",
            hint="--good names the older one: `clawgit log` lists them in order.",
        )
    return first, last


class _Bisect:
    """The states that were tested, in the folder in which git checks them out."""

    def __init__(self, workspace: Workspace, command: str, aside: Aside, tell: Tell) -> None:
        self._command = command
        self._aside = aside
        self._tell = tell
        self._objects = Batch(workspace.cgit)
        self._env = {
            **without_local(workspace.caller.env),
            "CLAWGIT_WORKSPACE": str(aside.folder),
            "PWD": str(aside.folder),
        }
        self._tested: list[CheckedState] = []

    def between(self, first: str, last: str) -> BisectedRun:
        self._must_be(last, BAD, _NEVER_BAD)
        self._must_be(first, GOOD, _NEVER_GOOD)
        standing = begin(self._aside, first, last)
        while standing.next:
            standing = go_on(self._aside, self._verdict(standing.next))
        commits = self._objects.read_commits(standing.found)
        found = tuple(ToldChange(*told_of(commit)) for commit in commits)
        back = tuple(f"clawgit undo {one.id or one.sha[:12]}" for one in found)
        return BisectedRun(found, tuple(self._tested), back if len(found) == 1 else ())

    def _must_be(self, oid: str, verdict: str, otherwise: tuple[str, str]) -> None:
        check_out(self._aside, oid)
        is_first = not self._tested
        answer = self._verdict(oid, is_first=is_first)
        if answer == SKIP:
            raise ClawgitError(
                "The check cannot test the oldest or the newest state (exit code 125).",
                hint="Name another state with --good or --bad.",
            )
        if answer != verdict:
            message, hint = otherwise
            raise NotFoundError(message, hint=hint)

    def _verdict(self, oid: str, *, is_first: bool = False) -> str:
        code, words = self._run()
        # As for a shell: a program that a signal ended.
        code = _ABORT - code if code < 0 else code
        if code >= _ABORT or (is_first and code in _NO_PROGRAM):
            raise ClawgitError(
                f"The command ended with exit code {code}{f': {words}' if words else '.'}",
                hint="0 says that a state is good, 1 to 124 bad, 125 that it cannot be tested.",
            )
        verdict = SKIP if code == _SKIP_CODE else BAD if code else GOOD
        [commit] = self._objects.read_commits([oid])
        state = CheckedState(oid, commit.id, commit.time, commit.message.headline, verdict, words)
        self._tested.append(state)
        self._tell(state)
        return verdict

    def _run(self) -> tuple[int, str]:
        child = Child(["/bin/sh", "-c", self._command], self._aside.folder, self._env)
        try:
            child.start()
            while (code := child.wait(_MOMENT)) is None:
                continue
            if not self._aside.folder.is_dir():
                raise ClawgitError(
                    "The command removed the folder that it ran in.",
                    hint="It may change files there, but the folder has to stay.",
                )
            lines = child.last_words().splitlines() or [""]
            return code, masked(lines[-1])
        finally:
            child.end()

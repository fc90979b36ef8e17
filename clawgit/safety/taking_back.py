"""What the operator said is taken back by the operator. All that changes memory asks here: undo,
redo, restore, revert, edits and removals of entries, corrections, sync and git's hooks. From others
it becomes a proposal (`commit_rules.py`) or a quote under the entry (`corrections add`).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import chain

from clawgit.core.layout import SOULS
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.core.markdown.excerpt import in_a_line
from clawgit.git.history.pathlog import told
from clawgit.git.history.streams import grep
from clawgit.git.rules.actors import OPERATOR, Actor
from clawgit.git.rules.authority import Edits, at_stake, made_by_operator
from clawgit.git.worktree import glance
from clawgit.memory.rules.confidence import is_correction
from clawgit.safety.correction_files import logs
from clawgit.soul.identity_rules import weakened_lines
from clawgit.talk.rules.lost import SHOWN, TakenBack, lost_corrections, taken_back
from clawgit.workspace.workspace_base import WorkspaceBase

_START = 40
"""How many characters of an entry are searched for in other files."""

_MARK = re.compile(r"(.*)<!-- (claw:\w+)")

_BY_OPERATOR = "^Clawgit-Op: operator/"


def taken_back_by(
    workspace: WorkspaceBase,
    asker: Actor,
    edits: Edits,
    evidence: tuple[str, ...] = (),
    at: str = "",
) -> Iterator[TakenBack]:
    """What of the operator's words somebody would take back by these edits, and may not.

    `at` is the commit that they change, HEAD if empty; a newer correction among the evidence may
    overrule a line of the soul.
    """
    before = at_stake(asker, edits)
    after = {path: text or "" for path, (_, text) in edits.items()}
    for loss in taken_back(before, after):
        if not _stands_elsewhere(workspace, loss, before, after):
            yield loss
    for path in SOULS:
        if path in before:
            yield from weakened_lines(workspace, path, edits[path], evidence, at)


def retold(workspace: WorkspaceBase, edits: Edits, at: str = "HEAD") -> Iterator[TakenBack]:
    """The entries that the operator wrote, up to the commit `at`, and that are gone or say
    something else after edits by plain git.
    """
    left = {*chain.from_iterable(_marked(after) for _, after in edits.values())}
    his = cache(partial(_added_by_operator, workspace, at))
    for path, (before, _) in edits.items():
        for words, mark in _marked(before) - left:
            is_his = mark in his()
            if is_his and all(hit.path in edits for hit in grep(workspace.cgit, mark)):
                gone = "an entry that the operator wrote is gone or reworded: “{}”"
                yield TakenBack(path, words, gone.format(in_a_line(words.lstrip("- "), SHOWN)))


def _added_by_operator(workspace: WorkspaceBase, at: str) -> set[str]:
    """The marks of the entries that the operator's commits brought, up to one."""
    patches = workspace.cgit.text("log", "-p", f"--grep={_BY_OPERATOR}", at)
    return {mark for line, mark in _marked(patches) if line.startswith("+")}


def _marked(text: str | None) -> set[tuple[str, str]]:
    """The entries of a text that have an id: their words and their marks."""
    return {*_MARK.findall(text or "")}


def operators_changes(
    workspace: WorkspaceBase, *which: str, left: str = "", gone: bool = False
) -> tuple[str, ...]:
    """Why somebody else may not take some commits back: those of them that the operator made, and
    that `left` this text somewhere; with `gone`, nowhere.

    `which` names them as git does, with paths behind `--`.
    """
    if workspace.actor == OPERATOR:
        return ()
    git, shape = workspace.cgit, ("--format=%H", "--max-count=3")
    shas = git.text("log", *shape, f"--grep={_BY_OPERATOR}", *which).split()
    return tuple(
        f"this takes back {commit.name}, which the operator made"
        for commit in told(git, shas)
        if made_by_operator(commit.message)
        and (not left or bool(grep(git, left, rev=commit.sha)) is not gone)
    )


def _stands_elsewhere(
    workspace: WorkspaceBase,
    loss: TakenBack,
    before: Mapping[str, str],
    after: Mapping[str, str],
) -> bool:
    """Whether a correction, or an entry, has moved to a file that the edits leave alone."""
    if not holds_entries(loss.path):
        now = {**logs(workspace), **after}
        return loss not in lost_corrections(before, now)
    start = loss.name.partition(" #")[0][:_START]
    paths = {hit.path for hit in grep(workspace.cgit, start) if holds_entries(hit.path)}
    return any(
        is_correction(entry) and " ".join(entry.text.split()) == loss.name
        for path in sorted(paths - after.keys())
        for entry in entries(glance(workspace.root, path))
    )

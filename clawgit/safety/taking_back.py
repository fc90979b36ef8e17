"""What the operator said is taken back by the operator. All that changes memory asks here: undo,
redo, restore, revert, edits and removals of entries, corrections, sync and git's hooks. From others
it becomes a proposal (`commit_rules.py`) or a quote under the entry (`corrections add`).
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import chain

from clawgit.core.layout import SOULS
from clawgit.core.markdown.entry import entries, holds_entries
from clawgit.core.tiers import tier
from clawgit.git.history.pathlog import told
from clawgit.git.history.streams import grep
from clawgit.git.rules.actors import Actor
from clawgit.git.rules.authority import Edits, at_stake
from clawgit.language.lazily import lazily
from clawgit.safety.correction_files import logs
from clawgit.soul.identity_rules import weakened_lines
from clawgit.talk.rules.corrections import corrections
from clawgit.talk.rules.lost import (
    TakenBack,
    lost_corrections,
    lost_entries,
    names_of,
    standing,
    taken_back,
)
from clawgit.talk.rules.quotes import quotes_of
from clawgit.workspace.workspace_base import WorkspaceBase

_START = 3
"""How many words of an entry are searched for in other files: more may stand on two lines."""

_AROUND = "-U20"
"""So many lines stand around a change: an entry of which it reworded one is read whole."""

_HUNK = lazily(r"(?m)^(?:diff |@@ ).*\n")

_BY_OPERATOR = "^Clawgit-Op: operator/"

HEADS = ("--branches", "--tags", "--remotes")
"""What keeps a commit in history, beside HEAD."""


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
    """The entries that the operator wrote, up to the commit `at`, and that are gone, reworded or
    out of force after edits by plain git; and the quotes of his that these edits make up.
    """
    before, after = _held(edits, 0), _held(edits, 1)
    his = cache(partial(added_by_operator, workspace, at))
    gone = "an entry that the operator wrote is gone, reworded or out of force"
    for loss in lost_entries(before, after, lambda entry: bool(names_of(entry) & his()), gone):
        if loss.line or not _is_moved(workspace, loss, after):
            yield loss
    yield from _made_up(workspace, before, after)


def _held(edits: Edits, side: int) -> dict[str, str]:
    """The files with entries, before some edits or after them."""
    return {path: edit[side] or "" for path, edit in edits.items() if holds_entries(path)}


def _made_up(
    workspace: WorkspaceBase, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[TakenBack]:
    """The quotes under entries that are new, and that no correction has."""
    for path, text in after.items():
        if new := _quoted(text) - _quoted(before[path]):
            logged = chain.from_iterable(map(corrections, logs(workspace).values()))
            for words in new.difference(each.correct for each in logged):
                yield TakenBack(path, words, f"no correction has the quote “{words}”")


def _quoted(text: str) -> set[str]:
    return {quote.words for entry in entries(text) for quote in quotes_of(entry.raw)}


def added_by_operator(workspace: WorkspaceBase, at: str = "HEAD") -> set[str]:
    """The names of the entries that the operator's commits brought, up to one."""
    # As text, whatever the attributes of the repository say.
    shape = ("-p", "--text", _AROUND, "--format=")
    patches = workspace.cgit.text("log", *shape, f"--grep={_BY_OPERATOR}", at)
    return {*chain.from_iterable(map(_brought, _HUNK.split(patches)))}


def _brought(hunk: str) -> Iterator[str]:
    """The names of the entries after a change that have a line of it."""
    lines = [line for line in hunk.split("\n") if line[:1] in ("+", " ")]
    for entry in entries("\n".join(line[1:] for line in lines)):
        if any(line[0] == "+" for line in lines[entry.line - 1 : entry.end_line]):
            yield from names_of(entry)


def operators_changes(
    workspace: WorkspaceBase, *which: str, left: str = "", gone: bool = False
) -> tuple[str, ...]:
    """Why somebody else may not take some commits back: those of them that the operator made, and
    that `left` this text somewhere; with `gone`, nowhere.

    `which` names them as git does, with paths behind `--`.
    """
    if workspace.actor.is_operator:
        return ()
    git, shape = workspace.cgit, ("--format=%H", "--max-count=3")
    shas = git.text("log", *shape, f"--grep={_BY_OPERATOR}", *which).split()
    return tuple(
        f"this takes back {commit.name}, which the operator made"
        for commit in told(git, shas)
        if commit.message.by_operator
        and (not left or bool(grep(git, left, rev=commit.sha)) is not gone)
    )


def dropped_commits(workspace: WorkspaceBase, old: str, new: str) -> list[str]:
    """The newest commits of the operator that an old HEAD had and nothing has any more, which
    brought an entry that none of theirs brings now, as it does after an amend or a squash.
    """
    # What a shallow clone forgets, the remote has.
    if workspace.place.is_shallow:
        return []
    newest = ("log", "--format=%H", f"--grep={_BY_OPERATOR}", "--max-count=20")
    gone = workspace.cgit.text(*newest, old, "--not", new, *HEADS).split()
    his = added_by_operator(workspace, new) if gone else set()
    return [sha for sha in gone if added_by_operator(workspace, f"{sha}^!") - his]


def _stands_elsewhere(
    workspace: WorkspaceBase, loss: TakenBack, before: Mapping[str, str], after: Mapping[str, str]
) -> bool:
    """Whether a correction, or an entry, has moved to a file that the edits leave alone."""
    if holds_entries(loss.path):
        return not loss.line and _is_moved(workspace, loss, after)
    now = {**logs(workspace), **after}
    return loss not in lost_corrections(before, now)


def _is_moved(workspace: WorkspaceBase, loss: TakenBack, after: Mapping[str, str]) -> bool:
    """Whether an entry stands in another file that is in use, and counts there as it did."""
    start = " ".join(loss.name.partition(" #")[0].split()[:_START])
    paths = {hit.path for hit in grep(workspace.cgit, start) if tier(hit.path)}
    return any(
        standing(entry) == loss.stood
        for path in sorted(paths - after.keys())
        for entry in entries(workspace.glance(path))
    )

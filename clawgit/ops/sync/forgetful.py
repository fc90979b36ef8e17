"""Removes, in a merge, words that one side of a sync had forgotten while the other, which did not
know, went on writing them.
"""

from collections.abc import Iterable, Iterator

from clawgit.domain.forgetting.needle import Matcher, Needle
from clawgit.domain.forgetting.record import Forgotten
from clawgit.domain.forgetting.wiping import wiped_bytes
from clawgit.domain.markdown.decoding import text_of
from clawgit.ops.sync.routes import Route
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.forgetting.forgotten import FORGOTTEN_REF, forgotten_at
from clawgit.stores.git.transaction import Edit


def without_forgotten(
    workspace: Workspace, route: Route, tip: str, edits: tuple[Edit, ...]
) -> tuple[Edit, ...]:
    """The edits that bring a branch in, without words that only one side has forgotten.

    Words that both have forgotten are in the files only if an operator wrote them again.
    """
    ours, theirs = workspace.forgotten(), _record_of(workspace, route)
    mine, others = _more(ours, theirs), _more(theirs, ours)
    if not (mine.acts or others.acts):
        return edits
    found = (*edits, *(_ours_alone(workspace, tip, edits) if others.acts else ()))
    return tuple(edit for each in found if (edit := _wiped(workspace, tip, each, mine, others)))


def _record_of(workspace: Workspace, route: Route) -> Forgotten:
    oid = workspace.git.ref(route.tracked(FORGOTTEN_REF))
    return forgotten_at(workspace.cgit, oid) if oid else Forgotten()


def _more(one: Forgotten, other: Forgotten) -> Forgotten:
    known = {act.id for act in other.acts}
    return Forgotten(tuple(act for act in one.acts if act.id not in known))


def _ours_alone(workspace: Workspace, tip: str, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The files that the merge leaves as they are here, though the other side has them
    differently.
    """
    git, known = workspace.git, {edit.path for edit in edits}
    for path, (_, here) in git.differences(tip, git.head().oid):
        if path not in known and here is not None:
            yield Edit(path, here, here)


def _wiped(
    workspace: Workspace, tip: str, edit: Edit, mine: Forgotten, others: Forgotten
) -> Edit | None:
    """An edit without the words; None if it then changes nothing."""
    if edit.after is None or not workspace.scope.covers(edit.path):
        return edit
    there = workspace.git.read(tip, edit.path)
    words = _brought(edit, mine) | _kept(edit, others, there)
    after = wiped_bytes(edit.path, edit.after, Matcher(words)) if words else edit.after
    if after == edit.before and not edit.chmod:
        return None
    return edit._replace(after=after)


def _brought(edit: Edit, mine: Forgotten) -> frozenset[Needle]:
    """Words in the incoming lines that were forgotten here, except those that are here again."""
    before = text_of(edit.before or b"")
    known = {*before.splitlines()}
    gained = (line for line in text_of(edit.after or b"").splitlines() if line not in known)
    return mine.needles_in("\n".join(gained)) - mine.needles_in(before)


def _kept(edit: Edit, others: Forgotten, there: bytes | None) -> frozenset[Needle]:
    """Words in the file that were forgotten there, except those that are there again."""
    return others.needles_in(text_of(edit.after or b"")) - others.needles_in(text_of(there or b""))

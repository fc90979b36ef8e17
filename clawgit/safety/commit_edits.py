"""What commits did to the texts of a workspace, as much of it as can be read at once."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf

from clawgit.core.layout import NOTEBOOK, SOULS
from clawgit.core.limits import LARGEST_FILE, readable
from clawgit.core.markdown.decoding import TextChange, is_text, text_of
from clawgit.git.batch import Batch
from clawgit.git.cgit import CGit, listed
from clawgit.git.history.pathlog import Version, versions
from clawgit.talk.rules.corrections import ARCHIVE, CORRECTIONS, holds_corrections
from clawgit.workspace.workspace_base import WorkspaceBase

HIS = (CORRECTIONS, ARCHIVE.rstrip("/"), *SOULS, NOTEBOOK)
"""Where the operator's words are, in any case."""


def edits_in(workspace: WorkspaceBase, *which: str) -> dict[str, list[Version]]:
    """All these commits with what each did to the files of the scope; for a merge, what neither
    side had. What a link became counts only for Markdown, which is then gone.
    """
    # Also those that did nothing there: how many were looked at is counted by them.
    commits: dict[str, list[Version]] = {}
    for edit in versions(workspace.cgit, *which, "--"):
        edits = commits.setdefault(edit.oid, [])
        if (edit.after or edit.path.endswith(".md")) and workspace.scope.covers(edit.path):
            edits.append(edit)
    return commits


def _sizes(git: CGit, oids: Iterable[str]) -> dict[str, int]:
    """The sizes of the blobs that exist."""
    asked = ("cat-file", "--batch-check=%(objectname) %(objectsize)")
    shown = git.run(*asked, stdin=listed(oids))
    # For a blob that does not exist, git says "missing".
    sizes = (line.split() for line in shown.decode().splitlines())
    return {oid: int(size) for oid, size in sizes if size.isdigit()}


def changes_in(
    workspace: WorkspaceBase, edits: Sequence[Version], most: float
) -> tuple[list[TextChange], bool]:
    """What edits did to texts, and whether that is all. Of the operator's files as much is read as
    anybody reads; of the others so many bytes, and nothing of a file that is too large.
    """
    git, oids = workspace.cgit, {*_blobs(edits)}
    sizes = _sizes(git, oids)
    small = {oid for oid in oids if sizes.get(oid, inf) <= LARGEST_FILE}
    names = (*HIS, workspace.config_file)
    his = [edit for edit in edits if edit.path in names or holds_corrections(edit.path)]
    read = [*his, *_first([edit for edit in edits if edit not in his], sizes, most)]
    always = {*_blobs(his)} & sizes.keys()
    said = _said(git, {*_blobs(read)} & small, always)
    changes = [
        TextChange(
            edit.path,
            "\n".join(said.get(oid, "") for oid in filter(None, edit.before)),
            said.get(edit.after or "", ""),
        )
        for edit in read
    ]
    return changes, small == oids and len(read) == len(edits)


def _said(git: CGit, oids: set[str], always: set[str]) -> dict[str, str]:
    """The texts of blobs; of those that are `always` read, whatever they look like."""
    return {
        blob.oid: text_of(readable(blob.data))
        for blob in Batch(git).read(oids | always)
        if blob and (blob.oid in always or is_text(blob.data))
    }


def _first(edits: list[Version], sizes: Mapping[str, int], most: float) -> list[Version]:
    # What is new, or large, comes last: it must not hide what was taken back.
    edits.sort(key=lambda edit: (not any(edit.before), sizes.get(edit.after or "", 0)))
    sums = [*accumulate(sizes.get(edit.after or "", 0) for edit in edits)]
    # One in any case: the largest file takes more than that by itself.
    return edits[: max(bisect_right(sums, most), int(most >= 0))]


def _blobs(edits: Iterable[Version]) -> Iterator[str]:
    return (oid for edit in edits for oid in (*edit.before, edit.after) if oid)

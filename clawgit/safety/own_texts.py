"""Whose a text is. What the operator wrote, committed, adopted or accepted is known by rows of this
machine's trust store: no repository and no agent's commit can claim it.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from clawgit.core import NamedTuple
from clawgit.core.config.trust import TrustRow
from clawgit.core.errors import ClawgitError
from clawgit.core.markdown.decoding import TextChange, text_of
from clawgit.git.batch import Batch
from clawgit.git.cgit import CGit
from clawgit.git.place import is_commit_id
from clawgit.safety.rules.masks import is_sensitive
from clawgit.safety.rules.planted import NAMED, PlantedBlock, is_served, lines_in, planted
from clawgit.safety.trust_store import ADOPTED, AT_A_TERMINAL, TEXT, accepted_rows, change_rows

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

_WORD = re.compile(r"\w+")
_TELLING = 4
"""Files that have this many of the longest words of a text are compared with it."""

_ADOPTED = "what stood in the folder when it was adopted"


class OwnTexts(NamedTuple):
    """The hashes of the operator's blocks, the words of those without a secret, whether a block
    stood in what he adopted, and whether he said it.
    """

    digests: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    was_adopted: Callable[[str], bool] = lambda _: False
    was_said: Callable[[str], bool] = lambda _: False

    def has(self, block: PlantedBlock) -> bool:
        """Whether exactly this block is the operator's. This is asked of text that is written."""
        return (
            block.seen in self.digests or self.was_adopted(block.text) or self.was_said(block.text)
        )

    def covers(self, block: PlantedBlock) -> bool:
        """Whether a block is his, is a piece of one, or quotes one and is harmless otherwise.

        This is asked of text that is shown: it may be cut, and a changelog quotes.
        """
        piece = block.words.strip("…").strip()
        if self.has(block) or any(piece in words for words in self.words):
            return True
        rest = piece
        for words in self.words:
            rest = rest.replace(words, " ")
        return rest != piece and not planted(rest)


def own_texts(workspace: "WorkspaceBase") -> OwnTexts:
    """What the trust store says."""
    rows, git = accepted_in(workspace), CGit(workspace.root, workspace.env)
    words = (row.value for row in rows if row.kind == TEXT and isinstance(row.value, str))
    was_adopted = cache(partial(_stood_in, git, adopted_commits(rows)))

    def was_said(text: str) -> bool:
        from clawgit.safety.claimed_words import is_said  # noqa: PLC0415 - the messages, 30 ms

        return is_said(workspace, text)

    return OwnTexts(frozenset(_digests(rows, TEXT)), tuple(words), was_adopted, cache(was_said))


def adopted_commits(rows: Iterable[TrustRow]) -> list[str]:
    """The states of a workspace that the operator adopted."""
    return [*filter(is_commit_id, _digests(rows, ADOPTED))]


def accepted_in(workspace: "WorkspaceBase") -> Sequence[TrustRow]:
    """What the operator accepted in a workspace: nothing while the trust store cannot be read."""
    try:
        return accepted_rows(workspace.caller, workspace.place)
    except ClawgitError:
        return ()


def _digests(rows: Iterable[TrustRow], kind: str) -> list[str]:
    return [row.digest for row in rows if row.kind == kind]


def _stood_in(git: CGit, commits: Iterable[str], text: str) -> bool:
    """Whether all lines of a text stood together in a file of one of these commits."""
    lines = lines_in(text)
    telling = sorted(set(_WORD.findall(lines)), key=len)[-_TELLING:]
    # What has no word, such as a rule beside an order, orders nothing.
    return not telling or any(
        lines in lines_in(text_of(blob.data))
        for commit in commits
        for blob in Batch(git).read(_names_with(git, commit, telling))
        if blob
    )


def _names_with(git: CGit, commit: str, words: Iterable[str]) -> list[str]:
    """The Markdown of a commit that has all of some words: the names of the files, each with its
    commit, as git reads them.
    """
    wanted = [part for word in words for part in ("-e", word)]
    options = ("-z", "-l", "-a", "-F", "--all-match", *wanted, commit, "--", ":(icase)*.md")
    # A commit that is gone says nothing.
    code, found = git.call("grep", *options, ok=(0, 1, 128))
    if code:
        return []
    return [os.fsdecode(name) for name in found.split(b"\0") if name and b"\n" not in name]


def brought(changes: Iterable[TextChange]) -> Iterator[PlantedBlock]:
    """The new planted blocks in files that are served, by path."""
    for path, before, after in sorted(changes):
        if is_served(path):
            yield from planted(after, before, path)


def foreign_blocks(
    workspace: "WorkspaceBase", changes: Collection[TextChange]
) -> list[PlantedBlock]:
    """The new planted blocks that are not the operator's.

    A block that only moves from file to file, as in a promotion, is not new.
    """
    new = [*brought(changes)]
    if not new:
        return []
    moved = {block.seen for change in changes for block in planted(change.before)}
    own = workspace.own_texts()
    return [block for block in new if block.seen not in moved and not own.has(block)]


def keep_as_own(workspace: "WorkspaceBase", blocks: Iterable[PlantedBlock], by: str) -> None:
    """Adds a row for each block, named with its file, that has none yet."""
    time = workspace.now.isoformat()
    rows = {block.seen: _row(block, time, by) for block in blocks}
    if not rows:
        return

    def added(old: tuple[TrustRow, ...]) -> list[TrustRow]:
        known = {*_digests(old, TEXT)}
        return [*old, *(row for digest, row in rows.items() if digest not in known)]

    change_rows(workspace.caller, workspace.place, added)


def keep_adopted(workspace: "WorkspaceBase", commit: str) -> None:
    """Adds a row: all that stands in this commit is the operator's."""
    time = workspace.now.isoformat()
    row = TrustRow(ADOPTED, commit[:NAMED], commit, _ADOPTED, time=time, by=AT_A_TERMINAL)
    change_rows(workspace.caller, workspace.place, lambda old: [*old, row])


def follow_adopted(workspace: "WorkspaceBase", became: Mapping[str, str]) -> None:
    """Names the commits anew that a rewrite of history replaced."""
    rows = accepted_rows(workspace.caller, workspace.place)
    if any(row.kind == ADOPTED and row.digest in became for row in rows):
        change_rows(workspace.caller, workspace.place, partial(map, partial(_followed, became)))


def _followed(became: Mapping[str, str], row: TrustRow) -> TrustRow:
    now = became.get(row.digest, row.digest) if row.kind == ADOPTED else row.digest
    return row._replace(digest=now)


def _row(block: PlantedBlock, time: str, by: str) -> TrustRow:
    # Of a text with a secret only the hash is stored, since the file may be backed up and copied.
    words = None if is_sensitive(block.words) else block.words
    reason = f"{block.path}:{block.line} {block.reason}"
    name = block.seen[:NAMED]
    return TrustRow(TEXT, name, block.seen, words, time=time, by=by, reason=reason)

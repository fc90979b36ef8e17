"""Which planted text the operator has seen: rows in this machine's trust store."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.config.trust import TrustRow
from clawgit.domain.safety.masks import is_sensitive
from clawgit.domain.safety.planted import PlantedBlock, is_served, planted
from clawgit.errors import ClawgitError
from clawgit.stores.git.place import RepoPlace
from clawgit.stores.trust import TEXT, accepted_rows, change_rows, trust_file
from clawgit.values import NamedTuple

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

_NAMED = 12
"""How many digits of its hash name a text."""


class TextChange(NamedTuple):
    """What a file said before and after a change; "" where there was none."""

    path: str
    before: str
    after: str


class SeenTexts(NamedTuple):
    """The hashes of the blocks that were seen, and the words of those without a secret."""

    digests: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()

    def has(self, block: PlantedBlock) -> bool:
        """Whether exactly this block was seen. This is asked of text that is written."""
        return block.digest in self.digests

    def covers(self, block: PlantedBlock) -> bool:
        """Whether a block was seen, is a piece of one, or quotes one and is harmless otherwise.

        This is asked of text that is shown: it may be cut, and a changelog quotes.
        """
        if not self.digests:
            return False
        piece = block.words.strip("…").strip()
        if self.has(block) or any(piece in words for words in self.words):
            return True
        rest = piece
        for words in self.words:
            rest = rest.replace(words, " ")
        return rest != piece and not planted(rest)


def seen_texts(file: Path, place: RepoPlace) -> SeenTexts:
    """What a trust store says. Nothing counts as seen while it cannot be read."""
    try:
        rows = [row for row in accepted_rows(file, place) if row.kind == TEXT]
    except ClawgitError:
        return SeenTexts()
    return SeenTexts(
        frozenset(row.digest for row in rows),
        tuple(row.value for row in rows if isinstance(row.value, str)),
    )


def brought(changes: Iterable[TextChange]) -> Iterator[tuple[str, PlantedBlock]]:
    """The new planted blocks in files that are served, by path."""
    for path, before, after in sorted(changes):
        if is_served(path):
            for block in planted(after, before):
                yield path, block


def unseen_blocks(
    workspace: "WorkspaceBase", changes: Collection[TextChange]
) -> list[tuple[str, PlantedBlock]]:
    """The new planted blocks that the operator has not seen.

    A block that only moves from file to file, as in a promotion, is not new.
    """
    new = [*brought(changes)]
    if not new:
        return []
    moved = {block.digest for change in changes for block in planted(change.before)}
    seen = workspace.seen_texts()

    def waits(block: PlantedBlock) -> bool:
        return block.digest not in moved and not seen.has(block)

    return [(path, block) for path, block in new if waits(block)]


def keep_as_seen(
    workspace: "WorkspaceBase", blocks: Iterable[tuple[str, PlantedBlock]], by: str
) -> None:
    """Adds a row for each block, named with its file, that has none yet."""
    time = workspace.now.isoformat()
    rows = {block.digest: _row(path, block, time, by) for path, block in blocks}
    if not rows:
        return

    def added(old: tuple[TrustRow, ...]) -> list[TrustRow]:
        known = {row.digest for row in old if row.kind == TEXT}
        return [*old, *(row for digest, row in rows.items() if digest not in known)]

    file = trust_file(workspace.caller.home, workspace.caller.env)
    change_rows(file, workspace.place, added)


def name_of(block: PlantedBlock) -> str:
    return block.digest[:_NAMED]


def _row(path: str, block: PlantedBlock, time: str, by: str) -> TrustRow:
    # Of a text with a secret only the hash is stored, since the file may be backed up and copied.
    words = None if is_sensitive(block.words) else block.words
    reason = f"{path}:{block.line} {block.reason}"
    return TrustRow(TEXT, name_of(block), block.digest, words, time=time, by=by, reason=reason)

"""What memory has already: the entries that may say the same, and what the operator corrected."""

import os
from collections.abc import Iterable, Iterator

from clawgit.domain.corrections.corrections import ARCHIVE, CORRECTIONS, Correction, all_corrections
from clawgit.domain.facts.fact_verdict import Claim, EntryPlace
from clawgit.domain.facts.same_fact import may_hold
from clawgit.domain.markdown.comment import ENTRY_IDS, entry_id
from clawgit.domain.markdown.entry import entries
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import PathRefusedError
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.git.worktree import glance, read_part


def standing(
    workspace: Workspace, tx: Transaction, claim: Claim, files: Iterable[str]
) -> list[EntryPlace]:
    """The entries that may say the same."""
    places: list[EntryPlace] = []
    for path in (claim.path, *_others(workspace, claim, files)):
        text = tx.read_text(path) or ""
        if may_hold(text, claim.text):
            places += (EntryPlace(path, entry) for entry in entries(text))
    return places


def _others(workspace: Workspace, claim: Claim, files: Iterable[str]) -> Iterator[str]:
    """Where else a fact may be.

    A lasting fact is searched for in all lasting files; an event only in the note of its day, since
    the same may happen again.
    """
    if tier(claim.path) != CORE:
        return
    for path in files:
        # Read without the transaction, which is quicker: most files share no word with the fact.
        is_other = tier(path) == CORE and path != claim.path
        if is_other and may_hold(_glance(workspace, path), claim.text):
            yield path


def moved_to(tx: Transaction, place: EntryPlace) -> EntryPlace:
    """Where an entry is after the notebook was made to fit."""
    for path in (place.path, *tx.changes):
        for entry in entries(tx.read_text(path) or ""):
            if entry.key == place.entry.key:
                return EntryPlace(path, entry)
    return place


def corrections_about(
    workspace: Workspace, fact: str, files: Iterable[str]
) -> tuple[Correction, ...]:
    """All corrections that could concern a fact. Archived ones count as well."""
    paths = (path for path in files if path == CORRECTIONS or path.startswith(ARCHIVE))
    texts = {path: glance(workspace.root, path) for path in paths}
    near = {path: text for path, text in texts.items() if may_hold(text, fact)}
    return all_corrections(near, doubted(workspace)) if near else ()


def fresh_id(text: str) -> str:
    """An id that no entry of a text has yet."""
    return next(
        ident
        for ident in iter(lambda: entry_id(int.from_bytes(os.urandom(8)) % ENTRY_IDS), "")
        if ident not in text
    )


def _glance(workspace: Workspace, path: str) -> str:
    """The text of a file that may get a mention; "" if it is not UTF-8, since it can get none."""
    try:
        return read_part(workspace.root, path).decode("utf-8")
    except (PathRefusedError, UnicodeDecodeError):
        return ""

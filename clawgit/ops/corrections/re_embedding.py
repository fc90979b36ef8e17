"""After a run of the Recall Validator: updates the index, and notes in the log that it did."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from clawgit.domain.change.actors import actor_named
from clawgit.domain.change.history import RE_EMBED, Intent
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    RE_EMBEDDED,
    Correction,
    corrections,
    with_fields,
)
from clawgit.domain.corrections.statuses import QUOTED, status_of
from clawgit.domain.markdown.entry import Entry, entries
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.errors import ClawgitError
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.agents.result import Landed
from clawgit.ops.agents.snapshot import files_now
from clawgit.ops.change.changes import Change, described
from clawgit.ops.conversation.queue import VALIDATOR
from clawgit.ops.search.indexing import opened
from clawgit.ops.search.text_vectors import Meaning
from clawgit.ops.search.vector_search import choose, told
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.index.searching import SearchIndex


def settle(workspace: Workspace, ended: Ended) -> Followed:
    """Makes what was put right searchable at once, and notes it in the log."""
    done, notes = re_embed(workspace, ended.clock(), run=ended.run, job=ended.job)
    if done is None or done.commit is None:
        return Followed(notes)
    landed = Landed(done.commit, done.id, "note what the index holds", "", (), done.changed)
    return Followed(notes, (landed,))


def re_embed(
    workspace: Workspace, now: datetime, *, run: str = "", job: str = ""
) -> tuple[Change | None, tuple[str, ...]]:
    """Refreshes the index; sets `Re-embedded` for what memory and the index hold: one commit."""
    waiting = _waiting(workspace)
    if not waiting:
        return None, ()
    held, notes = _held(workspace, waiting)
    if not held:
        return None, notes
    count = "1 correction" if len(held) == 1 else f"{len(held)} corrections"
    intent = Intent(
        actor_named(VALIDATOR),
        RE_EMBED,
        f"the index holds {count}",
        "Memory and search have the right value.",
        tuple(correction.evidence for correction in held),
        run=run,
        job=job,
    )
    with workspace.git.transaction(intent, now) as tx:
        text = tx.read_text(CORRECTIONS) or ""
        # Somebody may have edited the log since it was read.
        present = {correction.id for correction in corrections(text)}
        for correction in held:
            if correction.id in present:
                text = with_fields(text, correction.id, {RE_EMBEDDED: "true"})
        tx.put(CORRECTIONS, text)
    return described(tx), notes


def _waiting(workspace: Workspace) -> list[Correction]:
    file = workspace.root / CORRECTIONS
    if not file.is_file():
        return []
    text = file.read_text("utf-8", "replace")
    return [
        correction
        for correction in corrections(text)
        if status_of(correction.status).is_indexed and not correction.re_embedded
    ]


def _held(
    workspace: Workspace, waiting: Sequence[Correction]
) -> tuple[list[Correction], tuple[str, ...]]:
    """Those whose entry is indexed as it stands, with its vector where meanings are compared."""
    chosen = choose(workspace, hurried=True)
    with opened(workspace) as live:
        live.refresh()
        indexed = set(_indexed(live))
        held = [correction for correction in waiting if _is_held(workspace, correction, indexed)]
        if chosen.embedder is None or not held:
            return held, ()
        try:
            left = Meaning(workspace, chosen.embedder).follow(live)
        except ClawgitError as error:
            return [], (f"No vectors yet: {told(error)}",)
    if left:
        return [], (f"{left} texts have no vector yet: clawgit memory index",)
    return held, ()


def _indexed(live: SearchIndex) -> Iterator[tuple[str, str]]:
    """Key and text of each entry of lasting files, as the index has them."""
    for file in live.files():
        if tier(file.path) == CORE:
            for row in live.rows(range(file.first, file.first + file.items)):
                yield row.key, row.text


def _is_held(
    workspace: Workspace, correction: Correction, indexed: Collection[tuple[str, str]]
) -> bool:
    """Whether the index has an entry that rests on a correction; or its quote, if it is quoted."""
    if correction.status == QUOTED:
        return any(key == correction.target and correction.correct in text for key, text in indexed)
    return bool(_shown_as(workspace, correction) & set(indexed))


def _shown_as(workspace: Workspace, correction: Correction) -> set[tuple[str, str]]:
    """The entries that rest on a correction, by key and text."""
    return {(entry.key, entry.text) for entry in _entries_on(workspace, correction.evidence)}


def _entries_on(workspace: Workspace, evidence: str) -> Iterator[Entry]:
    files = files_now(workspace)
    for path in files:
        if tier(path) != CORE or evidence not in files[path]:
            continue
        for entry in entries(files[path]):
            if entry.meta and evidence in entry.meta.evidence:
                yield entry

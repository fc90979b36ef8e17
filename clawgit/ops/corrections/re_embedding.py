"""What follows a run of the Recall Validator: memory and the index hold what is right, and the log
says so.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

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
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.stores.index.searching import SearchIndex


def settle(workspace: Workspace, ended: Ended) -> Followed:
    """What follows a run of the Recall Validator: what it has put right is found at once, and the
    log says so.
    """
    done, notes = re_embed(workspace, ended.clock(), run=ended.run, job=ended.job)
    if done is None or done.commit is None:
        return Followed(notes)
    return Followed(
        notes, (Landed(done.commit, done.id, "note what the index holds", "", (), done.changed),)
    )


def re_embed(
    workspace: Workspace, now: datetime, *, run: str = "", job: str = ""
) -> tuple[Change | None, tuple[str, ...]]:
    """Refreshes the index, and sets `Re-embedded` where both memory and the index hold what is
    right: one commit.
    """
    waiting = _waiting(workspace)
    if not waiting:
        return None, ()
    held, notes = _held(workspace, waiting)
    if not held:
        return None, notes
    cited = tuple(one.evidence for one in held)
    many = "1 correction" if len(held) == 1 else f"{len(held)} corrections"
    intent = Intent(
        actor_named(VALIDATOR),
        RE_EMBED,
        f"the index holds {many}",
        "Memory and search have the right value.",
        cited,
        run=run,
        job=job,
    )
    with workspace.git.transaction(intent, now) as tx:
        text = tx.read_text(CORRECTIONS) or ""
        there = {one.id for one in corrections(text)}
        for one in held:
            text = with_fields(text, one.id, {RE_EMBEDDED: "true"}) if one.id in there else text
        tx.put(CORRECTIONS, text)
    return described(tx), notes


def _waiting(workspace: Workspace) -> list[Correction]:
    file = workspace.root / CORRECTIONS
    if not file.is_file():
        return []
    text = file.read_text("utf-8", "replace")
    return [
        one for one in corrections(text) if status_of(one.status).is_indexed and not one.re_embedded
    ]


def _held(
    workspace: Workspace, waiting: Sequence[Correction]
) -> tuple[list[Correction], tuple[str, ...]]:
    """Those whose entry the index has as it lies in its file, with its vector where meanings are
    compared.
    """
    from clawgit.ops.search.indexing import opened  # noqa: PLC0415 - only where something waits
    from clawgit.ops.search.vector_search import Meaning, choose, told  # noqa: PLC0415

    chosen = choose(workspace, hurried=True)
    with opened(workspace) as live:
        live.refresh()
        there = set(_indexed(live))
        held = [one for one in waiting if _is_held(workspace, one, there)]
        if chosen.embedder is None or not held:
            return held, ()
        try:
            left = Meaning(workspace, chosen.embedder).follow(live)
        except ClawgitError as error:
            return [], (f"No vectors yet: {told(error)}",)
        return (
            ([], (f"{left} texts have no vector yet: clawgit memory index",))
            if left
            else (held, ())
        )


def _indexed(live: "SearchIndex") -> Iterator[tuple[str, str]]:
    """Key and text of each entry of lasting files, as the index has them."""
    for file in live.files():
        if tier(file.path) == CORE:
            yield from (
                (row.key, row.text) for row in live.rows(range(file.first, file.first + file.items))
            )


def _is_held(workspace: Workspace, one: Correction, there: Collection[tuple[str, str]]) -> bool:
    """Whether the index has an entry that rests on a correction; of a quoted one, the quote with
    its entry's key.
    """
    if one.status == QUOTED:
        return any(key == one.target and one.correct in text for key, text in there)
    return bool(_shown_as(workspace, one) & set(there))


def _shown_as(workspace: Workspace, one: Correction) -> set[tuple[str, str]]:
    """The entries that rest on a correction, by key and text."""
    return {(entry.key, entry.text) for entry in _entries_on(workspace, one.evidence)}


def _entries_on(workspace: Workspace, evidence: str) -> Iterator[Entry]:
    files = files_now(workspace)
    for path in files:
        if tier(path) == CORE and evidence in files[path]:
            yield from (
                entry
                for entry in entries(files[path])
                if entry.meta and evidence in entry.meta.evidence
            )

"""Embeds the text of a correction before it is written, so that `Re-embedded` is true.

No file changes before the one commit that corrects. After a kill -9 in between, there are vectors
of a text that no file has; no search shows it. Words need nothing: each search reads the files.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from clawgit.agents.contract import ChangeSet, FileEdit, Step
from clawgit.domain.change.actors import actor_named
from clawgit.domain.change.history import RE_EMBED, Intent
from clawgit.domain.conversation.triage_rules import VALIDATOR
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    RE_EMBEDDED,
    Correction,
    corrections,
    with_fields,
)
from clawgit.domain.corrections.statuses import QUOTED, status_of
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.errors import ClawgitError
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.agents.result import Landed
from clawgit.ops.agents.snapshot import files_now
from clawgit.ops.change.described import Change, described
from clawgit.ops.search.meaning import Meaning, choose
from clawgit.ops.search.side import with_hint
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance
from clawgit.stores.index.discover import in_scope
from clawgit.stores.index.index import of_texts


class Planned(NamedTuple):
    """Files that are about to be written. All other files are read from disk."""

    written: Mapping[str, str] = MappingProxyType({})


def embedded(workspace: Workspace, wanted: ChangeSet, *, dry_run: bool = False) -> ChangeSet:
    """The change set to commit: `Re-embedded` says whether the index has the text.

    Texts that the index did not take earlier are tried again. A dry run writes no index, and says
    yes.
    """
    steps: list[Step] = []
    notes = wanted.notes
    for step in wanted.steps:
        log = next((edit.after for edit in step.edits if edit.path == CORRECTIONS), None)
        if log is None:
            steps.append(step)
            continue
        written = {edit.path: edit.after for edit in step.edits if edit.after is not None}
        held, more = _held(workspace, log, Planned(written), dry_run=dry_run)
        notes = (*notes, *more)
        steps.append(_noting(step, held))
    return wanted._replace(steps=tuple(steps), notes=notes)


def settle(workspace: Workspace, ended: Ended) -> Followed:
    """After a run of the Recall Validator: updates `Re-embedded` of earlier corrections.

    By a commit of its own, since a correction with a no is never archived. A run that has just
    written the log has tried already.
    """
    if CORRECTIONS in ended.changed:
        return Followed()
    done, notes = _caught_up(workspace, ended.clock(), run=ended.run, job=ended.job)
    if done is None or done.commit is None:
        return Followed(notes)
    landed = Landed(done.commit, done.id, "note what the index holds", "", (), done.changed)
    return Followed(notes, (landed,))


def _caught_up(
    workspace: Workspace, now: datetime, *, run: str, job: str
) -> tuple[Change | None, tuple[str, ...]]:
    log = glance(workspace.root, CORRECTIONS)
    held, notes = _held(workspace, log, Planned())
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
        # Somebody may have edited the log since it was read.
        text = tx.read_text(CORRECTIONS) or ""
        tx.put(CORRECTIONS, _marked(text, held))
    return described(tx), notes


def _noting(step: Step, held: Sequence[Correction]) -> Step:
    edits = tuple(
        FileEdit(edit.path, edit.before, _marked(edit.after or "", held))
        if edit.path == CORRECTIONS
        else edit
        for edit in step.edits
    )
    return step._replace(edits=edits)


def _marked(log: str, held: Sequence[Correction]) -> str:
    present = {correction.id for correction in corrections(log)}
    for correction in held:
        if correction.id in present:
            log = with_fields(log, correction.id, {RE_EMBEDDED: "true"})
    return log


def _held(
    workspace: Workspace, log: str, planned: Planned, *, dry_run: bool = False
) -> tuple[list[Correction], tuple[str, ...]]:
    """The corrections of a log whose texts the index has now, and why it lacks the others."""
    files = _Files(workspace, planned)
    held: list[Correction] = []
    texts: dict[str, str] = {}
    for correction in filter(_waits, corrections(log)):
        resting = files.of(correction)
        if resting:
            held.append(correction)
            texts |= resting
    if not held or dry_run:
        return held, ()
    why = _lacking(workspace, texts)
    return ([], (why,)) if why else (held, ())


def _waits(correction: Correction) -> bool:
    return status_of(correction.status).is_indexed and not correction.re_embedded


class _Files:
    """The files of memory that the index covers, as they will be."""

    def __init__(self, workspace: Workspace, planned: Planned) -> None:
        self._workspace, self._planned = workspace, planned

    def of(self, correction: Correction) -> dict[str, str]:
        """The files, with their text, that have an entry which rests on a correction."""
        # It is mostly in a file that is being written; then nothing else is read.
        written = self._planned.written
        if affected := self._among(correction, written):
            return affected
        now = files_now(self._workspace)
        others = {path: now[path] for path in now if path not in written and holds_entries(path)}
        return self._among(correction, others)

    def _among(self, correction: Correction, files: Mapping[str, str]) -> dict[str, str]:
        affected = {
            path: text
            for path, text in files.items()
            if holds_entries(path) and _rest_on(correction, text)
        }
        # Cheap first: what is in scope needs the settings, and mostly no file is affected.
        covered = in_scope(affected, reach_of(self._workspace)) if affected else {}
        return {path: text for path, text in affected.items() if path in covered}


def _rest_on(correction: Correction, text: str) -> bool:
    """Whether a text has an entry that rests on a correction, or, of a quoted one, the quote."""
    name = correction.target if correction.status == QUOTED else correction.evidence
    return name in text and any(_rests(entry, correction) for entry in entries(text))


def _rests(entry: Entry, correction: Correction) -> bool:
    if correction.status == QUOTED:
        return entry.key == correction.target and correction.correct in entry.text
    return entry.meta is not None and correction.evidence in entry.meta.evidence


def _lacking(workspace: Workspace, texts: Mapping[str, str]) -> str:
    """Embeds what files will hold, if vectors are on; returns why it failed, "" if it did not."""
    chosen = choose(workspace, hurried=True)
    if chosen.embedder is None:
        return f"No vectors yet: {chosen.reason}" if chosen.reason else ""
    with of_texts(texts) as planned:
        try:
            left = Meaning(workspace, chosen.embedder).follow(planned)
        except ClawgitError as error:
            return f"No vectors yet: {with_hint(error)}"
    return f"{left} texts have no vector yet: clawgit memory index" if left else ""

"""Embeds the text of a correction before it is written, so that `Re-embedded` is true.

No file changes before the one commit that corrects. After a kill -9 in between, there are vectors
of a text that no file has; no search shows it. Words need nothing: each search reads the files.
"""

from collections.abc import Iterable, Mapping

from clawgit.agents.contract import ChangeSet, Step
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
from clawgit.domain.corrections.statuses import status_of
from clawgit.domain.markdown.entry import holds_entries
from clawgit.errors import ClawgitError, counted
from clawgit.ops.agents.agents import Ended, Followed
from clawgit.ops.agents.runs import Landed
from clawgit.ops.agents.snapshot import files_now
from clawgit.ops.change.described import described
from clawgit.ops.search.meaning import Meaning, choose
from clawgit.ops.search.side import with_hint
from clawgit.ops.workspace.reach import reach_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance
from clawgit.stores.index.discover import in_scope
from clawgit.stores.index.index import of_texts


def embedded(workspace: Workspace, wanted: ChangeSet, *, dry_run: bool = False) -> ChangeSet:
    """The change set to commit: `Re-embedded` of what it corrects says whether the index has it.

    A dry run writes no index, and says yes.
    """
    steps: list[Step] = []
    notes = wanted.notes
    for step in wanted.steps:
        written = {edit.path: edit.after for edit in step.edits if edit.after is not None}
        why = "" if dry_run or CORRECTIONS not in written else _lacking(workspace, written)
        notes = (*notes, why) if why else notes
        steps.append(step if why else _noting(step))
    return wanted._replace(steps=tuple(steps), notes=notes)


def _noting(step: Step) -> Step:
    def noted(before: str, after: str) -> str:
        earlier = {each.id for each in _waiting(before)}
        return _marked(after, (each for each in _waiting(after) if each.id not in earlier))

    edits = (
        edit._replace(after=noted(edit.before or "", edit.after or ""))
        if edit.path == CORRECTIONS
        else edit
        for edit in step.edits
    )
    return step._replace(edits=tuple(edits))


def settle(workspace: Workspace, ended: Ended) -> Followed:
    """After a run of the Recall Validator: updates `Re-embedded` of earlier corrections.

    By a commit of its own, since a correction with a no is never archived. A run that has just
    written the log has tried already.
    """
    waiting = _waiting(glance(workspace.root, CORRECTIONS))
    if CORRECTIONS in ended.changed or not waiting:
        return Followed()
    if why := _lacking(workspace, files_now(workspace)):
        return Followed((why,))
    intent = Intent(
        actor_named(VALIDATOR),
        RE_EMBED,
        f"the index holds {counted(len(waiting), 'correction')}",
        "Memory and search have the right value.",
        tuple(correction.evidence for correction in waiting),
        run=ended.run,
        job=ended.job,
    )
    with workspace.git.transaction(intent, ended.clock()) as tx:
        # Somebody may have edited the log since it was read.
        tx.put(CORRECTIONS, _marked(tx.read_text(CORRECTIONS) or "", waiting))
    done = described(tx)
    if done.commit is None:
        return Followed()
    return Followed(
        (), (Landed(done.commit, done.id, "note what the index holds", "", (), done.changed),)
    )


def _waiting(log: str) -> list[Correction]:
    """The corrections of a log that the index has to hold, and does not yet."""
    known = corrections(log)
    return [each for each in known if status_of(each.status).is_indexed and not each.re_embedded]


def _marked(log: str, held: Iterable[Correction]) -> str:
    present = {correction.id for correction in corrections(log)}
    for correction in held:
        if correction.id in present:
            log = with_fields(log, correction.id, {RE_EMBEDDED: "true"})
    return log


def _lacking(workspace: Workspace, files: Mapping[str, str]) -> str:
    """Embeds what these files of memory hold, if vectors are on; returns why it failed, "" if it
    did not.
    """
    chosen = choose(workspace, hurried=True)
    if chosen.embedder is None:
        return f"No vectors yet: {chosen.reason}" if chosen.reason else ""
    covered = in_scope(filter(holds_entries, files), reach_of(workspace))
    with of_texts({path: files[path] for path in covered}) as planned:
        try:
            left = Meaning(workspace, chosen.embedder).follow(planned)
        except ClawgitError as error:
            return f"No vectors yet: {with_hint(error)}"
    return f"{left} texts have no vector yet: clawgit memory index" if left else ""

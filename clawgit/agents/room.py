"""Limits the notebook, since OpenClaw injects all of it into each conversation."""

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot
from clawgit.domain.compaction.moved import move_notice
from clawgit.domain.compaction.tidy import with_room
from clawgit.domain.workspace.routing import notebook_of


def roomy(wanted: ChangeSet, seen: Snapshot) -> ChangeSet:
    """The same change set, with a last step that leaves the notebook within its limits.

    What does not fit moves to topic files in the same commit.
    """
    path = notebook_of(seen.files)
    if not any(edit.path == path for step in wanted.steps for edit in step.edits):
        return wanted
    draft = _drafted(wanted, seen)
    tidied = with_room(seen.files.get(path, ""), draft.read(path), draft, seen.settings, seen.today)
    if not tidied.moved:
        return wanted
    for target, text in {**tidied.files, path: tidied.text}.items():
        draft.put(target, text)
    moved = [
        Proposed(path, "moved", f"{entry.text.removeprefix('- ')} → {entry.target}", (path,))
        for entry in tidied.moved
    ]
    last = wanted.steps[-1]
    last = last._replace(edits=draft.edits, proposed=(*last.proposed, *moved))
    notes = (*wanted.notes, move_notice(path, tidied.moved))
    return wanted._replace(steps=(*wanted.steps[:-1], last), notes=notes)


def _drafted(wanted: ChangeSet, seen: Snapshot) -> Draft:
    """The files as all steps leave them; the draft's edits are those of the last step."""
    draft = Draft(seen.files)
    for step in wanted.steps:
        draft.cut()
        for edit in step.edits:
            if edit.after is None:
                draft.delete(edit.path)
            else:
                draft.put(edit.path, edit.after)
    return draft

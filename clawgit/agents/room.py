"""Room in the notebook: whatever an agent writes there, OpenClaw reads all of it."""

from clawgit.agents.contract import ChangeSet, Draft, Proposed, Snapshot
from clawgit.domain.workspace.routing import notebook_of


def roomy(wanted: ChangeSet, seen: Snapshot) -> ChangeSet:
    """The same, but that its last step leaves the notebook within its limits: what does not fit
    moves to topic files, by the same commit.
    """
    path = notebook_of(seen.files)
    if not any(edit.path == path for step in wanted.steps for edit in step.edits):
        return wanted
    from clawgit.domain.compaction.moved import told_of  # noqa: PLC0415 - goes with it
    from clawgit.domain.compaction.tidy import with_room  # noqa: PLC0415 - the judges, and most runs write nothing there

    draft = _drafted(wanted, seen)
    found = with_room(seen.files.get(path, ""), draft.read(path), draft, seen.settings, seen.today)
    if not found.moved:
        return wanted
    for target, text in {**found.files, path: found.text}.items():
        draft.put(target, text)
    moved = (
        Proposed(path, "moved", f"{one.text.removeprefix('- ')} → {one.target}", (path,))
        for one in found.moved
    )
    last = wanted.steps[-1]
    last = last._replace(edits=draft.edits, proposed=(*last.proposed, *moved))
    return wanted._replace(
        steps=(*wanted.steps[:-1], last), notes=(*wanted.notes, told_of(path, found.moved))
    )


def _drafted(wanted: ChangeSet, seen: Snapshot) -> Draft:
    """The files as all the steps leave them; the edits are those of the last one."""
    draft = Draft(seen.files)
    for step in wanted.steps:
        draft.cut()
        for edit in step.edits:
            if edit.after is None:
                draft.delete(edit.path)
            else:
                draft.put(edit.path, edit.after)
    return draft

"""The files of a workspace in memory, once the steps of a change set have landed."""

from collections.abc import Mapping

from clawgit.agents.contract import ChangeSet


def applied(files: Mapping[str, str], change: ChangeSet) -> dict[str, str]:
    after = dict(files)
    for edit in (edit for step in change.steps for edit in step.edits):
        assert after.get(edit.path) == edit.before
        if edit.after is None:
            del after[edit.path]
        else:
            after[edit.path] = edit.after
    return after

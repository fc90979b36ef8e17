"""Shortens the comments of the entries that a change set touches."""

from clawgit.agents.contract import ChangeSet, FileEdit, Step
from clawgit.domain.facts.past import Shortener


def short(wanted: ChangeSet) -> ChangeSet:
    """The same change set. What a comment loses is in its step, for the message of its commit."""
    shortener = Shortener()
    return wanted._replace(steps=tuple(_short(step, shortener) for step in wanted.steps))


def _short(step: Step, shortener: Shortener) -> Step:
    # First what is there already, since `shorten` records what this step writes.
    befores = [shortener.as_landed(edit.before or "") for edit in step.edits]
    done = shortener.shorten(step.edits)
    edits = tuple(
        FileEdit(
            edit.path,
            None if edit.before is None else before,
            done.texts.get(edit.path, edit.after),
        )
        for edit, before in zip(step.edits, befores, strict=True)
    )
    return step._replace(edits=edits, left=(*step.left, *done.left))

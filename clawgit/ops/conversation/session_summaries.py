"""Saves the summary of a compaction: one note per session in memory/summaries/."""

from collections.abc import Sequence

from clawgit.domain.change.history import Intent
from clawgit.domain.conversation.session import SessionMessage
from clawgit.domain.conversation.session_note import (
    SUMMARIES,
    About,
    is_note_of,
    summary_name,
    summary_note,
)
from clawgit.domain.markdown import frames
from clawgit.domain.safety.covered import covered
from clawgit.domain.safety.masks import struck
from clawgit.ops.change.described import Change, described
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.worktree import glance
from clawgit.values import NamedTuple


class KeptSummary(NamedTuple):
    """`path` is the note, None where there was nothing to keep."""

    path: str | None
    change: Change


def save_summary(
    workspace: Workspace,
    about: About,
    messages: Sequence[SessionMessage],
    summary: str,
    *,
    dry_run: bool = False,
) -> KeptSummary:
    """Writes the note of a session's summary by one commit.

    A later summary of the session includes the earlier one, so it replaces it.
    """
    text = covered(summary, struck)
    intent = Intent(
        actor=workspace.caller.actor,
        verb="session",
        summary=f"sum up a session, up to {about.ended:%Y-%m-%d %H:%M}",
        reason="Its older messages leave the context; this is what was said in them.",
        evidence=(f"chat:{about.id}",),
        session=about.key,
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run, parkable=True) as tx:
        path = _written_before(workspace, about) or summary_name(messages, about.ended)
        tx.put(path, summary_note(about, text))
    return KeptSummary(path, described(tx, dry_run=dry_run))


def _written_before(workspace: Workspace, about: About) -> str | None:
    folder = workspace.root / SUMMARIES
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    paths = (f"{SUMMARIES}{name}" for name in names if name.endswith(".md"))
    return next(
        (
            path
            for path in paths
            if is_note_of(glance(workspace.root, path), about.id, frames.IN_SHORT)
        ),
        None,
    )

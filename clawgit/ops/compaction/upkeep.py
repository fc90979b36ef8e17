"""The nightly upkeep: limits what grows unnoticed."""

from datetime import datetime

from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.rewriting import pack


def upkeep(workspace: Workspace, _: datetime) -> Performed:
    """Deletes messages past their retention, and lets git pack what it wants to pack.

    `git gc --auto` deletes nothing that a branch, a tag or a ref of ours reaches.
    """
    with open_chat(workspace) as chat:
        before = chat.store.count()
        chat.retain()
        gone, notes = before - chat.store.count(), chat.notes
    if why_not := pack(workspace.cgit):
        notes = (*notes, why_not)
    summary = f"{gone} old messages deleted" if gone else "no old messages"
    return Performed("upkeep", summary, notes=tuple(notes))

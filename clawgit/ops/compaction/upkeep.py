"""The nightly upkeep: what grows without anybody looking is kept in bounds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from clawgit.ops.conversation.chat import open_chat
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.packing import pack


def upkeep(workspace: Workspace, clock: Callable[[], datetime], job: str) -> Performed:
    """Deletes messages that are older than they are to be kept, and lets git pack what it finds
    worth packing.

    `git gc --auto` throws nothing away that a branch, a tag or a ref of ours names.
    """
    here = Workspace(workspace.place, replace(workspace.caller, now=clock()))
    with open_chat(here) as chat:
        before = chat.store.count()
        chat.retain()
        gone, notes = before - chat.store.count(), chat.notes
    if why_not := pack(CGit(here.root, here.caller.env)):
        notes = (*notes, why_not)
    told = f"{gone} old messages deleted" if gone else "nothing was due"
    return Performed(job.partition("@")[0] or "upkeep", told, notes=tuple(notes))

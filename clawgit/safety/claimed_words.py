"""What the operator said, by the messages that are stored. Corrections of which an edit by hand
says that the operator made them are looked up, as the evidence of a tool is.
"""

import re
from typing import TYPE_CHECKING

from clawgit.core.errors import ClawgitError
from clawgit.core.markdown.item import spoken
from clawgit.talk.rules.chat import USER
from clawgit.talk.rules.corrections import (
    CORRECTIONS,
    Correction,
    claimed,
)
from clawgit.talk.rules.kept_line import is_private
from clawgit.talk.rules.lost import lost_corrections
from clawgit.talk.rules.passages import own
from clawgit.talk.stores.chat import MessageQuery
from clawgit.talk.stores.chat.sqlite import SqliteChat

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

_CHAT = "chat:"
_WORD = re.compile(r"\w+")
_SHORTEST = 12
"""A line with fewer letters is anybody's."""

_MOST = 20
"""So many messages with the words of a line are looked at."""


def unsaid(
    workspace: "WorkspaceBase", path: str, before: str, after: str, log: str
) -> tuple[Correction, ...]:
    """The corrections that an edit makes binding, and that no message of the operator's proves.

    Corrections may be moved to the archive by hand: `log` is what CORRECTIONS.md said before.
    """
    known = before if path == CORRECTIONS else f"{log}\n{before}"
    return tuple(claim for claim in claimed(known, after) if not _is_said(workspace, claim))


def reworded(path: str, before: str, after: str) -> tuple[str, ...]:
    """The ids of the corrections that an edit makes say something else."""
    return tuple(loss.name for loss in lost_corrections({path: before}, {path: after}) if loss.line)


def is_said(workspace: "WorkspaceBase", text: str) -> bool:
    """Whether each line of a text is a line of the operator's own in one message, as in the note of
    a session. What he pasted is not his, and in a group anybody speaks.
    """
    lines = {*filter(None, map(_bare, spoken(text).split("\n")))}
    longest = max(lines, key=len, default="")
    if len(longest) < _SHORTEST:
        return False
    try:
        with workspace.state() as state:
            wanted = MessageQuery(query=longest, roles=(USER,), limit=_MOST)
            messages = SqliteChat(state, str).find(wanted)
    except ClawgitError:
        return False
    return any(
        is_private(each.session) and lines <= {*map(_bare, own(each.text).split("\n"))}
        for each in messages
    )


def _bare(line: str) -> str:
    return " ".join(_WORD.findall(line))


def _is_said(workspace: "WorkspaceBase", claim: Correction) -> bool:
    """Whether the message that it cites is the operator's, and has its words."""
    if not claim.source.startswith(_CHAT):
        return False
    try:
        with workspace.state() as state:
            message = SqliteChat(state, str).get(claim.source.removeprefix(_CHAT))
    except ClawgitError:
        return False
    words = claim.words or claim.correct
    return (
        message is not None
        and message.role == USER
        and " ".join(words.split()).casefold() in " ".join(message.text.split()).casefold()
    )

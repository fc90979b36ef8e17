"""Whose words a message has. All that takes a message for the operator's asks here: the agents, the
notes of sessions, corrections, and edits by hand that say that the operator made them.
"""

import re
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from clawgit.core.errors import ClawgitError
from clawgit.core.markdown.item import spoken
from clawgit.safety.masking import mask_of
from clawgit.talk.rules.chat import ANOTHER, USER, Message, unwrapped
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, claimed
from clawgit.talk.rules.exchange import certain, says
from clawgit.talk.rules.kept_line import is_private, operators_names
from clawgit.talk.rules.lost import lost_corrections
from clawgit.talk.rules.passages import own
from clawgit.talk.rules.visitors import VISIT, told_apart
from clawgit.talk.stores.chat import MessageQuery
from clawgit.talk.stores.chat.sqlite import SqliteChat

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

CHAT = "chat:"
_WORD = re.compile(r"\w+")
_SHORTEST = 12
"""A line with fewer letters is anybody's."""

_MOST = 20
"""So many messages with the words of a line are looked at."""


def of_operator(workspace: "WorkspaceBase", messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages, where somebody else's have another role. Who writes a session may have been
    said before the first of them, or between them.
    """
    if not messages:
        return ()
    names = operators_names(workspace.glance("USER.md"))
    times = sorted(each.time for each in messages)
    with workspace.state() as state:
        store = SqliteChat(state, str)
        stored = [
            store.find(MessageQuery("", session, (USER,), times[0] - VISIT, times[-1]))
            for session in {each.session for each in messages}
        ]
    said = sorted(chain(*stored, messages), key=attrgetter("time"))
    visits = {each.key for each in told_apart(said, names) if each.role == ANOTHER}
    return tuple(each._replace(role=ANOTHER) if each.key in visits else each for each in messages)


def words_of(workspace: "WorkspaceBase", source: str) -> str:
    """The operator's words in the message that evidence names; "" if it names none of his."""
    with workspace.state() as state:
        store = SqliteChat(state, mask_of(workspace))
        found = store.get(source.removeprefix(CHAT)) if source.startswith(CHAT) else None
    told = of_operator(workspace, [found] if found else [])
    return "".join(unwrapped(each.text) for each in told if _is_his(each))


def has_said(workspace: "WorkspaceBase", source: str, text: str) -> bool:
    """Whether a whole sentence of the operator's, in the message that evidence names, says this."""
    return says(certain(words_of(workspace, source)), text)


def unsaid(
    workspace: "WorkspaceBase", path: str, before: str, after: str, log: str
) -> tuple[Correction, ...]:
    """The corrections by which an edit gives words to the operator, and that no message proves.

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
        # One by one: between two of them there may be years.
        return any(
            lines <= {*map(_bare, own(each.text).split("\n"))}
            and _is_his(*of_operator(workspace, [each]))
            for each in messages
        )
    except ClawgitError:
        return False


def _is_his(message: Message) -> bool:
    """Whether a message that was told apart is the operator's; in a group anybody speaks."""
    return message.role == USER and is_private(message.session)


def _bare(line: str) -> str:
    return " ".join(_WORD.findall(line))


def _is_said(workspace: "WorkspaceBase", claim: Correction) -> bool:
    """Whether the message that it cites is the operator's, and has its words."""
    try:
        said = words_of(workspace, claim.source)
    except ClawgitError:
        return False
    words = claim.words or claim.correct
    return said != "" and _plain(words) in _plain(said)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()

"""Transcripts as OpenClaw keeps them: a tree of entries, of which one branch is current, and what
was said in each.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Any

from clawgit.core import NamedTuple
from clawgit.safety.rules.masks import both_ends, head
from clawgit.talk.rules.chat import Ident, Message, recorded

FOLLOWS = ""
"""The parent of an entry that names none: the one before it. Transcripts of the first releases have
no tree."""

_HEADER = "session"
_ROOT = -1
_SUMMARIES = {"compaction": "compactionSummary", "branch_summary": "branchSummary"}
_SPOKEN = ("message", "custom_message", *_SUMMARIES)
_TOOLS = frozenset({"toolResult", "bashExecution", "tool"})
_HEAD = 3000
_TAIL = 1000
_LONGEST_CALL = 500


class TranscriptEntry(NamedTuple):
    """One entry. `id` is made from its place if it has none; `parent` is None for a root. `said`
    holds all of it.
    """

    id: str
    parent: str | None
    type: str
    said: Mapping[str, Any]


def entry_of(value: Mapping[str, Any], place: str) -> TranscriptEntry:
    """The entry that a line of JSON is, whatever it lacks."""
    ident, parent = value.get("id"), value.get("parentId", FOLLOWS)
    kind = value.get("type")
    is_header = kind == _HEADER
    return TranscriptEntry(
        ident if isinstance(ident, str) and ident.strip() and not is_header else f"#{place}",
        parent if parent is None or isinstance(parent, str) else FOLLOWS,
        kind if isinstance(kind, str) else "",
        value,
    )


def branch(entries: Iterable[TranscriptEntry]) -> list[int]:
    """The places of the entries that are on the current branch, which ends in the last one."""
    places: dict[str, int] = {}
    origins: list[int] = []
    before = ""
    for at, entry in enumerate(entries):
        # The parent's line was lost, or stands further down: the entry follows the one before it.
        origin = places.get(entry.parent or FOLLOWS, at - 1)
        # A reset starts a new chain, but what came before it was still said.
        if entry.parent is None and "reset" not in (entry.type, before):
            origin = _ROOT
        origins.append(origin)
        places[entry.id] = at
        before = entry.type
    path: list[int] = []
    at = len(origins) - 1
    while at > _ROOT:
        path.append(at)
        at = origins[at]
    return path[::-1]


def body_of(entry: TranscriptEntry) -> Mapping[str, Any] | None:
    """The message in an entry: its role and its content, with whatever else it has; or None."""
    body = entry.said
    if entry.type == "message" and isinstance(body.get("message"), Mapping):
        body = body["message"]
    # OpenClaw keeps these without a message; they get the shape of one.
    elif entry.type in _SUMMARIES:
        body = {"role": _SUMMARIES[entry.type], "summary": body.get("summary") or ""}
    elif entry.type == "custom_message":
        body = {"role": "custom", "content": body.get("content") or ""}
    return body if isinstance(body.get("role"), str) else None


def message_of(
    entry: TranscriptEntry, conversation: str, session: str, before: datetime
) -> Message | None:
    """The message in an entry, or None. `before` is its time if the entry has none."""
    body = body_of(entry)
    if body is None or entry.type not in _SPOKEN:
        return None
    role = body["role"]
    text = content_text(body.get("content", body.get("summary")))
    if role == "bashExecution":
        text = f"$ {body.get('command')}\n{body.get('output') or ''}".rstrip()
    if role in _TOOLS:
        # The output of a tool may be of any size, and nobody said it: its two ends are enough.
        text = both_ends(text, _HEAD, _TAIL)
    if not (role and text.strip()):
        return None
    time = moment(body.get("timestamp")) or moment(entry.said.get("timestamp")) or before
    return recorded(conversation, session, role, text, time, entry.id)


def message_of_line(
    value: Mapping[str, Any], session: str, ident: Ident, now: datetime
) -> Message | None:
    """The message in a line of plain JSON: `{"role", "text", "time", "id", "session"}`.

    `session` and `now` stand in for missing values; `ident` (see `numbered`) makes a missing id.
    None if the line says nothing.
    """
    role = value.get("role")
    text = content_text(value.get("text", value.get("content")))
    if not isinstance(role, str) or not role.strip() or not text.strip():
        return None
    named = value.get("session")
    if isinstance(named, str) and named.strip():
        session = named
    time = moment(value.get("time", value.get("timestamp")))
    own = value.get("id")
    # True is an int for Python, but not an id.
    is_id = isinstance(own, (str, int)) and not isinstance(own, bool)
    known = (str(own).strip() if is_id else "") or ident(session, role, text, time)
    return recorded(session, session, role, text, time or now, known)


def moment(value: object) -> datetime | None:
    """The time that milliseconds or ISO 8601 text name, None if they name none."""
    try:
        if isinstance(value, str):
            when = datetime.fromisoformat(value)
            return shown_anywhere(when if when.tzinfo else when.replace(tzinfo=UTC))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return shown_anywhere(datetime.fromtimestamp(value / 1000, UTC))
    except (ValueError, OverflowError, OSError):
        return None
    return None


def shown_anywhere(when: datetime) -> datetime | None:
    """The same moment in UTC, None in the first and the last year of the calendar: in some zones
    these have no date.
    """
    return when.astimezone(UTC) if MINYEAR < when.year < MAXYEAR else None


def content_text(content: object) -> str:
    """What a reader sees of a message's content: its texts, a mark for an image, a line for a tool
    call.
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(
        filter(None, (_part_text(part) for part in parts if isinstance(part, Mapping)))
    )


def _part_text(part: Mapping[str, Any]) -> str:
    if part.get("type") == "toolCall":
        arguments = json.dumps(part.get("arguments"), ensure_ascii=False)
        return f"[{part.get('name')} {head(arguments, _LONGEST_CALL)}]"
    if part.get("type") == "image":
        return "[image]"
    text = part.get("text")
    return text if isinstance(text, str) else ""

"""Writes the notes of sessions: of one that ended, and the summary of a long one. Each is one
commit, and a session has one of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from itertools import count as numbers
from typing import NamedTuple

from clawgit.agents.contract import Mind
from clawgit.domain.change.history import Intent
from clawgit.domain.conversation.session import SessionMessage, text_of
from clawgit.domain.conversation.session_note import (
    NOTES,
    SUMMARIES,
    About,
    ending,
    is_note_of,
    note,
    note_name,
    slug_by_rules,
    summary_note,
)
from clawgit.domain.markdown import frames
from clawgit.domain.model.proof import proven
from clawgit.domain.safety.masks import covered, head, struck
from clawgit.errors import NoAnswerError
from clawgit.ops.agents.model import session_mind
from clawgit.ops.change.changes import snapshot
from clawgit.ops.change.described import Change, described, fields_of
from clawgit.ops.conversation.session_reading import Where, conversations
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.transaction import Transaction
from clawgit.stores.git.worktree import glance

WRITTEN = "written"
ADOPTED = "adopted"
KNOWN = "known"
EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession(Change):
    """`session` is the id of the session that ended.

    `action`: written; adopted (OpenClaw wrote the note, and it is committed now); known (it was
    committed already); or empty (nothing was said).
    """

    action: str
    session: str
    key: str
    path: str | None
    messages: int
    notes: tuple[str, ...] = ()


class _Ended(NamedTuple):
    about: About
    said: list[SessionMessage]
    notes: list[str]


def new_session(
    workspace: Workspace, where: Where, *, source: str = "", dry_run: bool = False
) -> NewSession:
    """Writes the note of the session that ends, under the day of its last message.

    Its transcript is only read. The language model names it, if there is one.
    """
    ended = _ended(workspace, where, source)
    about = ended.about
    if not ended.said:
        return _result(EMPTY, ended, None, Change(dry_run=dry_run))
    there = _note_of(workspace, about, NOTES, frames.SESSION)
    if there is None:
        with session_mind(workspace) as mind:
            wanted = note_name(about, slug_by(mind, ended.said, ended.notes))
        intent = _intent(
            workspace,
            about,
            f"keep the end of the session of {about.ended:%Y-%m-%d %H:%M}",
            f"A new session begins; these are the last {len(ended.said)} messages of the one "
            "before.",
            f"/{ended.said[-1].id}",
        )
        with workspace.git.transaction(intent, workspace.now, dry_run=dry_run, parkable=True) as tx:
            # Again, under the lock: a model is slow, and another process may have been faster.
            there = _note_of(workspace, about, NOTES, frames.SESSION)
            path = there or _free_path(tx, wanted)
            if there is None:
                tx.put(path, note(about, ended.said))
        if there is None:
            return _result(WRITTEN, ended, path, described(tx, dry_run=dry_run))
    return _adopted(workspace, ended, there, dry_run=dry_run)


def save_summary(
    workspace: Workspace,
    about: About,
    messages: Sequence[SessionMessage],
    summary: str,
    *,
    dry_run: bool = False,
) -> tuple[str, Change]:
    """Writes the note of a session's summary; returns its path.

    A later summary of the session includes the earlier one, so it replaces it.
    """
    intent = _intent(
        workspace,
        about,
        f"sum up a session, up to {about.ended:%Y-%m-%d %H:%M}",
        "Its older messages leave the context; this is what was said in them.",
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run, parkable=True) as tx:
        there = _note_of(workspace, about, SUMMARIES, frames.IN_SHORT)
        path = there or note_name(about, slug_by_rules(covered(messages, struck)), SUMMARIES)
        tx.put(path, summary_note(about, covered(summary, struck)))
    return path, described(tx, dry_run=dry_run)


def _ended(workspace: Workspace, where: Where, source: str) -> _Ended:
    """The last session of that name in which anything was said; the next one may have begun."""
    first: _Ended | None = None
    for talk in conversations(workspace, where):
        heard, mark = ending(talk.entries)
        # Masked first: the note, its name and what a model is shown are all made of these.
        said = [message._replace(value=covered(message.value, struck)) for message in heard]
        when = max((message.time for message in said if message.time), default=workspace.now)
        about = About(
            talk.name,
            f"{talk.id}#{mark}" if mark else talk.id,
            source or talk.source,
            when.astimezone(workspace.local_zone),
        )
        # If nothing was said in any of them, the latest one is reported as empty.
        first = first or _Ended(about, said, [*talk.notes])
        if said:
            return _Ended(about, said, [*talk.notes])
    return first or _Ended(About("", "", "", workspace.now), [], [])


def _intent(
    workspace: Workspace, about: About, summary: str, reason: str, last: str = ""
) -> Intent:
    return Intent(
        actor=workspace.caller.actor,
        verb="session",
        summary=summary,
        reason=reason,
        evidence=(f"chat:{about.id}{last}",),
        session=about.key,
    )


def _note_of(workspace: Workspace, about: About, folder: str, title: str) -> str | None:
    """The note of that session in a folder, whoever wrote it."""
    paths = sorted(f"{folder}{file.name}" for file in (workspace.root / folder).glob("*.md"))
    of = (path for path in paths if is_note_of(glance(workspace.root, path), about.id, title))
    return next(of, None)


def _free_path(tx: Transaction, wanted: str) -> str:
    """The path with a number if another session of that day has the same name."""
    paths = chain([wanted], (f"{wanted.removesuffix('.md')}-{number}.md" for number in numbers(2)))
    return next(path for path in paths if tx.read(path) is None)


def _adopted(workspace: Workspace, ended: _Ended, path: str, *, dry_run: bool) -> NewSession:
    if path not in workspace.git.dirt().paths:
        return _result(KNOWN, ended, path, Change(dry_run=dry_run))
    if dry_run:
        return _result(ADOPTED, ended, path, Change(changed=(path,), dry_run=True))
    done = snapshot(workspace)
    change = Change(
        commit=done.commit,
        id=done.id,
        changed=done.changed,
        snapshots=tuple(part.commit for part in done.commits),
        alerts=done.alerts,
    )
    return _result(ADOPTED, ended, path, change)


def _result(action: str, ended: _Ended, path: str | None, done: Change) -> NewSession:
    return NewSession(
        **fields_of(done),
        action=action,
        session=ended.about.id,
        key=ended.about.key,
        path=path,
        messages=len(ended.said),
        notes=tuple(ended.notes),
    )


_LAST_TURNS, _LONGEST_TURN = 12, 2000
"""How many messages the model is shown, and how many characters of each."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a conversation was about: one to three of its words that stand side by side there."""

    name: str


def slug_by(mind: Mind | None, messages: Sequence[SessionMessage], notes: list[str]) -> str:
    """Names a conversation by words of it that a model chooses, else by rules; `notes` get why the
    model failed.
    """
    if mind is None:
        return slug_by_rules(messages)
    turns = (f"{one.role}: {head(text_of(one), _LONGEST_TURN)}" for one in messages[-_LAST_TURNS:])
    try:
        given = mind.ask("Name this conversation.", {"conversation": "\n\n".join(turns)}, Name)
    except NoAnswerError as error:
        notes.append(error.message)
        return slug_by_rules(messages)
    is_said = any(proven(given.name, text_of(one)) for one in messages)
    return given.name if is_said else slug_by_rules(messages)

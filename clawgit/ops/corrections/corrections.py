"""`corrections`: listed, typed in, settled, archived; and what follows a run of the Recall
Validator.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from clawgit.agents.contract import Call, Snapshot
from clawgit.agents.recall_judging import talk_before
from clawgit.agents.recall_validator import Told, correct, is_external
from clawgit.domain.change.actors import OPERATOR
from clawgit.domain.change.history import Intent
from clawgit.domain.conversation.chat import USER, unwrapped
from clawgit.domain.corrections.correcting import archived, is_over
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    SHOWN_QUESTIONS,
    Correction,
    all_corrections,
    corrections,
)
from clawgit.domain.corrections.hearing import is_worth_a_look
from clawgit.domain.corrections.statuses import OPEN, QUOTED
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.agents.agents import proposal
from clawgit.ops.agents.snapshot import files_now
from clawgit.ops.change.changes import described
from clawgit.ops.corrections.re_embedding import re_embed
from clawgit.ops.safety.secrets import let_in
from clawgit.ops.safety.secrets_kept import refuse_telling
from clawgit.ops.workspace.workspace import Workspace

_CHAT = "chat:"


@dataclass(frozen=True, slots=True)
class Listed:
    """A correction. `status` is open, quoted, confirmed, settled, kept, dismissed, archived or
    routed, and `why` says why; of the open and quoted ones the newest have a `question` for the
    operator.
    """

    id: str
    time: datetime | None
    trigger: str
    confidence: str
    said: str
    correct: str
    re_embedded: bool
    status: str
    was: str
    words: str
    evidence: str
    question: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Corrections:
    """All corrections, the oldest first."""

    corrections: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What became of a correction that was typed in: `status` is confirmed, or open where it waits
    for the operator; empty where nothing had to change, and `reason` says why.
    """

    correction: Listed | None
    status: str
    reason: str
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False
    preview: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """The corrections that went to the archive."""

    moved: tuple[str, ...]
    commit: str | None
    id: str | None
    changed: tuple[str, ...]
    dry_run: bool = False
    preview: str = ""


class Wanted(NamedTuple):
    """A correction as it is typed: what is right, which entry it is about, what proves it, and what
    it answers.
    """

    text: str
    was: str = ""
    evidence: tuple[str, ...] = ()
    closes: str = ""
    allow_secret: bool = False
    """Keep a secret that the text holds. The operator's alone."""


def listed(workspace: Workspace, *, only_open: bool = False) -> Corrections:
    """Those of CORRECTIONS.md and of the archive."""
    known = all_corrections(files_now(workspace))
    ordered = sorted(
        known, key=lambda one: (one.time is not None, one.time.timestamp() if one.time else 0.0)
    )
    asked = _newest_open(ordered)
    shown = (one for one in ordered if one.waits or not only_open)
    return Corrections(
        tuple(_listed(one, asks=one.status == QUOTED or one.id in asked) for one in shown)
    )


def add(workspace: Workspace, wanted: Wanted, *, dry_run: bool = False) -> Corrected:
    """Puts memory right by one commit. What an agent brings counts where it cites a message in
    which the operator says so; else it is logged as open, and memory stays as it is.
    """
    if not wanted.text.strip():
        raise UsageError(
            "There is nothing to put right.",
            hint='clawgit corrections add "The office is in Berlin."',
        )
    lets_in = let_in(workspace, wanted.text, dry_run=dry_run) if wanted.allow_secret else ()
    refuse_telling(workspace, CORRECTIONS, wanted.text, lets_in)
    workspace.git.snapshot(workspace.now, dry_run=dry_run)
    source, words = _proof(workspace, wanted)
    operator = workspace.caller.actor == OPERATOR
    told = Told(wanted.text, wanted.was, wanted.closes, source, words, operator, lets_in)
    seen = Snapshot(
        local_now(workspace),
        workspace.config.settings,
        files_now(workspace),
        workspace.git.head().oid or "",
        near_id(workspace.now, wanted),
    )
    found = proposal(lambda shown: correct(shown, told), seen)
    if not found.steps:
        return Corrected(None, "", found.skipped[0].why, None, None, (), notes=found.notes)
    [step] = found.steps
    intent = Intent(
        workspace.caller.actor,
        step.verb,
        step.summary,
        step.reason,
        step.evidence,
        confidence=step.confidence,
        lets_in=lets_in,
    )
    with workspace.git.transaction(intent, workspace.now, dry_run=dry_run) as tx:
        for edit in step.edits:
            tx.put(edit.path, edit.after or "")
    done = described(tx, dry_run=dry_run)
    after = next(edit.after for edit in step.edits if edit.path == CORRECTIONS) or ""
    # A full notebook had to make room: what moved for it stands behind the correction.
    [logged] = [one.evidence[-1] for one in step.proposed if one.path == CORRECTIONS]
    new = next(one for one in corrections(after) if one.evidence == logged)
    _, unheld = re_embed(workspace, workspace.now) if done.commit else (None, ())
    return Corrected(
        _listed(new), new.status, step.proposed[0].summary, done.commit, done.id, done.changed,
        done.snapshots,
        done.alerts, done.held, (*found.notes, *unheld), dry_run, done.preview,
    )  # fmt: skip


def archive(workspace: Workspace, ids: Collection[str] = (), *, dry_run: bool = False) -> Moved:
    """Moves corrections that were taken in to the archive, where they still win: those that are
    due, or just these.
    """
    files = files_now(workspace)
    _refuse_unready(files.get(CORRECTIONS, ""), ids)
    zone = workspace.zone
    today = (workspace.now.astimezone(zone) if zone else workspace.now).date()
    days = workspace.config.settings.correction_archive_days
    intent = Intent(
        workspace.caller.actor,
        "archive",
        "move corrections to the archive",
        "They were taken in; there they still win.",
    )
    due = archived(files, today, days, ids)
    cited = tuple(one.evidence for one in due.moved)
    with workspace.git.transaction(
        replace(intent, evidence=cited), workspace.now, dry_run=dry_run
    ) as tx:
        known = {path: tx.read_text(path) or "" for path in (CORRECTIONS, *due.files)}
        due = archived(known, today, days, ids)
        for path, text in due.files.items():
            tx.put(path, text)
    done = described(tx, dry_run=dry_run)
    return Moved(
        tuple(one.id for one in due.moved),
        done.commit,
        done.id,
        done.changed,
        dry_run,
        done.preview,
    )


def is_called(call: Call) -> bool:
    """Whether a call is looked at: a pattern of the seeds made it, or the judge cannot tell that it
    is none.
    """
    return bool(call.triggers) or is_worth_a_look(
        unwrapped(call.message.text), talk_before(call).turn
    )


def hand_on(workspace: Workspace, call: Call) -> None:
    """Gives a failure that is not about memory to `recall_external_handler`; ScriptError where that
    fails.
    """
    handler = workspace.config.settings.recall_external_handler
    if handler and is_external(call):
        from clawgit.ops.conversation.script import run_script  # noqa: PLC0415 - few workspaces have one

        run_script(workspace, handler, call)


def local_now(workspace: Workspace) -> datetime:
    return workspace.now.astimezone(workspace.zone) if workspace.zone else workspace.now


def near_id(now: datetime, wanted: Wanted) -> str:
    """What makes the ids of this very change its own."""
    return f"{now.isoformat()} {wanted.text}"


def _proof(workspace: Workspace, wanted: Wanted) -> tuple[str, str]:
    """The message that is cited, and its words where it is the operator's."""
    cited = next((one for one in wanted.evidence if one.startswith(_CHAT)), "")
    if not cited:
        return next(iter(wanted.evidence), ""), ""
    from clawgit.ops.conversation.chat import open_chat  # noqa: PLC0415 - only where a message is cited

    with open_chat(workspace) as chat:
        message = chat.local.get(cited.removeprefix(_CHAT))
    if message is None or message.role != USER:
        return cited, ""
    return cited, unwrapped(message.text)


def _refuse_unready(text: str, ids: Collection[str]) -> None:
    known = corrections(text)
    for ident in ids:
        found = [one for one in known if one.id == ident]
        if not found:
            raise NotFoundError(
                f"There is no correction {ident} in {CORRECTIONS}.", hint="clawgit corrections list"
            )
        if len(found) > 1:
            hint = f"Give all but one of them another id in {CORRECTIONS}."
            raise ClawgitError(f"{ident} stays: {len(found)} sections have that id.", hint=hint)
        [one] = found
        if not is_over(one):
            why = "it is open" if one.waits else "the index does not hold it yet"
            raise ClawgitError(f"{ident} stays: {why}.", hint="clawgit agent run recall-validator")


def _listed(one: Correction, *, asks: bool = True) -> Listed:
    return Listed(
        id=one.id,
        time=one.time,
        trigger=one.trigger,
        confidence=one.confidence,
        said=one.said,
        correct=one.correct,
        re_embedded=one.re_embedded,
        status=one.status,
        was=one.was,
        words=one.words,
        evidence=one.source,
        question=_question(one) if asks else None,
        why=one.why,
    )


def _newest_open(known: Sequence[Correction]) -> set[str]:
    """The open corrections that the operator is asked about: a few at a time."""
    return {one.id for one in [one for one in known if one.status == OPEN][-SHOWN_QUESTIONS:]}


def _question(one: Correction) -> str | None:
    if one.status == QUOTED:
        return f"What is right now: “{one.old}”, or what you said?"
    if one.status != OPEN:
        return None
    if one.correct:
        return f"Is this right{'' if one.was else ', and of what'}: “{one.correct}”?"
    about = one.said or one.old
    return f"What is right{f' instead of “{about}”' if about else ''}?"

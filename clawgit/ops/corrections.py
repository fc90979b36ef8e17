"""`corrections`: what the operator set right, listed, typed in, archived; and what follows a run of the validator."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from clawgit.agents.contract import Call, Snapshot
from clawgit.agents.recall_validator import Told, correct, is_external
from clawgit.domain.actors import OPERATOR, actor_named
from clawgit.domain.chat import USER, unwrapped
from clawgit.domain.correcting import archived
from clawgit.domain.correction_slots import content
from clawgit.domain.corrections import (
    CONFIRMED,
    CORRECTIONS,
    OPEN,
    RE_EMBEDDED,
    Correction,
    all_corrections,
    corrections,
    with_fields,
)
from clawgit.domain.entry import Entry, entries
from clawgit.domain.history import RE_EMBED, Intent
from clawgit.domain.tiers import CORE, tier
from clawgit.errors import ClawgitError, NotFoundError, UsageError
from clawgit.ops.agent_result import Landed
from clawgit.ops.agent_snapshot import files_now, nearness
from clawgit.ops.agents import Ended, Followed, proposal
from clawgit.ops.changes import Change, described
from clawgit.ops.secrets_kept import let_in, refuse_telling
from clawgit.ops.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.stores.index.searching import SearchIndex

VALIDATOR = "recall-validator"
_CHAT = "chat:"


@dataclass(frozen=True, slots=True)
class Listed:
    """A correction. `status` is open, confirmed, archived or routed; an open one has a `question` for the operator."""

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


@dataclass(frozen=True, slots=True)
class Corrections:
    """All corrections, the oldest first."""

    corrections: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What became of a correction that was typed in: `status` is confirmed, or open where it waits for the operator;
    empty where nothing had to change, and `reason` says why.
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
    """A correction as it is typed: what is right, which entry it is about, what proves it, and what it answers."""

    text: str
    was: str = ""
    evidence: tuple[str, ...] = ()
    closes: str = ""
    allow_secret: bool = False
    """Keep a secret that the text holds. The operator's alone."""


def listed(workspace: Workspace, *, only_open: bool = False) -> Corrections:
    """Those of CORRECTIONS.md and of the archive."""
    known = all_corrections(files_now(workspace))
    ordered = sorted(known, key=lambda one: (one.time is not None, one.time.timestamp() if one.time else 0.0))
    return Corrections(tuple(_listed(one) for one in ordered if one.status == OPEN or not only_open))


def add(workspace: Workspace, wanted: Wanted, *, dry_run: bool = False) -> Corrected:
    """Puts memory right by one commit. What an agent brings counts where it cites a message in which the operator says
    so; else it is logged as open, and memory stays as it is.
    """
    if not wanted.text.strip():
        raise UsageError("There is nothing to put right.", hint='clawgit corrections add "The office is in Berlin."')
    lets_in = let_in(workspace, wanted.text, dry_run=dry_run) if wanted.allow_secret else ()
    refuse_telling(workspace, CORRECTIONS, wanted.text, lets_in)
    workspace.git.snapshot(workspace.now, dry_run=dry_run)
    source, words = _proof(workspace, wanted)
    operator = workspace.caller.actor == OPERATOR
    told = Told(wanted.text, wanted.was, wanted.closes, source, words, operator or bool(words), lets_in)
    zone = workspace.zone
    now = workspace.now.astimezone(zone) if zone else workspace.now
    seen = Snapshot(
        now,
        workspace.config.settings,
        files_now(workspace),
        workspace.git.head().oid or "",
        near_id(now, wanted),
        nearness=nearness(workspace),
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
    before = {(one.id, one.status) for one in corrections(seen.files.get(CORRECTIONS, ""))}
    new = next(one for one in corrections(after) if (one.id, one.status) not in before)
    _, unheld = re_embed(workspace, workspace.now) if done.commit else (None, ())
    return Corrected(
        _listed(new), new.status, step.proposed[0].summary, done.commit, done.id, done.changed, done.snapshots,
        done.alerts, done.held, (*found.notes, *unheld), dry_run, done.preview,
    )  # fmt: skip


def archive(workspace: Workspace, ids: Collection[str] = (), *, dry_run: bool = False) -> Moved:
    """Moves corrections that were taken in to the archive, where they still win: those that are due, or just these."""
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
    with workspace.git.transaction(replace(intent, evidence=cited), workspace.now, dry_run=dry_run) as tx:
        known = {path: tx.read_text(path) or "" for path in (CORRECTIONS, *due.files)}
        due = archived(known, today, days, ids)
        for path, text in due.files.items():
            tx.put(path, text)
    done = described(tx, dry_run=dry_run)
    return Moved(tuple(one.id for one in due.moved), done.commit, done.id, done.changed, dry_run, done.preview)


def hand_on(workspace: Workspace, call: Call) -> None:
    """Gives a failure that is not about memory to `recall_external_handler`; ScriptError where that fails."""
    handler = workspace.config.settings.recall_external_handler
    if handler and is_external(call):
        from clawgit.ops.script import run_script  # noqa: PLC0415 - few workspaces have one

        run_script(workspace, handler, call)


def settle(workspace: Workspace, ended: Ended) -> Followed:
    """What follows a run of the Recall Validator: what it has put right is found at once, and the log says so."""
    done, notes = re_embed(workspace, ended.clock(), run=ended.run, job=ended.job)
    if done is None or done.commit is None:
        return Followed(notes)
    return Followed(notes, (Landed(done.commit, done.id, "note what the index holds", "", (), done.changed),))


def re_embed(
    workspace: Workspace, now: datetime, *, run: str = "", job: str = ""
) -> tuple[Change | None, tuple[str, ...]]:
    """Refreshes the index, and sets `Re-embedded` where both memory and the index hold what is right: one commit."""
    waiting = _waiting(workspace)
    if not waiting:
        return None, ()
    held, notes = _held(workspace, waiting)
    if not held:
        return None, notes
    cited = tuple(one.evidence for one in held)
    many = "1 correction" if len(held) == 1 else f"{len(held)} corrections"
    intent = Intent(
        actor_named(VALIDATOR),
        RE_EMBED,
        f"the index holds {many}",
        "Memory and search have the right value.",
        cited,
        run=run,
        job=job,
    )
    with workspace.git.transaction(intent, now) as tx:
        text = tx.read_text(CORRECTIONS) or ""
        there = {one.id for one in corrections(text)}
        for one in held:
            text = with_fields(text, one.id, {RE_EMBEDDED: "true"}) if one.id in there else text
        tx.put(CORRECTIONS, text)
    return described(tx), notes


def near_id(now: datetime, wanted: Wanted) -> str:
    """What makes the ids of this very change its own."""
    return f"{now.isoformat()} {wanted.text}"


def _waiting(workspace: Workspace) -> list[Correction]:
    file = workspace.root / CORRECTIONS
    if not file.is_file():
        return []
    text = file.read_text("utf-8", "replace")
    return [one for one in corrections(text) if one.status == CONFIRMED and not one.re_embedded]


def _held(workspace: Workspace, waiting: Sequence[Correction]) -> tuple[list[Correction], tuple[str, ...]]:
    """Those whose entry the index has as it lies in its file, with its vector where meanings are compared."""
    from clawgit.ops.indexing import opened  # noqa: PLC0415 - only where something waits
    from clawgit.ops.meaning import Meaning, choose, told  # noqa: PLC0415

    chosen = choose(workspace, hurried=True)
    with opened(workspace) as live:
        live.refresh()
        there = set(_indexed(live))
        held = [one for one in waiting if _shown_as(workspace, one) & there]
        if chosen.embedder is None or not held:
            return held, ()
        try:
            left = Meaning(workspace, chosen.embedder).follow(live)
        except ClawgitError as error:
            return [], (f"No vectors yet: {told(error)}",)
        return ([], (f"{left} texts have no vector yet: clawgit memory index",)) if left else (held, ())


def _indexed(live: "SearchIndex") -> Iterator[tuple[str, str]]:
    """Key and text of each entry of lasting files, as the index has them."""
    for file in live.files():
        if tier(file.path) == CORE:
            yield from ((row.key, row.text) for row in live.rows(range(file.first, file.first + file.items)))


def _shown_as(workspace: Workspace, one: Correction) -> set[tuple[str, str]]:
    """The entries that rest on a correction, by key and text."""
    return {(entry.key, entry.text) for entry in _entries_on(workspace, one.evidence)}


def _entries_on(workspace: Workspace, evidence: str) -> Iterator[Entry]:
    files = files_now(workspace)
    for path in files:
        if tier(path) == CORE and evidence in files[path]:
            yield from (entry for entry in entries(files[path]) if entry.meta and evidence in entry.meta.evidence)


def _proof(workspace: Workspace, wanted: Wanted) -> tuple[str, str]:
    """The message that is cited, and its words where it is the operator's and speaks of what is said to be right."""
    cited = next((one for one in wanted.evidence if one.startswith(_CHAT)), "")
    if not cited:
        return next(iter(wanted.evidence), ""), ""
    from clawgit.ops.chat import open_chat  # noqa: PLC0415 - only where a message is cited

    with open_chat(workspace) as chat:
        message = chat.local.get(cited.removeprefix(_CHAT))
    if message is None or message.role != USER:
        return cited, ""
    words = unwrapped(message.text)
    return cited, words if content(words) & content(wanted.text) else ""


def _refuse_unready(text: str, ids: Collection[str]) -> None:
    known = corrections(text)
    for ident in ids:
        found = [one for one in known if one.id == ident]
        if not found:
            raise NotFoundError(f"There is no correction {ident} in {CORRECTIONS}.", hint="clawgit corrections list")
        if len(found) > 1:
            hint = f"Give all but one of them another id in {CORRECTIONS}."
            raise ClawgitError(f"{ident} stays: {len(found)} sections have that id.", hint=hint)
        [one] = found
        if one.status != CONFIRMED or not one.re_embedded:
            why = "it is open" if one.status == OPEN else "the index does not hold it yet"
            raise ClawgitError(f"{ident} stays: {why}.", hint="clawgit agent run recall-validator")


def _listed(one: Correction) -> Listed:
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
        question=_question(one),
    )


def _question(one: Correction) -> str | None:
    if one.status != OPEN:
        return None
    if one.correct and one.words and one.correct not in one.words:
        return f"Is it right that {one.correct}"
    if one.correct:
        return f"Is this right{'' if one.was else ', and of what'}: “{one.correct}”?"
    about = f" instead of “{one.said}”" if one.said else ""
    return f"What is right{about}?"

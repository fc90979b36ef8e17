"""`corrections`: lists, adds, settles and archives them, and says which calls the Recall Validator
gets.
"""

from collections.abc import Mapping
from datetime import datetime

from clawgit.agents.contract import Call, ChangeSet, Draft, FileEdit, Snapshot, Step
from clawgit.agents.correcting_typed import ToldCorrection, correct, ended
from clawgit.agents.frame.agents import proposal, snapshot_of
from clawgit.agents.frame.snapshot import files_now
from clawgit.agents.frame.steps import put
from clawgit.agents.recall_validator import is_external
from clawgit.core import NamedTuple
from clawgit.core.errors import ClawgitError, UsageError, counted
from clawgit.core.markdown.entry import holds_entries
from clawgit.git.rules.history import RE_EMBED
from clawgit.git.transaction import Change
from clawgit.run.heartbeat import run_script
from clawgit.safety.claimed_words import CHAT, words_of
from clawgit.safety.doubted import doubted
from clawgit.safety.operator import require_operator
from clawgit.safety.secrets import let_in
from clawgit.safety.secrets_found import refuse_telling
from clawgit.search.index.index import of_texts
from clawgit.search.meaning import Meaning, choose
from clawgit.talk.rules.corrections import (
    CORRECTIONS,
    DISMISSED,
    KEPT,
    OPEN,
    RE_EMBEDDED,
    SETTLED,
    Correction,
    all_corrections,
    archived,
    corrections,
    status_of,
    when,
    with_fields,
)
from clawgit.workspace.discover import in_scope
from clawgit.workspace.reach import reach_of
from clawgit.workspace.workspace import Workspace


class ListedCorrection(NamedTuple):
    """A correction.

    `status` is open, quoted, confirmed, settled, kept, dismissed, archived or routed, and `why`
    says why. Open and quoted ones have a `question` for the operator. One is doubted if
    nothing proves it; `next` is what to do then.
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
    next: str = ""


class Corrections(NamedTuple):
    """All corrections, the oldest first."""

    corrections: tuple[ListedCorrection, ...]


class SettledCorrection(NamedTuple):
    """A correction that the operator has ended, and how: settled, kept or dismissed."""

    change: Change
    correction: str
    status: str
    reason: str


class Corrected(NamedTuple):
    """What became of a correction that was typed.

    `status` is confirmed, or open if it waits for the operator; empty if nothing had to change,
    and `reason` says why.
    """

    change: Change
    correction: ListedCorrection | None
    status: str
    reason: str
    notes: tuple[str, ...] = ()


class ArchivedCorrections(NamedTuple):
    """The corrections that went to the archive."""

    change: Change
    moved: tuple[str, ...]


def listed(workspace: Workspace, *, only_open: bool = False) -> Corrections:
    """The corrections of CORRECTIONS.md and of the archive; or only the open ones and those in
    doubt, which wait for the operator just as well.
    """
    steps = doubted(workspace)
    ordered = sorted(all_corrections(files_now(workspace), steps), key=when)
    shown = (each for each in ordered if each.waits or each.id in steps or not only_open)
    return Corrections(tuple(_listed(each, steps.get(each.id, "")) for each in shown))


def add(
    workspace: Workspace,
    text: str,
    was: str = "",
    evidence: tuple[str, ...] = (),
    closes: str = "",
    *,
    allow_secret: bool = False,
) -> Corrected:
    """Corrects memory by one commit: `text` is right, `was` names the entry that is wrong, and
    `closes` the open or quoted correction that this answers. A secret in it is refused, unless the
    operator allows it.

    An agent's correction counts if it cites a message in which the operator says so. If not, it is
    logged as open, and memory stays as it is. Under what the operator typed it is only quoted.
    """
    if not text.strip():
        raise UsageError(
            "There is nothing to correct.",
            hint='clawgit corrections add "The office is in Berlin."',
        )
    lets_in = let_in(workspace, text) if allow_secret else ()
    refuse_telling(workspace, CORRECTIONS, text, lets_in)
    actor = workspace.actor
    source = next((each for each in evidence if each.startswith(CHAT)), *evidence[:1] or [""])
    words = words_of(workspace, source)
    told = ToldCorrection(text, was, closes, source, words, actor.is_operator, actor.name, lets_in)
    seen = seen_now(workspace, f"{workspace.now.isoformat()} {text}")
    change_set = proposal(lambda shown: correct(shown, told), seen)
    if not change_set.steps:
        why = change_set.skipped[0].why
        return Corrected(Change(), None, "", why, change_set.notes)
    change_set = embedded(workspace, change_set)
    [step] = change_set.steps
    done = committed(workspace, step, lets_in)
    correction = _written_by(step)
    why = step.proposed[0].summary
    return Corrected(done, _listed(correction), correction.status, why, change_set.notes)


def settle(
    workspace: Workspace,
    ident: str,
    text: str = "",
    *,
    was: str = "",
    accept: bool = False,
    keep: bool = False,
    dismiss: bool = False,
) -> SettledCorrection:
    """Ends a quoted or open correction; only the operator may.

    With the text that is right or, to `accept` it, the one that is offered; `was` is the entry that
    it is about. Or by keeping the entry as it is, or by dismissing the correction.
    """
    if [bool(text.strip()), accept, keep, dismiss].count(True) != 1:
        hint = f'clawgit corrections settle {ident} "…", or --accept, --keep or --dismiss'
        raise UsageError("Say what is right, or --accept, --keep or --dismiss.", hint=hint)
    hint = "Show the operator what waits: clawgit corrections list --open"
    require_operator(workspace.caller, "settle what was said", hint)
    if accept:
        log = corrections(files_now(workspace).get(CORRECTIONS, ""))
        offers = (each.correct for each in log if each.id == ident and each.status == OPEN)
        text = next(offers, "")
        if not text:
            hint = f'`clawgit corrections list`; or clawgit corrections settle {ident} "…"'
            raise UsageError(f"{ident} offers no sentence, or is no open correction.", hint=hint)
    if text.strip():
        done = add(workspace, text, was, closes=ident)
        status, reason = done.status and SETTLED, done.reason
        return SettledCorrection(done.change, ident, status, reason)
    [step] = ended(seen_now(workspace, ident), ident, KEPT if keep else DISMISSED).steps
    change, status = committed(workspace, step), step.proposed[0].kind
    return SettledCorrection(change, ident, status, step.reason)


def seen_now(workspace: Workspace, seed: str) -> Snapshot:
    """The files as they are, with what others changed committed. `seed` is that of the ids of the
    change.
    """
    workspace.git.snapshot(workspace.now, dry_run=workspace.dry_run)
    return snapshot_of(workspace, files_now(workspace), seed, workspace.now, {})


def committed(workspace: Workspace, step: Step, lets_in: tuple[str, ...] = ()) -> Change:
    """What a step does, as one commit; what others have written since it was planned stays."""
    with workspace.change(
        step.verb,
        step.summary,
        step.reason,
        step.evidence,
        confidence=step.confidence,
        lets_in=lets_in,
    ) as tx:
        moved = put(workspace, tx, step)
    done = tx.outcome
    return done._replace(warnings=(*done.warnings, *moved))


def _written_by(step: Step) -> Correction:
    """The correction that a step logs.

    Other changes may come after it, if a full notebook had to make room.
    """
    after = next(edit.after for edit in step.edits if edit.path == CORRECTIONS) or ""
    [logged] = [change.evidence[-1] for change in step.proposed if change.path == CORRECTIONS]
    return next(each for each in corrections(after) if each.evidence == logged)


def archive(workspace: Workspace) -> ArchivedCorrections:
    """Moves the corrections that are due to the archive, where they still count."""
    draft = Draft(files_now(workspace))
    days = workspace.settings.correction_archive_days
    due = archived(draft, workspace.today, days)
    draft.update(due.files)
    summary, why = "move corrections to the archive", "They still apply there."
    evidence = [correction.evidence for correction in due.moved]
    steps = draft.step("archive", summary, why, (), evidence)
    done = committed(workspace, steps[0]) if steps else Change(dry_run=workspace.dry_run)
    return ArchivedCorrections(done, tuple(each.id for each in due.moved))


def embedded(workspace: Workspace, wanted: ChangeSet) -> ChangeSet:
    """The change set to commit: `Re-embedded` of what it corrects says whether the index has it.

    It is embedded before it is written, so that this is true with the one commit that corrects;
    what had to wait is made up for, because a correction with a no is never archived. After a kill
    -9 in between, there are vectors of a text that no file has; no search shows it. A dry run
    writes no index, and says yes.
    """
    edits = {edit.path: edit.after or "" for step in wanted.steps for edit in step.edits}
    before = workspace.glance(CORRECTIONS)
    log, late = edits.get(CORRECTIONS, before), _waiting(before)
    waiting = _waiting(log)
    if not waiting:
        return wanted
    files = {**(files_now(workspace) if late else {}), **edits}
    if why := "" if workspace.dry_run else _lacking(workspace, files):
        return wanted._replace(notes=(*wanted.notes, why))
    for correction in waiting:
        log = with_fields(log, correction.id, {RE_EMBEDDED: "true"})
    if CORRECTIONS in edits:
        # Each step writes into the log; the last one leaves it as it stays.
        *earlier, last = wanted.steps
        return wanted._replace(steps=(*earlier, _logging(last, log)))
    step = Step(
        RE_EMBED,
        f"the index holds {counted(len(waiting), 'correction')}",
        "Memory and search have the right value.",
        tuple(correction.evidence for correction in waiting),
        (FileEdit(CORRECTIONS, before, log),),
        (),
    )
    return wanted._replace(steps=(*wanted.steps, step))


def _logging(step: Step, log: str) -> Step:
    edits = (edit._replace(after=log) if edit.path == CORRECTIONS else edit for edit in step.edits)
    return step._replace(edits=tuple(edits))


def _waiting(log: str) -> list[Correction]:
    """The corrections of a log that the index has to hold, and does not yet."""
    known = corrections(log)
    return [each for each in known if status_of(each.status).is_indexed and not each.re_embedded]


def _lacking(workspace: Workspace, files: Mapping[str, str]) -> str:
    """Embeds what these files of memory hold, if vectors are on; returns why it failed, "" if it
    did not.
    """
    chosen = choose(workspace, hurried=True)
    if chosen.embedder is None:
        return f"No vectors yet: {chosen.reason}" if chosen.reason else ""
    covered = in_scope(filter(holds_entries, files), reach_of(workspace))
    with of_texts({path: files[path] for path in covered}) as planned:
        try:
            left = Meaning(workspace, chosen.embedder).follow(planned)
        except ClawgitError as error:
            return f"No vectors yet: {error.with_hint}"
    return f"{left} texts have no vector yet: clawgit memory index" if left else ""


def hand_on(workspace: Workspace, call: Call) -> None:
    """Gives a failure that is not about memory to `recall_external_handler`.

    ScriptError if that fails.
    """
    handler = workspace.settings.recall_external_handler
    if handler and is_external(call):
        run_script(workspace, handler, call)


def _listed(correction: Correction, step: str = "") -> ListedCorrection:
    told = correction._asdict()
    del told["line"]
    question = _question(correction)
    return ListedCorrection(**told | {"evidence": told.pop("source")}, question=question, next=step)


def _question(correction: Correction) -> str | None:
    if not correction.waits:
        return None
    if correction.status == OPEN and correction.correct:
        of_what = "" if correction.was else ", and of what"
        return f"Is this right{of_what}: “{correction.correct}”?"
    is_his = correction.words or not correction.correct
    other = "what you said" if is_his else f"“{correction.correct}”"
    about = correction.wrong
    return f"What is right now: “{about}”, or {other}?" if about else "What is right?"

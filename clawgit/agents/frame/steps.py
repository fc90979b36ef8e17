"""The steps that an agent proposes: refused, rehearsed, done; and what a crash left of a run."""

from collections.abc import Container, Iterable, Iterator

from clawgit.agents.contract import Step
from clawgit.agents.frame.runs import Landed
from clawgit.core import NamedTuple
from clawgit.core.errors import BusyError, ClawgitError
from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.core.markdown.excerpt import one_line
from clawgit.git.looked import WAITING
from clawgit.git.rules.actors import actor_named
from clawgit.git.rules.history import Intent
from clawgit.git.transaction import Edit, Transaction, diff_of
from clawgit.history.merging import merge_in
from clawgit.memory.remember import keep_rooms
from clawgit.run.heartbeat import Clock
from clawgit.safety.masking import SecretsError
from clawgit.safety.rules.masks import head
from clawgit.safety.secrets_found import ForgottenError
from clawgit.soul.guarding import GuardError
from clawgit.talk.rules.chat import plain
from clawgit.talk.rules.quotes import undisputed
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import State
from clawgit.workspace.workspace import Workspace

_EXCERPT = 80


class OutdatedError(BusyError):
    """A file changed after the agent had read it."""


class NoEvidenceError(ClawgitError):
    """An agent gave no evidence for a proposal, which is a bug in it. Nothing is written."""

    kind = "no_evidence"


class By(NamedTuple):
    """The actor, the run and the job that the commits name."""

    agent: str
    run: str
    job: str = ""


def put(workspace: Workspace, tx: Transaction, step: Step, *, is_merged: bool = True) -> list[str]:
    """Does what a step says; returns what moved to make room. What others wrote since the files
    were read stays; OutdatedError if it is in the same place, or in a file that is not merged.
    """
    for edit in step.edits:
        before, after = _bytes(edit.before), _bytes(edit.after)
        is_outdated = not is_merged and tx.read(edit.path) not in (before, after)
        if is_outdated or merge_in(tx, edit.path, before, after):
            hint = "Run this again. Nothing was changed."
            raise OutdatedError(f"{edit.path} changed meanwhile.", hint=hint)
    return [*keep_rooms(workspace, tx)]


def changes_anything(step: Step) -> bool:
    return any(edit.before != edit.after for edit in step.edits)


def refuse_unfounded(steps: Iterable[Step]) -> None:
    """Raises NoEvidenceError if a step, a change that it proposes, or an entry that it writes has
    no evidence.
    """
    for step in steps:
        is_founded = step.evidence and step.proposed
        if not is_founded or not all(change.evidence for change in step.proposed):
            raise _groundless(step.summary)
        for entry in unfounded(step.edits):
            raise _groundless(f"{entry.path}: {head(entry.text, _EXCERPT)}")


def rehearse(workspace: Workspace, by: By, steps: Iterable[Step]) -> tuple[list[Landed], str]:
    """What the steps would do, and the diff of each; nothing is written.

    The rules are not applied to a step that builds on an earlier one: its file does not exist yet.
    """
    shown, diff, edited = list[Landed](), "", set[str]()
    for step in steps:
        paths = tuple(edit.path for edit in step.edits)
        held = () if edited.intersection(paths) else _judged(workspace, intent_of(step, by), step)
        edited.update(paths)
        shown.append(Landed(None, None, step.summary, step.reason, step.evidence, paths, held))
        diff += diff_of(Edit(path, _bytes(old), _bytes(new)) for path, old, new in step.edits)
    return shown, diff


def _judged(workspace: Workspace, intent: Intent, step: Step) -> tuple[str, ...]:
    """Why the rules would hold a step back, or refuse it."""
    try:
        with workspace.git.transaction(intent, workspace.now, dry_run=True) as tx:
            for edit in step.edits:
                tx.put(edit.path, edit.after)
    except (GuardError, SecretsError, ForgottenError) as error:
        return (f"refused: {error.message}",)
    return tx.outcome.held


def intent_of(step: Step, by: By) -> Intent:
    return Intent(
        actor=actor_named(by.agent),
        verb=step.verb,
        summary=plain(step.summary),
        reason=plain(step.reason),
        evidence=tuple(map(plain, step.evidence)),
        session=plain(step.session),
        confidence=step.confidence,
        run=by.run,
        job=by.job,
    )


def _groundless(what: str) -> NoEvidenceError:
    return NoEvidenceError(
        f"The agent proposes something without evidence ({what}).",
        hint="This is a bug of the agent; nothing was written.",
    )


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


_GIT_FAILED = 128


def settle_left_over(workspace: Workspace, state: State, job: str, clock: Clock) -> None:
    """Ends the runs of a job that a crash cut off; the caller holds the lock of the job.

    A run that had made all its commits counts. Any other is made again, by an agent that sees
    what is there already.
    """
    for run in runs.unfinished(state, job):
        made = commits_of(workspace, run)
        how, why = runs.CUT_OFF, "it did not finish"
        if run.steps and len(made) >= run.steps:
            how, why = runs.DONE, "cut off after its last commit"
        runs.finish(state, run.id, clock(), how, trouble=why)


def commits_of(workspace: Workspace, run: runs.Run) -> list[str]:
    """The commits that a run has made, oldest first, and its waiting proposals."""
    git, store = workspace.cgit, workspace.git
    if store.tip is None:
        return []
    log = ["log", "--reverse", "--format=%H", "--fixed-strings", f"--grep=Run: {run.id}", "HEAD"]
    since = [f"^{run.base}"] if run.base else []
    # The base may be gone, after a rebase for example: then all of history is searched.
    commits = git.text(*log, *since, ok=(0, _GIT_FAILED)).split()
    commits = commits or git.text(*log, ok=(0, _GIT_FAILED)).split()
    waiting = store.refs_below(WAITING).values()
    return [*commits, *(oid for oid in waiting if store.commit(oid).message.run == run.id)]


def unfounded(edits: Iterable[tuple[str, str | None, str | None]]) -> Iterator[Entry]:
    """The entries that edits (a path, its text before and after) bring in without evidence.

    An entry that stood in any of the files before is not new, wherever it moved, nor is it without
    what was quoted under it.
    """
    edits = [*edits]
    known = {"", *(words for _, before, _ in edits for words in _standing(before or ""))}
    for path, _, after in edits:
        if holds_entries(path):
            yield from _without_evidence(entries(after or "", path), known)


def _without_evidence(found: Iterable[Entry], known: Container[str]) -> Iterator[Entry]:
    for entry in found:
        if one_line(entry.text) not in known and not entry.facts.evidence:
            yield entry


def _standing(text: str) -> Iterator[str]:
    for entry in entries(text):
        yield one_line(entry.text)
        yield one_line(undisputed(entry))

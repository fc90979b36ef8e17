"""Runs an agent: it is shown the workspace, and what it proposes becomes commits.

What a run leaves for the next one counts once all its commits are made, so that a crash in
between repeats nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import Any

from clawgit.agents import AGENTS, Agent
from clawgit.agents.contract import Call, ChangeSet, Propose, Skipped, Snapshot, Step
from clawgit.agents.frame.runs import AgentRun, Landed, mind_of, run_report
from clawgit.agents.frame.snapshot import HeardMessages, TreeFiles, files_now, listen, tried
from clawgit.agents.frame.steps import (
    By,
    OutdatedError,
    changes_anything,
    intent_of,
    put,
    refuse_unfounded,
    rehearse,
    settle_left_over,
)
from clawgit.agents.llm import Used
from clawgit.core.errors import BusyError, ClawgitError, NoAnswerError, UsageError, refuse_unknown
from clawgit.git.lock import workspace_lock
from clawgit.git.looked import PROPOSED
from clawgit.git.transaction import Change
from clawgit.run.heartbeat import Clock, calls_waiting, let_go, work_off
from clawgit.safety.claimed_words import of_operator
from clawgit.safety.doubted import doubted
from clawgit.safety.masking import SecretsError
from clawgit.safety.secrets_found import ForgottenError
from clawgit.soul.changelog import changelog
from clawgit.soul.guarding import GuardError
from clawgit.talk.rules.chat import ANOTHER, evidence_of
from clawgit.talk.stores import queue
from clawgit.terminal.command_table import load
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import State
from clawgit.workspace.template_text import templates_of_layers
from clawgit.workspace.workspace import Workspace

ATTEMPTS = 3
"""How many times a pass looks at a workspace that keeps changing."""

PATIENCE = 5.0
_QUEUE_PATIENCE = 60.0
"""Seconds that a worker waits for another worker of its queue. That one may end without having seen
the call for which this one was started."""


EXTRAS: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "recall-validator": {
        "gate": "agents.recall_validator:is_worth_a_look",
        "hand_over": "agents.frame.corrections:hand_on",
        "prepare": "agents.frame.corrections:embedded",
    },
    "vector-hygiene": {"follow_up": "health.memory_index:sweep"},
})  # fmt: skip
"""What only an action can do for an agent, each as `module:function`, loaded when it runs.

`gate`, of Call → bool: whether the agent looks at a call at all, judged by its words alone.
`hand_over`, of (Workspace, Call) → None: called with each call before the agent is; after a
ClawgitError the call is tried again later. `prepare`, of (Workspace, ChangeSet) → ChangeSet: what
is done with a proposal before it is committed. `follow_up`, of Workspace → notes: called after
each run, also after one that changed nothing, to finish what a crash left undone.
"""


def run_agent(
    workspace: Workspace,
    name: str,
    *,
    clock: Clock,
    since: str = "",
    job: str = "",
    if_waiting: bool = False,
    agents: Mapping[str, Agent] = AGENTS,
) -> AgentRun:
    """Runs one agent.

    With `since` it reads the messages from that time on again. `job` names what started it, "" for
    a user. With `if_waiting` it ends at once if its queue is empty. A dry run writes nothing, but
    counts the tokens that a language model takes.
    """
    agent = _agent_named(name, agents, since=since, if_waiting=if_waiting)
    again = workspace.at(clock()).moment(since) if since else None
    with workspace.state(clock()) as state:
        if workspace.dry_run:
            return _Running(workspace, agent, state, clock, job).rehearsed(again)
        while True:
            lock = workspace.place.shared / f"run-{name}.lock"
            with workspace_lock(lock, name, _QUEUE_PATIENCE if agent.queue else PATIENCE):
                settle_left_over(workspace, state, name, clock)
                if gate := _extra(name, "gate"):
                    let_go(workspace, agent.queue, gate, clock())
                is_idle = if_waiting and agent.queue not in queue.waiting(state, clock())
                running = _Running(workspace, agent, state, clock, job)
                # Where no call waits, nothing was read or recorded.
                done = running.result() if is_idle else running.done(again)
            # A call that came while this run ended has started no worker: the lock was taken.
            is_through = done.worked == 0 and not is_idle
            if is_through or agent.queue not in queue.waiting(state, clock()):
                return done


def _agent_named(name: str, agents: Mapping[str, Agent], *, since: str, if_waiting: bool) -> Agent:
    """The agent; UsageError if it cannot be run with these options."""
    refuse_unknown("agent", name, agents)
    agent = agents[name]
    if since and not agent.hears:
        raise UsageError(f"{name} does not read conversations.", hint="Leave out --since.")
    if if_waiting and not agent.queue:
        raise UsageError(f"{name} has no queue.", hint="Leave out --if-waiting.")
    return agent


class _Running:
    """One run in progress."""

    def __init__(
        self, workspace: Workspace, agent: Agent, state: State, clock: Clock, job: str
    ) -> None:
        self._workspace, self._agent, self._state, self._clock = workspace, agent, state, clock
        self._by = By(agent.name, runs.new_run(), job)
        self._left = runs.left(state, agent.name)
        self._marks = dict(self._left.marks) if self._left else {}
        self._done: defaultdict[str, list[Any]] = defaultdict(list)
        """What was done so far, by the fields of an AgentRun."""
        self._worked, self._failed = 0, False
        self._settled: dict[Step, set[str]] = {}
        """The steps that were held back or refused, with their files."""
        self._heard = HeardMessages(mark=self._left.heard if self._left else "")
        self._mind = mind_of(workspace, state, self._by.run, clock, agent.name)

    def rehearsed(self, since: datetime | None) -> AgentRun:
        """What the run would do, with all calls that wait."""
        self._listen(since)
        files, head = files_now(self._workspace), self._workspace.git.tip or ""
        queue = self._agent.queue
        calls = [*calls_waiting(self._workspace, queue, self._clock())] if queue else []
        wanted = proposal(self._agent.propose, self._seen(files, head, tuple(calls)))
        landed, preview = rehearse(self._workspace, self._by, wanted.steps)
        self._note(commits=landed, proposed=wanted.proposed)
        self._heard_out(wanted)
        self._worked = len(calls)
        told = self.result()
        change = told.change._replace(dry_run=True, preview=preview)
        return told._replace(change=change, commits=())

    def done(self, since: datetime | None) -> AgentRun:
        """The run. An error is noted in its row, and raised."""
        base = self._workspace.git.tip or ""
        name, run, queue_name = self._agent.name, self._by.run, self._agent.queue
        runs.begin(self._state, name, run, self._clock(), by=self._by.job, base=base)
        try:
            # Read before the messages are: what is queued later is left for the next run.
            hears = self._agent.hears and not since
            waiting = queue.newest(self._state, name) if hears else 0
            self._listen(since)
            if queue_name:
                # First of all: while git is busy this raises, and no call has lost a try.
                self._take_in_foreign()
                done = work_off(self._workspace, queue_name, self._work, self._clock)
                self._worked, self._failed = done.done, bool(done.troubles)
                self._note(notes=done.troubles)
            self._pass(())
        except ClawgitError as error:
            runs.finish(self._state, run, self._clock(), runs.FAILED, trouble=error.message)
            raise
        self._finish()
        if waiting and self._heard.complete:
            queue.clear(self._state, name, waiting)
        self._follow()
        return self.result()

    def _work(self, call: Call) -> None:
        if hand_over := _extra(self._agent.name, "hand_over"):
            hand_over(self._workspace, call)
        self._pass((call,))

    def _pass(self, calls: tuple[Call, ...]) -> None:
        """One look at the workspace, and the commits that follow from it.

        If a file changes in between, it looks again: what it takes out may be what is left of a
        fact. The model's answers are reused, so nothing is paid for twice. The last time its steps
        are merged; else it could never write in a busy workspace.
        """
        self._settled = {}
        for left in reversed(range(ATTEMPTS)):
            head = self._take_in_foreign()
            seen = self._seen(TreeFiles(self._workspace.git, head), head, calls)
            wanted = proposal(self._agent.propose, seen)
            if prepare := _extra(self._agent.name, "prepare"):
                wanted = prepare(self._workspace, wanted)
            if wanted.steps:
                # What the next run needs is saved before the first commit: after a crash the plan
                # shows whether all were made.
                steps = len(self._done["commits"]) + len(wanted.steps)
                marks = {**self._marks, **wanted.marks}
                runs.plan(self._state, self._by.run, steps, heard=self._heard.mark, marks=marks)
            try:
                for step in wanted.steps:
                    self._land(step, is_last=not left)
            except OutdatedError:
                continue
            self._heard_out(wanted)
            return
        raise BusyError(
            f"What {self._agent.name} works on keeps changing; gave up after {ATTEMPTS} tries.",
            hint="Try again when nobody is writing.",
        )

    def _land(self, step: Step, *, is_last: bool) -> None:
        """Commits one step. One that the rules hold back or refuse leaves its files unchanged, and
        is not tried again; what builds on it goes in without it, or not at all.
        """
        if step in self._settled:
            return
        intent, paths = intent_of(step, self._by), {edit.path for edit in step.edits}
        is_built_on = not paths.isdisjoint(chain.from_iterable(self._settled.values()))
        try:
            with self._workspace.git.transaction(intent, self._clock()) as tx:
                moved = put(self._workspace, tx, step, is_merged=is_last or is_built_on)
        except (GuardError, SecretsError, ForgottenError) as error:
            self._settled[step] = paths
            # The reason is stored with the run, so it must not contain the secret either.
            told = self._workspace.forgotten().without(step.summary)
            self._note(skipped=(Skipped(told, error.message),))
            return
        except OutdatedError:
            if not is_built_on:
                raise
            why = "it builds on a change that was held back or refused"
            self._note(skipped=(Skipped(step.summary, why),))
            return
        done = tx.outcome
        self._note(snapshots=done.snapshots, alerts=done.alerts, warnings=(*done.warnings, *moved))
        proposed = step.proposed
        if done.held:
            self._settled[step] = paths
            proposed = tuple(change._replace(kind=PROPOSED) for change in proposed)
        if done.commit or done.held:
            landed = Landed(
                done.commit, done.id, step.summary, step.reason, step.evidence, done.changed,
                done.held,
            )  # fmt: skip
            self._note(commits=(landed,), proposed=proposed)

    def _take_in_foreign(self) -> str:
        """Commits what others changed, so that HEAD holds all that the agent sees; returns HEAD."""
        taken, dirt = self._workspace.git.snapshot(self._clock())
        unseen = (
            f"{file.reason}: until clawgit itself writes to the file, it stays uncommitted, and no "
            "agent sees it."
            for file in dirt.withheld
        )
        self._note(snapshots=taken.snapshots, alerts=taken.alerts, notes=unseen)
        return self._workspace.git.tip or ""

    def _listen(self, since: datetime | None) -> None:
        if self._agent.hears:
            self._heard = listen(self._workspace, self._left, since)
            self._note(notes=self._heard.notes)

    def _seen(self, files: TreeFiles, head: str, calls: tuple[Call, ...]) -> Snapshot:
        seen = snapshot_of(self._workspace, files, self._by.run, self._clock(), self._marks)
        messages = of_operator(self._workspace, self._heard.messages)
        others = (evidence_of(each) for each in messages if each.role == ANOTHER)
        self._note(skipped=(Skipped(each, "somebody else wrote it") for each in others))
        called = of_operator(self._workspace, [call.message for call in calls])
        calls = tuple(call._replace(message=each) for call, each in zip(calls, called, strict=True))
        return seen._replace(head=head, messages=messages, calls=calls, mind=self._mind)

    def _heard_out(self, wanted: ChangeSet) -> None:
        """Records what a proposal holds besides its steps, once these are committed."""
        self._note(skipped=wanted.skipped, notes=wanted.notes)
        self._marks.update(wanted.marks)

    def _note(self, **more: Iterable[Any]) -> None:
        for name, rows in more.items():
            self._done[name] += rows

    def _finish(self) -> None:
        done = self.result()
        runs.finish(
            self._state,
            self._by.run,
            self._clock(),
            done.outcome,
            report=run_report(done),
            trouble="; ".join(done.notes) if self._failed else "",
            heard=self._heard.mark,
            marks=self._marks,
        )

    def _follow(self) -> None:
        follow = _extra(self._agent.name, "follow_up")
        if follow is None:
            return
        try:
            notes = follow(self._workspace.at(self._clock()))
        except ClawgitError as error:
            # The run itself is done; the follow-up of the next run does what was missed.
            notes = (error.message,)
        if notes:
            self._note(notes=notes)
            self._finish()

    def result(self) -> AgentRun:
        """The whole result, as far as it is."""
        commits: list[Landed] = self._done["commits"]
        made = [landed for landed in commits if landed.commit]
        changed = chain.from_iterable(landed.changed for landed in commits)
        outcome = runs.DONE if commits else runs.NOTHING
        # The same thing may be skipped in each of many calls.
        rows: Any = {name: tuple(dict.fromkeys(rows)) for name, rows in self._done.items()}
        change = Change(
            commit=made[-1].commit if made else None,
            id=made[-1].id if made else None,
            changed=tuple(dict.fromkeys(changed)),
            held=tuple(chain.from_iterable(landed.held for landed in commits)),
            **{name: rows.pop(name) for name in rows.keys() & {*Change._fields}},
        )
        return AgentRun(
            change,
            **rows,
            agent=self._agent.name,
            run=self._by.run,
            outcome=runs.FAILED if self._failed else outcome,
            used=self._mind.used if self._mind else Used(),
            heard=len(self._heard.messages),
            worked=self._worked,
        )


def snapshot_of(
    workspace: Workspace, files: Mapping[str, str], run: str, now: datetime, left: Mapping[str, str]
) -> Snapshot:
    """What an agent is shown of a workspace, without messages; `left` are the marks of its last
    run.
    """
    marks = MappingProxyType(dict(left))
    return Snapshot(
        now=now.astimezone(workspace.zone),
        settings=workspace.settings,
        files=files,
        run=run,
        marks=marks,
        layers=templates_of_layers(),
        doubted=doubted(workspace),
        tried=partial(tried, workspace, marks),
        identity=partial(changelog, workspace),
    )


def proposal(propose: Propose, seen: Snapshot) -> ChangeSet:
    """What an agent proposes for a snapshot, without steps that change nothing.

    If its model fails, it is asked again without it. NoEvidenceError if anything in it rests on
    nothing.
    """
    notes: tuple[str, ...] = ()
    try:
        wanted = propose(seen)
    except NoAnswerError as error:
        wanted = propose(seen._replace(mind=None))
        notes = (f"{error.message} Rules were used instead.",)
    steps = tuple(filter(changes_anything, wanted.steps))
    refuse_unfounded(steps)
    return wanted._replace(steps=steps, notes=(*notes, *wanted.notes))


def _extra(agent: str, what: str) -> Callable[..., Any] | None:
    where = EXTRAS.get(agent, {}).get(what, "")
    return load(where) if where else None

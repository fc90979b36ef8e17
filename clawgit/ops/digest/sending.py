"""Sends the digest: to each address what is new for it, never twice, and again after a failure."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from clawgit.domain.digest.digest import DAY, LENGTHS, WEEK, Digest
from clawgit.domain.digest.words import markdown, title
from clawgit.domain.runner.schedule import rule_of
from clawgit.domain.safety.covered import covered
from clawgit.errors import ClawgitError
from clawgit.ops.digest.digest import Delivery, DigestQuery, digest_of, since_of
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.runner.schedule import errand_of, errand_series
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import notify, runs
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.state import State, repository_state

_TO = "digest to "
_CUT_OFF = "cut off while it was sent; it is not sent twice"
_UNTIL = "until"
_LONGEST = timedelta(days=366)
"""An address that failed for longer gets the last year only."""


class UnsentError(ClawgitError):
    """A digest that did not reach every address. Those that have it do not get it again."""

    kind = "unsent"


def scheduled(workspace: Workspace, clock: Callable[[], datetime], job: str) -> Performed:
    """The runner's job: the digest up to the time it was due.

    So a later try sends the same digest.
    """
    due = job.partition("@")[2]
    until = datetime.fromisoformat(due) if due else clock()
    now = Workspace(workspace.place, replace(workspace.caller, now=clock()))
    done = deliver(now, until)
    if failed := [delivery for delivery in done if delivery.outcome == "failed"]:
        reasons = "; ".join(f"{delivery.to}: {delivery.trouble}" for delivery in failed)
        raise UnsentError(
            f"The digest was not sent to {reasons}.", hint="clawgit config get digest_to"
        )
    count = sum(delivery.outcome == "sent" for delivery in done)
    summary = f"sent to {count} of {len(done)}" if count else "there was nothing to send"
    return Performed("digest", summary)


def deliver(
    workspace: Workspace,
    until: datetime,
    asked: DigestQuery | None = None,
    *,
    dry_run: bool = False,
) -> tuple[Delivery, ...]:
    """Sends each address what happened since its last digest, or since the time `asked` for."""
    caller, addresses = workspace.caller, dict.fromkeys(workspace.config.settings.digest_to)
    if not addresses:
        return ()
    since = since_of(workspace, asked) if asked and asked.since else None
    # Before the lock and the state: without the extra nothing can be sent to anybody.
    notify.must_be_there()
    lock = workspace_lock(workspace.place.private / "digest.lock", "sending the digest", 0)
    with lock, repository_state(workspace.place, caller.env, caller.home, workspace.now) as state:
        post = _Post(workspace, state, until, _unit(workspace, asked), dry_run=dry_run)
        done = tuple(post.deliver(url, since) for url in addresses)
        if not dry_run:
            _forget_others(state, workspace.now, {delivery.to for delivery in done})
        return done


class _Post:
    """One round of deliveries. A digest is made once for all addresses with the same start."""

    def __init__(
        self, workspace: Workspace, state: State, until: datetime, unit: str, *, dry_run: bool
    ) -> None:
        self._workspace, self._state, self._until, self._unit = workspace, state, until, unit
        self._dry_run = dry_run
        self._made: dict[datetime, Digest] = {}

    def deliver(self, url: str, since: datetime | None) -> Delivery:
        name = notify.address_name(url)
        if not self._dry_run:
            self._settle(name)
        begin = since or self._last(name) or self._until - LENGTHS[self._unit]
        if begin >= self._until:
            return Delivery(name, "kept", begin)
        begin = max(begin, self._until - _LONGEST)
        made = self._digest(begin)
        if self._dry_run:
            return Delivery(name, "nothing" if made.is_quiet else "unsent", begin)
        return self._sent(name, url, made, begin)

    def _sent(self, name: str, url: str, made: Digest, begin: datetime) -> Delivery:
        """Sends a digest once: the state says that it will be sent before it is."""
        run, marks = runs.new_run(), {_UNTIL: self._until.isoformat()}
        runs.begin(self._state, _series(name), run, self._workspace.now)
        runs.plan(self._state, run, 1, marks=marks)
        if made.is_quiet:
            runs.finish(self._state, run, self._workspace.now, runs.NOTHING)
            return Delivery(name, "nothing", begin)
        shown = covered(made, cover_of(self._workspace))
        trouble = notify.send(url, title(shown), markdown(shown))
        outcome = runs.FAILED if trouble else runs.DONE
        runs.finish(self._state, run, self._workspace.now, outcome, trouble=trouble)
        return Delivery(name, "failed" if trouble else "sent", begin, trouble)

    def _settle(self, name: str) -> None:
        for row in runs.unfinished(self._state, _series(name)):
            runs.finish(self._state, row.id, self._workspace.now, runs.DONE, trouble=_CUT_OFF)

    def _last(self, name: str) -> datetime | None:
        left = runs.left(self._state, _series(name))
        return datetime.fromisoformat(left.marks[_UNTIL]) if left and _UNTIL in left.marks else None

    def _digest(self, begin: datetime) -> Digest:
        if begin not in self._made:
            long = self._until - begin > LENGTHS[self._unit]
            self._made[begin] = digest_of(
                self._workspace, begin, self._until, self._unit, whole=not long
            )
        return self._made[begin]


def _series(name: str) -> str:
    """An address that fails is listed with the errands that do."""
    return errand_series(_TO + name)


def _forget_others(state: State, now: datetime, named: set[str]) -> None:
    """Ends the failures of addresses that digest_to no longer names."""
    for job, row in runs.lasts(state).items():
        to = errand_of(job)
        if to.startswith(_TO) and to.removeprefix(_TO) not in named and row.outcome == runs.FAILED:
            run = runs.new_run()
            runs.begin(state, job, run, now)
            runs.finish(state, run, now, runs.NOTHING)


def _unit(workspace: Workspace, asked: DigestQuery | None) -> str:
    """The unit that is asked for, else days if the digest is sent daily."""
    if asked:
        return asked.unit
    rule = rule_of(workspace.config.settings.cron_digest)
    return DAY if rule and rule.weekday is None else WEEK

"""Sends the digest: to each address what is new for it, never twice, and once more after a
failure.
"""

from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from clawgit.domain.digest.digest import DAY, LENGTHS, WEEK
from clawgit.domain.digest.words import markdown, title
from clawgit.domain.runner.schedule import rule_of
from clawgit.domain.safety.covered import covered
from clawgit.errors import ClawgitError, counted
from clawgit.ops.digest.digest import Delivery, DigestQuery, digest_of, since_of
from clawgit.ops.promotion.promote import review_section
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import notify, runs
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.runs import errand_of, errand_series
from clawgit.stores.state import State

_ERRAND = "digest to "
"""Each address has a series of runs, as an errand, so that failures are listed with those of
errands.
"""

_CUT_OFF = "cut off while it was sent; it is not sent twice"
_UNTIL = "until"
_LONGEST = timedelta(days=366)
"""An address that failed for longer than this gets the last year only."""


class Letter(NamedTuple):
    """What is sent: a title and a text in Markdown."""

    title: str
    text: str


class UnsentError(ClawgitError):
    """A digest that did not reach every address. Those that have it do not get it again."""

    kind = "unsent"


def scheduled(workspace: Workspace, until: datetime) -> Performed:
    """The runner's job: sends the digest up to the time at which it was due, so that a later try
    sends the same.
    """
    done = deliver(workspace, until)
    if failed := [delivery for delivery in done if delivery.outcome == "failed"]:
        reasons = "; ".join(f"{delivery.to}: {delivery.trouble}" for delivery in failed)
        raise UnsentError(
            f"The digest was not sent to {reasons}.", hint="clawgit config get digest_to"
        )
    sent = sum(delivery.outcome == "sent" for delivery in done)
    summary = f"sent to {sent} of {len(done)}" if sent else "there was nothing to send"
    return Performed("digest", summary)


def review(workspace: Workspace, _: datetime) -> Performed:
    """The runner's weekly review: what could be promoted. The digest has it, too."""
    lines = [line for section in review_section(workspace) for line in section.lines]
    more = ("`clawgit memory promote --apply` moves them.",) if lines else ()
    found = counted(len(lines), "candidate") + " for promotion"
    return Performed("weekly-review", found, notes=(*lines, *more))


def deliver(
    workspace: Workspace,
    until: datetime,
    asked: DigestQuery | None = None,
    *,
    dry_run: bool = False,
) -> tuple[Delivery, ...]:
    """Sends each address what happened since its last digest, or since the time `asked` for."""
    addresses = dict.fromkeys(workspace.config.settings.digest_to)
    if not addresses:
        return ()
    since = since_of(workspace, asked) if asked and asked.since else None
    # Checked before the lock and the state: without the extra nothing can be sent.
    notify.must_be_there()
    lock = workspace_lock(workspace.place.private / "digest.lock", "sending the digest", 0)
    with lock, state_of(workspace) as state:
        post = _Post(workspace, state, until, _unit(workspace, asked), dry_run=dry_run)
        done = tuple(post.deliver(url, since) for url in addresses)
        if not dry_run:
            _forget_others(state, workspace.now, {delivery.to for delivery in done})
        return done


class _Post:
    """One round of deliveries."""

    def __init__(
        self, workspace: Workspace, state: State, until: datetime, unit: str, *, dry_run: bool
    ) -> None:
        self._workspace, self._state, self._until = workspace, state, until
        self._unit, self._dry_run = unit, dry_run
        # Made once for all addresses with the same beginning.
        self._letter = cache(self._written)

    def deliver(self, url: str, since: datetime | None) -> Delivery:
        name = notify.address_name(url)
        if not self._dry_run:
            self._settle(name)
        begin = since or self._last(name) or self._until - LENGTHS[self._unit]
        if begin >= self._until:
            return Delivery(name, "kept", begin)
        begin = max(begin, self._until - _LONGEST)
        letter = self._letter(begin)
        if self._dry_run:
            return Delivery(name, "unsent" if letter else "nothing", begin)
        return self._sent(name, url, letter, begin)

    def _written(self, begin: datetime) -> Letter | None:
        """What there is to send since a moment; None if nothing was learned."""
        long = self._until - begin > LENGTHS[self._unit]
        made = digest_of(self._workspace, begin, self._until, self._unit, whole=not long)
        shown = covered(made, cover_of(self._workspace))
        return None if made.is_quiet else Letter(title(shown), markdown(shown))

    def _sent(self, name: str, url: str, letter: Letter | None, begin: datetime) -> Delivery:
        """Sends a letter once: the state records it before it is sent."""
        run, marks = runs.new_run(), {_UNTIL: self._until.isoformat()}
        runs.begin(self._state, errand_series(_ERRAND + name), run, self._workspace.now)
        runs.plan(self._state, run, 1, marks=marks)
        if letter is None:
            runs.finish(self._state, run, self._workspace.now, runs.NOTHING)
            return Delivery(name, "nothing", begin)
        trouble = notify.send(url, *letter)
        outcome = runs.FAILED if trouble else runs.DONE
        runs.finish(self._state, run, self._workspace.now, outcome, trouble=trouble)
        return Delivery(name, "failed" if trouble else "sent", begin, trouble)

    def _settle(self, name: str) -> None:
        for row in runs.unfinished(self._state, errand_series(_ERRAND + name)):
            runs.finish(self._state, row.id, self._workspace.now, runs.DONE, trouble=_CUT_OFF)

    def _last(self, name: str) -> datetime | None:
        left = runs.left(self._state, errand_series(_ERRAND + name))
        return datetime.fromisoformat(left.marks[_UNTIL]) if left and _UNTIL in left.marks else None


def _forget_others(state: State, now: datetime, named: set[str]) -> None:
    """Clears the failures of addresses that digest_to no longer names."""
    for job, row in runs.lasts(state).items():
        errand = errand_of(job)
        is_named = errand.removeprefix(_ERRAND) in named
        if errand.startswith(_ERRAND) and not is_named and row.outcome == runs.FAILED:
            run = runs.new_run()
            runs.begin(state, job, run, now)
            runs.finish(state, run, now, runs.NOTHING)


def _unit(workspace: Workspace, asked: DigestQuery | None) -> str:
    """The unit that is asked for, else days if the digest is sent daily."""
    if asked:
        return asked.unit
    rule = rule_of(workspace.config.settings.cron_digest)
    return DAY if rule and rule.weekday is None else WEEK

"""Sends the digest and the weekly review: to each address what is new for it, never twice, and once
more after a failure.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from clawgit.domain.digest.digest import DAY, LENGTHS, WEEK
from clawgit.domain.digest.words import announcement, markdown, title
from clawgit.domain.runner.schedule import rule_of
from clawgit.domain.safety.covered import covered
from clawgit.errors import ClawgitError, counted
from clawgit.ops.digest.digest import (
    PROVIDERS,
    Delivery,
    DigestQuery,
    Provider,
    digest_of,
    since_of,
)
from clawgit.ops.promotion.promote import review_section
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import agent_of
from clawgit.stores import notify, runs
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.runs import errand_of, errand_series
from clawgit.stores.state import State

_DIGEST, _REVIEW = "digest to ", "review to "
"""The kinds of letters. Each address has a series of runs for each kind."""

_BESIDE_REVIEW = tuple(provider for provider in PROVIDERS if provider is not review_section)
"""The sections of a digest for an address that was sent the review."""

_CUT_OFF = "cut off while it was sent; it is not sent twice"
_UNTIL = "until"
_LONGEST = timedelta(days=366)
"""An address that failed for longer than this gets the last year only."""


class Letter(NamedTuple):
    """What is sent: a title and a text in Markdown."""

    title: str
    text: str


Write = Callable[[datetime, Sequence[Provider]], Letter | None]
"""Returns what there is to send since a moment, with these sections; None if nothing."""


class _Kind(NamedTuple):
    """The kind of a letter, its end, and how far back the first one goes."""

    name: str
    until: datetime
    unit: str


class UnsentError(ClawgitError):
    """A digest that did not reach every address. Those that have it do not get it again."""

    kind = "unsent"


def scheduled(workspace: Workspace, until: datetime) -> Performed:
    """The runner's job: sends the digest up to the time at which it was due, so that a later try
    sends the same.
    """
    summary = _sent_text("digest", deliver(workspace, until))
    return Performed("digest", summary or "there was nothing to send")


def review(workspace: Workspace, until: datetime) -> Performed:
    """The runner's weekly review: what could be promoted, sent to the addresses of the digest
    too.
    """
    sections = tuple(review_section(workspace))
    lines = sections[0].lines if sections else ()
    more = ("`clawgit memory promote --apply` moves them.",) if lines else ()
    found = counted(len(lines), "candidate") + " for promotion"
    letter = None
    if sections:
        heading = f"What {agent_of(workspace) or workspace.root.name} could promote"
        shown = covered(sections[0], cover_of(workspace))
        letter = Letter(heading, "\n".join([announcement(heading, shown), *more]))
    kind = _Kind(_REVIEW, until, WEEK)
    sent = _sent_text("review", _delivered(workspace, kind, lambda *_: letter))
    summary = "; ".join(filter(None, (found, sent)))
    return Performed("weekly-review", summary, notes=(*lines, *more))


def _sent_text(name: str, done: Sequence[Delivery]) -> str:
    """How many addresses got it, "" if none was to; UnsentError if one should have."""
    if failed := [delivery for delivery in done if delivery.outcome == "failed"]:
        reasons = "; ".join(f"{delivery.to}: {delivery.trouble}" for delivery in failed)
        raise UnsentError(
            f"The {name} was not sent to {reasons}.", hint="clawgit config get digest_to"
        )
    count = sum(delivery.outcome == "sent" for delivery in done)
    return f"sent to {count} of {len(done)}" if count else ""


def deliver(
    workspace: Workspace,
    until: datetime,
    asked: DigestQuery | None = None,
    *,
    dry_run: bool = False,
) -> tuple[Delivery, ...]:
    """Sends each address what happened since its last digest, or since the time `asked` for."""
    since = since_of(workspace, asked) if asked and asked.since else None
    unit = _unit(workspace, asked)

    # Made once for all addresses with the same beginning.
    @cache
    def letter(begin: datetime, sections: Sequence[Provider]) -> Letter | None:
        long = until - begin > LENGTHS[unit]
        made = digest_of(workspace, begin, until, unit, sections, whole=not long)
        shown = covered(made, cover_of(workspace))
        return None if made.is_quiet else Letter(title(shown), markdown(shown))

    return _delivered(workspace, _Kind(_DIGEST, until, unit), letter, since, dry_run=dry_run)


def _delivered(
    workspace: Workspace,
    kind: _Kind,
    letter: Write,
    since: datetime | None = None,
    *,
    dry_run: bool = False,
) -> tuple[Delivery, ...]:
    addresses = dict.fromkeys(workspace.config.settings.digest_to)
    if not addresses:
        return ()
    # Checked before the lock and the state: without the extra nothing can be sent.
    notify.must_be_there()
    lock = workspace_lock(workspace.place.private / "digest.lock", "sending the digest", 0)
    with lock, state_of(workspace) as state:
        post = _Post(workspace, state, kind, letter, dry_run=dry_run)
        done = tuple(post.deliver(url, since) for url in addresses)
        if not dry_run:
            _forget_others(state, workspace.now, {delivery.to for delivery in done})
        return done


class _Post:
    """One round of deliveries."""

    def __init__(
        self, workspace: Workspace, state: State, kind: _Kind, letter: Write, *, dry_run: bool
    ) -> None:
        self._workspace, self._state, self._kind, self._until = workspace, state, kind, kind.until
        self._letter, self._dry_run = letter, dry_run

    def deliver(self, url: str, since: datetime | None) -> Delivery:
        name = notify.address_name(url)
        if not self._dry_run:
            self._settle(name)
        begin = since or self._last(name) or self._until - LENGTHS[self._kind.unit]
        if begin >= self._until:
            return Delivery(name, "kept", begin)
        begin = max(begin, self._until - _LONGEST)
        letter = self._letter(begin, self._sections(name))
        if self._dry_run:
            return Delivery(name, "unsent" if letter else "nothing", begin)
        return self._sent(name, url, letter, begin)

    def _sent(self, name: str, url: str, letter: Letter | None, begin: datetime) -> Delivery:
        """Sends a letter once: the state records it before it is sent."""
        run, marks = runs.new_run(), {_UNTIL: self._until.isoformat()}
        runs.begin(self._state, self._series(name), run, self._workspace.now)
        runs.plan(self._state, run, 1, marks=marks)
        if letter is None:
            runs.finish(self._state, run, self._workspace.now, runs.NOTHING)
            return Delivery(name, "nothing", begin)
        trouble = notify.send(url, *letter)
        outcome = runs.FAILED if trouble else runs.DONE
        runs.finish(self._state, run, self._workspace.now, outcome, trouble=trouble)
        return Delivery(name, "failed" if trouble else "sent", begin, trouble)

    def _settle(self, name: str) -> None:
        for row in runs.unfinished(self._state, self._series(name)):
            runs.finish(self._state, row.id, self._workspace.now, runs.DONE, trouble=_CUT_OFF)

    def _last(self, name: str) -> datetime | None:
        left = runs.left(self._state, self._series(name))
        return datetime.fromisoformat(left.marks[_UNTIL]) if left and _UNTIL in left.marks else None

    def _sections(self, name: str) -> Sequence[Provider]:
        """All sections; without the review if this address got it within the last week."""
        left = runs.left(self._state, errand_series(_REVIEW + name))
        if left is None or left.outcome != runs.DONE or _UNTIL not in left.marks:
            return PROVIDERS
        is_new = datetime.fromisoformat(left.marks[_UNTIL]) >= self._until - LENGTHS[WEEK]
        return _BESIDE_REVIEW if is_new else PROVIDERS

    def _series(self, name: str) -> str:
        """The address as an errand, so that failures are listed with those of errands."""
        return errand_series(self._kind.name + name)


def _forget_others(state: State, now: datetime, named: set[str]) -> None:
    """Clears the failures of addresses that digest_to no longer names."""
    for job, row in runs.lasts(state).items():
        to = _address_of(errand_of(job))
        if to and to not in named and row.outcome == runs.FAILED:
            run = runs.new_run()
            runs.begin(state, job, run, now)
            runs.finish(state, run, now, runs.NOTHING)


def _address_of(errand: str) -> str:
    """The name of the address that an errand sends to, "" if it sends nothing."""
    kinds = (kind for kind in (_DIGEST, _REVIEW) if errand.startswith(kind))
    return next((errand.removeprefix(kind) for kind in kinds), "")


def _unit(workspace: Workspace, asked: DigestQuery | None) -> str:
    """The unit that is asked for, else days if the digest is sent daily."""
    if asked:
        return asked.unit
    rule = rule_of(workspace.config.settings.cron_digest)
    return DAY if rule and rule.weekday is None else WEEK

"""Sends the digest: to each address what is new for it, never twice, and once more after a
failure.
"""

from datetime import datetime

from clawgit.domain.digest.digest import DAY, Delivery
from clawgit.domain.digest.words import markdown, title
from clawgit.domain.safety.masks import covered
from clawgit.errors import ClawgitError, counted
from clawgit.ops.digest.digest import digest_of, since_of
from clawgit.ops.promotion.promote import review_section
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores import notify, runs
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.state import State

_SERIES = "digest/"
"""Each address has a series of runs of its own."""

_UNTIL = "until"


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
    workspace: Workspace, until: datetime, since: str = "", *, dry_run: bool = False
) -> tuple[Delivery, ...]:
    """Sends each address what happened since its last digest, or since the time asked for."""
    addresses = dict.fromkeys(workspace.config.settings.digest_to)
    if not addresses:
        return ()
    asked = since_of(workspace, since) if since else None
    # Checked before the lock and the state: without the extra nothing can be sent.
    notify.must_be_there()
    lock = workspace_lock(workspace.place.private / "digest.lock", "sending the digest", 0)
    done: list[Delivery] = []
    with lock, state_of(workspace) as state:
        for url in addresses:
            name = notify.address_name(url)
            begin = asked or _last(state, name) or until - DAY
            outcome, trouble = "kept", ""
            if begin < until:
                outcome, trouble = _sent(workspace, state, url, begin, until, dry_run=dry_run)
            done.append(Delivery(name, outcome, begin, trouble))
    return tuple(done)


def _sent(
    workspace: Workspace,
    state: State,
    url: str,
    begin: datetime,
    until: datetime,
    *,
    dry_run: bool,
) -> tuple[str, str]:
    """Sends what is new to one address: the outcome, and what went wrong."""
    made = covered(digest_of(workspace, begin, until), cover_of(workspace))
    if dry_run:
        return "nothing" if made.is_quiet else "unsent", ""
    run, now = runs.new_run(), workspace.now
    runs.begin(state, _SERIES + notify.address_name(url), run, now)
    # Before it is sent: after a crash in between it is not sent twice.
    runs.finish(state, run, now, runs.DONE, marks={_UNTIL: until.isoformat()})
    if made.is_quiet:
        return "nothing", ""
    trouble = notify.send(url, title(made), markdown(made))
    if trouble:
        runs.finish(state, run, now, runs.FAILED, trouble=trouble)
    return "failed" if trouble else "sent", trouble


def _last(state: State, name: str) -> datetime | None:
    """Until when an address has been told."""
    left = runs.left(state, _SERIES + name)
    return datetime.fromisoformat(left.marks[_UNTIL]) if left and _UNTIL in left.marks else None

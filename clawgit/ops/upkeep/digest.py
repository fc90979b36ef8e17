"""`digest`: what the agent learned and how its soul changed, gathered from history; and sent to
each address once, what is new for it.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from clawgit.domain.change.when import time_named
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction, corrections, doubting
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.entry import holds_entries
from clawgit.domain.safety.masks import covered
from clawgit.domain.upkeep.digest import (
    DAY,
    WEEK,
    Delivery,
    Digest,
    DigestSection,
    LearnedEntry,
    learned,
    markdown,
    title,
)
from clawgit.errors import ClawgitError, UsageError, counted
from clawgit.ops.change.history import revision
from clawgit.ops.runner.jobs import Performed
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.soul.changelog import changelog
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.upkeep.promote import review_section
from clawgit.ops.workspace.state import state_of
from clawgit.ops.workspace.status import corrected_in_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import agent_of
from clawgit.stores import notify, runs
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog
from clawgit.stores.git.lock import workspace_lock
from clawgit.stores.git.revisions import BeforeHistoryError
from clawgit.stores.state import State

_ARCHIVES = ("Archive/Chronicles/", "Archive/Facts/")
_SERIES = "digest/"
"""Each address has a series of runs of its own."""

_UNTIL = "until"


class UnsentError(ClawgitError):
    """A digest that did not reach every address. Those that have it do not get it again."""

    kind = "unsent"


def digest(workspace: Workspace, since: str = "", *, dry_run: bool = False) -> Digest:
    """What happened since then, as people write it, or in the last week. Reads the history only."""
    made = digest_of(workspace, _since(workspace, since), workspace.now)
    # The addresses themselves are secret.
    count = len(workspace.config.settings.digest_to)
    delivery = f"digest_to names {counted(count, 'address', 'addresses')}"
    if not count:
        delivery = "digest_to is empty: CHANGELOG.md shows how the identity grew"
    return replace(made, delivery=delivery, dry_run=dry_run)


def digest_of(workspace: Workspace, since: datetime, until: datetime) -> Digest:
    """The digest of what happened between two moments."""
    since, until = since.astimezone(workspace.local_zone), until.astimezone(workspace.local_zone)
    index = workspace.past()
    ends = _ends(workspace, index, since, until)
    objects = Batch(index.git)
    flagged = text_of(objects.data(f"HEAD:{CONFLICTS}") or b"")
    logs = [text_of(objects.data(f"{oid}:{CORRECTIONS}") or b"") for oid in ends]
    entries = _learned(workspace, ends)
    return Digest(
        agent=agent_of(workspace) or workspace.root.name,
        since=since,
        until=until,
        learned=entries,
        soul=tuple(
            change
            for change in changelog(workspace)
            if since <= change.time < until and not change.begun
        ),
        corrections=tuple(_recorded(workspace, *logs)) if logs else (),
        open_conflicts=tuple(conflict for conflict in conflicts(flagged) if conflict.open),
        sections=tuple(_sections(workspace)),
    )


def _learned(workspace: Workspace, ends: tuple[str, ...]) -> tuple[LearnedEntry, ...]:
    if not ends:
        return ()
    paths = [*filter(_is_covered, workspace.git.changed_paths(*ends))]
    sides = [
        [(path, text_of(workspace.git.read(oid, path) or b"")) for path in paths] for oid in ends
    ]
    return learned(*sides)


def _sections(workspace: Workspace) -> Iterator[DigestSection]:
    if corrected := corrected_in_chat(workspace):
        yield DigestSection("Corrected in chat", (corrected,))
    yield from review_section(workspace)


def _recorded(workspace: Workspace, was: str, now: str) -> Iterator[Correction]:
    """The corrections that count or wait now, and did not before."""
    known = {(one.id, one.waits) for one in corrections(was)}
    for one in doubting(corrections(now), doubted(workspace)):
        if one.correct and (one.binds or one.waits) and (one.id, one.waits) not in known:
            yield one


def _since(workspace: Workspace, text: str) -> datetime:
    if not text:
        return workspace.now - WEEK
    since = time_named(text, workspace.now, workspace.zone)
    if since >= workspace.now:
        raise UsageError(f"{text!r} is not in the past.", hint="clawgit digest --since yesterday")
    return since


def _ends(
    workspace: Workspace, index: PathLog, since: datetime, until: datetime
) -> tuple[str, ...]:
    """The commits at two moments. The first one has nothing before it, and is no news."""
    first = index.first()
    ends: list[str] = []
    for when in (since, until) if first else ():
        try:
            ends.append(revision(workspace, when.isoformat()))
        except BeforeHistoryError:
            ends.append(str(first))
    return tuple(ends)


def _is_covered(path: str) -> bool:
    # What was summed up or has expired stands in the archive, and is not gone.
    return (holds_entries(path) and "/." not in path) or path.startswith(_ARCHIVES)


def scheduled(workspace: Workspace, until: datetime) -> Performed:
    """The runner's job: sends the digest up to the time at which it was due, so that a later try
    sends the same.
    """
    done = deliver(workspace, until)
    if failed := [f"{each.to}: {each.trouble}" for each in done if each.outcome == "failed"]:
        raise UnsentError(
            f"The digest was not sent to {'; '.join(failed)}.", hint="clawgit config get digest_to"
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
    asked = _since(workspace, since) if since else None
    # Checked before the lock and the state: without the extra nothing can be sent.
    notify.must_be_there()
    lock = workspace_lock(workspace.place.private / "digest.lock", "sending the digest", 0)
    done: list[Delivery] = []
    with lock, state_of(workspace) as state:
        for url in addresses:
            series = _SERIES + notify.address_name(url)
            left = runs.left(state, series)
            told = left.marks.get(_UNTIL) if left else None
            begin = asked or (datetime.fromisoformat(told) if told else until - DAY)
            outcome, trouble = "kept", ""
            if begin < until:
                made = covered(digest_of(workspace, begin, until), cover_of(workspace))
                outcome, trouble = "nothing" if made.is_quiet else "unsent", ""
                if not dry_run:
                    outcome, trouble = _sent(workspace, state, series, url, made)
            done.append(Delivery(notify.address_name(url), outcome, begin, trouble))
    return tuple(done)


def _sent(
    workspace: Workspace, state: State, series: str, url: str, made: Digest
) -> tuple[str, str]:
    """Sends what is new to one address: the outcome, and what went wrong."""
    run, now = runs.new_run(), workspace.now
    runs.begin(state, series, run, now)
    # Before it is sent: after a crash in between it is not sent twice.
    runs.finish(state, run, now, runs.DONE, marks={_UNTIL: made.until.isoformat()})
    if made.is_quiet:
        return "nothing", ""
    trouble = notify.send(url, title(made), markdown(made))
    if trouble:
        runs.finish(state, run, now, runs.FAILED, trouble=trouble)
    return "failed" if trouble else "sent", trouble

"""`digest`: what the agent learned and how its soul changed, gathered from history; and sent to
each address once, what is new for it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clawgit.domain.change.when import time_named
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import Conflict, conflicts
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    Correction,
    corrections,
    doubting,
    statement,
)
from clawgit.domain.corrections.disputed import undisputed
from clawgit.domain.facts.confidence import is_correction
from clawgit.domain.markdown.comment import ACTIVE, ARCHIVED, DISPUTED, SUPERSEDED
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.entry import Entry, entries, holds_entries
from clawgit.domain.markdown.excerpt import one_line
from clawgit.domain.safety.masks import covered
from clawgit.domain.soul.changelog import IdentityChange, plain, render_markdown
from clawgit.errors import ClawgitError, UsageError, counted
from clawgit.ops.change.history import revision
from clawgit.ops.runner.schedule import Performed
from clawgit.ops.safety.masking import cover_of
from clawgit.ops.soul.changelog import changelog
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.upkeep.promote import DigestSection, review_section
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

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)

ADDED = "added"
CORRECTED = "corrected"
REMOVED = "removed"

HEADINGS = {
    ADDED: "New",
    CORRECTED: "Corrected",
    SUPERSEDED: "Superseded",
    ARCHIVED: "Archived",
    REMOVED: "Removed",
}
"""The title of each kind in a digest, in the order in which it shows them."""


@dataclass(frozen=True, slots=True)
class LearnedEntry:
    """What became of one entry. `was` is what it said before, "" if it says the same now."""

    kind: str
    entry: str
    text: str
    was: str
    path: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one address, which is named by its kind alone.

    `outcome` is sent, failed, nothing (nothing was new), kept (it got this one before), or unsent
    in a dry run.
    """

    to: str
    outcome: str
    since: datetime
    trouble: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What happened between two moments: `learned` is what became of entries.

    `open_conflicts` are those that wait for the operator now. `delivery` says in words where
    digests go, `sent` where this one went. It makes no commit.
    """

    agent: str
    since: datetime
    until: datetime
    learned: tuple[LearnedEntry, ...]
    soul: tuple[IdentityChange, ...]
    corrections: tuple[Correction, ...]
    open_conflicts: tuple[Conflict, ...]
    sections: tuple[DigestSection, ...] = ()
    delivery: str = ""
    sent: tuple[Delivery, ...] = ()
    changed: tuple[str, ...] = ()
    commit: str | None = None
    id: str | None = None
    dry_run: bool = False

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections)


Texts = Iterable[tuple[str, str]]
"""Files by path and text."""


def learned(before: Texts, after: Texts) -> tuple[LearnedEntry, ...]:
    """The entries that are not as they were: first what came, then what went."""
    old, new = _standing(before), _standing(after)
    by_key = {entry.key: statement(entry) for entry in old.values()}
    rows = []
    for (words, status), entry in new.items():
        if (words, status) not in old:
            was = by_key.get(entry.key, "")
            was = was if was != statement(entry) else ""
            rows.append(LearnedEntry(_kind(entry, status), entry.key, words, was, entry.path))
    stays = {words for words, _ in new} | {entry.key for entry in new.values()}
    rows += [
        LearnedEntry(REMOVED, entry.key, words, "", entry.path)
        for (words, _), entry in old.items()
        if stays.isdisjoint((words, entry.key))
    ]
    kinds = [*HEADINGS]
    return tuple(sorted(rows, key=lambda row: kinds.index(row.kind)))


def _standing(texts: Texts) -> dict[tuple[str, str], Entry]:
    """The entries by what they say and their status, whatever file they stand in. What is disputed
    stands until it is settled.
    """
    return {
        (words, ACTIVE if entry.status == DISPUTED else entry.status): entry
        for path, text in texts
        for entry in entries(text, path)
        if (words := one_line(undisputed(entry)))
    }


def _kind(entry: Entry, status: str) -> str:
    if status in HEADINGS:
        return status
    return CORRECTED if is_correction(entry) else ADDED


MOST = 40
"""A page shows at most this many rows of one kind; `--json` has them all."""

_OPENS = re.compile(r"^([0-9]{0,9})([#>+=|.)-]|&gt;)")
NOTHING = "Nothing was learned, and the soul did not change."


def markdown(digest: Digest) -> str:
    """The whole digest. Nothing that files or commits say becomes Markdown of ours."""
    when = f"{digest.since:%Y-%m-%d %H:%M} to {digest.until:%Y-%m-%d %H:%M}"
    lines = [f"# {plain(title(digest))}", "", f"{when}. {_counts(digest) or NOTHING}", ""]
    for name, rows in _parts(digest):
        if rows:
            lines += [f"## {plain(name)}", "", *rows, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def title(digest: Digest) -> str:
    return f"What {digest.agent} learned"


def _parts(digest: Digest) -> Iterator[tuple[str, list[str]]]:
    """Each heading with its rows."""
    for kind, heading in HEADINGS.items():
        rows = [_news(row) for row in digest.learned if row.kind == kind]
        if len(rows) > MOST:
            more = f"- and {len(rows) - MOST} more; clawgit digest --json has them all"
            rows = [*rows[:MOST], more]
        yield heading, rows
    yield "The soul", [*filter(None, [render_markdown(digest.soul).rstrip()])]
    for waits, heading in (
        (False, "Corrected by the operator"),
        (True, "Waiting for the operator: what is right?"),
    ):
        yield heading, [_correction(row) for row in digest.corrections if row.waits == waits]
    yield "Open conflicts", [*map(_conflict, digest.open_conflicts)]
    for section in digest.sections:
        yield section.title, [f"- {_item(line)}" for line in section.lines]


def _news(learned: LearnedEntry) -> str:
    was = f" (was: {plain(learned.was)})" if learned.was else ""
    return f"- {_item(learned.text)}{was} · {plain(learned.path)} {plain(learned.entry)}"


def _conflict(conflict: Conflict) -> str:
    return f"- {_quoted(conflict.a.text)} or {_quoted(conflict.b.text)} ({plain(conflict.id)})"


def _correction(correction: Correction) -> str:
    link = "or" if correction.waits else "not"
    said = correction.said or correction.old
    wrong = f", {link} {_quoted(said)}" if said else ""
    return f"- {_quoted(correction.correct)}{wrong} ({plain(correction.id)})"


def _counts(digest: Digest) -> str:
    kinds = Counter(row.kind for row in digest.learned)
    counts = [f"{kinds[kind]} {name.lower()}" for kind, name in HEADINGS.items() if kinds[kind]]
    asked = sum(correction.waits for correction in digest.corrections)
    others = (
        (len(digest.soul), "change of the soul", "changes of the soul"),
        (len(digest.corrections) - asked, "correction", ""),
        (asked, "open question", ""),
    )
    return ", ".join([*counts, *(counted(*count) for count in others if count[0])])


def _item(text: str) -> str:
    """Text at the beginning of a list item, where more signs than elsewhere would open a block."""
    return _OPENS.sub(lambda sign: f"{sign[1]}\\{sign[2]}", plain(text))


def _quoted(text: str) -> str:
    return f"“{plain(text)}”"


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
            series, name = _SERIES + notify.address_name(url), notify.address_name(url)
            left = runs.left(state, series)
            told = left.marks.get(_UNTIL) if left else None
            begin = asked or (datetime.fromisoformat(told) if told else until - DAY)
            outcome, trouble = "kept", ""
            if begin < until:
                made = covered(digest_of(workspace, begin, until), cover_of(workspace))
                outcome = "nothing" if made.is_quiet else "unsent"
                if not dry_run:
                    outcome, trouble = _sent(workspace, state, series, url, made)
            done.append(Delivery(name, outcome, begin, trouble))
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
    if trouble := notify.send(url, title(made), markdown(made)):
        runs.finish(state, run, now, runs.FAILED, trouble=trouble)
    return "failed" if trouble else "sent", trouble

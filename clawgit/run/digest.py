"""`digest`: what the agent learned and how its soul changed, gathered from history; and sent to
each address once, what is new for it.
"""

import logging
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from importlib.util import find_spec

from clawgit.core import NamedTuple
from clawgit.core.doors import apprise
from clawgit.core.errors import ClawgitError, Committed, MissingExtraError, UsageError, counted, few
from clawgit.core.markdown.comment import ACTIVE, ARCHIVED, DISPUTED, SUPERSEDED
from clawgit.core.markdown.decoding import text_of
from clawgit.core.markdown.entry import Entry, entries, holds_entries
from clawgit.core.markdown.excerpt import one_line
from clawgit.git.history.pathlog import PathLog
from clawgit.git.lock import workspace_lock
from clawgit.git.revisions import BeforeHistoryError
from clawgit.history.log import past, revision
from clawgit.memory.rules.confidence import is_correction
from clawgit.memory.rules.conflict_log import PATH as CONFLICTS
from clawgit.memory.rules.conflict_log import Conflict, conflicts
from clawgit.memory.upkeep import DigestSection, review_section
from clawgit.run.schedule import Performed
from clawgit.safety.doubted import doubted
from clawgit.safety.masking import cover_of
from clawgit.safety.rules.masks import covered
from clawgit.soul.changelog import changelog
from clawgit.soul.rules.changelog import IdentityChange, plain, render_markdown
from clawgit.talk.rules.corrections import CORRECTIONS, Correction, corrections, doubting, statement
from clawgit.talk.rules.quotes import undisputed
from clawgit.workspace.stores import runs
from clawgit.workspace.stores.state import State
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspaces import agent_of

_SECONDS = 30
_SECRET = 6
"""From this length on, a part of an address may be a secret, and is not in any message."""


def address_name(url: str) -> str:
    """A name for an address that reveals only its kind."""
    kind = re.match(r"[a-z][a-z0-9+.-]{0,20}(?=:)", url.lower())
    return (
        f"{kind[0] if kind else 'address'}-{sha256(url.encode('utf-8', 'replace')).hexdigest()[:6]}"
    )


def send(url: str, title: str, body: str) -> str:
    """Sends Markdown, once. Returns what went wrong, "" if it was sent."""
    logger = logging.getLogger("apprise")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    service = apprise.Apprise(
        asset=apprise.AppriseAsset(app_id="clawgit", app_desc="clawgit", secure_logging=True)
    )
    if not service.add(url):
        return "it is not an address that apprise knows"
    sent = service.notify(
        body=body, title=title, body_format=apprise.NotifyFormat.MARKDOWN, timeout=_SECONDS
    )
    if sent:
        return ""
    messages = [entry.message for entry in sent.logs()]
    return _without_secrets(
        messages[-1] if messages else f"it was not sent: {sent.status.name.lower()}", url
    )


def _without_secrets(message: str, url: str) -> str:
    for part in sorted(re.split(r"[/:@?&=,]", url), key=len, reverse=True):
        if len(part) >= _SECRET:
            message = message.replace(part, "…")
    return one_line(message)[:200]


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


class LearnedEntry(NamedTuple):
    """What became of one entry. `was` is what it said before, "" if it says the same now."""

    kind: str
    entry: str
    text: str
    was: str
    path: str


class Delivery(NamedTuple):
    """What became of one address, which is named by its kind alone.

    `outcome` is sent, failed, nothing (nothing was new), kept (it got this one before), or unsent
    in a dry run.
    """

    to: str
    outcome: str
    since: datetime
    trouble: str


class Digest(NamedTuple):
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
    change: Committed = Committed()
    dry_run: bool = False

    @property
    def is_quiet(self) -> bool:
        return not (self.learned or self.soul or self.corrections)


Texts = Iterable[tuple[str, str]]
"""Files by path and text."""


def learned(before: Texts, after: Texts, log: str = "") -> tuple[LearnedEntry, ...]:
    """The entries that are not as they were: first what came, then what went. An entry without an
    id gets one where it is put right: the `log` of corrections says which one that was.
    """
    old, new = _standing(before), _standing(after)
    by_key = {entry.key: statement(entry) for entry in old.values()}
    targets = {each.evidence: each.target for each in corrections(log)}
    stays = {words for words, _ in new} | {entry.key for entry in new.values()}
    rows = []
    for (words, status), entry in new.items():
        if (words, status) not in old:
            keys = (entry.key, *(targets.get(cited, "") for cited in entry.facts.evidence))
            before_it = next(filter(by_key.__contains__, keys), "")
            stays.add(before_it)
            was = by_key.get(before_it, "")
            was = was if was != statement(entry) else ""
            rows.append(LearnedEntry(_kind(entry, status), entry.key, words, was, entry.path))
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
    told = f"{when}. {NOTHING}" if digest.is_quiet else f"{when}."
    lines = [f"# {plain(title(digest))}", "", told, ""]
    for name, rows in _parts(digest):
        if rows:
            lines += [f"## {plain(name)}", "", *rows, ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def title(digest: Digest) -> str:
    return f"What {digest.agent} learned"


def _parts(digest: Digest) -> Iterator[tuple[str, list[str]]]:
    """Each heading with its rows."""
    for kind, heading in HEADINGS.items():
        rows = (_news(row) for row in digest.learned if row.kind == kind)
        yield heading, few(rows, MOST, "- and {} more; clawgit digest --json has them all")
    yield "The soul", [*filter(None, [render_markdown(digest.soul).rstrip()])]
    for waits, heading in (
        (False, "Corrected by the operator"),
        (True, "Waiting for the operator: what is right?"),
    ):
        yield heading, [_correction(row) for row in digest.corrections if row.waits == waits]
    yield (
        "Open conflicts",
        [
            f"- {_quoted(one.a.text)} or {_quoted(one.b.text)} ({plain(one.id)})"
            for one in digest.open_conflicts
        ],
    )
    for section in digest.sections:
        yield section.title, [f"- {_item(line)}" for line in section.lines]


def _news(learned: LearnedEntry) -> str:
    was = f" (was: {plain(learned.was)})" if learned.was else ""
    return f"- {_item(learned.text)}{was} · {plain(learned.path)} {plain(learned.entry)}"


def _correction(correction: Correction) -> str:
    link = "or" if correction.waits else "not"
    if not correction.correct:
        link = "about"
    said = correction.correct or correction.words or correction.trigger
    wrong = f", {link} {_quoted(correction.wrong)}" if correction.wrong else ""
    return f"- {_quoted(said)}{wrong} ({plain(correction.id)})"


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


def digest(workspace: Workspace, since: str = "") -> Digest:
    """What happened since then, as people write it, or in the last week. Reads the history only."""
    made = digest_of(workspace, _since(workspace, since), workspace.now)
    # The addresses themselves are secret.
    count = len(workspace.settings.digest_to)
    delivery = f"digest_to names {counted(count, 'address', 'addresses')}"
    if not count:
        delivery = "digest_to is empty: CHANGELOG.md shows how the identity grew"
    return made._replace(delivery=delivery, dry_run=workspace.dry_run)


def digest_of(workspace: Workspace, since: datetime, until: datetime) -> Digest:
    """The digest of what happened between two moments."""
    since, until = since.astimezone(workspace.local_zone), until.astimezone(workspace.local_zone)
    index = past(workspace)
    ends = _ends(workspace, index, since, until)
    flagged = text_of(workspace.git.read(index.head, CONFLICTS))
    logs = [text_of(workspace.git.read(oid, CORRECTIONS)) for oid in ends]
    entries = _learned(workspace, ends, logs[-1]) if logs else ()
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
        sections=tuple(review_section(workspace)),
    )


def _learned(workspace: Workspace, ends: tuple[str, ...], log: str) -> tuple[LearnedEntry, ...]:
    # What was summed up or has expired stands in the archive, and is not gone.
    paths = [
        path
        for path in workspace.git.changed_paths(*ends)
        if (holds_entries(path) and "/." not in path) or path.startswith(_ARCHIVES)
    ]
    before, after = (
        [(path, text_of(workspace.git.read(oid, path))) for path in paths] for oid in ends
    )
    return learned(before, after, log)


def _recorded(workspace: Workspace, was: str, now: str) -> Iterator[Correction]:
    """The corrections that count or wait now, and did not before."""
    known = {(one.id, one.waits) for one in corrections(was)}
    for one in doubting(corrections(now), doubted(workspace)):
        if (one.waits or (one.binds and one.correct)) and (one.id, one.waits) not in known:
            yield one


def _since(workspace: Workspace, text: str) -> datetime:
    since = workspace.moment(text) or workspace.now - WEEK
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


def deliver(workspace: Workspace, until: datetime, since: str = "") -> tuple[Delivery, ...]:
    """Sends each address what happened since its last digest, or since the time asked for."""
    addresses = dict.fromkeys(workspace.settings.digest_to)
    if not addresses:
        return ()
    asked = _since(workspace, since) if since else None
    # Checked before the lock and the state: without the extra nothing can be sent.
    if find_spec("apprise") is None:
        raise MissingExtraError(
            "Sending a digest needs the package apprise.", hint="pip install 'clawgit[digest]'"
        )
    lock = workspace_lock(workspace.place.private / "digest.lock", "sending the digest", 0)
    done: list[Delivery] = []
    with lock, workspace.state() as state:
        for url in addresses:
            name = address_name(url)
            series = _SERIES + name
            left = runs.left(state, series)
            told = left.marks.get(_UNTIL) if left else None
            begin = asked or (datetime.fromisoformat(told) if told else until - DAY)
            outcome, trouble = "kept", ""
            if begin < until:
                made = covered(digest_of(workspace, begin, until), cover_of(workspace))
                outcome = "nothing" if made.is_quiet else "unsent"
                if not workspace.dry_run:
                    outcome, trouble = _sent(workspace, state, series, url, made)
            done.append(Delivery(name, outcome, begin, trouble))
    return tuple(done)


def _sent(
    workspace: Workspace, state: State, series: str, url: str, made: Digest
) -> tuple[str, str]:
    """Sends what is new to one address: the outcome, and what went wrong."""
    # Before it is sent: after a crash in between it is not sent twice.
    now, marks = workspace.now, {_UNTIL: made.until.isoformat()}
    run = runs.note(state, series, now, runs.DONE, marks=marks)
    if made.is_quiet:
        return "nothing", ""
    if trouble := send(url, title(made), markdown(made)):
        runs.finish(state, run, now, runs.FAILED, trouble=trouble)
    return "failed" if trouble else "sent", trouble

"""`digest`: what the agent learned and how its soul changed, gathered from history."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from clawgit.domain.change.when import time_named
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import (
    CORRECTIONS,
    Correction,
    corrections,
    doubting,
)
from clawgit.domain.digest.digest import (
    WEEK,
    Digest,
    DigestSection,
    Texts,
    learned,
)
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.entry import holds_entries
from clawgit.errors import UsageError, counted
from clawgit.ops.change.history import revision
from clawgit.ops.change.reading import reading
from clawgit.ops.promotion.promote import review_section
from clawgit.ops.soul.changelog import changelog
from clawgit.ops.soul.doubted import doubted
from clawgit.ops.workspace.status import corrected_in_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import agent_of
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog
from clawgit.stores.git.revisions import BeforeHistoryError

_ARCHIVES = ("Archive/Chronicles/", "Archive/Facts/")


def digest(workspace: Workspace, since: str = "", *, dry_run: bool = False) -> Digest:
    """What happened since then, as people write it, or in the last week. Reads the history only."""
    made = digest_of(workspace, since_of(workspace, since), workspace.now)
    return replace(made, delivery=delivery_of(workspace), dry_run=dry_run)


def digest_of(workspace: Workspace, since: datetime, until: datetime) -> Digest:
    """The digest of what happened between two moments."""
    since, until = since.astimezone(workspace.local_zone), until.astimezone(workspace.local_zone)
    with reading(workspace) as index:
        ends = _ends(workspace, index, since, until)
        sides = _sides(workspace, *ends) if ends else ((), ())
        objects = Batch(index.git)
        flagged = text_of(objects.data(f"HEAD:{CONFLICTS}") or b"")
        logs = [text_of(objects.data(f"{oid}:{CORRECTIONS}") or b"") for oid in ends]
    return Digest(
        agent=agent_of(workspace) or workspace.root.name,
        since=since,
        until=until,
        learned=learned(*sides),
        soul=tuple(
            change
            for change in changelog(workspace)
            if since <= change.time < until and not change.begun
        ),
        corrections=tuple(_recorded(workspace, *logs)) if logs else (),
        open_conflicts=tuple(conflict for conflict in conflicts(flagged) if conflict.open),
        sections=tuple(_sections(workspace)),
    )


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


def since_of(workspace: Workspace, text: str) -> datetime:
    if not text:
        return workspace.now - WEEK
    since = time_named(text, workspace.now, workspace.zone)
    if since >= workspace.now:
        raise UsageError(f"{text!r} is not in the past.", hint="clawgit digest --since yesterday")
    return since


def delivery_of(workspace: Workspace) -> str:
    """Where a digest goes, in words; the addresses themselves are secret."""
    count = len(workspace.config.settings.digest_to)
    if not count:
        return "digest_to is empty: CHANGELOG.md shows how the identity grew"
    return f"digest_to names {counted(count, 'address', 'addresses')}"


def _ends(
    workspace: Workspace, index: PathLog, since: datetime, until: datetime
) -> tuple[str, ...]:
    """The commits at two moments. The first one has nothing before it, and is no news."""
    first = index.first()
    if first is None:
        return ()
    return tuple(_last_before(workspace, index, when) or first for when in (since, until))


def _sides(workspace: Workspace, begin: str, end: str) -> tuple[Texts, Texts]:
    """The files of entries that differ between two commits."""
    changed = [*filter(_is_covered, workspace.git.changed_paths(begin, end))]
    return _texts(workspace, begin, changed), _texts(workspace, end, changed)


def _is_covered(path: str) -> bool:
    # What was summed up or has expired stands in the archive, and is not gone.
    return (holds_entries(path) and "/." not in path) or path.startswith(_ARCHIVES)


def _last_before(workspace: Workspace, index: PathLog, when: datetime) -> str:
    try:
        return revision(workspace, when.isoformat(), index)
    except BeforeHistoryError:
        return ""


def _texts(workspace: Workspace, commit: str, paths: Sequence[str]) -> Texts:
    return [(path, text_of(workspace.git.read(commit, path) or b"")) for path in paths]

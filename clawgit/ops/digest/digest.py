"""`digest`: what the agent learned and how its soul changed, gathered from history."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from clawgit.domain.change.when import time_named
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.claims.conflicts import conflicts
from clawgit.domain.corrections.corrections import CORRECTIONS, Correction, corrections
from clawgit.domain.digest.digest import (
    WEEK,
    Digest,
    DigestCommit,
    DigestSection,
    learned,
)
from clawgit.domain.markdown.decoding import text_of
from clawgit.domain.markdown.entry import holds_entries
from clawgit.errors import UsageError, counted
from clawgit.ops.change.reading import reading
from clawgit.ops.promotion.promote import review_section
from clawgit.ops.soul.changelog import changelog
from clawgit.ops.workspace.logs import corrected_in_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import agent_of
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog, Version


def digest(workspace: Workspace, since: str = "", *, dry_run: bool = False) -> Digest:
    """What happened since then, as people write it, or in the last week. Reads the history only."""
    made = digest_of(workspace, since_of(workspace, since), workspace.now)
    return replace(made, delivery=delivery_of(workspace), dry_run=dry_run)


def digest_of(workspace: Workspace, since: datetime, until: datetime) -> Digest:
    """The digest of what happened between two moments."""
    since, until = since.astimezone(workspace.local_zone), until.astimezone(workspace.local_zone)
    with reading(workspace) as index:
        steps = [*_steps(index, since, until)]
        head = Batch(index.git)
        flagged = text_of(head.data(f"HEAD:{CONFLICTS}") or b"")
        corrected = text_of(head.data(f"HEAD:{CORRECTIONS}") or b"")
    return Digest(
        agent=agent_of(workspace) or workspace.root.name,
        since=since,
        until=until,
        learned=learned(steps),
        soul=tuple(
            change
            for change in changelog(workspace)
            if since <= change.time < until and not change.begun
        ),
        corrections=tuple(_recorded(corrected, since, until)),
        open_conflicts=tuple(conflict for conflict in conflicts(flagged) if conflict.open),
        sections=tuple(_sections(workspace)),
    )


def _sections(workspace: Workspace) -> Iterator[DigestSection]:
    if corrected := corrected_in_chat(workspace):
        yield DigestSection("Corrected in chat", (corrected,))
    yield from review_section(workspace)


def _recorded(text: str, since: datetime, until: datetime) -> Iterator[Correction]:
    for correction in corrections(text):
        if correction.correct and correction.time and since <= correction.time < until:
            yield correction


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


def _steps(index: PathLog, since: datetime, until: datetime) -> Iterator[DigestCommit]:
    """The commits between, oldest first, with their files of entries before and after.

    A merge repeats what its parents did, and the first commit has nothing before it.
    """
    touched: dict[str, list[Version]] = {}
    for version in index.versions_since(int(since.timestamp())):
        if _is_covered(version.path):
            touched.setdefault(version.oid, []).append(version)
    objects = Batch(index.git)
    for commit in objects.read_commits(touched):
        if len(commit.parents) != 1 or not since <= commit.time < until:
            continue
        versions = touched[commit.sha]
        sides = [_texts(objects, versions, before=before) for before in (True, False)]
        yield DigestCommit(commit._replace(time=commit.time.astimezone(since.tzinfo)), *sides)


def _is_covered(path: str) -> bool:
    return holds_entries(path) and "/." not in path and not path.startswith("memory/archive/")


def _texts(
    objects: Batch, versions: Iterable[Version], *, before: bool
) -> tuple[tuple[str, str], ...]:
    blobs = {
        version.path: oid
        for version in versions
        if (oid := version.before[0] if before else version.after)
    }
    found = zip(blobs, objects.read(blobs.values()), strict=True)
    return tuple((path, text_of(blob.data)) for path, blob in found if blob)

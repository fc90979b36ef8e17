"""`digest`: what the agent learned and how its soul changed, gathered from history."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import NamedTuple

from clawgit.domain.change.when import time_named
from clawgit.domain.claims.conflicts import PATH as CONFLICTS
from clawgit.domain.digest.digest import (
    LENGTHS,
    WEEK,
    Digest,
    DigestCommit,
    DigestSection,
    FileChange,
    is_covered,
)
from clawgit.domain.digest.digest import digest as told_by
from clawgit.domain.markdown.decoding import text_of
from clawgit.errors import UsageError, counted
from clawgit.ops.change.reading import reading
from clawgit.ops.promotion.promote import review_section
from clawgit.ops.workspace.logs import corrected_in_chat
from clawgit.ops.workspace.workspace import Workspace
from clawgit.ops.workspace.workspaces import agent_of
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.history.pathlog import PathLog, Version


class DigestQuery(NamedTuple):
    """Since when, as people write it; without it, the last day or week."""

    since: str = ""
    unit: str = WEEK


def digest(
    workspace: Workspace,
    asked: DigestQuery = DigestQuery(),  # noqa: B008 - an immutable value
    *,
    dry_run: bool = False,
) -> Digest:
    """Reads the history only."""
    made = digest_of(workspace, since_of(workspace, asked), workspace.now)
    return replace(made, delivery=delivery_of(workspace), dry_run=dry_run)


def digest_of(workspace: Workspace, since: datetime, until: datetime) -> Digest:
    """The digest of what happened between two moments."""
    zone = workspace.local_zone
    with reading(workspace) as index:
        steps = list(_steps(index, since, zone))
        flagged = text_of(Batch(index.git).data(f"HEAD:{CONFLICTS}") or b"")
    sections = [*review_section(workspace)]
    if corrected := corrected_in_chat(workspace):
        sections.insert(0, DigestSection("Corrected in chat", (corrected,)))
    return told_by(
        agent_of(workspace) or workspace.root.name,
        steps,
        since.astimezone(zone),
        until.astimezone(zone),
        flagged,
        tuple(sections),
    )


def since_of(workspace: Workspace, asked: DigestQuery) -> datetime:
    if not asked.since:
        return workspace.now - LENGTHS[asked.unit]
    since = time_named(asked.since, workspace.now, workspace.zone)
    if since >= workspace.now:
        raise UsageError(
            f"{asked.since!r} is not in the past.", hint="clawgit digest --since yesterday"
        )
    return since


def delivery_of(workspace: Workspace) -> str:
    """Where a digest goes, in words; the addresses themselves are secret."""
    count = len(workspace.config.settings.digest_to)
    if not count:
        return "digest_to is empty: CHANGELOG.md shows how the identity grew"
    return f"digest_to names {counted(count, 'address', 'addresses')}"


def _steps(index: PathLog, since: datetime, zone: tzinfo) -> Iterator[DigestCommit]:
    """The commits since then, oldest first, with the texts of the files that a digest shows."""
    touched: dict[str, list[Version]] = {}
    for version in index.versions_since(int(since.timestamp())):
        touched.setdefault(version.oid, []).append(version)
    objects = Batch(index.git)
    texts = _texts(objects, touched.values())
    for commit in objects.read_commits(touched):
        versions = touched[commit.sha]
        changes = [_change(version, texts) for version in versions if _is_shown(version)]
        local = commit._replace(time=commit.time.astimezone(zone))
        yield DigestCommit(local, tuple(changes))


def _is_shown(version: Version) -> bool:
    """A merge has more than one text before, and is no change of its own."""
    return is_covered(version.path) and len(version.before) == 1


def _texts(objects: Batch, commits: Iterable[list[Version]]) -> dict[str, str]:
    """The texts before and after all changes that are shown, read in one go."""
    blobs: dict[str, None] = {}
    for versions in commits:
        for version in filter(_is_shown, versions):
            blobs |= dict.fromkeys(filter(None, (*version.before, version.after)))
    contents = zip(blobs, objects.read(blobs), strict=True)
    return {oid: text_of(blob.data) if blob else "" for oid, blob in contents}


def _change(version: Version, texts: Mapping[str, str]) -> FileChange:
    before, after = version.before[0] or "", version.after or ""
    return FileChange(version.path, texts.get(before, ""), texts.get(after, ""))

"""`soul verify`, `changelog` and `snapshots`: commands about all versions of the soul."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import emit_change
from clawgit.cli.command import command
from clawgit.cli.given import options
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option
from clawgit.cli.output import shown
from clawgit.domain.soul import changelog as forms
from clawgit.errors import UsageError
from clawgit.ops.soul import changelog as soul_changelog
from clawgit.ops.soul import snapshots as soul_snapshots
from clawgit.ops.soul import verify as soul_verify

if TYPE_CHECKING:
    from clawgit.stores.git.guards.hidden import Hidden

_SHAPES = ("markdown", "json")


@command("verify")
@click.option(
    "--since", metavar="REV", help="Only what came after this change id, git revision, or date."
)
def verify(since: str | None) -> int:
    """List the changes to the soul that were made without authority.

    The whole history is checked against the soul_policy of today. Exit 1 if there are any.

    Example: clawgit soul verify
    """
    with workspace() as ws:
        verified = soul_verify.verify(ws, since)
        output.emit(verified, _verified_text)
    return 0 if verified.ok else 1


@command("changelog")
@click.option("--check", is_flag=True, help="Check that CHANGELOG.md agrees with the history.")
@click.option(
    "--since", metavar="REV", help="Only what came after this change id, git revision, or date."
)
@click.option("--until", metavar="REV", help="Only up to this change id, git revision, or date.")
@click.option(
    "--format", "shape", type=click.Choice(_SHAPES), default="markdown", help="The output format."
)
@click.option(
    "--write",
    is_flag=True,
    help="Write CHANGELOG.md now, without waiting for the next change of the soul.",
)
@dry_run_option
def changelog(
    check: bool, since: str | None, until: str | None, shape: str, write: bool, dry_run: bool
) -> int:
    """Print how the identity grew, from the history alone.

    Example: clawgit soul changelog --since 2026-02-01
    """
    with workspace() as ws:
        if check:
            checked = soul_changelog.check(ws)
            output.emit(checked, lambda value: value.detail)
            return 0 if checked.state == soul_changelog.SAME else 1
        if write:
            emit_change(soul_changelog.write(ws, dry_run=dry_run), "rewrote")
        else:
            shape = "json" if options().as_json else shape
            output.emit(soul_changelog.changelog(ws, since, until), _rendered(shape), rendered=True)
        return 0


@command("snapshots")
@click.option(
    "--prune",
    is_flag=True,
    help="Keep one per day for soul_history_retention_days, and one per month before that.",
)
@click.option(
    "--export",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write each version to a file of its own.",
)
@dry_run_option
def snapshots(prune: bool, export: Path | None, dry_run: bool) -> None:
    """List, prune or export the kept versions of the soul.

    Example: clawgit soul snapshots --export SOUL_HISTORY
    """
    if prune and export:
        raise UsageError(
            "--prune and --export cannot be used together.",
            hint="clawgit soul snapshots --export DIR, then --prune",
        )
    with workspace() as ws:
        if prune:
            output.emit(soul_snapshots.prune(ws, dry_run=dry_run), _pruned_text)
        elif export:
            output.emit(
                soul_snapshots.export(ws, export.absolute(), dry_run=dry_run), _exported_text
            )
        else:
            output.emit(soul_snapshots.snapshots(ws), _snapshots_text)


def _rendered(shape: str) -> Callable[[tuple[forms.IdentityChange, ...]], str]:
    return {
        "markdown": forms.render_markdown,
        "json": forms.render_json,
    }[shape]


def _verified_text(verified: soul_verify.Verified) -> str:
    rows = [*map(_unauthorised_text, verified.unauthorised)]
    rows += map(_hidden_text, verified.hidden)
    if verified.shallow:
        rows.append("this clone is shallow: what came before is unknown")
    if verified.policy != "evolve" and not verified.signers:
        rows.append(
            "the actor that a commit names is not proven; with soul_signers, signatures prove it"
        )
    changes = output.counted(verified.checked, "change")
    verdict = f"{changes}, all with authority" if verified.checked else "no change yet"
    if verified.unauthorised:
        verdict = f"{len(verified.unauthorised)} of {changes} had no authority"
    return "\n".join([*rows, f"{verdict} (soul_policy: {verified.policy})"])


def _hidden_text(file: "Hidden") -> str:
    edited = "was edited, and git" if file.edited else "git"
    path = output.error(file.path)
    return f"{path}  {edited} is told to ignore that ({file.bit}): {file.remedy}"


def _unauthorised_text(change: soul_verify.Unauthorised) -> str:
    name = output.error(change.id or change.sha[:10])
    head = (
        f"{name}  {change.time:%Y-%m-%d %H:%M}  {shown(change.actor):<14}  {change.path}: "
        f"{shown(change.summary)}"
    )
    return "\n          ".join([head, *map(shown, change.reasons), change.next])


def _snapshots_text(listing: soul_snapshots.Snapshots) -> str:
    rows = (
        f"{snapshot.day}  before {output.ident(snapshot.id)}  {snapshot.sha[:10]}"
        for snapshot in listing.snapshots
    )
    return "\n".join(rows) or output.dim(
        "no daily version yet; `clawgit soul log` has all versions"
    )


def _pruned_text(done: soul_snapshots.PrunedSnapshots) -> str:
    did = "would prune" if done.dry_run else "pruned"
    logged = "COMPACTION_LOG.md names what went"
    told = logged if done.commit else "the history is not changed"
    return f"{did} {len(done.pruned)}, kept {len(done.kept)}; {told}"


def _exported_text(done: soul_snapshots.ExportedSnapshots) -> str:
    did = "would write" if done.dry_run else "wrote"
    rows = (f"{did} {done.folder / name}" for name in done.written)
    return "\n".join(rows) or "nothing new to export; `clawgit soul snapshots` lists what is kept"

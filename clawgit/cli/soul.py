"""`soul`: reads the soul and its versions: log, diff, blame, verify, snapshots."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.change_text import change_head
from clawgit.cli.command import (
    Answer,
    command,
    dry_run_option,
    limit_option,
    option,
    revision_option,
)
from clawgit.cli.command_table import load
from clawgit.cli.lazy import group
from clawgit.cli.output import dim, named
from clawgit.domain.change.authority import SOULS
from clawgit.domain.change.word_diff import word_diff
from clawgit.errors import UsageError
from clawgit.ops.soul import soul as op
from clawgit.ops.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.domain.change.undoing import ToldChange
    from clawgit.domain.soul.soul import SectionChange
    from clawgit.ops.soul.soul import CountedSnapshots, ExportedSnapshots, Snapshots
    from clawgit.ops.soul.verify import Unauthorised, Verified

_NOT_YET = "not committed yet"
_TOP = "(top)"
_BRIEF = 3
"""The log shows this many changed lines of a section, `soul diff` all."""
_HISTORY_BEGINS = (
    "history begins here: this clone is shallow (`git fetch --unshallow` fetches the rest)"
)

_BEGINNING = ""
"""`--drift` without a revision: from the first version on."""

_identity_option = option(
    "--identity path", "Use IDENTITY.md instead of SOUL.md.", flag_value="IDENTITY.md",
    default="SOUL.md",
)  # fmt: skip
_at_option = revision_option("As it was at this change id, git revision, or date.")


@group("soul")
def soul(ws: Workspace) -> Answer:
    """Show how the identity grew, explain changes, undo them.

    Example: clawgit soul log
    """
    return op.show(ws, "SOUL.md", None), _brief_text


@command("show")
@_at_option
@_identity_option
def show(ws: Workspace, at: str, path: str) -> Answer:
    """Show the soul, its size, and when it last changed.

    Example: clawgit soul show --at yesterday
    """
    return op.show(ws, path, at), lambda seen: f"{_brief_text(seen)}\n\n{seen.text}"


@command("log")
@limit_option(50)
@option(
    "--drift [REV]", "Only say how far it has moved from REV, or from its first version.",
    flag_value=_BEGINNING,
)  # fmt: skip
@option("--changelog", "Print how it grew, as CHANGELOG.md does.")
@option("--check", "Check that CHANGELOG.md says what history says.")
@_identity_option
def log(
    ws: Workspace, limit: int, drift: str | None, path: str, *, changelog: bool, check: bool
) -> Answer:  # fmt: skip
    """List the versions: what changed in each, by whom, and why.

    Example: clawgit soul log -n 5

    Example: clawgit soul log --drift 2026-01-01
    """
    if drift is not None:
        return op.drift(ws, path, drift or None), _drift_text
    if check:
        return load("clawgit.ops.soul.changelog:check")(ws), lambda checked: checked.detail
    if changelog:
        markdown = load("clawgit.domain.soul.changelog:render_markdown")
        return load("clawgit.ops.soul.changelog:changelog")(ws), markdown
    return op.log(ws, path, limit), _log_text


@command("diff")
@click.argument("a", required=False)
@click.argument("b", required=False)
@_identity_option
def diff(ws: Workspace, a: str | None, b: str | None, path: str) -> Answer:
    """Compare two versions, by section and by word.

    Without A and B: the last commit with the file on disk, or if they are the same, the last
    change. With A: A with the disk. With both: A with B. Each is a change id, a git revision, or a
    date, which means the state at the start of that day.

    Example: clawgit soul diff 2026-02-01 yesterday
    """
    return op.diff(ws, path, a, b), _diff_text


@command("blame")
@click.argument("place", required=False)
@_at_option
@_identity_option
def blame(ws: Workspace, place: str | None, at: str, path: str) -> Answer:
    """Show for each line when it last changed, by whom, and why.

    PLACE is SOUL.md, the default, or IDENTITY.md. With PATH:LINE of any file, this is `clawgit why
    PATH:LINE`, with the same JSON.

    Example: clawgit soul blame
    """
    if place and place not in SOULS:
        life: Answer = load("history:life")(ws, place)
        return life
    return op.blame(ws, place or path, at), _blame_text


@command("verify")
@option("--since REV", "Only what came after this change id, git revision, or date.", default=None)
def verify(ws: Workspace, since: str | None) -> Answer:
    """List the changes to the soul that were made without authority.

    The whole history is checked against the soul_policy of today. Exit 1 if there are any.

    Example: clawgit soul verify
    """
    return load("clawgit.ops.soul.verify:verify")(ws, since), _verified_text


@command("snapshots")
@option(
    "--prune", "Count one per day for soul_history_retention_days, and one per month before that."
)
@option("--export DIR", "Write each version to a file of its own.", type=click.Path(path_type=Path))
@dry_run_option
def snapshots(ws: Workspace, prune: bool, export: Path | None, dry_run: bool) -> Answer:
    """List, count or export the versions of the soul, which history keeps.

    Example: clawgit soul snapshots --export SOUL_HISTORY
    """
    if prune and export:
        raise UsageError(
            "--prune and --export cannot be used together.",
            hint="clawgit soul snapshots --export DIR, then --prune",
        )
    if prune:
        return load("clawgit.ops.soul.soul:prune")(ws), _pruned_text
    if export:
        write = load("clawgit.ops.soul.soul:export")
        return write(ws, export.absolute(), dry_run=dry_run), _exported_text
    return load("clawgit.ops.soul.soul:snapshots")(ws), _snapshots_text


def _brief_text(identity: op.ShownSoul) -> str:
    when = f"  {dim(f'at {_when(identity.at)}')}" if identity.at else ""
    heading = f"{output.heading(identity.path)}  {_size_text(identity)}, {identity.policy}{when}"
    since = output.warning(_NOT_YET)
    if identity.since:
        since = f"since {change_head(identity.since)}  {identity.since.summary}"
    return f"{heading}\n{since}"


def _size_text(identity: op.ShownSoul) -> str:
    """Its tokens and the most it may have; red if there are too many."""
    size = f"{identity.tokens} tokens"
    if identity.max_tokens is None:
        return size
    if identity.max_tokens:
        size = f"{identity.tokens} of {identity.max_tokens} tokens"
    return output.error(size) if identity.tokens > identity.max_tokens else size


def _log_text(history: op.SoulLog) -> str:
    rows = [_version_text(version) for version in history.versions]
    if history.uncommitted:
        state = "deleted" if history.uncommitted.deleted else f"{history.uncommitted.tokens} tokens"
        heading = f"{output.warning(_NOT_YET)}  {dim(state)}"
        rows.insert(0, "\n".join([heading, *_sections_brief(history.uncommitted.sections)]))
    if history.shallow:
        rows.append(_HISTORY_BEGINS)
    return "\n\n".join(rows)


def _version_text(version: op.SoulVersion) -> str:
    size = "deleted" if version.deleted else f"{version.tokens} tokens"
    return "\n".join([
        f"{change_head(version)}  {version.summary}  {dim(size)}",
        *_sections_brief(version.sections),
        *_why(version.reason, version.evidence),
    ])  # fmt: skip


def _sections_brief(edits: "Iterable[SectionChange]") -> Iterator[str]:
    for edit in edits:
        title, *lines = _edit_lines(edit)
        yield f"    {title}"
        yield from (f"    {line}" for line in lines[:_BRIEF])
        if len(lines) > _BRIEF:
            yield dim(f"      and {len(lines) - _BRIEF} more")


def _diff_text(comparison: op.SoulDiff) -> str:
    a = _when(comparison.a) if comparison.a else "nothing"
    b = _when(comparison.b) if comparison.b else "on disk"
    sizes = f"{comparison.tokens_a} → {comparison.tokens_b} tokens"
    heading = f"{output.heading(comparison.path)}  {a} → {b}  {dim(sizes)}"
    if not comparison.sections:
        verdict = (
            "no difference" if comparison.identical else "no principle changed, only the layout"
        )
        return f"{heading}\n{dim(verdict)}"
    return "\n\n".join([heading, *("\n".join(_edit_lines(edit)) for edit in comparison.sections)])


def _edit_lines(edit: "SectionChange") -> list[str]:
    """The title of a section, and what became of its lines."""
    was = f"  {dim(f'was: {edit.was}')}" if edit.was else ""
    return [
        f"{output.heading(edit.section or _TOP)}{was}",
        *(output.removed(f"  - {text}") for text in edit.dropped),
        *(f"  ~ {_rewording_text(old, new)}" for old, new in edit.reworded),
        *(output.added(f"  + {text}") for text in edit.added),
        *(output.moved(f"  > {text}") for text in edit.moved),
    ]


def _rewording_text(old: str, new: str) -> str:
    """The changed words, marked as git does, so that they can be read without colour."""
    marks: dict[str, tuple[str, str, Callable[[str], str]]] = {
        "same": ("", "", output.plain),
        "dropped": ("[-", "-]", output.removed),
        "added": ("{+", "+}", output.added),
    }
    pieces = ((marks[piece.kind], piece.text) for piece in word_diff(old, new))
    return "".join(style(f"{begin}{text}{end}") for (begin, end, style), text in pieces)


def _blame_text(annotated: op.SoulBlame) -> str:
    """Groups neighbouring lines under their change. Its reason is shown only the first time."""
    explained: set[str | None] = set()
    parts: list[str] = []
    width = len(str(len(annotated.lines)))
    for sha, neighbours in groupby(annotated.lines, key=lambda line: line.sha):
        lines = [*neighbours]
        heading = _change_text(lines[0], brief=sha in explained)
        parts.append("\n".join([*heading, *(_line_text(line, width) for line in lines)]))
        explained.add(sha)
    return "\n".join(parts)


def _change_text(line: op.BlamedLine, *, brief: bool) -> Iterator[str]:
    if line.sha is None:
        yield output.warning(_NOT_YET)
        return
    yield f"{change_head(line)}  {line.summary}"
    if not brief:
        yield from _why(line.reason, line.evidence)


def _line_text(line: op.BlamedLine, width: int) -> str:
    by = f"by {line.correction}" if line.correction else "as the operator's own words"
    protected = output.guarded(f"  ← protected {by}") if line.protected else ""
    return f"  {dim(f'{line.line:>{width}}')}  {line.text}{protected}".rstrip()


def _drift_text(measured: op.SoulDrift) -> str:
    now = "on disk, not committed yet" if measured.uncommitted else "today"
    return (
        f"{output.heading(measured.path)}  {_when(measured.since)} → {now}\n"
        f"distance {measured.distance:.2f}: {measured.sentence}"
    )


def _why(reason: str, evidence: Iterable[str]) -> Iterator[str]:
    yield from (f"    {line}" for line in reason.splitlines() if line)
    if sources := ", ".join(evidence):
        yield f"    evidence: {sources}"


def _when(point: "ToldChange") -> str:
    return f"{named(point.id, point.sha)} {dim(f'({point.time:%Y-%m-%d %H:%M})')}"


def _verified_text(verified: "Verified") -> str:
    rows = [*map(_unauthorised_text, verified.unauthorised)]
    for file in verified.hidden:
        edited = "was edited, and git" if file.edited else "git"
        path = output.error(file.path)
        rows.append(f"{path}  {edited} is told to ignore that ({file.bit}): {file.remedy}")
    if verified.shallow:
        rows.append("this clone is shallow: what came before is unknown")
    if verified.policy != "evolve" and not verified.signers:
        rows.append(
            "the actor that a commit names is not proven; with soul_signers, signatures prove it"
        )
    changes = output.counted(verified.checked, "change")
    verdict = f"{len(verified.unauthorised)} of {changes} had no authority"
    return "\n".join([*rows, f"{verdict} (soul_policy: {verified.policy})"])


def _unauthorised_text(change: "Unauthorised") -> str:
    name = output.error(change.id or change.sha[:10])
    head = (
        f"{name}  {change.time:%Y-%m-%d %H:%M}  {change.actor:<14}  {change.path}: {change.summary}"
    )
    return "\n          ".join([head, *change.reasons, change.next])


def _snapshots_text(listing: "Snapshots") -> str:
    rows = (
        f"{snapshot.day}  before {output.ident(snapshot.id)}  {snapshot.sha[:10]}"
        for snapshot in listing.snapshots
    )
    return "\n".join(rows) or "the soul has not changed yet; `clawgit soul log` has its versions"


def _pruned_text(done: "CountedSnapshots") -> str:
    kept, others = len(done.kept), len(done.pruned)
    return f"{kept} kept as one a day, then one a month; {others} besides; nothing was deleted"


def _exported_text(done: "ExportedSnapshots") -> str:
    did = "would write" if done.dry_run else "wrote"
    return "\n".join(f"{did} {done.folder / name}" for name in done.written) or "nothing new"

"""`soul`: reads the soul and its versions: log, diff, blame, verify, snapshots; and changes it:
edit, revert, propose, proposals, approve, reject.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from clawgit.core.errors import UsageError, few
from clawgit.core.layout import SOULS
from clawgit.core.markdown.amend import Amendment
from clawgit.git.looked import PROPOSED
from clawgit.git.rules.history import ToldChange
from clawgit.git.rules.word_diff import word_diff
from clawgit.git.transaction import Change
from clawgit.history import proposals as proposing
from clawgit.history.changes import restore
from clawgit.safety.operator import require_operator
from clawgit.soul import changelog as changelogs
from clawgit.soul import soul as op
from clawgit.soul import verify as verifying
from clawgit.soul.rules.changelog import render_markdown
from clawgit.soul.rules.soul import SectionChange
from clawgit.terminal import output
from clawgit.terminal.change_text import change_head, changed
from clawgit.terminal.command import (
    Answer,
    command,
    dry_run_option,
    group,
    limit_option,
    option,
    revision_option,
    together,
)
from clawgit.terminal.command_table import load
from clawgit.terminal.output import dim, named
from clawgit.terminal.text import options
from clawgit.workspace.workspace import Workspace

_NOT_YET = "not committed yet"
_BRIEF = 3  # changed lines of a section that the log shows; `soul diff` shows all
_HISTORY_BEGINS = "history begins here: `git fetch --unshallow` fetches the rest"

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
    flag_value="",
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
        return changelogs.check(ws), lambda checked: checked.detail
    if changelog:
        return changelogs.changelog(ws), render_markdown
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
        life: Answer = load("history.commands:life")(ws, place)
        return life
    return op.blame(ws, place or path, at), _blame_text


@command("verify")
@option("--since REV", "Only what came after this change id, git revision, or date.", default=None)
def verify(ws: Workspace, since: str | None) -> Answer:
    """List the changes to the soul that were made without authority.

    The whole history is checked against the soul_policy of today. Exit 1 if there are any.

    Example: clawgit soul verify
    """
    return verifying.verify(ws, since), _verified_text


@command("snapshots")
@option(
    "--prune", "Only one per day for soul_history_retention_days, and one per month before that."
)
@option("--export DIR", "Write each version to a file of its own.", type=click.Path(path_type=Path))
@dry_run_option
def snapshots(ws: Workspace, prune: bool, export: Path | None) -> Answer:
    """List, count or export the versions of the soul, which history keeps.

    Example: clawgit soul snapshots --export SOUL_HISTORY
    """
    if prune and export:
        raise UsageError(
            "--prune and --export cannot be used together.",
            hint="clawgit soul snapshots --export DIR, then --prune",
        )
    if export:
        return op.export(ws, export.absolute()), output.told
    found = op.prune(ws) if prune else op.snapshots(ws)
    return found, lambda all_: output.told(all_, nothing="the soul has not changed")


def _brief_text(identity: op.ShownSoul) -> str:
    when = f"  {dim(f'at {_when(identity.at)}')}" if identity.at else ""
    most = f" of {identity.max_tokens}" if identity.max_tokens else ""
    size = f"{identity.tokens}{most}"
    heading = f"{output.heading(identity.path)}  {size} tokens, {identity.policy}{when}"
    since = output.warning(_NOT_YET)
    if identity.since:
        since = f"since {change_head(identity.since)}  {identity.since.summary}"
    return f"{heading}\n{since}"


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
        f"{change_head(version)}  {version.change.summary}  {dim(size)}",
        *_sections_brief(version.sections),
        *_why(version.change.reason, version.change.evidence),
    ])  # fmt: skip


def _sections_brief(edits: Iterable[SectionChange]) -> Iterator[str]:
    for edit in edits:
        title, *lines = _edit_lines(edit)
        yield f"    {title}"
        yield from few(map("    {}".format, lines), _BRIEF, dim("      and {} more"))


def _diff_text(comparison: op.SoulDiff) -> str:
    a = _when(comparison.a) if comparison.a else "nothing"
    b = _when(comparison.b) if comparison.b else "on disk"
    sizes = f"{comparison.tokens_a} → {comparison.tokens_b} tokens"
    heading = f"{output.heading(comparison.path)}  {a} → {b}  {dim(sizes)}"
    if not comparison.sections:
        same = "no difference" if comparison.identical else "no principle changed, only the layout"
        return f"{heading}\n{dim(same)}"
    return "\n\n".join([heading, *("\n".join(_edit_lines(edit)) for edit in comparison.sections)])


def _edit_lines(edit: SectionChange) -> list[str]:
    """The title of a section, and what became of its lines."""
    was = f"  {dim(f'was: {edit.was}')}" if edit.was else ""
    return [
        f"{output.heading(edit.section or '(top)')}{was}",
        *(output.removed(f"  - {text}") for text in edit.dropped),
        *(f"  ~ {_rewording_text(old, new)}" for old, new in edit.reworded),
        *(output.added(f"  + {text}") for text in edit.added),
        *(output.moved(f"  > {text}") for text in edit.moved),
    ]


def _rewording_text(old: str, new: str) -> str:
    """The changed words, marked as git does, so that they can be read without colour."""
    return "".join(_PIECES[piece.kind].format(piece.text) for piece in word_diff(old, new))


_PIECES = {"same": "{}", "dropped": output.removed("[-{}-]"), "added": output.added("{{+{}+}}")}


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


def _when(point: ToldChange) -> str:
    return f"{named(point.id, point.sha)} {dim(f'({point.time:%Y-%m-%d %H:%M})')}"


def _verified_text(verified: verifying.Verified) -> str:
    rows = [*map(_unauthorised_text, verified.unauthorised)]
    rows += [
        f"{output.error(file.path)}  git is told to ignore edits ({file.bit}): {file.remedy}"
        for file in verified.hidden
    ]
    if verified.shallow:
        rows.append(_HISTORY_BEGINS)
    verdict = f"{len(verified.unauthorised)} of {output.counted(verified.checked, 'change')}"
    return "\n".join([*rows, f"{verdict} had no authority (soul_policy: {verified.policy})"])


def _unauthorised_text(found: verifying.Unauthorised) -> str:
    head = f"{change_head(found)}  {found.path}: {found.change.summary}"
    return "\n          ".join([head, *found.reasons, found.next])


_SHORT = 16
_HASH = re.compile(rf"[0-9a-f]{{{_SHORT},64}}")
"""At least this many digits of a hash, so that nobody can find a second text with them."""

_PROPOSE = "Propose it instead: clawgit soul propose --reason WHY …"

_reason_option = option("--reason WHY", "The reason, which goes into the history.")
_wish_options = together(
    option("--section S", "The section it is in, by its heading."),
    option("--add LINE", "Add a line."),
    option("--replace", "Replace OLD with NEW.", type=(str, str), metavar="OLD NEW"),
    option("--remove LINE", "Remove a line."),
    option("--file", "The whole new text; - is standard input.", type=click.File("rb")),
    _reason_option,
    option(
        "--evidence REF", "Its source, such as memory/2026-02-14.md#L9 or CORRECTIONS.md#k7.",
        multiple=True,
    ),
    _identity_option,
    dry_run_option,
)  # fmt: skip
"""What to change in the soul, and why."""


@command("revert")
@click.argument("ident", metavar="[ID]", required=False)
@option("--to ID|DATE", "Restore the whole file as it was then.", default=None)
@_reason_option
@_identity_option
@dry_run_option
def revert(ws: Workspace, ident: str | None, to: str | None, path: str, **typed: Any) -> Answer:
    """Undo one change to the soul, or go back to a version.

    Undoing one change leaves later ones as they are. Both make a new commit.

    Example: clawgit soul revert k2mq9x4w --reason "she prefers questions"
    """
    if (ident is None) == (to is None):
        raise UsageError(
            "Name one change, or one version with --to.", hint="`clawgit soul log` lists them."
        )
    if to:
        return changed(restore(ws, path, to, **typed), f"restored {path} as of")
    return changed(proposing.revert(ws, str(ident), path=path, **typed), "took back")


@command("edit")
@_wish_options
def edit(ws: Workspace, **typed: Any) -> Answer:
    """Change the soul, as its operator.

    Without --add, --replace or --remove, the whole new text is read from --file or standard input.

    Example: clawgit soul edit --section Boundaries --add "Ask before deleting files." --reason "it
    deleted one"
    """
    require_operator(ws.caller, "edit the soul", _PROPOSE)
    return _write(ws, proposing.edit, "edited", **typed)


@command("propose")
@_wish_options
def propose(ws: Workspace, **typed: Any) -> Answer:
    """Propose a change to the soul, for the operator to approve.

    Without --add, --replace or --remove, the whole new text is read from --file or standard input.

    Example: clawgit soul propose --add "Answer in Dutch." --reason "asked twice" --evidence
    memory/2026-02-14.md#L9
    """
    return _write(ws, proposing.propose, "proposed", **typed)


def _write(
    ws: Workspace, act: Callable[..., Change], did: str, *, reason: str, path: str,
    evidence: tuple[str, ...], **wish: Any,
) -> Answer:  # fmt: skip
    wanted, why = _wish(**wish), reason
    if not why and sys.stdin.isatty():
        why = str(click.prompt("Why", err=True))
    return changed(act(ws, wanted, why, path=path, evidence=evidence), did)


@command("proposals")
@option("--rejected", "List the rejected ones instead.")
def proposals(ws: Workspace, rejected: bool) -> Answer:
    """List the proposals that wait for the operator.

    Example: clawgit soul proposals
    """
    return proposing.proposals(
        ws, rejected=rejected
    ), lambda listing: "\n\n".join(map(_proposal_text, listing.proposals)) or "no proposals"


def _seen(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A hash that is long enough to identify one content."""
    if value is not None and not _HASH.fullmatch(value):
        raise UsageError(f"{value!r} is not the hash of a proposal.", hint="clawgit soul proposals")
    return value


@command("approve")
@click.argument("ident", metavar="ID")
@option(
    "--seen HASH", "The hash that `soul proposals` shows; approve it without being asked.",
    default=None, callback=_seen,
)  # fmt: skip
@dry_run_option
def approve(ws: Workspace, ident: str, seen: str | None) -> Answer | None:
    """Apply a proposed change to the soul as it is today.

    You are shown the proposal and asked first. With --seen you are not asked, and a proposal that
    has changed since is refused.

    Example: clawgit soul approve k2mq9x4w
    """
    seen = seen or ("" if ws.dry_run else _agreed(ws, ident))
    if seen is None:
        output.line("nothing was changed")
        return None
    return changed(proposing.approve(ws, ident, seen=seen), "approved")


@command("reject")
@click.argument("ident", metavar="ID")
@_reason_option
@option("--back", "Take a rejection back: the proposal waits again.")
@dry_run_option
def reject(ws: Workspace, ident: str, reason: str, back: bool) -> Answer:
    """Reject a proposed change.

    `soul proposals --rejected` still lists it, and --back lets it wait again.

    Example: clawgit soul reject k2mq9x4w --reason "that was a joke"
    """
    done = proposing.reopen(ws, ident) if back else proposing.reject(ws, ident, reason)
    did = "let wait again" if back else "rejected"
    return done, lambda _: f"{'would be ' if ws.dry_run else ''}{did}: {ident}"


def _agreed(ws: Workspace, ident: str) -> str | None:
    """The hash of a proposal that the operator was shown and said yes to."""
    waiting = proposing.proposal(ws, ident)
    if options().as_json:
        hint = "`clawgit soul proposals` shows the hash beside the id."
        raise UsageError("--json asks nothing: --seen says what you were shown.", hint=hint)
    output.emit(waiting, _proposal_text)
    return waiting.change.sha if click.confirm("Approve it?", default=False, err=True) else None


def _wish(section: str, file: Any, **amended: Any) -> proposing.Wish:
    """The change to make: from the options, else the text in --file or standard input."""
    if any(amended.values()):
        if file:
            raise UsageError(
                "--file is the whole text; leave --add, --replace and --remove out.", hint=_PROPOSE
            )
        return Amendment(**amended, section=section)
    if not file and sys.stdin.isatty():
        hint = "Or edit the file itself, and then: clawgit snapshot WHY"
        raise UsageError("Say what to change: --add, --replace, --remove or --file.", hint=hint)
    try:
        return (file or sys.stdin.buffer).read().decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "Convert it: iconv -f LATIN1 -t UTF-8 FILE > NEW, and then: --file NEW"
        raise UsageError(f"The text is not UTF-8: {error}.", hint=hint) from error


def _proposal_text(proposal: proposing.Proposal) -> str:
    """As the operator reads it."""
    change = proposal.change
    ident, sha = output.ident(proposal.id), output.dim(change.sha[:_SHORT])
    summary = output.heading(change.summary)
    rows = [
        f"{ident}  {sha}  {change.time:%Y-%m-%d %H:%M}  {change.actor}  {summary}",
        *(f"  {line}" for line in change.reason.splitlines()),
        *(f"  evidence: {item}" for item in change.evidence),
        *(output.error(f"  held: {why}") for why in proposal.held if why != PROPOSED),
        *(f"  rejected: {line}" for line in proposal.rejected.splitlines()),
        output.colored_diff(proposal.diff),
    ]
    return "\n".join(rows)

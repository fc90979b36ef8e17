"""`clawgit soul`, the commands that change it or watch over its changes."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clawgit.cli import output
from clawgit.cli.changes import change_text
from clawgit.cli.command import command, dry_run_option, options, workspace
from clawgit.cli.output import shown
from clawgit.errors import ClawgitError, UsageError
from clawgit.ops.workspace.operator import require_operator

if TYPE_CHECKING:
    from clawgit.domain.soul.changelog import IdentityChange
    from clawgit.ops.change.changes import Change
    from clawgit.ops.change.proposals import Proposal, Proposals
    from clawgit.ops.soul.changelog import Checked
    from clawgit.ops.soul.changes import Wish
    from clawgit.ops.soul.snapshots import Exported, Pruned, Snapshots
    from clawgit.ops.soul.verify import Unauthorised, Verified
    from clawgit.ops.workspace.workspace import Workspace
    from clawgit.stores.git.hidden import Hidden

_SHAPES = ("markdown", "json", "atom")

identity_option = click.option("--identity", is_flag=True, help="IDENTITY.md instead of SOUL.md.")
_reason_option = click.option(
    "--reason", default="", metavar="WHY", help="Why; it goes into the history."
)
_evidence_option = click.option(
    "--evidence",
    multiple=True,
    metavar="REF",
    help="What it rests on: memory/2026-02-14.md#L9, CORRECTIONS.md#k7.",
)


def _wish_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What the soul shall become."""
    for option in (
        click.option(
            "--file", type=click.File("rb"), help="The whole new text; - is standard input."
        ),
        click.option("--remove", default="", metavar="LINE", help="Take a line out."),
        click.option(
            "--replace", type=(str, str), metavar="OLD NEW", help="Say NEW instead of OLD."
        ),
        click.option("--add", default="", metavar="LINE", help="Add a line."),
        click.option("--section", default="", metavar="S", help="Where: the heading above it."),
    ):
        function = option(function)
    return function


@command("revert")
@click.argument("ident", metavar="[ID]", required=False)
@click.option("--to", metavar="ID|DATE", help="Bring the whole file back as it was then.")
@_reason_option
@identity_option
@dry_run_option
def revert(ident: str | None, to: str | None, reason: str, identity: bool, dry_run: bool) -> None:
    """Take one change of the soul back, or go back to a version.

    Later changes stay. Either is a new commit.

    Example: clawgit soul revert k2mq9x4w --reason "she prefers questions"
    """
    from clawgit.ops.soul import changes as op  # noqa: PLC0415 - a command loads what it needs

    if (ident is None) == (to is None):
        raise UsageError(
            "Name one change, or with --to one version.", hint="`clawgit soul log` lists them."
        )
    path = op.soul_path(identity=identity)
    with workspace() as ws:
        if to is None:
            done, did = (
                op.revert(ws, str(ident), path=path, reason=reason, dry_run=dry_run),
                "took back",
            )
        else:
            done, did = (
                op.revert_to(ws, to, path=path, reason=reason, dry_run=dry_run),
                f"{path} as of",
            )
        _emit_change(done, did)


@command("edit")
@_wish_options
@_reason_option
@_evidence_option
@identity_option
@dry_run_option
def edit(
    section: str, add: str, replace: tuple[str, str] | None, remove: str, file: Any, reason: str,
    evidence: tuple[str, ...], identity: bool, dry_run: bool,
) -> None:  # fmt: skip
    """Change the soul as its operator.

    Without --add, --replace, --remove or --file, $EDITOR opens.

    Example: clawgit soul edit --section Boundaries --add "Ask before deleting files." --reason "it
    deleted one"
    """
    from clawgit.ops.soul import changes as op  # noqa: PLC0415 - a command loads what it needs

    path = op.soul_path(identity=identity)
    with workspace() as ws:
        require_operator(ws.caller, "edit the soul", _PROPOSE)
        wish = _wish(ws, path, section, add, replace, remove, file)
        done = op.edit(
            ws, wish, reason or _asked_reason(), path=path, evidence=evidence, dry_run=dry_run
        )
        _emit_change(done, "edited")


@command("propose")
@_wish_options
@_reason_option
@_evidence_option
@identity_option
@dry_run_option
def propose(
    section: str, add: str, replace: tuple[str, str] | None, remove: str, file: Any, reason: str,
    evidence: tuple[str, ...], identity: bool, dry_run: bool,
) -> None:  # fmt: skip
    """Propose a change of the soul to its operator.

    Without --add, --replace or --remove the whole new text comes from --file or standard input.

    Example: clawgit soul propose --add "Answer in Dutch." --reason "asked twice" --evidence
    memory/2026-02-14.md#L9
    """
    from clawgit.ops.change import proposals as op  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.soul.changes import soul_path  # noqa: PLC0415

    path = soul_path(identity=identity)
    with workspace() as ws:
        wish = _wish(ws, path, section, add, replace, remove, file)
        done = op.propose(
            ws, wish, reason or _asked_reason(), path=path, evidence=evidence, dry_run=dry_run
        )
        _emit_change(done, "proposed")


@command("proposals")
@click.option("--rejected", is_flag=True, help="Those that were turned down.")
def proposals(rejected: bool) -> None:
    """List what waits for the operator.

    Example: clawgit soul proposals
    """
    from clawgit.ops.change import proposals as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        output.emit(op.proposals(ws, rejected=rejected), _proposals_text, as_json=options().as_json)


@command("approve")
@click.argument("ident", metavar="ID")
@dry_run_option
def approve(ident: str, dry_run: bool) -> None:
    """Make a proposed change, on what the soul is today.

    Example: clawgit soul approve k2mq9x4w
    """
    from clawgit.ops.change import proposals as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        _emit_change(op.approve(ws, ident, dry_run=dry_run), "approved")


@command("reject")
@click.argument("ident", metavar="ID")
@_reason_option
@dry_run_option
def reject(ident: str, reason: str, dry_run: bool) -> None:
    """Turn a proposed change down; it stays findable.

    Example: clawgit soul reject k2mq9x4w --reason "that was a joke"
    """
    from clawgit.ops.change import proposals as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        done = op.reject(ws, ident, reason, dry_run=dry_run)
        did = "would turn down" if dry_run else "turned down"
        output.emit(done, lambda _: f"{did} {ident}", as_json=options().as_json)


@command("verify")
@click.option("--since", metavar="REV", help="Only what came after a change, a revision or a date.")
def verify(since: str | None) -> int:
    """Name each change of the soul that had no authority.

    The whole history is judged by the soul_policy of today. Exit 1 when there is any.

    Example: clawgit soul verify
    """
    from clawgit.ops.soul import verify as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        found = op.verify(ws, since)
        output.emit(found, _verified_text, as_json=options().as_json)
    return 0 if found.ok else 1


@command("changelog")
@click.option("--check", is_flag=True, help="Prove that CHANGELOG.md says what history says.")
@click.option("--since", metavar="REV", help="Only what came after a change, a revision or a date.")
@click.option("--until", metavar="REV", help="Only up to a change, a revision or a date.")
@click.option("--format", "shape", type=click.Choice(_SHAPES), default="markdown", help="The form.")
@click.option(
    "--write",
    is_flag=True,
    help="Make CHANGELOG.md anew now, not with the next change of the soul.",
)
@dry_run_option
def changelog(
    check: bool, since: str | None, until: str | None, shape: str, write: bool, dry_run: bool
) -> int:
    """Tell how the identity grew, from history alone.

    Example: clawgit soul changelog --since 2026-02-01 --format atom
    """
    from clawgit.ops.soul import changelog as op  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        if check:
            checked = op.check(ws)
            output.emit(checked, _checked_text, as_json=options().as_json)
            return 0 if checked.state == op.SAME else 1
        if write:
            _emit_change(op.write(ws, dry_run=dry_run), "wrote anew")
        else:
            shape = "json" if options().as_json else shape
            output.emit(op.changelog(ws, since, until), _rendered(shape), as_json=False)
        return 0


@command("snapshots")
@click.option(
    "--prune",
    is_flag=True,
    help="Keep one a day for soul_history_retention_days, then one a month.",
)
@click.option(
    "--export",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write each version to a file of its own.",
)
@dry_run_option
def snapshots(prune: bool, export: Path | None, dry_run: bool) -> None:
    """List the kept versions of the soul, or prune or export them.

    Example: clawgit soul snapshots --export SOUL_HISTORY
    """
    from clawgit.ops.soul import snapshots as op  # noqa: PLC0415 - a command loads what it needs

    if prune and export:
        raise UsageError(
            "--prune and --export are two things.",
            hint="clawgit soul snapshots --export DIR, then --prune",
        )
    as_json = options().as_json
    with workspace() as ws:
        if prune:
            output.emit(op.prune(ws, dry_run=dry_run), _pruned_text, as_json=as_json)
        elif export:
            output.emit(
                op.export(ws, export.absolute(), dry_run=dry_run), _exported_text, as_json=as_json
            )
        else:
            output.emit(op.snapshots(ws), _snapshots_text, as_json=as_json)


def _rendered(shape: str) -> Callable[["tuple[IdentityChange, ...]"], str]:
    def render(told: "tuple[IdentityChange, ...]") -> str:
        from clawgit.domain.soul import changelog as forms  # noqa: PLC0415 - a command loads what it needs

        renderers = {
            "markdown": forms.render_markdown,
            "json": forms.render_json,
            "atom": forms.render_atom,
        }
        return renderers[shape](told)

    return render


COMMANDS = (revert, edit, propose, proposals, approve, reject, verify, changelog, snapshots)
"""What the group `soul` takes in."""

_PROPOSE = "Propose it instead: clawgit soul propose --reason WHY …"


def _wish(
    ws: "Workspace",
    path: str,
    section: str,
    add: str,
    replace: tuple[str, str] | None,
    remove: str,
    file: Any,
) -> "Wish":
    """The options, a file, an editor on a terminal, standard input elsewhere: whichever says what
    is wanted.
    """
    from clawgit.domain.markdown.amend import Amendment  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.soul.changes import Wish  # noqa: PLC0415

    if add or replace or remove:
        if file:
            raise UsageError(
                "--file is the whole text; leave --add, --replace and --remove out.", hint=_PROPOSE
            )
        return Wish(Amendment(add, replace, remove, section))
    if file:
        return Wish(text=_decoded(file.read()))
    if not sys.stdin.isatty():
        return Wish(text=_decoded(sys.stdin.buffer.read()))
    return _from_editor(ws, path)


def _from_editor(ws: "Workspace", path: str) -> "Wish":
    from clawgit.ops.soul.changes import Wish  # noqa: PLC0415 - a command loads what it needs
    from clawgit.stores.git.worktree import read_file  # noqa: PLC0415

    base = _decoded(read_file(ws.root, path).data or b"")
    mark, newline = base[: base.startswith("\ufeff")], "\r\n" if "\r\n" in base else "\n"
    shown = base[len(mark) :].replace("\r\n", "\n")
    text = click.edit(shown, extension=".md")
    if text is None or text == shown:
        raise ClawgitError(
            "Nothing was edited.", hint=f"clawgit soul edit, and save {path} in the editor."
        )
    return Wish(text=mark + text.replace("\n", newline), base=base)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The text is not UTF-8 (byte {error.start}).", hint="iconv -t UTF-8"
        ) from error


def _asked_reason() -> str:
    """A terminal is asked; anywhere else the op says that a reason is missing."""
    return str(click.prompt("Why", err=True)) if sys.stdin.isatty() else ""


def _emit_change(done: "Change", did: str) -> None:
    for warning in done.warnings:
        output.note(click.style("warning: ", fg="yellow") + warning)
    output.emit(done, lambda change: change_text(change, did), as_json=options().as_json)


def _proposals_text(found: "Proposals") -> str:
    return "\n\n".join(map(_proposal_text, found.proposals)) or "nothing waits"


def _proposal_text(one: "Proposal") -> str:
    """An agent wrote these words, and the operator decides by them: nothing in them may act on his
    terminal.
    """
    ident, summary = click.style(one.id, fg="yellow"), click.style(shown(one.summary), bold=True)
    rows = [
        f"{ident}  {_age(one.age_seconds)}  {shown(one.actor)}  {summary}",
        *(f"  {shown(line)}" for line in one.reason.splitlines()),
        *(f"  evidence: {shown(item)}" for item in one.evidence),
        *(click.style(f"  held: {shown(why)}", fg="red") for why in one.held),
        *(f"  rejected: {shown(line)}" for line in one.rejected.splitlines()),
        output.colored_diff(shown(one.diff)),
    ]
    return "\n".join(rows)


def _age(seconds: int) -> str:
    """How long ago, in the largest unit that fits."""
    units = (("day", 86400), ("hour", 3600), ("minute", 60))
    count, unit = next(
        ((seconds // size, unit) for unit, size in units if seconds >= size), (0, "")
    )
    return f"{count} {unit}{'s' * (count > 1)} ago" if unit else "just now"


def _verified_text(found: "Verified") -> str:
    rows = [*map(_unauthorised_text, found.unauthorised)]
    rows += map(_hidden_text, found.hidden)
    if found.shallow:
        rows.append("this clone is shallow: what came before is unknown")
    if found.policy != "evolve" and not found.signers:
        rows.append(
            "what a commit says of its actor counts at its word here; soul_signers make it proof"
        )
    verdict = (
        f"{len(found.unauthorised)} of {found.checked} changes had no authority"
        if found.unauthorised
        else (f"all {found.checked} changes had authority")
    )
    return "\n".join([*rows, f"{verdict} (soul_policy: {found.policy})"])


def _hidden_text(one: "Hidden") -> str:
    edited = "was edited, and git" if one.edited else "git"
    return (
        f"{click.style(one.path, fg='red')}  {edited} is told not to look at it ({one.bit}): "
        f"{one.remedy}"
    )


def _unauthorised_text(one: "Unauthorised") -> str:
    name = click.style(one.id or one.sha[:10], fg="red")
    head = (
        f"{name}  {one.time:%Y-%m-%d %H:%M}  {shown(one.actor):<14}  {one.path}: "
        f"{shown(one.summary)}"
    )
    return "\n          ".join([head, *map(shown, one.reasons), one.next])


def _checked_text(checked: "Checked") -> str:
    return checked.detail


def _snapshots_text(found: "Snapshots") -> str:
    rows = (
        f"{one.day}  before {click.style(one.id, fg='yellow')}  {one.sha[:10]}"
        for one in found.snapshots
    )
    return "\n".join(rows) or "no version is kept yet"


def _pruned_text(done: "Pruned") -> str:
    did = "would let go of" if done.dry_run else "let go of"
    return f"{did} {len(done.pruned)}, kept {len(done.kept)}; history is as it was"


def _exported_text(done: "Exported") -> str:
    did = "would write" if done.dry_run else "wrote"
    return (
        "\n".join(f"{did} {done.folder / name}" for name in done.written)
        or "every version is there already"
    )

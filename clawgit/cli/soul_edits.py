"""`soul revert`, `edit`, `propose`, `proposals`, `approve` and `reject`."""

import re
import sys
from collections.abc import Callable
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import changed
from clawgit.cli.command import Answer, command, dry_run_option, option, together
from clawgit.cli.given import options
from clawgit.domain.markdown.amend import Amendment
from clawgit.errors import UsageError
from clawgit.ops.change import proposals as op
from clawgit.ops.change.changes import restore
from clawgit.ops.change.described import Change
from clawgit.ops.change.proposals import Wish, soul_path
from clawgit.ops.workspace.operator import require_operator
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.looked import PROPOSED

_SHORT = 16
_HASH = re.compile(rf"[0-9a-f]{{{_SHORT},64}}")
"""At least this many digits of a hash, so that nobody can find a second text with them."""

_PROPOSE = "Propose it instead: clawgit soul propose --reason WHY …"

_identity_option = option("--identity", "IDENTITY.md instead of SOUL.md.")
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
def revert(
    ws: Workspace, ident: str | None, to: str | None, reason: str, identity: bool, dry_run: bool
) -> Answer:
    """Undo one change to the soul, or go back to a version.

    Undoing one change leaves later ones as they are. Both make a new commit.

    Example: clawgit soul revert k2mq9x4w --reason "she prefers questions"
    """
    if (ident is None) == (to is None):
        raise UsageError(
            "Name one change, or one version with --to.", hint="`clawgit soul log` lists them."
        )
    path = soul_path(identity=identity)
    if to:
        done = restore(ws, path, to, reason=reason, dry_run=dry_run)
        return changed(done, f"restored {path} as of")
    done = op.revert(ws, str(ident), path=path, reason=reason, dry_run=dry_run)
    return changed(done, "took back")


@command("edit")
@_wish_options
def edit(ws: Workspace, **typed: Any) -> Answer:
    """Change the soul, as its operator.

    Without --add, --replace or --remove, the whole new text is read from --file or standard input.

    Example: clawgit soul edit --section Boundaries --add "Ask before deleting files." --reason "it
    deleted one"
    """
    require_operator(ws.caller, "edit the soul", _PROPOSE)
    return _write(ws, op.edit, "edited", **typed)


@command("propose")
@_wish_options
def propose(ws: Workspace, **typed: Any) -> Answer:
    """Propose a change to the soul, for the operator to approve.

    Without --add, --replace or --remove, the whole new text is read from --file or standard input.

    Example: clawgit soul propose --add "Answer in Dutch." --reason "asked twice" --evidence
    memory/2026-02-14.md#L9
    """
    return _write(ws, op.propose, "proposed", **typed)


def _write(
    ws: Workspace, act: Callable[..., Change], did: str, *, reason: str, identity: bool,
    evidence: tuple[str, ...], dry_run: bool, **wish: Any,
) -> Answer:  # fmt: skip
    path = soul_path(identity=identity)
    wanted, why = _wish(**wish), reason or _prompted_reason()
    return changed(act(ws, wanted, why, path=path, evidence=evidence, dry_run=dry_run), did)


@command("proposals")
@option("--rejected", "List the rejected ones instead.")
def proposals(ws: Workspace, rejected: bool) -> Answer:
    """List the proposals that wait for the operator.

    Example: clawgit soul proposals
    """
    return op.proposals(ws, rejected=rejected), _proposals_text


def _seen(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """A hash that is long enough to identify one content."""
    if value is not None and not _HASH.fullmatch(value):
        raise UsageError(
            f"{value!r} is not the hash of a proposal.",
            hint="`clawgit soul proposals` shows it beside the id.",
        )
    return value


@command("approve")
@click.argument("ident", metavar="ID")
@option(
    "--seen HASH", "The hash that `soul proposals` shows; approve it without being asked.",
    default=None, callback=_seen,
)  # fmt: skip
@dry_run_option
def approve(ws: Workspace, ident: str, seen: str | None, dry_run: bool) -> Answer | None:
    """Apply a proposed change to the soul as it is today.

    You are shown the proposal and asked first. With --seen you are not asked, and a proposal that
    has changed since is refused.

    Example: clawgit soul approve k2mq9x4w
    """
    seen = seen or ("" if dry_run else _agreed(ws, ident))
    if seen is None:
        output.line("nothing was changed")
        return None
    return changed(op.approve(ws, ident, seen=seen, dry_run=dry_run), "approved")


@command("reject")
@click.argument("ident", metavar="ID")
@_reason_option
@option("--back", "Take a rejection back: the proposal waits again.")
@dry_run_option
def reject(ws: Workspace, ident: str, reason: str, back: bool, dry_run: bool) -> Answer:
    """Reject a proposed change.

    `soul proposals --rejected` still lists it, and --back lets it wait again.

    Example: clawgit soul reject k2mq9x4w --reason "that was a joke"
    """
    if back:
        did = "would let wait again:" if dry_run else "waits again:"
        return op.reopen(ws, ident, dry_run=dry_run), lambda _: f"{did} {ident}"
    did = "would reject" if dry_run else "rejected"
    return op.reject(ws, ident, reason, dry_run=dry_run), lambda _: f"{did} {ident}"


def _agreed(ws: Workspace, ident: str) -> str | None:
    """The hash of a proposal that the operator was shown and said yes to."""
    waiting = op.proposal(ws, ident)
    if options().as_json:
        raise UsageError(
            "--json asks nothing, so --seen must say which proposal you were shown.",
            hint="`clawgit soul proposals` shows its hash beside the id.",
        )
    output.emit(waiting, _proposal_text)
    return waiting.sha if click.confirm("Approve it?", default=False, err=True) else None


def _wish(
    section: str,
    add: str,
    replace: tuple[str, str] | None,
    remove: str,
    file: Any,
) -> Wish:
    """The change to make: from the options, else the text in --file or standard input."""
    if add or replace or remove:
        if file:
            raise UsageError(
                "--file is the whole text; leave --add, --replace and --remove out.", hint=_PROPOSE
            )
        return Amendment(add, replace, remove, section)
    if not file and sys.stdin.isatty():
        raise UsageError(
            "Say what to change: --add, --replace, --remove or --file.",
            hint="Or edit the file itself, and then: clawgit snapshot WHY",
        )
    return _decoded(file.read() if file else sys.stdin.buffer.read())


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The text is not UTF-8 (byte {error.start}).", hint="iconv -t UTF-8"
        ) from error


def _prompted_reason() -> str:
    """Asks on a terminal. Without one it is empty, and the op reports that it is missing."""
    return str(click.prompt("Why", err=True)) if sys.stdin.isatty() else ""


def _proposals_text(listing: op.Proposals) -> str:
    return "\n\n".join(map(_proposal_text, listing.proposals)) or "no proposals"


def _proposal_text(proposal: op.Proposal) -> str:
    """The proposal as the operator reads it."""
    ident, sha = output.ident(proposal.id), output.dim(proposal.sha[:_SHORT])
    summary = output.heading(proposal.summary)
    rows = [
        f"{ident}  {sha}  {proposal.time:%Y-%m-%d %H:%M}  {proposal.actor}  {summary}",
        *(f"  {line}" for line in proposal.reason.splitlines()),
        *(f"  evidence: {item}" for item in proposal.evidence),
        *(output.error(f"  held: {why}") for why in proposal.held if why != PROPOSED),
        *(f"  rejected: {line}" for line in proposal.rejected.splitlines()),
        output.colored_diff(proposal.diff),
    ]
    return "\n".join(rows)

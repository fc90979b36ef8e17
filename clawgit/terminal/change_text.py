"""The text for changes: for one that a command made, and for a list."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from clawgit.git.looked import PROPOSED
from clawgit.terminal import output
from clawgit.terminal.text import LEAST, cut, room_beside, table, width

if TYPE_CHECKING:
    from clawgit.git.transaction import Change
    from clawgit.terminal.command import Answer


_ACTOR = 20
"""Columns of a name: people who commit by hand may have long ones."""

_ALREADY = "no change needed: it is already so"

_PARKED = "it is applied when git is done and HEAD is on a branch"
"""What becomes of a change that is made in the middle of a merge or a rebase."""


def change_rows(changes: Iterable[Any], *, indent: int = 0) -> list[str]:
    """A line for each change, cut to the terminal."""
    rows = [*changes]
    lefts = table([
        (
            " " * indent + output.ident(change.id or change.sha[:8]),
            output.dim(f"{change.time:%Y-%m-%d %H:%M}"),
            output.key(cut(change.actor, _ACTOR)),
        )
        for change in map(_change, rows)
    ])  # fmt: skip
    widest = max(map(width, lefts), default=0)
    return [
        f"{left}{' ' * (widest - width(left))}  {_summary_text(row, widest + 2)}"
        for left, row in zip(lefts, rows, strict=True)
    ]


def _summary_text(row: Any, left: int) -> str:
    """What a change did; struck through if it was taken back."""
    summary, room = output.one_line(_change(row).summary), room_beside(left)
    undone_by = getattr(row, "undone_by", None)
    if not undone_by:
        return cut(summary, room)
    mark = f" (undone by {undone_by})"
    rest = max(room - len(mark), LEAST // 2)
    return output.struck(cut(summary, rest)) + output.dim(mark)


def _change(told: Any) -> Any:
    """A change, or that of an answer that says more."""
    return getattr(told, "change", told)


def change_head(told: Any) -> str:
    """Which change it is: its id, when it was made, by whom."""
    change = _change(told)
    when = f"{change.time:%Y-%m-%d %H:%M}" if change.time else ""
    return f"{output.named(change.id, change.sha)}  {output.dim(when)}  {output.key(change.actor)}"


def changed(done: Any, did: str) -> "Answer":
    """The answer of a command that made a change; `did` is the verb, in the past."""
    return done, lambda made: change_text(_change(made), did)


def change_text(change: "Change", did: str) -> str:
    """What a command did, under which id, to which files."""
    files = _files_text(change, did)
    return outcome(change, f"{did} {change.of}{files}".rstrip())


def outcome(done: Any, made: str, nothing: str = _ALREADY) -> str:
    """What a writing command did: `made`, where it wrote; else its preview, what it waits for, or
    why there was `nothing` to write. Below it alerts, warnings and notes.
    """
    change = _change(done)
    rows = [done_text(change, made, nothing)]
    rows += warning_lines(change.alerts, change.warnings)
    return "\n".join([*rows, *output.notes(getattr(done, "notes", ()))])


def warning_lines(alerts: Iterable[str], warnings: Iterable[str]) -> list[str]:
    """Alerts about others' edits, and warnings about what a command did, one per line."""
    return [
        *(output.error(f"alert: {alert}") for alert in alerts),
        *(output.warning(f"warning: {warning}") for warning in warnings),
    ]


def done_text(change: Any, made: str, nothing: str) -> str:
    """The same without what is below."""
    # A dry run first: it has no commit either, and would look like a change that was not needed.
    if change.dry_run:
        preview = output.colored_diff(change.preview) or nothing
        return preview + "".join(f"\nwould wait for the operator: {why}" for why in change.held)
    if change.held:
        return _held_text(change)
    if change.parked:
        return f"the change waits as {change.id}: {_PARKED}"
    if change.commit is None:
        return nothing
    return f"{output.named(change.id, change.commit)}  {made}"


def _held_text(change: Any) -> str:
    reasons = "".join(f"\n          {why}" for why in change.held if why != PROPOSED)
    ident = output.ident(change.id or "")
    step = output.next_step(f"clawgit soul approve {change.id}")
    files = ", ".join(change.changed)
    return f"{ident}  waits for the operator, at a terminal: {files}{reasons}\n{step}"


def _files_text(change: "Change", did: str) -> str:
    """The files that changed, without those that `did` names already."""
    others = [path for path in change.changed if path not in {change.of, *did.split()}]
    if others == [*change.changed]:
        return f": {', '.join(others)}"
    return f"; also {', '.join(others)}" if others else ""

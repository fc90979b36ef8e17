"""`memory promote`: moves lines of daily notes that should last; previews unless --apply is
given.
"""

import click

from clawgit.cli import output
from clawgit.cli.command import Share, command
from clawgit.cli.opening import in_workspace, workspace
from clawgit.cli.options import apply_option, dry_run_option
from clawgit.cli.output import counted, dim, shown
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.ops.promotion import promote as ops

_LINE = 100


@command("promote")
@click.option(
    "--days",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help="Look at the last N days.  [default: 7]",
)
@click.option(
    "--min-confidence", type=Share(), default=None, metavar="C",
    help="List and move lines of at least this confidence.  [default: 0.4 to list, 0.6 to move]",
)  # fmt: skip
@click.option(
    "--frequency",
    is_flag=True,
    help="Only lines that were retrieved 3 times or more, in different sessions.",
)
@apply_option
@click.option("--target", default="", metavar="PATH", help="Move all of them to this file.")
@dry_run_option
def promote(
    days: int | None,
    min_confidence: float | None,
    frequency: bool,
    apply_it: bool,
    target: str,
    dry_run: bool,
) -> None:
    """Move lines that should last out of the daily notes.

    They go to MEMORY.md, or to the file of their category, such as memory/legal.md, if it exists. A
    line that is there already counts as a mention. Each candidate shows how its confidence was
    computed. A line that only has a word such as “launch” is flagged, and stays in its note.

    Example: clawgit memory promote --days 30 --apply
    """
    with workspace() as ws:
        wish = ops.PromotionWish(
            days, min_confidence, frequency, in_workspace(ws, target) if target else ""
        )
        done = ops.promote(ws, wish, dry_run=dry_run or not apply_it)
        output.emit(done, _promotion_text)


def _promotion_text(done: ops.Promotion) -> str:
    rows = [row for candidate in done.candidates for row in _rows(candidate)]
    stays = [f"stays  {shown(stay.path)}:{stay.startLine}: {shown(stay.why)}" for stay in done.left]
    closing = _closing(done)
    return "\n".join([*rows, *map(dim, stays), *(shown(why) for why in done.held), closing])


def _rows(candidate: ops.PromotionCandidate) -> list[str]:
    text = shown(in_a_line(candidate.text, _LINE))
    how = {"mentioned": "mentioned in", ops.FLAGGED: "flagged for"}.get(candidate.action, "→")
    move = f"{shown(candidate.path)}:{candidate.startLine} {how} {shown(candidate.target)}"
    return [
        f"{candidate.confidence:.2f}  {candidate.category:<12}  {text}",
        dim(f"      {move}; {shown(', '.join(candidate.why))}"),
    ]


def _closing(done: ops.Promotion) -> str:
    flagged = sum(candidate.action == ops.FLAGGED for candidate in done.candidates)
    count = len(done.candidates) - flagged
    more = f"; {counted(flagged, 'more line')} flagged: --min-confidence 0.4" if flagged else ""
    if done.commit:
        return f"written: {output.ident(done.id or '')}  promoted {counted(count, 'line')}{more}"
    if done.held:
        return "it waits for the operator"
    if not count:
        return f"Nothing is certain enough to be promoted{more}" if more else "Nothing to promote."
    return f"{counted(count, 'line')} would be promoted{more}"

"""`memory promote`: what of the daily notes should last, shown first and moved with --apply."""

import click

from clawgit.cli import output
from clawgit.cli.command import Share, command, in_workspace, workspace
from clawgit.cli.options import dry_run_option, options
from clawgit.cli.output import dim, shown
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.ops.promotion import promote as ops

_LINE = 100


@command("promote")
@click.option(
    "--days",
    type=click.IntRange(min=0),
    default=None,
    metavar="N",
    help="Look at the last N days; else 7.",
)
@click.option(
    "--min-confidence", type=Share(), default=0.4, metavar="C", show_default=True,
    help="What a candidate must reach.",
)  # fmt: skip
@click.option(
    "--frequency",
    is_flag=True,
    help="Only what was retrieved 3 times or more, in different sessions.",
)
@click.option(
    "--apply", "apply_it", is_flag=True, help="Move them; without, show what would be moved."
)
@click.option("--target", default="", metavar="PATH", help="Move all of them to this file.")
@dry_run_option
def promote(
    days: int | None,
    min_confidence: float,
    frequency: bool,
    apply_it: bool,
    target: str,
    dry_run: bool,
) -> None:
    """Find lines of the daily notes that should last, and move them to MEMORY.md.

    A line goes to the file of its category, such as memory/legal.md, where that exists. What stands
    there already is counted as a mention. Each candidate says what its confidence is made of.

    Example: clawgit memory promote --days 30 --apply
    """
    with workspace() as ws:
        wish = ops.Wish(days, min_confidence, frequency, in_workspace(ws, target) if target else "")
        done = ops.promote(ws, wish, dry_run=dry_run or not apply_it)
        output.emit(done, _promotion_text, as_json=options().as_json)


def _promotion_text(done: ops.Promotion) -> str:
    rows = [row for one in done.candidates for row in _rows(one)]
    stays = [f"stays  {shown(one.path)}:{one.startLine}: {shown(one.why)}" for one in done.left]
    closing = _closing(done)
    return "\n".join([*rows, *map(dim, stays), *(shown(why) for why in done.held), closing])


def _rows(one: ops.Candidate) -> list[str]:
    how = "mentioned in" if one.action == "mentioned" else "→"
    return [
        f"{one.confidence:.2f}  {one.category:<12}  {shown(in_a_line(one.text, _LINE))}",
        dim(
            f"      {shown(one.path)}:{one.startLine} {how} {shown(one.target)}; "
            f"{shown(', '.join(one.why))}"
        ),
    ]


def _closing(done: ops.Promotion) -> str:
    count = len(done.candidates)
    counted = f"{count} {'line' if count == 1 else 'lines'}"
    if done.commit:
        return f"{click.style(done.id or '', fg='yellow')}  promoted {counted}"
    if done.held:
        return "it waits for the operator"
    return f"{counted} would be promoted: add --apply" if count else "Nothing to promote."

"""`memory tidy`: shortens MEMORY.md; previews unless --apply is given."""

from collections import Counter

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.cli.options import apply_option, dry_run_option
from clawgit.cli.output import shown
from clawgit.ops.compaction.tidy import Tidying, tidy_notebook


@command("tidy")
@apply_option
@dry_run_option
def tidy(*, apply_it: bool, dry_run: bool) -> None:
    """Keep MEMORY.md short by moving detail into topic files.

    Nothing moves while it has at most 200 lines and 20,000 characters, which is what OpenClaw reads
    of it. Recent decisions and the most certain entries move late, corrections last. A line such as
    `Billing: 12 facts` says where the rest is, and the search finds it there.

    Example: clawgit memory tidy --apply
    """
    with workspace() as ws:
        done = tidy_notebook(ws, dry_run=dry_run or not apply_it)
        output.emit(done, _tidying_text)


def _tidying_text(done: Tidying) -> str:
    before = (
        f"{shown(done.path)}: {done.before.lines:,} lines, {done.before.characters:,} characters"
    )
    if not done.moved:
        return f"{before}: " + (
            "nothing to tidy" if done.enough else "too long, but nothing in it may move"
        )
    counted = Counter(piece.target for piece in done.moved)
    rows = [f"  {count:>4} → {shown(path)}" for path, count in sorted(counted.items())]
    after = f"{done.after.lines:,} lines, {done.after.characters:,} characters"
    left = [] if done.enough else ["What is left must stay, and is still too long."]
    return "\n".join(
        [f"{before} → {after}", *rows, *left, *(shown(why) for why in done.held), _closing(done)]
    )


def _closing(done: Tidying) -> str:
    counted = output.counted(len(done.moved), "piece")
    if done.commit:
        return f"written: {output.ident(done.id or '')}  moved {counted}"
    return "it waits for the operator" if done.held else f"{counted} would be moved"

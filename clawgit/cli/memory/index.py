"""`memory index` and `memory bench`: update the index, and measure the search."""

from pathlib import Path

import click

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.cli.options import limit_option
from clawgit.cli.output import counted, shown
from clawgit.ops.search.memory_bench import Figures
from clawgit.ops.search.memory_bench import bench as measure
from clawgit.ops.search.memory_index import Indexed
from clawgit.ops.search.memory_index import index as bring_up_to_date


@command("index")
@click.option(
    "--force",
    is_flag=True,
    help="Read everything again, then replace the old index in one step.",
)
def index(force: bool) -> None:
    """Update the index, with a vector for each text.

    A search does this itself for what has changed. Use this the first time, and with embedders that
    cost time or money.

    Example: clawgit memory index --force
    """
    with workspace() as ws:
        with output.progress("indexing") as bar:
            done = bring_up_to_date(ws, force=force, progress=bar)
        output.emit(done, _indexed_text)


@command("bench")
@click.argument("fixture", type=click.Path(path_type=Path))
@limit_option(10, "Hits for each question.", most=200)
def bench(fixture: Path, limit: int) -> None:
    """Measure the search with questions of your own.

    FIXTURE has a JSON line for each: {"query": "…", "expect": [{"path": "MEMORY.md", "line": 12}]}.

    Example: clawgit memory bench questions.jsonl -n 10
    """
    with workspace() as ws:
        with output.progress("asking") as bar:
            done = measure(ws, fixture, limit, bar)
        output.emit(done, _figures_text)


def _indexed_text(done: Indexed) -> str:
    by = f"by {done.provider} {done.model}"
    vectors = f", {counted(done.vectors, 'vector')} {by}" if done.vectors else ""
    summary = (
        f"{counted(done.items, 'item')} of {counted(done.files, 'file')}{vectors}; "
        f"{counted(done.changed, 'file')} read in {done.seconds:.1f} s"
    )
    return summary + (f"\nnote: {shown(done.note)}" if done.note else "")


def _figures_text(figures: Figures) -> str:
    missed = [f"  missed  {shown(query.query)}" for query in figures.queries if not query.rank]
    asked = len(figures.queries)
    return "\n".join([
        f"{output.counted(asked, 'question')}, {figures.k} hits each",
        (f"recall {figures.recall:.3f}   MRR {figures.mrr:.3f}   p50 {figures.p50_ms:.1f} ms   p95 "
        f"{figures.p95_ms:.1f} ms"),
        *missed,
    ])  # fmt: skip

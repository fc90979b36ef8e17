"""`memory`: what the agent remembers, written, read and counted."""

import sys
from typing import TYPE_CHECKING

import click

from clawgit.cli import output
from clawgit.cli.command import command, dry_run_option, options, shared_options, workspace
from clawgit.cli.memory_compact import compact
from clawgit.cli.memory_promote import promote
from clawgit.cli.memory_search import bench, index, search
from clawgit.cli.memory_tidy import tidy
from clawgit.cli.output import dim, shown
from clawgit.domain.markdown.tag_table import PRIMARY, listed

if TYPE_CHECKING:
    from clawgit.ops.change.past_lines import Lines
    from clawgit.ops.facts.remember import Remembered
    from clawgit.ops.search.memory_status import MemoryStatus

_STDIN = "-"
_MOST = 1024 * 1024
"""More from standard input is no fact, and is not waited for."""


@click.group("memory")
@shared_options
def memory() -> None:
    """Remember facts, read them back, see what there is.

    Example: clawgit memory status
    """


@command("add")
@click.argument("text")
@click.option(
    "--tag",
    default="",
    metavar="TAG",
    help=f"{listed(PRIMARY)}; else the words decide.",
)
@click.option(
    "--to",
    default="",
    metavar="PATH",
    help="MEMORY.md or a file below memory/; else the tag decides.",
)
@click.option(
    "--source", type=click.Choice(["explicit", "inferred"]), default=None,
    help="Stated by the operator, or concluded; else explicit at a terminal, inferred from a "
         "program.",
)  # fmt: skip
@click.option(
    "--evidence", multiple=True, metavar="REF", help="What it rests on: memory/2026-02-14.md#L9."
)
@click.option("--session", default="", metavar="S", help="The session in which it came up.")
@click.option(
    "--allow-secret",
    is_flag=True,
    help="Keep a key or password all the same; the operator's alone.",
)
@click.option(
    "--shared", is_flag=True, help="Into the memory that all agents read; only main does that."
)
@dry_run_option
def add(
    text: str, tag: str, to: str, source: str | None, evidence: tuple[str, ...], session: str, *,
        allow_secret: bool,
    shared: bool, dry_run: bool,
) -> None:  # fmt: skip
    """Remember one fact, as one entry.

    TEXT is the fact, - reads it from standard input. A fact that stands there already is counted as
    a mention; one that the operator has corrected is ignored.

    Example: clawgit memory add "Billing uses PostgreSQL, not MySQL." --tag decision
    """
    from clawgit.ops.facts.remember import Fact, remember  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.workspace.shared import remember_shared  # noqa: PLC0415

    words = (
        sys.stdin.buffer.read(_MOST).decode("utf-8", "surrogateescape") if text == _STDIN else text
    )
    with workspace() as ws:
        fact = Fact(words, tag, to, source or "", evidence, session, allow_secret)
        done = (
            remember_shared(ws, fact, dry_run=dry_run)
            if shared
            else remember(ws, fact, dry_run=dry_run)
        )
        output.emit(done, _remembered_text, as_json=options().as_json)


@command("get", exact=True)
@click.argument("path")
@click.option(
    "--from", "first", type=click.IntRange(min=1), default=1, metavar="N", help="The first line."
)
@click.option(
    "--lines",
    "count",
    type=click.IntRange(min=1),
    default=None,
    metavar="M",
    help="How many; else all.",
)
@click.option("--at", metavar="REV", help="As it was at a change id, a git revision or a date.")
def get(path: str, first: int, count: int | None, at: str | None) -> None:
    """Read lines of a memory file.

    Only what a search covers can be read. A missing file has no lines, and that is no error. What a
    search cites as `coder:MEMORY.md` is read where that agent's memory may be.

    Example: clawgit memory get memory/2026-02-14.md --from 9 --lines 5
    """
    from clawgit.ops.change.past_lines import lines  # noqa: PLC0415 - a command loads what it needs
    from clawgit.ops.workspace.workspaces import cited  # noqa: PLC0415

    with workspace() as ws:
        whose, name = cited(ws, path)
        output.emit(lines(whose, name, first, count, at), _lines_text, as_json=options().as_json)


@command("status")
def status() -> None:
    """Count what is remembered, and say how it is found.

    Example: clawgit memory status
    """
    from clawgit.ops.search.memory_status import memory_status  # noqa: PLC0415 - a command loads what it needs

    with workspace() as ws:
        output.emit(memory_status(ws), _status_text, as_json=options().as_json)


def _remembered_text(done: "Remembered") -> str:
    entry = done.entry
    where = f"{entry.path}:{entry.line}" if entry.line else entry.path
    if done.dry_run:
        said = output.colored_diff(done.preview) or f"would be {done.action}: {shown(done.reason)}"
    elif done.held:
        said = f"{_id(done)}  waits for the operator: {shown(where)}"
    elif done.parked:
        said = (
            f"the entry waits as {_id(done)}: it is written when git is done and HEAD is on a "
            "branch"
        )
    elif done.commit is None:
        said = f"{done.action}: {shown(done.reason)}"
    else:
        times = f", {entry.mentions} mentions" if done.action == "merged" else ""
        said = (
            f"{_id(done)}  {done.action} {shown(where)}  {shown(entry.text)}  "
            f"{dim(f'{entry.confidence:.2f}{times}')}"
        )
    return "\n".join([said, *(f"          {shown(why)}" for why in done.held)])


def _id(done: "Remembered") -> str:
    return click.style(done.id or "", fg="yellow")


def _lines_text(found: "Lines") -> str:
    return shown(found["text"])


def _status_text(seen: "MemoryStatus") -> str:
    meanings = {"T0": "who the agent is", "T1": "what stays true", "T2": "what the days brought"}
    rows = [
        f"{name}  {count:>7,} {'file ' if count == 1 else 'files'}    {dim(meanings[name])}"
        for name, count in seen.tiers.items()
    ]
    how = " ".join(
        [seen.mode, *([seen.provider, shown(seen.model)] if seen.mode == "enhanced" else [])]
    ).rstrip()
    found = {"items": seen.items, "vectors": seen.vectors}
    counted = ", ".join(f"{count:,} {name}" for name, count in found.items() if count)
    sizes = ", ".join(f"{name} {_size(size)}" for name, size in seen.sizes.items() if size)
    return "\n".join(
        [
            *rows,
            "",
            f"entries  {seen.entries:,}",
            f"search   {how}" + (f": {counted}" if counted else ""),
            f"index    {shown(seen.index)}",
            f"on disk  {sizes or 'nothing'}",
        ]
    )


def _size(count: int) -> str:
    size, unit = float(count), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if size < _THOUSAND or unit == "GB":
            break
        size /= _THOUSAND
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"


_THOUSAND = 1000

for _one in (search, add, get, status, index, bench, compact, promote, tidy):
    memory.add_command(_one)

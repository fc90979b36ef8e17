"""`lessons`: learns from transcripts what failed and then worked; lists and searches lessons."""

import click

from clawgit.cli import output
from clawgit.cli.agent.run_now import run_now
from clawgit.cli.command import command
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option, limit_option
from clawgit.cli.output import dim, shown
from clawgit.ops.lessons import lessons as op

_FEW = 3
"""How many lessons the group shows when it is called alone."""

_limit = limit_option(20, "At most this many.", most=1000)


@command("extract")
@dry_run_option
def extract(*, dry_run: bool) -> None:
    """Learn from failures that were overcome, in new transcripts.

    A lesson says when something happens, what did not work, what did, and why. Each goes into
    memory/lessons.md with the messages that show it, and secrets are masked.

    Example: clawgit memory lessons extract --dry-run
    """
    run_now("lesson-extractor", dry_run=dry_run)


@command("list")
@_limit
def list_(limit: int) -> None:
    """List the latest lessons.

    Example: clawgit memory lessons list
    """
    _show("", limit)


@command("search")
@click.argument("query", nargs=-1, required=True)
@_limit
def search(query: tuple[str, ...], limit: int) -> None:
    """Find the lessons that share words with a question.

    Example: clawgit memory lessons search git push upstream
    """
    _show(" ".join(query), limit)


def state() -> None:
    """The latest lessons: what `lessons` shows when it is called alone."""
    _show("", _FEW)


_NO_LESSON = "no lessons yet; `clawgit memory lessons extract` looks for some in new transcripts"


def _show(query: str, limit: int) -> None:
    with workspace() as opened:
        listing = op.lessons(opened, query, limit)
        empty = "no lesson has these words" if query else _NO_LESSON
        output.emit(listing, lambda seen: "\n".join(map(_lesson_text, seen.lessons)) or dim(empty))


def _lesson_text(lesson: op.ShownLesson) -> str:
    fields = {"wrong": lesson.wrong, "right": lesson.right, "why": lesson.reason}
    rows = [f"  {dim(f'{name:<6}')} {shown(value)}" for name, value in fields.items() if value]
    return "\n".join([f"{output.ident(lesson.id)}  {shown(lesson.scenario)}", *rows])

"""`memory add`: remembers one fact as one entry."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from clawgit.cli import output
from clawgit.cli.change_text import warning_lines
from clawgit.cli.command import command
from clawgit.cli.given import options
from clawgit.cli.loading import load
from clawgit.cli.opening import workspace
from clawgit.cli.options import dry_run_option, quiet_option
from clawgit.cli.output import dim, shown
from clawgit.domain.markdown.tag_table import PRIMARY, listed
from clawgit.ops.search.serve_client import Written, written
from clawgit.ops.workspace.workspace import Workspace

_STDIN = "-"


_MOST = 1024 * 1024
"""A longer text on standard input is no fact, so it is not read further."""


@command("add")
@click.argument("text")
@click.option(
    "--tag",
    default="",
    metavar="TAG",
    help=f"{listed(PRIMARY)}; by default, the words decide.",
)
@click.option(
    "--to",
    default="",
    metavar="PATH",
    help="MEMORY.md or a file below memory/; by default, the tag decides.",
)
@quiet_option(
    "--source", type=click.Choice(["explicit", "inferred"]), default=None,
    help="Whether the operator said it or it was concluded; by default, explicit at a terminal "
        "and inferred from a program.",
)  # fmt: skip
@quiet_option(
    "--evidence", multiple=True, metavar="REF", help="Its source, such as memory/2026-02-14.md#L9."
)
@quiet_option("--session", default="", metavar="S", help="The session in which it was said.")
@quiet_option(
    "--allow-secret",
    is_flag=True,
    help="Store a key or password anyway; only the operator may.",
)
@quiet_option(
    "--shared", is_flag=True, help="Write to the memory that all agents read; only main may."
)
@dry_run_option
def add(
    text: str, tag: str, to: str, source: str | None, evidence: tuple[str, ...], session: str, *,
        allow_secret: bool,
    shared: bool, dry_run: bool,
) -> None:  # fmt: skip
    """Remember one fact, as one entry.

    TEXT is the fact, - reads it from standard input. A fact that memory has already is counted as a
    mention; one that the operator has corrected is ignored.

    Example: clawgit memory add "Billing uses PostgreSQL, not MySQL." --tag decision
    """
    words = (
        sys.stdin.buffer.read(_MOST).decode("utf-8", "surrogateescape") if text == _STDIN else text
    )
    with workspace() as ws:
        fact = {
            "text": words,
            "tag": tag,
            "to": to,
            "source": source or "",
            "evidence": evidence,
            "session": session,
            "allow_secret": allow_secret,
        }
        done = _remembered(ws, fact, shared=shared, dry_run=dry_run)
        output.emit(done, remembered_text, as_json=options().as_json)


def _remembered(
    ws: Workspace, fact: Mapping[str, Any], *, shared: bool, dry_run: bool
) -> Mapping[str, Any]:
    """Remembers the fact, through the process of `clawgit run serve` if there is one.

    Anything but a plain entry of this workspace is written here.
    """
    is_plain = not (shared or dry_run or fact["allow_secret"])
    warm = written(ws, "remember", fact, options().asked) if is_plain else Written()
    if warm.result:
        return warm.result
    # Loaded here: not needed if that process answers.
    here = load("memory.add_here:remember_here")
    done: Mapping[str, Any] = here(ws, fact, shared=shared, dry_run=dry_run, ident=warm.ident)
    return done


def remembered_text(done: Mapping[str, Any]) -> str:
    """The answer in words."""
    entry = done["entry"]
    where = f"{entry['path']}:{entry['line']}" if entry["line"] else entry["path"]
    # A dry run first: it has no commit either, and would look like an entry that was not written.
    if done["dry_run"]:
        preview = output.colored_diff(done["preview"])
        outcome = preview or f"would be {done['action']}: {shown(done['reason'])}"
    elif done["held"]:
        outcome = f"{_id(done)}  waits for the operator: {shown(where)}"
    elif done["parked"]:
        outcome = (
            f"the entry waits as {_id(done)}: it is written when git is done and HEAD is on a "
            "branch"
        )
    elif done["commit"] is None:
        outcome = f"{done['action']}: {shown(done['reason'])}"
    else:
        times = f", {entry['mentions']} mentions" if done["action"] == "merged" else ""
        strength = f"{entry['confidence']:.2f}{times}"
        outcome = (
            f"{_id(done)}  {done['action']} {shown(where)}  {shown(entry['text'])}  {dim(strength)}"
        )
    held = [f"          {shown(why)}" for why in done["held"]]
    return "\n".join([outcome, *held, *warning_lines(done["alerts"], done["warnings"])])


def _id(done: Mapping[str, Any]) -> str:
    return output.ident(done["id"] or "")

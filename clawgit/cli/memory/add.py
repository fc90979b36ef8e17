"""`memory add`: remembers one fact as one entry."""

from typing import Any

import click

from clawgit.cli.command import command
from clawgit.cli.memory import adding
from clawgit.cli.options import dry_run_option, quiet_option
from clawgit.domain.markdown.tag_table import PRIMARY, listed


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
    "--source", type=click.Choice(adding.SOURCES), default=None,
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
def add(**typed: Any) -> None:
    """Remember one fact, as one entry.

    TEXT is the fact; - reads it from standard input. A fact that memory has already is counted as a
    mention; one that the operator has corrected is ignored.

    Example: clawgit memory add "Billing uses PostgreSQL, not MySQL." --tag decision
    """
    adding.add(adding.Typed(**typed))

"""`memory search`: the lines that answer a question."""

from typing import Any

import click

from clawgit.cli.command import Share, command
from clawgit.cli.memory import hits
from clawgit.cli.options import quiet_option, revision_option


@command("search")
@click.argument("query", nargs=-1, required=True)
@click.option(
    "-n",
    "--top",
    "limit",
    type=click.IntRange(1, hits.MOST),
    help="Show at most this many hits.  [setting: max_results]",
)
@quiet_option(
    "--min-score", type=Share(), help="Show hits with at least this score.  [setting: min_score]"
)
@revision_option("Search the memory as it was at an id, a revision or a date.")
@quiet_option(
    "--source", metavar="S", default="", help="Only memory, archive, corrections, sessions, extra …"
)
@click.option(
    "--tag",
    metavar="TAG",
    default="",
    help="Only one kind (decision, lessons, tasks, entities …), or what has this tag.",
)
@click.option("--category", default="", hidden=True, help="The old name of --tag.")
@click.option(
    "--smart",
    is_flag=True,
    help="Work out from the question which person, time and category it asks for.",
)
@click.option("--archived", is_flag=True, help="Include facts that have expired.")
@quiet_option(
    "--verbose",
    is_flag=True,
    help="Say how the question was understood, and how long the search took.",
)
@quiet_option(
    "--session",
    metavar="S",
    default="",
    help="The session that asks; promotion counts in how many a line was found.",
)
@quiet_option(
    "--agent",
    metavar="A",
    default="",
    help="Search the memory of another agent, where that is allowed.",
)
@click.option(
    "--all-agents",
    "everybody",
    is_flag=True,
    help="Search the memory of every agent that may be read.",
)
@quiet_option("--explain", is_flag=True, help="Show each score, and what it is made of.")
@click.option("--full", is_flag=True, help="Show the text around each hit.")
def search(**typed: Any) -> None:
    """Find the lines that answer a question.

    The files are searched as they are on disk, including edits that are not committed. Lines that
    only come near the question follow under a line that says so; --min-score leaves them out.

    Example: clawgit memory search "what did we decide about billing"
    """
    hits.search(read(**typed))


def read(tag: str, category: str, **typed: Any) -> hits.Typed:
    """What was typed, by either name of --tag."""
    return hits.Typed(category=tag or category, **typed)

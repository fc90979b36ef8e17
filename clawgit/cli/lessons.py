"""`lessons extract`: learns from transcripts what failed and then worked."""

from clawgit.cli.agent.run_now import run_now
from clawgit.cli.command import command
from clawgit.cli.options import dry_run_option


@command("extract")
@dry_run_option
def extract(*, dry_run: bool) -> None:
    """Learn from failures that were overcome, in new transcripts.

    A lesson says when something happens, what did not work, what did, and why. Each goes into
    memory/lessons.md with the messages that show it, and secrets are masked.

    Example: clawgit memory lessons extract --dry-run
    """
    run_now("lesson-extractor", dry_run=dry_run)

"""`organize` and `decay`: make facts from notes, and archive expired ones."""

from clawgit.cli.agent.run_now import run_now
from clawgit.cli.command import command
from clawgit.cli.options import dry_run_option


@command("organize")
@dry_run_option
def organize(*, dry_run: bool) -> None:
    """Turn the notes into facts, and index them.

    Each fact is written once, to memory/structured/, with the line that it came from. Notes that
    have not changed since the last time are not read again. Tasks expire after 7 days, facts about
    agents after 30, all others never.

    Example: clawgit memory organize --dry-run
    """
    run_now("organizer", dry_run=dry_run)


@command("decay")
@dry_run_option
def decay(*, dry_run: bool) -> None:
    """Archive expired facts, and sum them up as lessons.

    They go to Archive/Facts/, where `memory search --archived` finds them; nothing is deleted.

    Example: clawgit memory decay --dry-run
    """
    run_now("decay-engine", dry_run=dry_run)

"""`clawgit digest`."""

import re
import sys
from dataclasses import replace

from clawgit.cli import output
from clawgit.cli.command import Answers, command, dry_run_option, option
from clawgit.domain.upkeep.digest import Digest, markdown
from clawgit.doors import html
from clawgit.ops.upkeep.digest import deliver
from clawgit.ops.upkeep.digest import digest as op
from clawgit.ops.workspace.workspace import Workspace

_OUTCOMES = {
    "sent": "sent to {}", "failed": "not sent to {}", "nothing": "nothing new for {}",
    "kept": "{} already has it",
    "unsent": "would be sent to {}",
}  # fmt: skip


@command()
@option("--since WHEN", "From this date or time on.  [default: a week ago]")
@option("--send sending", "Send it to digest_to: to each address what it has not received yet.")
@dry_run_option
def digest(ws: Workspace, since: str, sending: bool, dry_run: bool) -> Answers:
    """Show what was learned in the last week, or since a day.

    All of it comes from git. The runner sends it to digest_to, if that is set, at 08:00.

    Example: clawgit digest --since "4 weeks ago"
    """
    done = op(ws, since, dry_run=dry_run)
    if sending:
        done = replace(done, sent=deliver(ws, ws.now, since, dry_run=dry_run))
    yield done, _text
    yield int(any(delivery.outcome == "failed" for delivery in done.sent))


def _text(done: Digest) -> str:
    text = markdown(done)
    if sys.stdout.isatty():
        # A person reads it without the signs that keep words from being Markdown.
        text = html.unescape(_ESCAPED.sub(r"\1", text))
    told = [
        _OUTCOMES[each.outcome].format(each.to) + output.after_colon(each.trouble)
        for each in done.sent
    ]
    return "\n".join([text, *(told or [done.delivery])])


_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")

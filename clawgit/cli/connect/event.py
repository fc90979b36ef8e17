"""`connect event`: the answer to a hook of Claude Code."""

from clawgit.cli import output
from clawgit.cli.command import command
from clawgit.cli.opening import standard_input, workspace
from clawgit.errors import ClawgitError
from clawgit.ops.clients.connect_events import answer_to, event_in


@command("event", hidden=True)
def event() -> int:
    """Answer a hook of Claude Code; its event comes on stdin.

    Example: echo '{"hook_event_name": "SessionStart"}' | clawgit connect event
    """
    try:
        hook_event = event_in(standard_input())
        with workspace() as opened:
            if answer := answer_to(opened, hook_event):
                output.line(answer)
    except ClawgitError as error:
        # Not the error's own code: with 2, a hook of Claude Code stops the user's message.
        return min(output.fail(error, as_json=False), 1)
    return 0

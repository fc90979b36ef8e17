"""commit-msg: refuses a message with a secret, since it stays in history, and one that names
another actor.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from clawgit.core.errors import Finding
from clawgit.git.rules.actors import UNKNOWN, caller_named
from clawgit.git.rules.ids import BY_GIT, named_ops
from clawgit.hooks.border import run_safely, verdict, workspace
from clawgit.hooks.checks import SECRET
from clawgit.hooks.checks.staged import message_findings

_PLACE = "the commit message"
_LEAVE_OUT = "Remove the line from the message, or have the operator commit at a terminal."


def run(arguments: Sequence[str]) -> int:
    """Takes the file that git wrote the message to, and who commits."""
    file, *who = arguments
    findings = run_safely(SECRET, _PLACE, lambda: message_findings(_text(file), workspace))
    if "operator" not in who:
        findings += run_safely("actor", _PLACE, partial(_named, file))
    return verdict(findings, "commit")


def _named(file: str) -> Iterator[Finding]:
    """Refuses actors that a message claims: `log`, `soul verify` and the digest trust them, so only
    clawgit and the operator write them. Where git itself makes a commit again, it asks no hook.
    """
    for op in dict.fromkeys(named_ops(_text(file))):
        slug, _, verb = op.partition("/")
        # What the hook itself would write for this caller may stand there.
        if verb != BY_GIT or not (slug == UNKNOWN.slug or caller_named(slug)):
            why = f"Clawgit-Op: {op} says who made a change, and only clawgit writes it"
            yield Finding(why, _LEAVE_OUT)


def _text(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace", newline="") as message:  # noqa: PTH123 - pathlib takes 3 ms to load
        return message.read()

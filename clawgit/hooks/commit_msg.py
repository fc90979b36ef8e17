"""commit-msg: refuses a message with a secret, since it stays in history, and one that names
another actor.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from clawgit.domain.change.actors import UNKNOWN, caller_named
from clawgit.domain.change.trailers import BY_GIT, named_ops
from clawgit.hooks.border import BYPASS, run_safely, verdict, workspace
from clawgit.ops.hooks.check import message_findings
from clawgit.ops.hooks.finding import ACTOR, SECRET, HookCheck, HookFinding

_OPERATOR = "operator"
_PLACE = "the commit message"


def run(arguments: Sequence[str]) -> int:
    """Takes the file that git wrote the message to, and who commits."""
    file, *who = arguments
    findings = run_safely(HookCheck(SECRET, _PLACE, partial(_secrets, file)))
    if _OPERATOR not in who:
        findings += run_safely(HookCheck(ACTOR, _PLACE, partial(_named, file)))
    return verdict(findings, "this commit", BYPASS.format("commit", ""))


def _secrets(file: str) -> Iterable[HookFinding]:
    return message_findings(_text(file), workspace)


def _named(file: str) -> Iterator[HookFinding]:
    """Refuses actors that a message claims: `log`, `soul verify` and the digest trust them, so only
    clawgit and the operator write them. Where git itself makes a commit again, it asks no hook.
    """
    for op in dict.fromkeys(named_ops(_text(file))):
        if not _is_plain(op):
            yield HookFinding(
                _PLACE,
                0,
                ACTOR,
                f"Clawgit-Op: {op} says who made a change, and only clawgit writes it",
                "Remove the line from the message, or have the operator commit at a terminal.",
            )


def _is_plain(op: str) -> bool:
    """Whether it says only what the hook itself would write for this caller."""
    slug, _, verb = op.partition("/")
    return verb == BY_GIT and (slug == UNKNOWN.slug or caller_named(slug) is not None)


def _text(file: str) -> str:
    with open(file, encoding="utf-8", errors="replace", newline="") as message:  # noqa: PTH123 - pathlib takes 3 ms to load
        return message.read()

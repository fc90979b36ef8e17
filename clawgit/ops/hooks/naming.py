"""The check of who a commit message says made the commit.

commit-msg writes `Clawgit-Op` itself. `log`, `soul verify` and the digest believe it, so nobody but
the operator writes one by hand.
"""

from collections.abc import Iterator, Mapping

from clawgit.domain.change.actors import UNKNOWN, caller_named
from clawgit.domain.change.trailers import named_ops
from clawgit.ops.hooks.finding import ACTOR, HookFinding
from clawgit.stores.git.staged import output

_BY_GIT = "commit"
_REPLAYED = ("CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD")
"""The commits whose messages git uses again."""


def named_findings(
    text: str, env: Mapping[str, str], *, operator: bool, amends: bool
) -> Iterator[HookFinding]:
    """The actors that a message claims, unless it is the message of a commit that git makes again.

    An amend that changes files is not the same commit any more.
    """
    claimed = [op for op in named_ops(_above_the_diff(text)) if not _is_plain(op)]
    if operator or not claimed:
        return
    known = {op for name in _known(env, amends=amends) for op in named_ops(_message(name, env))}
    for op in dict.fromkeys(claimed):
        if op not in known:
            yield HookFinding(
                "the commit message",
                0,
                ACTOR,
                f"Clawgit-Op: {op} says who made a change, and clawgit alone writes that",
                "Take the line out of the message; the operator commits at a terminal.",
            )


def _above_the_diff(text: str) -> str:
    return text.partition(" ------------------------ >8 ")[0]


def _is_plain(op: str) -> bool:
    """Whether it says no more than the hook itself would write for this caller."""
    slug, _, verb = op.partition("/")
    return verb == _BY_GIT and (slug == UNKNOWN.slug or caller_named(slug) is not None)


def _known(env: Mapping[str, str], *, amends: bool) -> Iterator[str]:
    replayed = [name for name in _REPLAYED if _git(env, "rev-parse", "-q", "--verify", name)]
    yield from replayed
    if replayed or (amends and not _git(env, "diff", "--cached", "--name-only", "HEAD")):
        yield "HEAD"


def _message(name: str, env: Mapping[str, str]) -> str:
    return _git(env, "log", "-1", "--format=%B", name)


def _git(env: Mapping[str, str], *arguments: str) -> str:
    """What git says; "" where it fails."""
    return output(("git", *arguments), env).decode("utf-8", "surrogateescape")

"""The check of who a commit message says made the commit.

commit-msg writes `Clawgit-Op` itself. `log`, `soul verify` and the digest believe it, so nobody but
the operator writes one by hand.
"""

import re
from collections.abc import Iterator, Mapping

from clawgit.domain.change.actors import UNKNOWN, caller_named
from clawgit.domain.change.trailers import named_ops
from clawgit.ops.hooks.finding import ACTOR, HookFinding
from clawgit.stores.git.staged import output

_BY_GIT = "commit"
_REPLAYED = ("CHERRY_PICK_HEAD", "REBASE_HEAD")
"""The commits that git makes again with their messages. Anybody can write these references."""

_OF_GIT = re.compile(r"#.*|\(cherry picked from commit [0-9a-f]+\)|Signed-off-by: .*")
"""Lines that git adds, and comments."""

_LINES = ("--text", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")


def named_findings(
    text: str, env: Mapping[str, str], *, operator: bool, amends: bool
) -> Iterator[HookFinding]:
    """The actors that a message claims, unless it is the message of a commit that git makes again.

    With other words, or with other lines in its files, it is not the same commit any more.
    """
    claimed = [op for op in named_ops(text) if not _is_plain(op)]
    if operator or not claimed:
        return
    known = "\n".join(_message(name, env) for name in _made_again(env, amends=amends))
    own = _words(text) - _words(known)
    for op in dict.fromkeys(claimed):
        if own or op not in named_ops(known):
            yield HookFinding(
                "the commit message",
                0,
                ACTOR,
                f"Clawgit-Op: {op} says who made a change, and only clawgit writes it",
                "Remove the line from the message, or have the operator commit at a terminal.",
            )


def _is_plain(op: str) -> bool:
    """Whether it says no more than the hook itself would write for this caller."""
    slug, _, verb = op.partition("/")
    return verb == _BY_GIT and (slug == UNKNOWN.slug or caller_named(slug) is not None)


def _made_again(env: Mapping[str, str], *, amends: bool) -> Iterator[str]:
    """The commits whose messages this one may have."""
    changed = _changed(env, "diff", "--cached", "HEAD")
    replayed = [
        name
        for name in _REPLAYED
        if _git(env, "rev-parse", "-q", "--verify", name)
        and changed <= _changed(env, "show", "--format=", name)
    ]
    yield from replayed
    if replayed or (amends and not changed):
        yield "HEAD"


def _changed(env: Mapping[str, str], command: str, *which: str) -> set[str]:
    """The lines that a change takes out or puts in, each with its sign."""
    lines = _git(env, command, *_LINES, *which).split("\n")
    return {line for line in lines if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}}


def _words(text: str) -> set[str]:
    lines = {line.strip() for line in text.split("\n")}
    return {line for line in lines if line and not _OF_GIT.fullmatch(line)}


def _message(name: str, env: Mapping[str, str]) -> str:
    return _git(env, "log", "-1", "--format=%B", name)


def _git(env: Mapping[str, str], *arguments: str) -> str:
    """What git says; "" where it fails."""
    return output(("git", *arguments), env).decode("utf-8", "surrogateescape")

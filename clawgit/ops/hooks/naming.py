"""The check of the actor that a commit message names.

The hook commit-msg writes `Clawgit-Op`. `log`, `soul verify` and the digest trust it, so only the
operator may write one by hand.
"""

import re
from collections.abc import Iterator, Mapping

from clawgit.domain.change.actors import UNKNOWN, caller_named
from clawgit.domain.change.trailers import BY_GIT, named_ops
from clawgit.ops.hooks.finding import ACTOR, HookFinding
from clawgit.stores.git.staged import output

_REPLAYED = ("CHERRY_PICK_HEAD", "REBASE_HEAD")
"""Refs of commits that git makes again with their messages. Anybody can write these refs."""

_OF_GIT = re.compile(r"#.*|\(cherry picked from commit [0-9a-f]+\)|Signed-off-by: .*")
"""Lines that git adds, and comments."""

_LINES = ("--text", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")


def named_findings(
    text: str, env: Mapping[str, str], *, operator: bool, amends: bool
) -> Iterator[HookFinding]:
    """Refuses actors that a message claims, unless git makes a commit again with its message.

    If the words, or the lines in its files, differ, it is not the same commit.
    """
    claimed = [op for op in named_ops(text) if not _is_plain(op)]
    if operator or not claimed:
        return
    known = "\n".join(
        _git(env, "log", "-1", "--format=%B", name) for name in _made_again(env, amends=amends)
    )
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
    """Whether it says only what the hook itself would write for this caller."""
    slug, _, verb = op.partition("/")
    return verb == BY_GIT and (slug == UNKNOWN.slug or caller_named(slug) is not None)


def _made_again(env: Mapping[str, str], *, amends: bool) -> Iterator[str]:
    """The commits whose message this one may repeat."""
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
    """The lines that a change removes or adds, each with its sign."""
    lines = _git(env, command, *_LINES, *which).split("\n")
    return {line for line in lines if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}}


def _words(text: str) -> set[str]:
    lines = {line.strip() for line in text.split("\n")}
    return {line for line in lines if line and not _OF_GIT.fullmatch(line)}


def _git(env: Mapping[str, str], *arguments: str) -> str:
    """The output of git; "" if it fails."""
    return output(("git", *arguments), env).decode("utf-8", "surrogateescape")

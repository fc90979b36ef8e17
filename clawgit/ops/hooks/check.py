"""What `git commit` is asked before it happens: each staged file, judged by the rules that our own
writes obey.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from clawgit.domain.change.attribution import has_conflict_markers
from clawgit.domain.change.authority import SOULS
from clawgit.domain.markdown.validate import new_problems
from clawgit.domain.safety.masks import new_masks
from clawgit.domain.safety.secrets import findings, new_findings, text_of, wide_encoding
from clawgit.ops.health.sizes import FILE_CHARACTERS, INJECTED, LARGEST_FILE
from clawgit.ops.hooks.finding import (
    CONFIG_RULE,
    CORRECTIONS,
    CORRECTIONS_RULE,
    SECRET,
    SOUL,
    Asker,
    HookCheck,
    HookFinding,
    config_here,
)
from clawgit.ops.safety.secrets_allowed import allowed
from clawgit.stores.git.staged import StagedEdit, StagedText

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

_CONFLICT = re.compile(rb"^(?:<{7} |>{7} )", re.MULTILINE)

_TAG = rb"#(?:event|knowledge|skill|decision)"
_TELLING = re.compile(
    rb"claw:|%b[^\n]*%b|^(?![ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t])[^\n]*%b" % (_TAG, _TAG, _TAG),
    re.MULTILINE,
)
"""Without facts, two tags in a line, or a tag in a line that begins no item, nothing can be wrong
in an entry."""


def checks(edits: Iterable[StagedEdit], asker: Asker) -> Iterator[HookCheck]:
    """Every question about every file; what may not leave this machine, and the soul, come
    first.
    """
    for edit in edits:
        path = edit.path
        if path in SOULS:
            yield HookCheck(SOUL, path, partial(_identity, SOUL, edit, asker))
        if edit.staged.is_link:
            yield HookCheck("link", path, partial(_link, edit))
        if edit.after is not None and (edit.after.is_text or wide_encoding(edit.after.data)):
            yield HookCheck(SECRET, path, partial(_secrets, edit, asker))
            yield HookCheck("mask", path, partial(_masks, edit, asker))
        if edit.after is not None and edit.after.is_text:
            yield HookCheck("conflict", path, partial(_conflict_markers, edit))
        if edit.after and path == config_here():
            yield HookCheck(CONFIG_RULE, path, partial(_identity, CONFIG_RULE, edit, asker))
        if path == CORRECTIONS:
            yield HookCheck(
                CORRECTIONS_RULE, path, partial(_identity, CORRECTIONS_RULE, edit, asker)
            )
        if edit.after is not None and path.lower().endswith(".md"):
            yield HookCheck("size", path, partial(_size, edit))
            yield HookCheck("entry", path, partial(_entries, edit))


def _secrets(edit: StagedEdit, asker: Asker) -> Iterator[HookFinding]:
    before, after = (text_of(blob.data) if blob else "" for blob in (edit.before, edit.after))
    found = new_findings(edit.path, before, after)
    if not found:
        return
    moved = {secret.fingerprint for text in asker.gone() for secret in findings(edit.path, text)}
    passed = moved | allowed(asker.workspace(), [secret.fingerprint for secret in found])
    for secret in found:
        if secret.fingerprint not in passed:
            hint = f"Take it out; if it is none: clawgit secrets allow {secret.fingerprint}"
            message = f"looks like a secret ({secret.rule}): {secret.shown}"
            yield HookFinding(edit.path, secret.line, SECRET, message, hint)


def _masks(edit: StagedEdit, asker: Asker) -> Iterator[HookFinding]:
    """What a masked output showed in the place of a secret, written over the file that has the
    secret.
    """
    after = _text(edit.after)
    if not new_masks(_text(edit.before), after):
        return
    for mask in new_masks("\n".join((_text(edit.before), *asker.gone())), after):
        line = after.count("\n", 0, after.index(mask)) + 1
        message = f"{mask} stands for a secret that clawgit masked, and is not its text"
        hint = "Bring the line back as it was: git diff --cached shows it."
        yield HookFinding(edit.path, line, "mask", message, hint)


def message_findings(text: str, workspace: "Callable[[], WorkspaceBase]") -> Iterator[HookFinding]:
    """The secrets in a commit message; what `git commit -v` shows below its scissors is no part of
    it.
    """
    found = findings("", text.partition(" ------------------------ >8 ")[0])
    if not found:
        return
    passed = allowed(workspace(), [secret.fingerprint for secret in found])
    for secret in found:
        if secret.fingerprint not in passed:
            hint = (
                "Take it out of the message; if it is none: clawgit secrets allow "
                f"{secret.fingerprint}"
            )
            message = f"looks like a secret ({secret.rule}): {secret.shown}"
            yield HookFinding("the commit message", secret.line, SECRET, message, hint)


def _conflict_markers(edit: StagedEdit) -> Iterator[HookFinding]:
    data = edit.after.data if edit.after else b""
    first = _CONFLICT.search(data)
    if first is None:
        return
    if has_conflict_markers(data) and not (edit.before and has_conflict_markers(edit.before.data)):
        hint = "Keep what is right of both sides, take the marks out, and `git add` it."
        yield HookFinding(
            edit.path,
            data.count(b"\n", 0, first.start()) + 1,
            "conflict",
            "the marks of an unfinished merge",
            hint,
        )


def _link(edit: StagedEdit) -> Iterator[HookFinding]:
    if edit.path.lower().endswith(".md"):
        yield HookFinding(
            edit.path,
            0,
            "link",
            "a symlink, which OpenClaw refuses",
            "Stage the file itself.",
            refused=False,
        )


def _entries(edit: StagedEdit) -> Iterator[HookFinding]:
    data = edit.after.data if edit.after else b""
    if not _TELLING.search(data):
        return
    before = edit.before.data if edit.before else None
    for problem in new_problems(edit.path, before, data):
        # What is merely doubled can be read and mended later; it must not stand between a user and
        # a commit.
        yield HookFinding(
            edit.path,
            problem.line,
            "entry",
            problem.message,
            problem.hint,
            refused=not problem.doubled,
        )


def _size(edit: StagedEdit) -> Iterator[HookFinding]:
    size, before = edit.after.size if edit.after else 0, edit.before.size if edit.before else 0
    if size <= before:
        return
    if size > LARGEST_FILE:
        message = f"has {size / 1048576:.1f} MiB, and OpenClaw refuses files over 2"
        yield HookFinding(
            edit.path, 0, "size", message, "Split it by topic.", refused=before <= LARGEST_FILE
        )
    elif (
        edit.path in INJECTED
        and size > FILE_CHARACTERS
        and (count := len(_text(edit.after))) > FILE_CHARACTERS
    ):
        message = (
            f"has {count:,} characters; OpenClaw cuts the middle out beyond {FILE_CHARACTERS:,}"
        )
        yield HookFinding(
            edit.path, 0, "size", message, "Move detail into files under memory/.", refused=False
        )


def _identity(rule: str, edit: StagedEdit, asker: Asker) -> Iterable[HookFinding]:
    """The questions about the soul, the settings and the corrections, by the name of the rule."""
    from clawgit.ops.hooks.soul import QUESTIONS  # noqa: PLC0415 - 15 ms most commits do not need

    before = None if edit.before is None else _text(edit.before)
    after = None if edit.after is None else _text(edit.after)
    return QUESTIONS[rule](asker, edit.path, before, after)


def _text(blob: StagedText | None) -> str:
    return (blob.data if blob else b"").decode("utf-8", "surrogateescape")

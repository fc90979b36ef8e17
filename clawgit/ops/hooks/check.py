"""The checks of each staged file at `git commit`, by the same rules as our own writes.

A quick look comes first, and must not hide what a new check is for: the patterns of
`hooks/pre-commit.sh`, without which Python does not start.

What only one check needs is imported in that check, inside `run_safely`. If it were imported at the
top, a broken install would end Python with code 1, and git would commit without any check.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from clawgit.domain.change.authority import SOULS, has_conflict_markers
from clawgit.domain.markdown.decoding import exact_text, is_text, text_of
from clawgit.domain.markdown.entry import new_problems
from clawgit.domain.safety.masks import new_masks
from clawgit.domain.safety.planted import planted
from clawgit.domain.safety.secrets import Secret, findings, new_findings
from clawgit.domain.workspace.limits import FILE_CHARACTERS, INJECTED, LARGEST_FILE
from clawgit.ops.hooks.finding import (
    CONFIG_RULE,
    CORRECTIONS,
    CORRECTIONS_RULE,
    ENTRIES,
    FORGOTTEN,
    PLANTED,
    SECRET,
    SOUL,
    Asker,
    HookCheck,
    HookFinding,
)
from clawgit.ops.workspace.own_files import common_folder, config_name
from clawgit.stores.git import RECORD
from clawgit.stores.git.staged import StagedEdit, StagedText

if TYPE_CHECKING:
    from clawgit.ops.workspace.workspace_base import WorkspaceBase

_CONFLICT = re.compile(rb"^(?:<{7} |>{7} )", re.MULTILINE)

_FORGOTTEN_HINT = "Leave them out, or have the operator add them back at a terminal."
_PROPOSE = (
    "Write it with `clawgit memory add`, or `clawgit soul propose`: then it waits for the operator "
    "instead."
)
_LOOK = "Until the operator has seen it with `clawgit trust`, agents do not see it."
_TOO_LARGE = "Split it by topic; if it is no memory, leave it out of `scope` in CONFIG.md."


def was_corrected(edit: StagedEdit) -> bool:
    """Whether a file may have held an entry that the operator corrected, by its tag or source."""
    return edit.before is not None and b"correction" in edit.before.data


def checks(edits: Iterable[StagedEdit], asker: Asker) -> Iterator[HookCheck]:
    """Every check of every file. For each file, the soul and secrets come first."""
    forgets = has_forgotten(asker.env)
    for edit in edits:
        for rule, find in _of_file(edit, forgets=forgets):
            yield HookCheck(rule, edit.path, partial(find, edit, asker))


def _of_file(
    edit: StagedEdit, *, forgets: bool
) -> "Iterator[tuple[str, Callable[[StagedEdit, Asker], Iterable[HookFinding]]]]":
    if edit.path in SOULS:
        yield SOUL, partial(_identity, SOUL)
    if edit.after is not None:
        # For any file, since its name can contain one.
        yield SECRET, _secrets
        if is_text(edit.after.data):
            yield "mask", _masks
        if edit.after.is_text:
            yield "conflict", _conflict_markers
    if edit.path == config_name():
        yield CONFIG_RULE, partial(_identity, CONFIG_RULE)
    if edit.path == CORRECTIONS:
        yield CORRECTIONS_RULE, partial(_identity, CORRECTIONS_RULE)
    elif was_corrected(edit):
        yield ENTRIES, partial(_identity, ENTRIES)
    if edit.after is not None and edit.path.lower().endswith(".md"):
        yield from (("size", _size), ("entry", _entries), (PLANTED, _planted))
        if forgets:
            yield FORGOTTEN, _forgotten


def _secrets(edit: StagedEdit, asker: Asker) -> Iterator[HookFinding]:
    secrets: tuple[Secret, ...] = ()
    if edit.after and is_text(edit.after.data):
        before = text_of(edit.before.data) if edit.before else ""
        secrets = new_findings(edit.path, before, text_of(edit.after.data))
    if edit.before is None:
        secrets += findings("", edit.path)
    if secrets:
        # A secret that this commit takes out of another file was only moved.
        moved = findings(edit.path, "\n".join(asker.gone()))
        yield from _not_allowed(edit.path, secrets, asker.workspace, moved)


def message_findings(text: str, workspace: "Callable[[], WorkspaceBase]") -> Iterator[HookFinding]:
    """The secrets in a commit message, without the diff that `git commit -v` appends to it."""
    secrets = findings("", text.partition(" ------------------------ >8 ")[0])
    # The allowances are read only for a hit, since this runs at each commit.
    if secrets:
        yield from _not_allowed("the commit message", secrets, workspace, ())


def _not_allowed(
    place: str,
    secrets: Iterable[Secret],
    workspace: "Callable[[], WorkspaceBase]",
    moved: Iterable[Secret],
) -> Iterator[HookFinding]:
    from clawgit.ops.safety.masking import allowed  # noqa: PLC0415 - fails in this check alone

    passed = allowed(workspace(), [secret.fingerprint for secret in secrets])
    passed |= {secret.fingerprint for secret in moved}
    for secret in secrets:
        if secret.fingerprint not in passed:
            allow = f"clawgit secrets allow {secret.fingerprint}"
            hint = f"Remove it; if it is not a secret: {allow}"
            message = f"looks like a secret ({secret.rule}): {secret.shown}"
            yield HookFinding(place, secret.line, SECRET, message, hint)


def _masks(edit: StagedEdit, asker: Asker) -> Iterator[HookFinding]:
    """Refuses the mask of a secret, copied from clawgit's output over the secret itself."""
    after = _text(edit.after)
    if not new_masks(_text(edit.before), after):
        return
    for mask in new_masks("\n".join((_text(edit.before), *asker.gone())), after):
        line = after.count("\n", 0, after.index(mask)) + 1
        message = f"{mask} stands for text that clawgit did not show, and is not that text"
        hint = "Bring the line back as it was: git diff --cached shows it."
        yield HookFinding(edit.path, line, "mask", message, hint)


def _conflict_markers(edit: StagedEdit, _: Asker) -> Iterator[HookFinding]:
    data = edit.after.data if edit.after else b""
    first = _CONFLICT.search(data)
    if first is None:
        return
    if has_conflict_markers(data) and not (edit.before and has_conflict_markers(edit.before.data)):
        hint = "Keep what is right of both sides, remove the markers, and `git add` it."
        yield HookFinding(
            edit.path,
            data.count(b"\n", 0, first.start()) + 1,
            "conflict",
            "the markers of an unfinished merge",
            hint,
        )


def _entries(edit: StagedEdit, _: Asker) -> Iterator[HookFinding]:
    before = edit.before.data if edit.before else None
    for problem in new_problems(edit.path, before, edit.after.data if edit.after else b""):
        # A duplicate id is repaired later, so it does not stop the commit.
        yield HookFinding(
            edit.path,
            problem.line,
            "entry",
            problem.message,
            problem.hint,
            refused=not problem.doubled,
        )


def _planted(edit: StagedEdit, asker: Asker) -> Iterator[HookFinding]:
    """Text that looks planted, in the files that `context` and the search serve.

    What the operator commits at a terminal is his. A caller without a terminal that names no actor
    may be an editor, so it is only warned.
    """
    before, after = _judged(edit.before), _judged(edit.after)
    if not planted(after, before):
        return
    from clawgit.ops.hooks.soul import planted_by_others  # noqa: PLC0415 - 15 ms most commits do not need

    new = planted_by_others(asker, edit.path, before, after)
    if not new:
        return
    # Each line of the soul is an order, whoever commits it.
    refused = asker.is_agent or (edit.path in SOULS and before != "")
    hint = _PROPOSE if refused else _LOOK
    for block in new:
        message = f"looks planted ({block.kind}): {block.reason}"
        yield HookFinding(edit.path, block.line, PLANTED, message, hint, refused=refused)


def has_forgotten(env: Mapping[str, str]) -> bool:
    """Whether anything was ever forgotten here."""
    return os.path.isfile(f"{common_folder(env)}/clawgit/{RECORD}")  # noqa: PTH113 - pathlib takes 5 ms to load


def _forgotten(edit: StagedEdit, asker: Asker) -> Iterator[HookFinding]:
    """Whether a file gets words that `clawgit forget` removed: an agent is refused."""
    if asker.workspace().forgotten().is_back(_judged(edit.before), _judged(edit.after)):
        message = "words that `clawgit forget` removed"
        yield HookFinding(edit.path, 0, FORGOTTEN, message, _FORGOTTEN_HINT, refused=asker.is_agent)


def _size(edit: StagedEdit, _: Asker) -> Iterator[HookFinding]:
    size, before = edit.after.size if edit.after else 0, edit.before.size if edit.before else 0
    if size <= before:
        return
    if size > LARGEST_FILE:
        message = f"has {size / 1048576:.1f} MiB, and OpenClaw refuses files over 2"
        yield HookFinding(edit.path, 0, "size", message, _TOO_LARGE, refused=before <= LARGEST_FILE)
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
    """Runs the check of the soul, the settings or the corrections that the rule names."""
    from clawgit.ops.hooks.soul import QUESTIONS  # noqa: PLC0415 - 15 ms most commits do not need

    before = None if edit.before is None else _text(edit.before)
    after = None if edit.after is None else _text(edit.after)
    return QUESTIONS[rule](asker, edit.path, before, after)


def _judged(staged: StagedText | None) -> str:
    return text_of(staged.data) if staged else ""


def _text(blob: StagedText | None) -> str:
    return exact_text(blob.data if blob else None)

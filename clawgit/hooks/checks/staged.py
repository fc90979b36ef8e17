"""The checks of each staged file at `git commit`, by the same rules as our own writes: `RULES`.

A quick look comes first, and must not hide what a new check is for: the patterns of
`hooks/pre-commit.sh`, without which Python does not start.

What takes long to load, or decides whether a secret passes, is imported in its check, inside
`run_safely`: where it is broken, the commit is refused.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from clawgit.core.errors import Finding
from clawgit.core.layout import SOULS, is_markdown
from clawgit.core.limits import FILE_CHARACTERS, INJECTED, LARGEST_FILE
from clawgit.core.markdown.decoding import (
    decoded,
    exact_text,
    has_conflict_markers,
    is_text,
    text_of,
)
from clawgit.core.markdown.entry import holds_entries, new_problems
from clawgit.git import RECORD
from clawgit.git.staged import StagedEdit, StagedText
from clawgit.hooks.checks import (
    CONFIG_RULE,
    CORRECTIONS,
    CORRECTIONS_RULE,
    ENTRIES,
    SECRET,
    SOUL,
    Asker,
)
from clawgit.safety.own_files import common_folder, config_name
from clawgit.safety.rules.masks import new_masks
from clawgit.safety.rules.planted import planted
from clawgit.safety.rules.secrets import Secret, findings, new_findings

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

_LOOK = "Until the operator has seen it with `clawgit trust`, agents do not see it."
_PROPOSE = (
    "Write it with `clawgit memory add`, or `clawgit soul propose`: then it waits for the operator "
    "instead."
)
_FORGOTTEN = "Leave them out, or have the operator add them back at a terminal."
_TOO_LARGE = "Split it by topic; if it is no memory, leave it out of `scope` in CONFIG.md."
_MARKERS = "Keep what is right of both sides, remove the markers, and `git add` it."


Check = Callable[[StagedEdit, Asker], Iterable[Finding]]


def _identity(kind: str, edit: StagedEdit, asker: Asker) -> Iterable[Finding]:
    """Runs the check of the soul, the settings or the corrections that the rule names."""
    from clawgit.hooks.checks.soul import QUESTIONS  # noqa: PLC0415 - 15 ms most commits do not need

    before, after = (decoded(side and side.data) for side in (edit.before, edit.after))
    return QUESTIONS[kind](asker, edit.path, before, after)


def _secrets(edit: StagedEdit, asker: Asker) -> Iterator[Finding]:
    secrets: tuple[Secret, ...] = ()
    if edit.after and is_text(edit.after.data):
        secrets = new_findings(edit.path, _judged(edit.before), text_of(edit.after.data))
    if edit.before is None:
        secrets += findings("", edit.path)
    if secrets:
        # A secret that this commit takes out of another file was only moved.
        moved = findings(edit.path, "\n".join(asker.gone()))
        yield from _not_allowed(secrets, asker.workspace, moved)


def message_findings(text: str, workspace: "Callable[[], WorkspaceBase]") -> Iterator[Finding]:
    """The secrets in a commit message, without the diff that `git commit -v` appends to it."""
    secrets = findings("", text.partition(" ------------------------ >8 ")[0])
    # The allowances are read only for a hit, since this runs at each commit.
    if secrets:
        yield from _not_allowed(secrets, workspace, ())


def _not_allowed(
    secrets: Iterable[Secret], workspace: "Callable[[], WorkspaceBase]", moved: Iterable[Secret]
) -> Iterator[Finding]:
    from clawgit.safety.masking import allowed  # noqa: PLC0415 - fails in this check alone

    passed = allowed(workspace(), [secret.fingerprint for secret in secrets])
    passed |= {secret.fingerprint for secret in moved}
    for secret in secrets:
        if secret.fingerprint not in passed:
            hint = f"Remove it; if it is not a secret: clawgit secrets allow {secret.fingerprint}"
            why = f"looks like a secret ({secret.rule}): {secret.shown}"
            yield Finding(why, hint, line=secret.line)


def _masks(edit: StagedEdit, asker: Asker) -> Iterator[Finding]:
    """Refuses the mask of a secret, copied from clawgit's output over the secret itself."""
    after = _text(edit.after)
    if not new_masks(_text(edit.before), after):
        return
    for mask in new_masks("\n".join((_text(edit.before), *asker.gone())), after):
        line = after.count("\n", 0, after.index(mask)) + 1
        why = f"{mask} stands for text that clawgit did not show, and is not that text"
        hint = "Bring the line back as it was: git diff --cached shows it."
        yield Finding(why, hint, line=line)


def _conflict_markers(edit: StagedEdit, _: Asker) -> Iterator[Finding]:
    data = _data(edit.after)
    if has_conflict_markers(data) and not has_conflict_markers(_data(edit.before)):
        line = f"\n{exact_text(data)}".partition("\n<<<<<<< ")[0].count("\n") + 1
        yield Finding("the markers of an unfinished merge", _MARKERS, line=line)


def _entries(edit: StagedEdit, _: Asker) -> Iterator[Finding]:
    # A duplicate id is repaired later: it is a warning, and does not stop the commit.
    yield from new_problems(edit.path, _data(edit.before), _data(edit.after))


def _planted(edit: StagedEdit, asker: Asker) -> Iterator[Finding]:
    """Text that looks planted, in the files that `context` and the search serve.

    What the operator commits at a terminal is his. A caller without a terminal that names no actor
    may be an editor, so it is only warned.
    """
    before, after = _judged(edit.before), _judged(edit.after)
    if not planted(after, before):
        return
    from clawgit.hooks.checks.soul import planted_by_others  # noqa: PLC0415 - 15 ms most commits do not need

    # Each line of the soul is an order, whoever commits it.
    refused = asker.is_agent or (edit.path in SOULS and before != "")
    hint = _PROPOSE if refused else _LOOK
    for block in planted_by_others(asker, edit.path, before, after):
        why = f"looks planted ({block.kind}): {block.reason}"
        yield Finding(why, hint, line=block.line, refused=refused)


def _forgotten(edit: StagedEdit, asker: Asker) -> Iterator[Finding]:
    """Whether a file gets words that `clawgit forget` removed: an agent is refused."""
    # Mostly nothing was ever forgotten, and pathlib takes 5 ms to load.
    if not os.path.isfile(f"{common_folder(asker.env)}/clawgit/{RECORD}"):  # noqa: PTH113
        return
    if asker.workspace().forgotten().is_back(_judged(edit.before), _judged(edit.after)):
        why = "words that `clawgit forget` removed"
        yield Finding(why, _FORGOTTEN, refused=asker.is_agent)


def _size(edit: StagedEdit, _: Asker) -> Iterator[Finding]:
    size, before = edit.after.size if edit.after else 0, edit.before.size if edit.before else 0
    if size <= before:
        return
    if size > LARGEST_FILE:
        why = f"has {size / 1048576:.1f} MiB, and OpenClaw refuses files over 2"
        yield Finding(why, _TOO_LARGE, refused=before <= LARGEST_FILE)
    elif edit.path in INJECTED and (count := len(_text(edit.after))) > FILE_CHARACTERS:
        why = f"has {count:,} characters; OpenClaw cuts the middle out beyond {FILE_CHARACTERS:,}"
        yield Finding(why, "Move detail into files under memory/.", refused=False)


def was_corrected(edit: StagedEdit) -> bool:
    """Whether a file may hold an entry that the operator corrected, by its tag or source, or
    lacks a line of one as it was.
    """
    if edit.path == CORRECTIONS or edit.before is None:
        return False
    before, after = edit.before.data, _data(edit.after)
    gone = {*before.split(b"\n")}.difference(after.split(b"\n"))
    return b"correction" in before + after or (holds_entries(edit.path) and any(gone))


def _is_page(edit: StagedEdit) -> bool:
    return edit.after is not None and is_markdown(edit.path)


RULES: Sequence[tuple[str, Callable[[StagedEdit], bool], Check]] = (
    (SOUL, lambda edit: edit.path in SOULS, partial(_identity, SOUL)),
    # For any file, since its name can contain one.
    (SECRET, lambda edit: edit.after is not None, _secrets),
    ("mask", lambda edit: edit.after is not None and is_text(edit.after.data), _masks),
    ("conflict", lambda edit: edit.after is not None and edit.after.is_text, _conflict_markers),
    (CONFIG_RULE, lambda edit: edit.path == config_name(), partial(_identity, CONFIG_RULE)),
    (CORRECTIONS_RULE, lambda edit: edit.path == CORRECTIONS, partial(_identity, CORRECTIONS_RULE)),
    (ENTRIES, was_corrected, partial(_identity, ENTRIES)),
    ("size", _is_page, _size),
    ("entry", _is_page, _entries),
    ("planted", _is_page, _planted),
    ("forgotten", _is_page, _forgotten),
)
"""Each rule: its kind, which files it is for, and its check. The soul and secrets come first."""

NEVER_UNCHECKED = (SOUL, SECRET, CONFIG_RULE, CORRECTIONS_RULE, ENTRIES)
"""Rules that refuse if their check breaks, so that nothing passes unchecked. The last three are
checked by the same module as the soul, and break with it."""


def _judged(staged: StagedText | None) -> str:
    return text_of(_data(staged))


def _text(staged: StagedText | None) -> str:
    return exact_text(_data(staged))


def _data(staged: StagedText | None) -> bytes:
    return staged.data if staged else b""

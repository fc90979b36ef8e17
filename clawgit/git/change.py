"""A change: its edits, and what became of them, which is the answer of every writing command."""

from collections.abc import Iterable

from clawgit.core import NamedTuple
from clawgit.core.doors import difflib
from clawgit.core.markdown.decoding import text_of
from clawgit.git.foreign import PLAIN_FILE
from clawgit.safety.rules.visible import inline


class Edit(NamedTuple):
    """One file's change, before and after, both as git stores them; None is no file.

    An existing file keeps its mode, except with `chmod`.
    """

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = PLAIN_FILE
    chmod: bool = False


class Change(NamedTuple):
    """What a writing command did.

    `commit` is None if nothing had to change, and in a dry run; `preview` is then the diff.
    `parked`: git is busy, and the change is applied afterwards.
    """

    commit: str | None = None
    id: str | None = None
    changed: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    parked: bool = False
    dry_run: bool = False
    preview: str = ""
    of: str = ""
    """What it was done to, as a user names it: an undone change, a conflict."""
    held: tuple[str, ...] = ()
    """Why the change waits for the operator, as the proposal `id`."""
    warnings: tuple[str, ...] = ()
    note: str = ""
    """How what was done differs from what was asked for, if it does."""


def diff_of(edits: Iterable[Edit]) -> str:
    """The edits of a transaction as a unified diff."""
    parts: list[str] = []
    for edit in sorted(edits, key=lambda one: one.path):
        # A newline in a name would make lines of a diff that no file has.
        name = inline(edit.path)
        (old, a), (new, b) = _side(edit.before, f"a/{name}"), _side(edit.after, f"b/{name}")
        if edit.before != edit.after:
            parts += difflib.unified_diff(old, new, a, b)
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in parts
    )


def _side(data: bytes | None, name: str) -> tuple[list[str], str]:
    """The lines of a side, and its name in a diff."""
    if data is None:
        return [], "/dev/null"
    return text_of(data).splitlines(keepends=True), name

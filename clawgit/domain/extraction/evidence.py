"""Whether an agent's change says what it rests on. An entry of its own without evidence
is a bug.
"""

from collections.abc import Iterable, Iterator, Sequence

from clawgit.domain.compaction.moved import is_link
from clawgit.domain.markdown.entry import Entry, entries, holds_entries

_BULLETS = ("-", "*", "+")

Edit = tuple[str, str | None, str | None]
"""A path, and its text before and after; None is no file."""


def unfounded(edits: Iterable[Edit]) -> Iterator[tuple[str, Entry]]:
    """The entries, each with its path, that edits bring in without evidence.

    An entry that stood in any of the files before is not new, wherever it moved.
    """
    edits = [*edits]
    fresh = _with_new_lines(edits)
    if not fresh:
        return
    # An entry may only have moved: then another file of the edit had it before.
    known = _words_before(edits)
    for path, text in fresh.items():
        for entry in _groundless(text):
            if _words(entry) not in known:
                yield path, entry


def _with_new_lines(edits: Sequence[Edit]) -> dict[str, str]:
    """The files that may hold new entries, by their lines alone: cheaper than reading entries."""
    old_lines = {line for _, before, _ in edits for line in (before or "").splitlines()}
    return {
        path: after
        for path, _, after in edits
        if after and holds_entries(path) and _has_new(after, old_lines)
    }


def _has_new(text: str, known: set[str]) -> bool:
    return any(
        line not in known and line.lstrip().startswith(_BULLETS) for line in text.splitlines()
    )


def _words_before(edits: Sequence[Edit]) -> set[str]:
    return {_words(entry) for _, before, _ in edits if before for entry in entries(before)}


def _groundless(text: str) -> Iterator[Entry]:
    for entry in entries(text):
        has_evidence = entry.meta is not None and bool(entry.meta.evidence)
        if entry.text.strip() and not has_evidence and not is_link(entry.raw):
            yield entry


def _words(entry: Entry) -> str:
    return " ".join(entry.text.split())

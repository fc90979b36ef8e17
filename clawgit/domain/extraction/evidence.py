"""Whether a change that an agent makes says what it rests on: an entry of its own without evidence
is a bug.
"""

from collections.abc import Iterable, Iterator

from clawgit.domain.markdown.entry import Entry, entries, holds_entries

_BULLETS = ("-", "*", "+")


def unfounded(edits: Iterable[tuple[str, str | None, str | None]]) -> Iterator[tuple[str, Entry]]:
    """The entries, each with its path, that edits (path, before, after) bring in without evidence.
    What stood in any of the files before is no news, wherever it moved.
    """
    edits = [*edits]
    old_lines = {line for _, before, _ in edits for line in (before or "").splitlines()}
    fresh = {
        path: after
        for path, _, after in edits
        if after and holds_entries(path) and _has_new(after, old_lines)
    }
    known = {
        _words(entry) for _, before, _ in edits if before and fresh for entry in entries(before)
    }
    for path, text in fresh.items():
        for entry in _groundless(text):
            if _words(entry) not in known:
                yield path, entry


def borne(quote: str, *evidence: str) -> bool:
    """Whether words that somebody quotes stand in one of these texts, letter by letter but for
    white space. A language model's answer counts as far as this holds.
    """
    from clawgit.domain.extraction.quoting import bears  # noqa: PLC0415 - the language kit, where a model was asked

    return any(bears(text, quote) for text in evidence)


def _has_new(text: str, known: set[str]) -> bool:
    return any(
        line not in known and line.lstrip().startswith(_BULLETS) for line in text.splitlines()
    )


def _groundless(text: str) -> Iterator[Entry]:
    from clawgit.domain.compaction.moved import is_link  # noqa: PLC0415 - where an entry is new

    for entry in entries(text):
        if (
            entry.text.strip()
            and not (entry.meta and entry.meta.evidence)
            and not is_link(entry.raw)
        ):
            yield entry


def _words(entry: Entry) -> str:
    return " ".join(entry.text.split())

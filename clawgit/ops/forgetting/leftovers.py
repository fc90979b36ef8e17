"""clawgit's own files with forgotten words: derived ones are deleted, others lose the words."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from clawgit.config.trust import TrustRow
from clawgit.domain.forgetting.wiping import wiped_bytes
from clawgit.doors import shutil
from clawgit.ops.forgetting.ground import Ground, files_below
from clawgit.stores.database import clear, parts
from clawgit.stores.index.live import as_it_stands
from clawgit.stores.trust import accepted_rows, change_rows, trust_file
from clawgit.stores.vectors import key_of, only

_INDEXES = ("search.db", "index.db", "past/*.db")
_VECTORS = ("vectors", "chroma")
_ASIDE = ".broken-"
"""The part of the name that marks a damaged database which was set aside."""

_STATE = "state."
"""How the names of state.db, its logs, and damaged copies of it begin."""


def indexes_with(ground: Ground) -> list[Path]:
    """Derived databases with the words in any of their files."""
    bases = (base for folder in ground.folders for base in _databases(folder))
    return [base for base in bases if any(map(ground.is_in, parts(base)))]


def clear_indexes(ground: Ground) -> int:
    """Deletes them; the next search reads the files again."""
    found = indexes_with(ground)
    for base in found:
        clear(base)
    return len(found)


def clear_history(ground: Ground) -> None:
    """Deletes what was derived from the old commits; it is made again from the new ones."""
    for folder in ground.folders:
        for base in _databases(folder):
            clear(base)


def vectors_with(ground: Ground) -> frozenset[bytes]:
    """The keys of the vectors of texts that hold the words, as the indexes know them."""
    return frozenset(key_of(text) for text in _embedded(ground) if ground.matcher.is_in(text))


def drop_vectors(ground: Ground) -> int:
    """Deletes them, since much of a text can be guessed from its vector, and with them those of
    texts that no file has any more: nobody knows what these said.

    Chroma is filled again from the others.
    """
    vectors, chroma = (ground.workspace.place.shared / name for name in _VECTORS)
    clean = {key_of(text) for text in _embedded(ground) if not ground.matcher.is_in(text)}
    gone = only(vectors, clean)
    if gone and chroma.is_dir():
        shutil.rmtree(chroma)
    return gone


def _embedded(ground: Ground) -> Iterator[str]:
    """The texts that the indexes of all worktrees and past commits hold, as they are embedded."""
    for base in chain.from_iterable(map(_databases, ground.folders)):
        if index := as_it_stands(base):
            with suppress(sqlite3.DatabaseError), index:
                for file in index.files():
                    yield from index.passages(file.ids)


def notes_with(ground: Ground) -> list[Path]:
    """All other files of clawgit's own with the words: logs, settings, displaced or damaged
    files.
    """
    found = [file for folder in ground.folders for file in _notes(folder)]
    found += [*files_below(ground.state_home / "connected"), *_logs(ground.state_home)]
    return [file for file in found if ground.is_in(file)]


def cut_notes(ground: Ground) -> int:
    """Removes the words from each. A damaged database that was set aside is deleted."""
    found = notes_with(ground)
    for file in found:
        if _ASIDE in file.name:
            clear(file)
        else:
            file.write_bytes(wiped_bytes(file.name, file.read_bytes(), ground.matcher))
    return len(found)


def accepted_with(ground: Ground) -> list[TrustRow]:
    """Rows of what the operator has accepted that repeat the words."""
    rows = accepted_rows(_trusted(ground), ground.workspace.place)
    return [row for row in rows if _repeats(row, ground)]


def cut_accepted(ground: Ground) -> int:
    """Cuts the words and leaves the hash, as for a text with a secret."""
    found = accepted_with(ground)
    if found:
        change_rows(_trusted(ground), ground.workspace.place, lambda rows: _cut(rows, ground))
    return len(found)


def _trusted(ground: Ground) -> Path:
    return trust_file(ground.workspace.caller.home, ground.workspace.caller.env)


def _cut(rows: Iterable[TrustRow], ground: Ground) -> list[TrustRow]:
    return [
        row._replace(value=None, reason=ground.matcher.without(row.reason))
        if _repeats(row, ground)
        else row
        for row in rows
    ]


def _repeats(row: TrustRow, ground: Ground) -> bool:
    texts = (row.value, row.reason)
    return any(isinstance(text, str) and ground.matcher.is_in(text) for text in texts)


def _notes(folder: Path) -> Iterator[Path]:
    derived = {part for base in _databases(folder) for part in parts(base)}
    for file in files_below(folder):
        if file not in derived and not _is_elsewhere(file.relative_to(folder).parts[0]):
            yield file


def _is_elsewhere(name: str) -> bool:
    """Whether another row of the table of places clears a file of this name."""
    return name in _VECTORS or (name.startswith(_STATE) and _ASIDE not in name)


def _databases(folder: Path) -> list[Path]:
    return [base for pattern in _INDEXES for base in sorted(folder.glob(pattern))]


def _logs(folder: Path) -> Iterator[Path]:
    yield from (file for file in sorted(folder.glob("*.log*")) if file.is_file())

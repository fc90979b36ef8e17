"""The files of clawgit's own that hold forgotten words: derived ones go, of others the words."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from clawgit.config.trust import TrustRow
from clawgit.domain.forgetting.wiping import wiped_bytes
from clawgit.doors import shutil
from clawgit.ops.forgetting.ground import Ground, files_below
from clawgit.stores.clearing import clear, parts
from clawgit.stores.database import connect
from clawgit.stores.index.opening import files_of
from clawgit.stores.trust import accepted_rows, change_rows, trust_file
from clawgit.stores.vector_files import drop

_INDEXES = ("live.db", "index.db", "facts.db", "past/*.db")
_VECTORS = ("vectors", "chroma")
_ASIDE = ".broken-"
"""Stands in the name of a damaged database that was set aside."""

_OF_HISTORY = ("secrets.json", "deep.json")
"""How far scans of history got."""

_STATE = "state."
"""How the names of state.db, of its logs and of its damaged forerunners begin."""


def indexes_with(ground: Ground) -> list[Path]:
    """Databases that follow from files and history, where any of their files holds the words."""
    bases = (base for folder in ground.folders for base in _databases(folder))
    return [base for base in bases if any(map(ground.is_in, parts(base)))]


def clear_indexes(ground: Ground) -> int:
    """Takes them away; the next search reads the files anew."""
    found = indexes_with(ground)
    for base in found:
        clear(base)
    return len(found)


def clear_history(ground: Ground) -> None:
    """What follows from commits that are no more: it is made again from those that are."""
    for folder in ground.folders:
        for base in _databases(folder):
            clear(base)
        for name in _OF_HISTORY:
            (folder / name).unlink(missing_ok=True)


def vectors_with(ground: Ground) -> frozenset[bytes]:
    """The keys of the vectors of texts that hold the words, as the index knows them."""
    index = files_of(ground.workspace.place).shared
    if not index.is_file():
        return frozenset()
    with suppress(sqlite3.DatabaseError), closing(connect(index, "ro")) as db:
        texts = db.execute("SELECT hash, text FROM text_texts")
        return frozenset(key for key, text in texts if ground.matcher.is_in(str(text)))
    return frozenset()


def drop_vectors(ground: Ground) -> int:
    """From a vector much of its text can be guessed. Chroma is filled anew from those that stay."""
    keys = vectors_with(ground)
    shared = ground.workspace.place.shared
    gone = drop(shared / _VECTORS[0], keys) if keys else 0
    if keys and (shared / _VECTORS[1]).is_dir():
        shutil.rmtree(shared / _VECTORS[1])
    return gone


def notes_with(ground: Ground) -> list[Path]:
    """Logs, kept settings, what was displaced or set aside: all other files of clawgit's own."""
    found = [file for folder in ground.folders for file in _notes(folder)]
    found += [*files_below(ground.state_home / "connected"), *_logs(ground.state_home)]
    return [file for file in found if ground.is_in(file)]


def cut_notes(ground: Ground) -> int:
    """Takes the words out of each. A damaged database that was kept aside goes whole."""
    found = notes_with(ground)
    for file in found:
        if _is_database(file):
            clear(file)
        else:
            file.write_bytes(wiped_bytes(file.name, file.read_bytes(), ground.matcher))
    return len(found)


def accepted_with(ground: Ground) -> list[TrustRow]:
    """What the operator has seen and accepted, where the row repeats the words."""
    workspace = ground.workspace
    file = trust_file(workspace.caller.home, workspace.caller.env)
    return [row for row in accepted_rows(file, workspace.place) if _repeats(row, ground)]


def cut_accepted(ground: Ground) -> int:
    """Leaves the hash of what was seen, as for a text with a secret."""
    found = accepted_with(ground)
    if found:
        workspace = ground.workspace
        file = trust_file(workspace.caller.home, workspace.caller.env)
        change_rows(file, workspace.place, lambda rows: _cut(rows, ground))
    return len(found)


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
    """Whether another row of the table empties what has this name in a folder of ours."""
    return name in _VECTORS or (name.startswith(_STATE) and _ASIDE not in name)


def _databases(folder: Path) -> list[Path]:
    return [base for pattern in _INDEXES for base in sorted(folder.glob(pattern))]


def _logs(folder: Path) -> Iterator[Path]:
    yield from (file for file in sorted(folder.glob("*.log*")) if file.is_file())


def _is_database(file: Path) -> bool:
    return _ASIDE in file.name

"""Whole sets of files, merged with the rules that reach from one file to another."""

from collections.abc import Container, Mapping

from clawgit.domain.markdown.decoding import exact_bytes, exact_text
from clawgit.domain.markdown.entry import append_entry, entries, removed
from clawgit.domain.merging.memory import Joined, merge_memory
from clawgit.language.lazily import lazily

_ID = lazily(r"<!--[ \t]*claw:([a-z][a-z0-9]{5})[ \t]")

Files = Mapping[str, bytes]
"""The files of a version by their paths."""


def merge_memories(base: Files, ours: Files, theirs: Files) -> dict[str, Joined]:
    """Every file of the three with what both sides did to it.

    An entry that one side moved to another file while the other side changed it stands once, where
    it was moved to, with the changed text.
    """
    paths = {*base, *ours, *theirs}
    changed = {path for path in paths if not base.get(path) == ours.get(path) == theirs.get(path)}
    versions = [_only(files, changed) for files in (base, ours, theirs)]
    for ident, place in sorted(_moves(*versions).items()):
        versions = [_moved(files, ident, place) for files in versions]
    merged = {path: Joined(ours[path]) for path in paths - changed}
    for path in sorted(changed.union(*versions)):
        merged[path] = merge_memory(path, *(files.get(path) for files in versions))
    return merged


def _only(files: Files, paths: Container[str]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if path in paths}


def _moves(base: Files, ours: Files, theirs: Files) -> dict[str, str]:
    """The entries that a side moved to another file, each with that file; of two, the first by
    name.
    """
    old, mine, other = map(_places, (base, ours, theirs))
    moves: dict[str, str] = {}
    for ident in {*old, *mine, *other}:
        was, here, there = (places.get(ident, "") for places in (old, mine, other))
        moved = {here, there} - {"", was}
        if moved and (was or (here and there)):
            moves[ident] = min(moved)
    return moves


def _places(files: Files) -> dict[str, str]:
    """The file of each entry that stands in one file only."""
    places: dict[str, set[str]] = {}
    for path, data in files.items():
        if path.lower().endswith(".md") and b"claw:" in data:
            for ident in _ID.findall(exact_text(data)):
                places.setdefault(ident, set()).add(path)
    return {ident: min(paths) for ident, paths in places.items() if len(paths) == 1}


def _moved(files: Files, ident: str, place: str) -> dict[str, bytes]:
    """The files with an entry at the end of another file, unless it stands there already."""
    texts = dict(files)
    for path, data in files.items():
        if path == place or f"claw:{ident}".encode() not in data:
            continue
        text = exact_text(data)
        entry = next((entry for entry in entries(text) if entry.key == ident), None)
        if entry:
            texts[path] = exact_bytes(removed(text, entry))
            there = exact_text(files.get(place, b""))
            if f"claw:{ident} " not in there:
                there = append_entry(there, None, entry.raw.rstrip("\r\n"))
            texts[place] = exact_bytes(there)
    return texts

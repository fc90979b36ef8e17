"""One file of memory, merged by what kind of file it is; and whole sets of files, with the rules
that reach from one file to another.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from clawgit.core import NamedTuple
from clawgit.core.layout import CHANGELOGS, CONFIG, OTHER_CONFIG, SOULS, is_markdown
from clawgit.core.markdown.decoding import exact_bytes, exact_text
from clawgit.core.markdown.entry import append_entry, entries, removed
from clawgit.core.markdown.scan import lines_of, scan
from clawgit.core.tiers import WORKING, tier
from clawgit.history.rules.align import MaybeUnit, Units, cut
from clawgit.history.rules.entries import (
    cut_log,
    decide,
    decide_section,
    in_time,
    moment_of_day,
    moment_of_section,
    with_marks,
)
from clawgit.history.rules.merge import Merged, usual, woven
from clawgit.history.rules.weaving import IN_WORDS, Decide, Decided, MergeConflict
from clawgit.language.lazily import lazily
from clawgit.memory.rules import compaction as compactions
from clawgit.memory.rules import conflict_log
from clawgit.soul.rules.changelog import between_markers, replace_between_markers
from clawgit.talk.rules.corrections import ARCHIVE, CORRECTIONS

_CONFIGS = (CONFIG, OTHER_CONFIG)
_LOGS = (CORRECTIONS, conflict_log.PATH, compactions.PATH)


class Joined(NamedTuple):
    """`data` is None if the file is gone. A `conflict` is left to the operator: `data` then holds
    git's marks, or ours where there can be no marks.
    """

    data: bytes | None
    conflict: bool = False


def merge_memory(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> Joined:
    """A file with what both sides did to it; None is a file that does not exist.

    The same from either side, except for a conflict. Nothing that a side wrote is lost, and nothing
    comes back that one side removed and the other left alone.
    """
    if theirs in (ours, base):
        return Joined(ours)
    if ours == base:
        return Joined(theirs)
    if _is_taken_whole(path, base, ours, theirs):
        return Joined(theirs if ours is None else ours, conflict=True)
    merged = _woven(path, *(exact_text(data) for data in (base, ours, theirs)))
    is_gone = None in (ours, theirs) and not merged.text.strip()
    data = exact_bytes(merged.text)
    return Joined(None if is_gone else data, bool(merged.conflicts))


def merges_by_entries(path: str) -> bool:
    """Whether a file is merged by entries, whether or not its items have ids."""
    return not (_is_log(path) or path in CHANGELOGS or _is_strict(path))


def _woven(path: str, base: str, ours: str, theirs: str) -> Merged:
    # Which side is the frame follows from the texts, so that both machines write the same.
    swapped = theirs < ours
    first, second = (theirs, ours) if swapped else (ours, theirs)
    if not _is_strict(path):
        return Merged(_merged(path, base, first, second), ())
    merged = woven(base, first, second, partial(_unit, swapped))
    if merged.conflicts or not _is_soul(path) or not _contradict(base, first, second, merged.text):
        return merged
    return Merged(f"{_beside(ours, theirs)}\n", (MergeConflict("", base, ours, theirs, 1),))


def _is_taken_whole(path: str, *versions: bytes | None) -> bool:
    if any(b"\0" in (data or b"") for data in versions):
        return True
    return _is_strict(path) and None in versions[1:]


def _is_log(path: str) -> bool:
    return path in _LOGS or path.startswith(ARCHIVE)


def _is_soul(path: str) -> bool:
    return path in SOULS or path.endswith("/SOUL.md")


def _is_strict(path: str) -> bool:
    """Who the agent is, its settings, and whatever is not Markdown."""
    return _is_soul(path) or path in _CONFIGS or not is_markdown(path)


def _merged(path: str, base: str, first: str, second: str) -> str:
    if _is_log(path):
        text = _whole(base, first, second, decide_section, cut_log)
        return in_time(text, (first, second), moment_of_section)
    if path in CHANGELOGS and between_markers(first) is not None:
        return _changelog(base, first, second)
    text = _entries(base, first, second)
    return in_time(text, (first, second), moment_of_day) if tier(path) == WORKING else text


def _changelog(base: str, first: str, second: str) -> str:
    """What an author wrote around the derived part, and the longer derived part, until it is made
    again from the joined history.
    """
    body = max((between_markers(text) or "" for text in (first, second)), key=len)
    bare = [replace_between_markers(text, "") if text else "" for text in (base, first, second)]
    return replace_between_markers(_entries(*bare), body)


def _entries(base: str, first: str, second: str) -> str:
    return with_marks(base, _whole(base, first, second, decide, cut))


def _whole(base: str, first: str, second: str, rule: Decide, units: Callable[[str], Units]) -> str:
    if first == base:
        return second
    if second in (base, first):
        return first
    names = IN_WORDS if units is cut else ()
    return woven(base, first, second, rule, cut=units, names=names).text


OURS, THEIRS = "ours", "theirs"
"""What the sides are called beside git's marks."""

_FIRST, _MIDDLE, _LAST = "<" * 7, "=" * 7, ">" * 7


def _unit(swapped: bool, old: MaybeUnit, mine: MaybeUnit, other: MaybeUnit) -> Decided:
    """Nothing is decided silently: what both sides changed stays a marked conflict."""
    decided = usual(old, mine, other, keep_both=False)
    if not decided.conflict:
        return decided
    ours, theirs = (other, mine) if swapped else (mine, other)
    return Decided((_beside(*(unit.core if unit else "" for unit in (ours, theirs))),), True)


def _contradict(base: str, first: str, second: str, merged: str) -> bool:
    """Whether both sides took out the same line and each wrote something of its own, or something
    stayed that one side took out.
    """
    placed, ours, theirs = map(_placed, (base, first, second))
    both_took = (placed - ours) & (placed - theirs)
    replaced = both_took and ours - placed - theirs and theirs - placed - ours
    was, here, there, now = (
        Counter(filter(None, map(str.strip, lines_of(text))))
        for text in (base, first, second, merged)
    )
    return bool(replaced or (was & now) - here or (was & now) - there)


def _placed(text: str) -> Counter[tuple[str, ...]]:
    """The lines of a text, each with the headings above it."""
    return Counter(
        (*block.path, line.strip())
        for block in scan(text)
        for line in block.text.split("\n")
        if line.strip()
    )


def _beside(ours: str, theirs: str) -> str:
    """Both sides whole, between git's marks."""
    here, there = (f"{text.rstrip()}\n" if text else "" for text in (ours, theirs))
    return f"{_FIRST} {OURS}\n{here}{_MIDDLE}\n{there}{_LAST} {THEIRS}"


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
    versions = [
        {path: data for path, data in files.items() if path in changed}
        for files in (base, ours, theirs)
    ]
    for ident, place in sorted(_moves(*versions).items()):
        # In all three: where only one had moved it, the merge would see a removal here and a new
        # entry there.
        versions = [_moved(files, ident, place) for files in versions]
    merged = {path: Joined(ours[path]) for path in paths - changed}
    for path in sorted(changed.union(*versions)):
        merged[path] = merge_memory(path, *(files.get(path) for files in versions))
    return merged


_SEVERAL = "/"
"""Said in place of a path: the entry stands in several files."""


def _moves(base: Files, ours: Files, theirs: Files) -> dict[str, str]:
    """The entries that a side moved to another file, each with that file; of two, the first by
    name. Of an entry that a side has copied, nothing tells which it moved or changed.
    """
    old, mine, other = map(_places, (base, ours, theirs))
    moves: dict[str, str] = {}
    for ident in {*old, *mine, *other}:
        was, here, there = (places.get(ident, "") for places in (old, mine, other))
        moved = {here, there} - {"", was}
        if moved and _SEVERAL not in (here, there) and (was or (here and there)):
            # Not ours, nor the newer one: both machines must choose alike.
            moves[ident] = min(moved)
    return moves


def _places(files: Files) -> dict[str, str]:
    """The file of each entry."""
    places: dict[str, set[str]] = {}
    for path, data in files.items():
        if is_markdown(path) and b"claw:" in data:
            for ident in _ID.findall(exact_text(data)):
                places.setdefault(ident, set()).add(path)
    return {ident: _SEVERAL if more else path for ident, (path, *more) in places.items()}


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

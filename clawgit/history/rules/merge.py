"""Three-way merge by entries, for undo, revert, sync and transactions.

A merge by lines would report a conflict for two entries that were added at the same place.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from types import MappingProxyType

from clawgit.core import NamedTuple
from clawgit.core.markdown.comment import (
    ACTIVE,
    ARCHIVED,
    CONF,
    CORRECTED,
    DISPUTED,
    KEYS,
    SRC,
    SUPERSEDED,
    CommentParts,
    Meta,
    first_and_newest,
    is_count,
    number,
    plain_number,
    read_meta,
    split,
)
from clawgit.core.markdown.decoding import decoded, exact_bytes, exact_text
from clawgit.history.rules.align import MaybeUnit, Name, Units, cut
from clawgit.history.rules.weaving import ANYWHERE, Decide, Decided, MergeConflict, weave
from clawgit.memory.rules.confidence import CORRECTION, EXPLICIT

_BOM = "\ufeff"


class Merged(NamedTuple):
    text: str
    conflicts: tuple[MergeConflict, ...]


class MergedFile(NamedTuple):
    """`data` is None if the merge removes the file."""

    data: bytes | None
    conflicts: tuple[MergeConflict, ...]


def merge(
    base: str, ours: str, theirs: str, *, keep_both: bool = False, again: bool = False
) -> Merged:
    """Ours with all that theirs did to base. A conflict keeps ours; `keep_both` keeps both, ours
    first.

    Conflicts are reported in either case: with `keep_both` they say what now stands twice, or came
    back. A heading that one side removed stays if the other side wrote something under it.

    `again`: ours may already hold parts of what theirs did, as after a crash or while an editor
    writes. Then a text that both added is one text, whatever id it has, or heading it stands under:
    if the file got a new heading at its end, the same appended line stands under it in one version
    and above it in the other. Without `again`, equal lines under two headings are two lines.
    """
    if theirs in (base, ours):
        return Merged(ours, ())
    if ours == base:
        return Merged(theirs, ())
    if again and _has_all(base, ours, theirs) and _lacks_all(base, ours, theirs):
        return Merged(ours, ())
    rule = partial(usual, keep_both=keep_both)
    return woven(base, ours, theirs, rule, names=ANYWHERE if again else ())


def woven(
    base: str,
    ours: str,
    theirs: str,
    decide: Decide,
    *,
    cut: Callable[[str], Units] = cut,
    names: Sequence[Name] = (),
) -> Merged:
    """A merge in which `decide` says what becomes of a unit that both sides changed, and `cut` what
    a unit is. `names`: by what, besides their ids and texts, units that both sides added are one.
    """
    # Whatever a side's line ends are: a file that one editor saved anew is not changed in each
    # line.
    old, mine, other = (cut(_plain(text)) for text in (base, ours, theirs))
    text, conflicts = weave(old, mine, other, decide, names)
    # The frame is ours: its line ends, and its byte order mark.
    if _is_windows(ours if "\n" in ours else theirs):
        text = re.sub("\r?\n", "\r\n", text)
    mark = _BOM if ours.startswith(_BOM) else ""
    return Merged(mark + text, tuple(conflicts))


def usual(old: MaybeUnit, mine: MaybeUnit, other: MaybeUnit, *, keep_both: bool) -> Decided:
    """A comment and the words beside it may be changed apart, and so may two facts of a comment;
    any other two changes conflict. With `keep_both`, facts are always joined.
    """
    item = _joined_item(old, mine, other, keep_both=keep_both)
    if item is not None:
        return Decided((item,))
    kept = (mine, other) if keep_both else (mine,)
    return Decided(tuple(unit.core for unit in kept if unit), conflict=True)


def merge_files(
    base: bytes | None,
    ours: bytes | None,
    theirs: bytes | None,
    *,
    keep_both: bool = False,
    again: bool = False,
) -> MergedFile:
    """`merge` for whole files; None is a file that does not exist.

    Binary files, and a file that one side removed and the other changed, are taken as a whole:
    ours, or theirs with `keep_both`. An existing file is never replaced by none.
    """
    if theirs in (base, ours):
        return MergedFile(ours, ())
    if ours == base:
        return MergedFile(theirs, ())
    if ours is None or theirs is None or any(b"\0" in data for data in (base or b"", ours, theirs)):
        kept = theirs if keep_both and theirs is not None else ours
        conflict = MergeConflict("", decoded(base), decoded(ours), decoded(theirs), 1)
        return MergedFile(kept, (conflict,))
    merged = merge(
        exact_text(base), exact_text(ours), exact_text(theirs), keep_both=keep_both, again=again
    )
    return MergedFile(exact_bytes(merged.text), merged.conflicts)


def holds_all(base: bytes, data: bytes, theirs: bytes) -> bool:
    """Whether a file holds each line that theirs added to base, as often as theirs has it."""
    return data == theirs or _has_all(exact_text(base), exact_text(data), exact_text(theirs))


def _has_all(base: str, text: str, theirs: str) -> bool:
    old, actual, new = map(_lines, (base, text, theirs))
    return all(actual[line] >= new[line] for line in new - old)


def _lacks_all(base: str, text: str, theirs: str) -> bool:
    """Whether a text holds no line that theirs removed more often than theirs does."""
    old, actual, new = map(_lines, (base, text, theirs))
    return all(actual[line] <= new[line] for line in old - new)


def _lines(text: str) -> Counter[str]:
    """The lines of a text that are not blank, counted."""
    return Counter(line for line in _plain(text).split("\n") if line.strip())


def _is_windows(text: str) -> bool:
    """Whether all line ends are CRLF. Mixed ones count as those of Unix."""
    return "\n" in text and text.count("\r\n") == text.count("\n")


def _plain(text: str) -> str:
    """A text to be merged, without CRLF and byte order mark; both come back in the result."""
    text = text.removeprefix(_BOM)
    return text.replace("\r\n", "\n") if _is_windows(text) else text


def _joined_item(
    old: MaybeUnit, mine: MaybeUnit, other: MaybeUnit, *, keep_both: bool
) -> str | None:
    """An item of which only one side has changed the words; None if there is no such item."""
    if not (mine and other and mine.kind == "item"):
        return None
    was, here, there = split(old.core if old else ""), split(mine.core), split(other.core)
    frame, facts = _worded(was, here, there), (read_meta(was), read_meta(here), read_meta(there))
    # An undo must not choose between two values of one fact: the later may be the operator's.
    if frame is None or (overlap(*facts) and not keep_both):
        return None
    return with_facts(frame, joined(*facts), (here, there))


def _worded(was: CommentParts, here: CommentParts, there: CommentParts) -> CommentParts | None:
    """The version with the words of the result; None if both sides have changed them."""
    if here.visible == was.visible:
        return there
    return here if there.visible in (here.visible, was.visible) else None


# The facts of an entry that both sides changed, joined fact by fact.

_EVIDENCE, _FIRST = "ev", "first"
_SOURCES = ("", EXPLICIT, CORRECTION)
_STATUSES = (ACTIVE, ARCHIVED, SUPERSEDED, CORRECTED, DISPUTED)
"""What is disputed stays so until it is settled; what was corrected is more than what was merely
replaced."""

_WEIGHTS: Mapping[str, Callable[[str], float]] = MappingProxyType(
    {
        CONF: lambda value: -1 if (found := number(value)) is None else found,
        "n": lambda value: int(value) if is_count(value) else 0,
        SRC: lambda value: _SOURCES.index(value) if value in _SOURCES else 0,
        "status": lambda value: _STATUSES.index(value) if value in _STATUSES else -1,
    }
)
"""By fact, the weight of a value that both sides changed: the greatest wins, and of equals the
later in the alphabet, as a later day is. Evidence of both sides is kept.
"""


def joined(old: Meta | None, mine: Meta | None, other: Meta | None) -> Meta | None:
    """The facts with the changes of both sides; None if there is no comment any more."""
    if other in (mine, old):
        return mine
    if mine == old:
        return other
    if mine is None or other is None:
        return mine or other
    facts = [fact for versions in _facts(old, mine, other) for fact in _joined_fact(*versions)]
    return Meta(_joined_id(old, mine, other), tuple(facts))


def overlap(old: Meta | None, mine: Meta | None, other: Meta | None) -> bool:
    """Whether both sides changed the same fact, and differently. Evidence of both sides is kept."""
    if mine == other or old in (mine, other):
        return False
    if mine is None or other is None or mine.id != other.id:
        return True
    return any(starmap(_differ, _facts(old, mine, other)))


def _differ(key: str, *versions: Sequence[str]) -> bool:
    """Whether a fact has another value in each of three versions."""
    return key != _EVIDENCE and len({*versions}) == len(versions)


def with_facts(frame: CommentParts, meta: Meta | None, versions: Iterable[CommentParts]) -> str:
    """An item with these facts, in the writing of a version that has them already."""
    comment = f" {meta}" if meta else ""
    same = (parts.comment for parts in (frame, *versions) if read_meta(parts) == meta)
    return frame.before + next(same, comment) + frame.after


def _facts(
    old: Meta | None, mine: Meta, other: Meta
) -> Iterator[tuple[str, Sequence[str], Sequence[str], Sequence[str]]]:
    """Each fact by its name, as it is in the three versions."""
    was, here, there = (_by_key(meta) for meta in (old or Meta(""), mine, other))
    for key in dict.fromkeys((*KEYS, *sorted({*here, *there}))):
        yield key, was.get(key, ()), here.get(key, ()), there.get(key, ())


def _joined_id(old: Meta | None, mine: Meta, other: Meta) -> str:
    if old and old.id in (mine.id, other.id):
        return mine.id if other.id == old.id else other.id
    return min(mine.id, other.id)


def _joined_fact(
    key: str, was: Sequence[str], here: Sequence[str], there: Sequence[str]
) -> Iterable[str]:
    if was == here:
        return there
    if there in (was, here):
        return here
    if key == _EVIDENCE:
        gone = {*was} - {*here} | {*was} - {*there}
        return first_and_newest(
            [fact for fact in dict.fromkeys((*here, *there)) if fact not in gone]
        )
    if was == (f"status={DISPUTED}",):
        return was  # each settled it in its own way; a third decision would count
    # A fact that one side took away and the other changed is there with its new value.
    if key == _FIRST:
        return [min((*here, *there))]
    weight: Callable[[str], float] = _WEIGHTS.get(key, lambda _: 0)
    values = {fact: fact.partition("=")[2] for fact in (*here, *there)}
    return [max(values, key=lambda fact: (weight(values[fact]), values[fact]))]


def _by_key(meta: Meta) -> dict[str, tuple[str, ...]]:
    """The facts by their names, in the order in which they stand."""
    facts: dict[str, tuple[str, ...]] = {}
    for fact in meta.facts:
        key, _, value = fact.partition("=")
        # `.9` and `0.90` are one value.
        alike = f"{key}={plain_number(value)}" if key == CONF else fact
        facts[key] = (*facts.get(key, ()), alike)
    return facts

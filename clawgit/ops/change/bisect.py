"""`bisect`: finds the change that brought a belief into memory, or removed it, in whatever file."""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from clawgit.domain.change.flips import (
    Belief,
    Course,
    Family,
    Flip,
    Hunk,
    beliefs,
    course,
    words_of,
)
from clawgit.domain.markdown.comment import split
from clawgit.domain.markdown.entry import holds_entries, is_content_key
from clawgit.errors import NotFoundError, UsageError
from clawgit.ops.change.reading import reading
from clawgit.ops.change.why import Turn, find_entry, turn_of
from clawgit.ops.workspace.workspace import Workspace
from clawgit.stores.git.batch import Batch
from clawgit.stores.git.cgit import CGit
from clawgit.stores.git.history.grep import GrepHit, grep
from clawgit.stores.git.history.pickaxe import changed_lines, common_ancestor, family, pattern_of
from clawgit.stores.git.place import cut_off
from clawgit.stores.index.sources import is_log

_ENTRY = re.compile(r"(?P<mark>claw:)?(?P<id>[a-z][a-z0-9]{3,15})")
_LONGEST = 80
"""How much of a phrase git searches history for; the hits are then compared with all of it."""

_PASSES = 3
"""How often history is read: once more for each earlier wording or id of a belief."""

_OTHERS = 5


@dataclass(frozen=True, slots=True)
class OtherBelief:
    """Another belief that the words could mean, and the id or words by which to ask for it."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Bisected:
    """Where a belief stands, and what happened to it.

    `state`: held; reworded (its entry has other words now); removed; uncommitted (only on disk).
    `change` brought it, or removed it if it is not held. `changes` are all, newest first.
    """

    state: str
    text: str
    places: tuple[str, ...]
    change: Turn | None
    changes: tuple[Turn, ...]
    bring_back: tuple[str, ...]
    others: tuple[OtherBelief, ...]
    note: str = ""


class _Searched(NamedTuple):
    """A belief with all its names, and the lines that changed."""

    belief: Belief
    hunks: list[Hunk]
    others: tuple[OtherBelief, ...]


def bisect(workspace: Workspace, what: str) -> Bisected:
    """Finds the change that brought or removed an entry, given by its id or by words of it."""
    head = Batch(workspace.cgit).read(["HEAD"])[0]
    if head is None:
        raise NotFoundError("There is no commit yet.", hint="clawgit snapshot")
    kin = family(workspace.cgit, head.oid)
    asked, searched = _search(workspace, what, kin)
    by_commit: dict[str, list[Hunk]] = defaultdict(list)
    for hunk in searched.hunks:
        by_commit[hunk.oid].append(hunk)
    git = workspace.cgit
    story = course(searched.belief, kin, by_commit, asked, lambda a, b: common_ancestor(git, a, b))
    return _answer(workspace, asked, searched, story)


def _search(workspace: Workspace, what: str, kin: Family) -> tuple[Belief, _Searched]:
    words = " ".join(what.split())
    named = _ENTRY.fullmatch(words)
    if named and is_content_key(named["id"]):
        with reading(workspace) as index:
            words = words_of(find_entry(workspace, index, named["id"]).here.line)
    elif named:
        asked = Belief(ids=frozenset({named["id"]}))
        searched = _read(workspace.cgit, asked, kin)
        if searched or named["mark"]:
            found = _found(searched, f"No entry here has or had the id {named['id']}.")
            # An entry counts under each of its names: it may have got its id later.
            return found.belief._replace(ids=asked.ids, alone=True), found
    phrase = words_of(words)
    if not phrase:
        raise UsageError(
            "There are no words to look for.", hint="clawgit why --when 'Ana prefers tea'"
        )
    asked = Belief(phrase=phrase)
    return asked, _found(
        _read(workspace.cgit, asked, kin), "No line of the memory has or had these words."
    )


def _found(searched: _Searched | None, message: str) -> _Searched:
    if searched is None:
        hint = "Give fewer words, as they were in one line, or the id of the entry."
        raise NotFoundError(message, hint=hint)
    return searched


def _read(git: CGit, asked: Belief, kin: Family) -> _Searched | None:
    """Reads history for a belief, and again if it turns out to have had other names."""
    standing = [hit.line for hit in _standing(git, asked)]
    # Its names on disk are searched for at once, so history is mostly read once.
    names = asked.with_names_of(next(iter(beliefs(asked, (), standing)), asked))
    chosen = asked
    for _ in range(_PASSES):
        hunks = _hunks(git, names, kin)
        found = beliefs(names, hunks, standing)
        if not found:
            return None
        same = (one for one in found if one.shares(chosen))
        chosen = next(same, found[0])
        if names.names(chosen):
            break
        names = asked.with_names_of(chosen)
    lines = [*standing, *(line for hunk in hunks for line in (*hunk.added, *hunk.removed))]
    # The common word of a large memory has thousands: each is looked for in all lines.
    others = islice((one for one in found if one is not chosen), _OTHERS)
    return _Searched(chosen, hunks, tuple(_other(one, lines) for one in others))


def _hunks(git: CGit, names: Belief, kin: Family) -> list[Hunk]:
    """The changes of lines with one of the names, without logs: they quote what memory does not
    hold.
    """
    changes = changed_lines(git, _pattern(names), kin)
    return [hunk for hunk in changes if not is_log(hunk.path)]


def _other(belief: Belief, lines: Iterable[str]) -> OtherBelief:
    text = next(filter(belief.has, lines))
    return OtherBelief(min(belief.ids, default=""), split(text).visible.strip())


def _standing(git: CGit, belief: Belief) -> list[GrepHit]:
    hits = grep(git, _pattern(belief), as_pattern=True)
    found = [hit for hit in hits if belief.has(hit.line) and not is_log(hit.path)]
    # A guide for the agent may have the same words; memory comes first.
    return sorted(found, key=lambda hit: not holds_entries(hit.path))


def _pattern(belief: Belief) -> str:
    """The pattern for C git. It may match more than the belief."""
    # A longer text that contains the phrase is found by it; more patterns would be slow.
    others = sorted(
        words for words in belief.words if not belief.phrase or belief.phrase not in words
    )
    words = [words[:_LONGEST] for words in (belief.phrase, *others) if words]
    return "|".join([*(f"claw:{ident}" for ident in sorted(belief.ids)), *map(pattern_of, words)])


def _answer(workspace: Workspace, asked: Belief, searched: _Searched, story: Course) -> Bisected:
    objects = Batch(workspace.cgit)
    standing = _standing(workspace.cgit, searched.belief)
    on_disk = [hit.line for hit in standing if asked.has(hit.line)]
    is_held = any(asked.has(place.text) for place in story.places)
    turns = {flip: _turn(objects, flip) for flip in story.flips}
    decisive = _decisive(story, is_held=is_held)
    change = turns[decisive] if decisive else None
    lines = [*on_disk, *(hit.line for hit in standing), *(turn.text for turn in turns.values())]
    return Bisected(
        state=_state(is_held=is_held, stands=bool(story.places), on_disk=bool(on_disk)),
        text=lines[0],
        places=tuple(f"{hit.path}:{hit.at + 1}" for hit in standing),
        change=change,
        changes=tuple(turns.values()),
        bring_back=() if is_held else _ways_back(change),
        others=searched.others,
        note=_note(workspace, change, is_held=is_held, on_disk=bool(on_disk)),
    )


def _decisive(story: Course, *, is_held: bool) -> Flip | None:
    """The last flip between held and not held."""
    flips = (flip for flip in story.flips if flip.held == is_held and flip.was_held != is_held)
    return next(flips, None)


def _state(*, is_held: bool, stands: bool, on_disk: bool) -> str:
    if is_held:
        return "held"
    if on_disk:
        return "uncommitted"
    return "reworded" if stands else "removed"


def _turn(objects: Batch, flip: Flip) -> Turn:
    [commit] = objects.read_commits([flip.oid])
    return turn_of(commit, flip.kind, flip.place.path, flip.place.line, flip.place.text)


def _ways_back(change: Turn | None) -> tuple[str, ...]:
    if change is None:
        return ()
    name = change.id or change.sha[:12]
    return f"clawgit undo {name}", f"clawgit restore {shlex.quote(change.path)} --at {name}~1"


def _note(workspace: Workspace, change: Turn | None, *, is_held: bool, on_disk: bool) -> str:
    if is_held and not on_disk:
        return "It is gone from disk, by an edit that is not committed yet."
    if change and change.kind == "born" and change.sha in cut_off(workspace.place):
        return "This clone is shallow: history is cut off at this change, and it may be older."
    return ""

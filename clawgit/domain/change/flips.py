"""When a belief came into memory, moved, was reworded and was lost, worked out from changed lines.

A belief is the lines that have one of its ids, or say the same words. Its places are followed from
commit to commit; a commit counts if it changes them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from clawgit.domain.change.lines import TELLING, claw_id, how_alike
from clawgit.domain.markdown.comment import read_meta, split
from clawgit.domain.markdown.statuses import ACTIVE
from clawgit.domain.markdown.tags import untagged, visible
from clawgit.language.lazily import lazily

_REWORDED = 0.5
"""A line that is at least this much like the one it replaced is the same belief, reworded."""

_BULLET = lazily(r"\s*(?:[-+*>]|[0-9]{1,9}[.)]|\[[ xX]\])\s+")

Family = Sequence[tuple[str, ...]]
"""Each commit with its parents, children before their parents."""


class Hunk(NamedTuple):
    """Lines of a file that a commit took away, and those that it put in their place.

    `line` is the number of the first one after the commit.
    """

    oid: str
    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    line: int = 0


class Belief(NamedTuple):
    """What is looked for: lines that contain `phrase`, have one of `ids`, or say just one of
    `words`.

    `alone`: a line with any other id is another entry, whatever it says.
    """

    ids: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    phrase: str = ""
    alone: bool = False

    def has(self, line: str) -> bool:
        ident = claw_id(line)
        if ident and ident in self.ids:
            return True
        if (ident and self.alone) or not (self.phrase or self.words):
            return False
        words = words_of(line)
        return self.covers(words)

    def covers(self, words: str) -> bool:
        return words in self.words or bool(self.phrase and self.phrase in words)

    def names(self, other: "Belief") -> bool:
        """Whether this belief covers each id and wording of the other."""
        return other.ids <= self.ids and all(map(self.covers, other.words))

    def with_names_of(self, other: "Belief") -> "Belief":
        return self._replace(ids=self.ids | other.ids, words=self.words | other.words)

    def shares(self, other: "Belief") -> bool:
        return not (self.ids.isdisjoint(other.ids) and self.words.isdisjoint(other.words))


class Place(NamedTuple):
    path: str
    line: int
    text: str


class Flip(NamedTuple):
    """A commit that changed where or how a belief stands.

    `kind` is born, returned, removed, moved, copied, copy_removed, changed (other words) or marked
    (another status). `held`: the words that were asked for are there after the commit; `was_held`:
    before it.
    """

    oid: str
    kind: str
    place: Place
    held: bool
    was_held: bool


class Course(NamedTuple):
    """The flips, newest first, and where the belief stands in the newest commit."""

    flips: tuple[Flip, ...]
    places: tuple[Place, ...]


def words_of(line: str) -> str:
    """What a line says: without bullet, comments, categories, and in small letters."""
    words = untagged(visible(split(line).visible))
    while bullet := _BULLET.match(words):
        words = words[bullet.end() :]
    return words.rstrip(" .").lower()


def beliefs(belief: Belief, hunks: Iterable[Hunk], standing: Iterable[str]) -> list[Belief]:
    """The different beliefs that a phrase or an id could mean, each with its ids and whole words.

    `standing` are matching lines on disk. First comes the one that says just the phrase; then those
    that stand; then the ones that changed last, since `hunks` are newest first.
    """
    groups = _Groups()
    for line in standing:
        groups.join(line, line)
    for hunk in hunks:
        _join(groups, belief, hunk)
    found = groups.all()
    exact = belief.phrase
    return sorted(found, key=lambda one: exact not in one.words) if exact else found


def _join(groups: "_Groups", belief: Belief, hunk: Hunk) -> None:
    for line in (*hunk.added, *hunk.removed):
        if belief.has(line):
            groups.join(line, line)
    for old, new in _rewordings(hunk):
        if belief.has(old) or belief.has(new):
            groups.join(old, new)


def _rewordings(hunk: Hunk) -> Iterator[tuple[str, str]]:
    """The lines that stand in the place of others and read alike."""
    if len(hunk.removed) * len(hunk.added) > _MOST_PAIRS:
        return
    for old in hunk.removed:
        rated = [(how_alike(old, new, _REWORDED), new) for new in hunk.added]
        rate, new = max(rated, key=lambda pair: pair[0], default=(0.0, ""))
        if rate:
            yield old, new


_MOST_PAIRS = 400
"""With more pairs of lines than this, a file was rewritten as a whole: none are compared."""


class _Groups:
    """Ids and words that name the same belief; each is a set that grows."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], set[tuple[str, str]]] = {}

    def join(self, old: str, new: str) -> None:
        names = {*_names(old), *_names(new)}
        whole = set[tuple[str, str]]().union(*(self._of.get(name, {name}) for name in names))
        first = next((self._of[name] for name in sorted(names) if name in self._of), whole)
        first |= whole
        for name in first:
            self._of[name] = first

    def all(self) -> list[Belief]:
        sets = {id(names): names for names in self._of.values()}
        return [
            Belief(
                frozenset(name for kind, name in names if kind == "id"),
                frozenset(name for kind, name in names if kind == "words"),
            )
            for names in sets.values()
        ]


def _names(line: str) -> Iterator[tuple[str, str]]:
    ident, words = claw_id(line), words_of(line)
    if ident:
        yield "id", ident
    # A few letters, such as “done”, say too little to be the same belief elsewhere.
    if len(words) >= TELLING or not ident:
        yield "words", words


def course(
    belief: Belief,
    family: Family,
    hunks: Mapping[str, Sequence[Hunk]],
    asked: Belief,
    base: Callable[[str, str], str],
) -> Course:
    """The flips of a belief. `asked` says which lines hold what was asked for.

    `base` is the common ancestor of two commits, "" for none.
    """
    states: dict[str, tuple[Place, ...]] = {}
    flips: list[Flip] = []
    for oid, *parents in reversed(family):
        before = states[parents[0]] if parents else ()
        after = before
        for hunk in hunks.get(oid, ()):
            after = _applied(after, belief, hunk)
        states[oid] = after
        if len(parents) > 1:
            kind = _merged(after, parents, states, base, asked)
            sides = next((states[name] for name in parents if states[name]), ())
            before = () if kind == "returned" else sides
        else:
            kind = _kind(before, after, is_new=not flips)
        if kind:
            place = _shown(before, after)
            held = any(asked.has(here.text) for here in after)
            was_held = any(asked.has(here.text) for here in before)
            flips.append(Flip(oid, kind, place, held, was_held))
    return Course(tuple(reversed(flips)), states[family[0][0]] if family else ())


def _applied(state: tuple[Place, ...], belief: Belief, hunk: Hunk) -> tuple[Place, ...]:
    left = list(state)
    for text in filter(belief.has, hunk.removed):
        gone = next((here for here in left if (here.path, here.text) == (hunk.path, text)), None)
        if gone:
            left.remove(gone)
    new = [
        Place(hunk.path, hunk.line + at, text)
        for at, text in enumerate(hunk.added)
        if belief.has(text)
    ]
    return (*left, *new)


def _kind(before: tuple[Place, ...], after: tuple[Place, ...], *, is_new: bool) -> str:
    if not before and not after:
        return ""
    if not before:
        return "born" if is_new else "returned"
    if not after:
        return "removed"
    return _moved(_paths(before), _paths(after)) or _other_text(before, after)


def _paths(places: Iterable[Place]) -> set[str]:
    return {here.path for here in places}


def _other_text(before: Iterable[Place], after: Iterable[Place]) -> str:
    for kind, look in (("changed", words_of), ("marked", _status)):
        if {look(here.text) for here in before} != {look(here.text) for here in after}:
            return kind
    return ""


def _moved(old: set[str], new: set[str]) -> str:
    if old == new:
        return ""
    if old < new:
        return "copied"
    return "copy_removed" if new < old else "moved"


def _merged(
    after: tuple[Place, ...],
    parents: Sequence[str],
    states: Mapping[str, tuple[Place, ...]],
    base: Callable[[str, str], str],
    asked: Belief,
) -> str:
    """What a merge itself did: it took back what one side had done and the other had not, or made
    what neither had.
    """
    if _is_new(after, parents, states, asked):
        return "changed"
    sides = [bool(states[name]) for name in parents]
    others = [side for side in sides if side != bool(after)]
    if not others:
        return ""
    if len(others) < len(sides):
        was = bool(states.get(base(*parents[:2]), ()))
        if was != bool(after):
            return ""  # one side did it, and has a flip of its own
    return "returned" if after else "removed"


def _is_new(
    after: tuple[Place, ...],
    parents: Sequence[str],
    states: Mapping[str, tuple[Place, ...]],
    asked: Belief,
) -> bool:
    """Whether a merge brought what was asked for, though neither side had it: both had reworded one
    entry, and the second text got an id of its own.
    """
    if not any(states[name] for name in parents):
        return False
    sides = [here.text for name in parents for here in states[name]]
    return any(asked.has(here.text) for here in after) and not any(map(asked.has, sides))


def _shown(before: tuple[Place, ...], after: tuple[Place, ...]) -> Place:
    """The place that a flip is about: what is new, else what is gone."""
    new = [here for here in after if here not in before]
    gone = [here for here in before if here not in after]
    return (new or gone or [*after] or [*before])[-1]


def _status(line: str) -> str:
    meta = read_meta(split(line))
    return meta.status if meta else ACTIVE

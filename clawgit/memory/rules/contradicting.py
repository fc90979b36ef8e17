"""Whether two entries cannot both be true: they say the same in the same order, but for one
value of one type, one name or one negation. And which of the two wins, by the rules of the Conflict
Detector.

In doubt they do not contradict each other: a false alarm costs the operator a minute.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from operator import ne

from clawgit.core import NamedTuple
from clawgit.core.markdown.comment import DISPUTED, SUPERSEDED, Meta
from clawgit.core.markdown.entry import Entry, entries, with_meta
from clawgit.core.markdown.tag_table import TAGS
from clawgit.git.rules.common_ends import common_ends
from clawgit.language.lexicon import has_any, number_of
from clawgit.language.tokens import tokens
from clawgit.memory.rules.confidence import EXPLICIT
from clawgit.memory.rules.conflict_log import pair_key
from clawgit.memory.rules.likeness import refuted, same_fact
from clawgit.memory.rules.marks import is_void
from clawgit.memory.rules.overlaps import Overlaps, shares_matter
from clawgit.talk.rules.corrections import Correction
from clawgit.talk.rules.exchange import takes_back
from clawgit.talk.rules.kept_line import read
from clawgit.talk.rules.quotes import undisputed
from clawgit.talk.rules.wording import (
    TypedValue,
    are_alike,
    doubt,
    is_sure,
    pattern,
    typed_values,
    without,
    words,
)

NEGATION = "negation"
NAME = "name"
"""Kinds of a dispute. The others are types of values: time, weekday, date, money, and the like."""

_SINGLE = frozenset(("time", "percent", NEGATION))
"""Kinds of which one thing has one value. A date, a sum or a measure may be that of another time, a
name, a number or an address say which thing is meant.
"""

_EXCLUSIVE = _SINGLE | {"date", "weekday", "month", "year", "money", "measure"}
"""And those of which it has several only if it comes again."""

_NEAR = 0.3
"""Two entries are compared if they share more of the shorter one's telling words."""

_FEW = 3
"""An exchanged value or name stands among so many words: a shorter line is a field, or names a
thing.
"""

_LONGEST_NAME = 4

_FRAME = re.compile(r"\A[^“”:]{1,80}: “|”(?=[\s#]*\Z)|(?<!\S)#[^\s#]+")
"""Speaker, quotation marks and tags are no part of what was said."""
_RECORD = re.compile(r"\d{4}-\d\d-\d\d|[?？]")
"""A day, or a question: nothing that holds for long."""

_OF_TAGS = frozenset(tag.heading for tag in TAGS)

Pair = tuple[Entry, Entry]
_Pieces = tuple[TypedValue, ...]


class Dispute(NamedTuple):
    """What the two say differently, and its kind. Of a negation, one side is empty."""

    kind: str
    a: str
    b: str

    @property
    def is_exclusive(self) -> bool:
        """Whether what the operator corrected leaves no room for it: “monthly” and “free”, or “part
        1” and “part 2”, may both hold.
        """
        if self.kind == NAME:
            return all(word[0].isupper() for word in f"{self.a} {self.b}".split())
        return self.kind in _EXCLUSIVE

    def __str__(self) -> str:
        if self.kind == NEGATION:
            return f"“{self.a or self.b}” on one side only"
        return f"“{self.a}” against “{self.b}”"


class Contradiction(NamedTuple):
    """Two entries, and what they say differently."""

    sides: Pair
    dispute: Dispute

    @property
    def pair(self) -> str:
        return pair_key(*(side.text for side in self.sides))


def contradictions(pairs: Iterable[Pair]) -> Iterator[Contradiction]:
    """Those among these pairs of entries that contradict each other."""
    for a, b in pairs:
        # What no heading says the thing of may be about either.
        if any(map(ne, _things(a), _things(b))):
            continue
        if found := dispute(undisputed(a), undisputed(b)):
            yield Contradiction((a, b), found)


def _things(entry: Entry) -> list[str]:
    """What the headings say an entry is of: “Build of api” is another thing than “Build of web”. A
    title, and a heading that names a tag, are of none.
    """
    return [heading for heading in entry.under[1:] if heading not in _OF_TAGS]


def neighbours(every: Iterable[Entry]) -> Iterator[Pair]:
    """The pairs of entries that are worth a closer look."""
    earlier: list[Entry] = []
    known = Overlaps()
    for entry in every:
        near = (earlier[at] for at in known.over(entry.text, _NEAR))
        yield from ((other, entry) for other in near if other.text != entry.text)
        known.add(entry.text)
        earlier.append(entry)


def dispute(a: str, b: str) -> Dispute | None:
    """What of two texts cannot both be true; None if both can be, as what two speakers say of
    “my desk”.
    """
    if len({read(a).speaker, read(b).speaker} - {""}) > 1:
        return None
    return difference(a, b) if _states(unframed(a)) and _states(unframed(b)) else None


def turned(before: str, after: str) -> bool:
    """Whether what is said later may turn round what was said before: it takes that back, calls
    something of it dropped, or gives another value.
    """
    found = dispute(before, after)
    is_other = found is not None and found.is_exclusive
    is_off = is_other or takes_back(before, after, "") or is_void(after)
    return is_off and shares_matter(before, after)


def is_certain(a: str, b: str, found: Dispute) -> bool:
    """Whether only one of two texts can hold: “the” one thing “is” this value, and no more is said,
    or “is not” what the other says that it is. Of all else there may be several.
    """
    if found.kind not in _SINGLE or doubt(f"{a}\n{b}"):
        return False
    ours, theirs = unframed(a), unframed(b)
    line, value, other = (ours, found.a, theirs) if found.a else (theirs, found.b, ours)
    before, _, after = line.rpartition(value)
    # “The standup is at”: “the next one” and “the one that he takes” are of several.
    if not pattern("the_one").fullmatch(before.strip()):
        return False
    if found.kind != NEGATION:
        return not any(map(str.isalnum, after))
    return _keys(f"{before} {after}") == _keys(other)


def difference(a: str, b: str) -> Dispute | None:
    """The one thing in which two texts differ; None if it is more than that, or nothing."""
    ours, theirs = unframed(a), unframed(b)
    denials = _denial(ours), _denial(theirs)
    if all(denials) or not any(denials):
        return _exchange(ours, theirs)
    deny = pattern("negations")
    is_same = words(deny.sub("", ours)) == words(deny.sub("", theirs))
    return Dispute(NEGATION, *denials) if is_same else None


@lru_cache(maxsize=1 << 15)
def _denial(text: str) -> str:
    found = pattern("negations").search(text)
    return found[0] if found else ""


def _exchange(ours: str, theirs: str) -> Dispute | None:
    """The value or name of one that stands where the other has another one."""
    mine, other = _pieces(ours), _pieces(theirs)
    head, tail = common_ends(_keys(ours), _keys(theirs))
    spans = mine[head : len(mine) - tail], other[head : len(other) - tail]
    if head + tail < _FEW or not all(spans) or not _is_one(ours, *spans):
        return None
    exchanged = (
        line[span[0].start : span[-1].end] for line, span in zip((ours, theirs), spans, strict=True)
    )
    return Dispute(spans[0][0].type.split()[0], *exchanged)


def _is_one(line: str, ours: _Pieces, theirs: _Pieces) -> bool:
    """Whether a thing has only one of these: of two values of one type, or of two names behind a
    verb of being. Of what comes before that, or of what she speaks, there are two; of “one of” or
    “a”, any number.
    """
    if {piece.type for piece in ours + theirs} == {NAME}:
        is_short = max(len(ours), len(theirs)) <= _LONGEST_NAME
        before = line[: ours[0].start]
        is_any = has_any(before, "articles", "weak_numbers")
        return is_short and not is_any and has_any(before, "auxiliaries")
    return len(ours) == len(theirs) == 1 and are_alike(ours[0], theirs[0])


def ends_otherwise(a: str, b: str) -> bool:
    """Whether two texts are word for word the same, but for the last word or value of each."""
    ours, theirs = _keys(unframed(a)), _keys(unframed(b))
    return ours[:-1] == theirs[:-1] and ours != theirs and len(ours) > _FEW


def _keys(text: str) -> list[str]:
    return [piece.key for piece in _pieces(text)]


@lru_cache(maxsize=1 << 15)
def _pieces(text: str) -> _Pieces:
    """The values and words of a text in their order; “three” is the number 3."""
    values = typed_values(text)
    words = (
        TypedValue(at.start, at.end, "number" if count else NAME, str(count or at.folded), at.text)
        for at in tokens(without(text, values))
        for count in [number_of(at.folded, text)]
    )
    return tuple(sorted([*values, *words]))


@lru_cache(maxsize=1 << 15)
def _states(text: str) -> bool:
    """Whether a text says how something is now."""
    return is_sure(text) and not (_RECORD.search(text) or has_any(text, "past", "future"))


@lru_cache(maxsize=1 << 15)
def unframed(text: str) -> str:
    """A text without its speaker and tags."""
    return _FRAME.sub(" ", text).strip()


# Which of two entries that contradict each other wins. In doubt neither does.

_CORRECTED = "the operator's correction wins"

MUCH_NEWER = 30
"""From this many days on, the newer side wins if it was said directly."""

_SETTLED_BY_AGE = {tag.name for tag in TAGS if tag.is_category and tag.newer_wins}
"""Tags of which a much newer entry wins over an older one."""


class Settlement(NamedTuple):
    """`winner` is 0 or 1, None if the operator has to decide. `why` is the rule in words."""

    winner: int | None
    why: str


def settle(found: Contradiction, known: Iterable[Correction]) -> Settlement:
    """The first rule that fits: the correction, then the much newer side; else nobody wins.

    What the operator called wrong has lost. All else is settled only where one of the two must be
    wrong.
    """
    known = tuple(known)
    a, b = found.sides
    is_a_wrong, is_b_wrong = (bool(refuted(side.text, known)) for side in found.sides)
    if is_a_wrong != is_b_wrong:
        return Settlement(int(is_a_wrong), _CORRECTED)
    if not _is_of_one_thing(found):
        return Settlement(None, "both may hold")
    is_a_right, is_b_right = _is_right(a, known), _is_right(b, known)
    if is_a_right != is_b_right:
        return Settlement(int(is_b_right), _CORRECTED)
    if is_a_right:
        return Settlement(None, "the operator corrected both sides")
    # Of a pill at 8:00 and one at 20:00, both may hold.
    is_denied = found.dispute.kind == NEGATION
    return _by_age(a, b) if is_denied else Settlement(None, "both may hold")


def _by_age(a: Entry, b: Entry) -> Settlement:
    if not (a.day and b.day):
        return Settlement(None, "a side has no date")
    newer, gap = int(b.day > a.day), abs((b.day - a.day).days)
    if gap < MUCH_NEWER:
        return Settlement(None, f"within {MUCH_NEWER} days of each other")
    # A newer note may only be an older belief written down late.
    facts = (a, b)[newer].facts
    is_direct = facts.src == EXPLICIT and any(ref.startswith("chat:") for ref in facts.evidence)
    if is_direct and {a.primary, b.primary} <= _SETTLED_BY_AGE:
        return Settlement(newer, f"newer by {gap} days, said in direct conversation")
    return Settlement(None, "age does not settle it")


def _is_of_one_thing(found: Contradiction) -> bool:
    """Whether only one of two entries can hold. Other topics, and other headings, speak of other
    things.
    """
    a, b = found.sides
    is_of_one_place = _things(a) == _things(b) and a.path == b.path
    return is_of_one_place and is_certain(undisputed(a), undisputed(b), found.dispute)


def _is_right(entry: Entry, known: Iterable[Correction]) -> bool:
    """Whether the operator corrected an entry to this. Its own tag proves nothing: anybody can
    write one.
    """
    return any(same_fact(entry.text, each.correct) for each in known if each.binds)


def with_decision(
    read: Callable[[str], str], places: Sequence[Entry], winner: int | None, ids: Iterable[str]
) -> dict[str, str]:
    """The texts of the files in which one of two entries replaces the other; None: both stay.

    An earlier decision between the two is taken back. Where one wins, an entry without an id gets
    the next of `ids`, of which there are two.
    """
    texts = {place.path: read(place.path) for place in places}
    metas = [_entry_at(texts, place).facts for place in places]
    if winner is not None:
        metas = [
            meta if meta.id else meta._replace(id=fresh)
            for meta, fresh in zip(metas, ids, strict=True)
        ]
    for at, place in enumerate(places):
        meta = _decided(metas[at], metas[1 - at], loses=winner == 1 - at)
        # Without an id, an entry has no comment, and nothing was decided about it.
        if meta.id:
            texts[place.path] = with_meta(texts[place.path], _entry_at(texts, place), meta)
    return texts


def _entry_at(texts: dict[str, str], place: Entry) -> Entry:
    """An entry as it stands now. Comments leave all lines where they are."""
    return next(each for each in entries(texts[place.path]) if each.line == place.line)


def _decided(meta: Meta, other: Meta, *, loses: bool) -> Meta:
    if loses:
        return meta.having("status", SUPERSEDED).having("by", other.id)
    is_beaten = meta.status == SUPERSEDED and other.id and meta.by == other.id
    # Or a merge left the two as two texts of one entry.
    are_disputed = meta.status == other.status == DISPUTED
    are_rivals = are_disputed and (meta.by == other.id or other.by == meta.id)
    return meta.undisputed if is_beaten or are_rivals else meta

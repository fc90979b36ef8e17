"""Whether two clauses in other words speak of one matter, and of one case of it."""

from collections.abc import Iterable
from itertools import product

from clawgit.domain.quantity import SCHEDULE, differ
from clawgit.domain.statement_concepts import ACTS, OPPOSED, WIDER, concept
from clawgit.domain.statement_gist import Gist
from clawgit.domain.statement_words import KINDS


def of_one_matter(a: Gist, b: Gist) -> bool:
    """Whether nothing tells their things apart: at most one side names more, and neither narrows it."""
    mine, theirs, shared = a.things - b.things, b.things - a.things, a.known & b.known
    told = shared | (a.things & b.things & (a.nouns | a.acts) & (b.nouns | b.acts))
    if not told - _names_of_both(a, b) or strange(a, b) or (mine | theirs) & _BOUNDS or _paid_otherwise(a, b):
        return False
    if len(shared) < ENOUGH:
        apart = (mine & a.known and theirs & b.known) or (mine & a.acts - _FRAMING and theirs & b.acts - _FRAMING)
    else:
        apart = (mine & a.nouns and theirs & b.nouns) or (mine & ACTS and theirs & ACTS)
    narrowed = (mine & a.scope & a.nouns and not b.fresh) or (theirs & b.scope & b.nouns and not a.fresh)
    return not apart and not narrowed


def close(a: Gist, b: Gist) -> bool:
    """Whether both share so much that they speak of one thing: two words, and half of what the shorter says."""
    shared = len(a.things & b.things) + len(a.labels & b.labels) + len({*a.amounts} & {*b.amounts})
    return shared >= ENOUGH and shared * 2 >= min(len(a.nouns | a.named), len(b.nouns | b.named))


def outweighed(a: Gist, b: Gist) -> bool:
    """Whether they tell far more of other things than of the same."""
    kinds = {concept(word) for word in a.kinds | b.kinds} | a.kinds | b.kinds
    others = (a.things ^ b.things) & (a.nouns | b.nouns) - kinds
    same = len(a.things & b.things & (a.nouns | b.nouns | a.named | b.named)) + len(a.labels & b.labels)
    return len(others) > same + 1


def strange(a: Gist, b: Gist) -> bool:
    """Whether they name different things: by their labels, by names, by words of which one excludes the other."""
    mine, theirs = a.things - b.things, b.things - a.things
    if a.labels != b.labels and {noun for noun, _ in a.labels} & {noun for noun, _ in b.labels}:
        return True
    if any(_exclude(x, y) for x, y in product(mine, theirs)):
        return True
    if any(x & y and x - b.things and y - a.things for x, y in product(a.names, b.names)):
        return True
    if _of_its_own(a, b) or _of_its_own(b, a) or (a.daytimes and b.daytimes and not a.daytimes & b.daytimes):
        return True
    return _has_other(a.names, b.things) and _has_other(b.names, a.things)


def alike(a: Gist, b: Gist) -> bool:
    """Whether both say so of one case: no not, no further one, no other day, no other of several."""
    timed = when(a) != when(b) or at_other_times(a, b)
    return not (timed or a.denied or b.denied or a.adds or b.adds or a.labels ^ b.labels)


def when(one: Gist) -> set[str]:
    """The kinds of days and hours that it names."""
    return {x.kind for x in one.amounts if x.kind in SCHEDULE} - {"every"}


def at_other_times(a: Gist, b: Gist) -> bool:
    """Whether each names a day or an hour of its own."""
    mine, theirs = (tuple(x for x in one.amounts if x.kind in SCHEDULE) for one in (a, b))
    return differ(mine, theirs) is not None


def foreign(one: Gist, other: Gist) -> frozenset[str]:
    """The words of the name that only one side has; nothing where these are several."""
    found = [name for name in one.names if not name & other.things]
    return found[0] if len(found) == 1 else frozenset()


def widened(one: Gist) -> Gist:
    """With what its things are: who takes no pets takes no dogs."""
    return one._replace(things=one.things | {WIDER[word] for word in one.things if word in WIDER})


def without(one: Gist, words: Iterable[str]) -> Gist:
    """But for some words, and for what narrows along with them."""
    gone = frozenset(words)
    gone |= {concept(word) for word in gone}
    return one._replace(
        things=one.things - gone,
        nouns=one.nouns - gone,
        names=tuple(name for name in one.names if not name & gone),
        scope=frozenset() if one.scope & gone else one.scope,
    )


def _of_its_own(one: Gist, other: Gist) -> bool:
    """Whether one is of what belongs to the other's thing: the bus to the museum, Pavel's brother."""
    thing, whole = one.part
    return bool(thing) and thing not in other.things and whole in other.subject and other.part[1] != whole


def _exclude(x: str, y: str) -> bool:
    return frozenset((x, y)) in OPPOSED or bool(KINDS.get(x, frozenset()) & KINDS.get(y, frozenset()))


def _has_other(names: Iterable[frozenset[str]], things: frozenset[str]) -> bool:
    return any(not name & things for name in names)


def _names_of_both(a: Gist, b: Gist) -> frozenset[str]:
    """A name that both begin with says of whom, and not what of him."""
    return frozenset({a.head} & {b.head}) & a.named


def _paid_otherwise(a: Gist, b: Gist) -> bool:
    """Whether two prices are for another time: a month, a year."""
    mine, theirs = _cycle(a), _cycle(b)
    return mine != theirs and bool(mine and theirs)


def _cycle(one: Gist) -> set[str]:
    paid = any(x.kind.startswith("money") for x in one.amounts)
    return {*one.rates, *(x.said for x in one.amounts if x.kind == "every")} if paid else set()


ENOUGH = 2
"""So many words must be shared where one may be by chance."""

_BOUNDS = frozenset(("minimum", "maximum"))
_FRAMING = frozenset(("start", "due", "keep", "take"))

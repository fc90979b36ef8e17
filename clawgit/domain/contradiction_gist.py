"""When two notes in quite other words contradict each other: of one matter, and with values or states that exclude."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product
from typing import NamedTuple

from clawgit.domain.contradiction_matter import (
    ENOUGH,
    alike,
    at_other_times,
    close,
    foreign,
    of_one_matter,
    outweighed,
    strange,
    when,
    widened,
    without,
)
from clawgit.domain.quantity import SCHEDULE, Amount, differ, tokens
from clawgit.domain.statement import BEFORE, LATER, PERHAPS, Claim, claims
from clawgit.domain.statement_concepts import EXCLUDED, OPPOSED, concept
from clawgit.domain.statement_gist import Gist, gists
from clawgit.domain.statement_phrases import plainly
from clawgit.domain.statement_words import KINDS, OPPOSITES, word_set


class Clash(NamedTuple):
    """By which rule, what stands against what, and the side that the other calls past: one, other, or none."""

    rule: str
    detail: str
    outdated: str = ""


Rule = Callable[[Gist, Gist], Clash | None]


def clash(one: str, other: str) -> Clash | None:
    """The first rule by which what two texts say of one matter cannot both be true; None where they can."""
    pairs = [(a, b) for a, b in product(gists(one), gists(other)) if a.things & b.things or a.old or b.old]
    if not pairs:
        return None
    told = (claims(plainly(one)), claims(plainly(other)))
    if any(_is_one_of_many(claim) or claim.holds == PERHAPS for claim in (*told[0], *told[1])) or _is_done(*told):
        return None
    if _is_past(one) or _is_past(other):
        return _first(_RULES[-_LASTING:], [(a, b) for a, b in pairs if a.results or b.results])
    return _first(_TOLD, pairs) or _first(_RULES, [(a, b) for a, b in pairs if not outweighed(a, b)])


def _first(rules: Iterable[Rule], pairs: list[tuple[Gist, Gist]]) -> Clash | None:
    return next((found for rule in rules for a, b in pairs if (found := rule(a, b))), None)


def besides(one: str, other: str) -> bool:
    """Whether both can be: `we also use Zulip`, or what begins in one town may begin in another."""
    adds = any(gist.adds for gist in (*gists(one), *gists(other)))
    return adds or any(_anywhere(a, b) for a, b in product(gists(one), gists(other)))


def _anywhere(a: Gist, b: Gist) -> bool:
    acts = a.things & b.things & _ANYWHERE - {a.head, b.head}
    return bool(acts and foreign(a, b) and foreign(b, a))


def repeated(one: str, other: str) -> bool:
    """Whether each tells a day of what may be done on several: who sings on Mondays may sing on Thursdays, too."""
    if any(gist.fresh or gist.only for gist in (*gists(one), *gists(other))):
        return False
    return bool({*_done(one)} & {*_done(other)})


def _done(text: str) -> Iterator[str]:
    found = [token.word for token in tokens(plainly(text))]
    for word, behind in pairwise([*found, ""]):
        base = word.removesuffix("s").removesuffix("oe") + "o" * word.endswith("oes")
        if base in _AGAIN or (base == "go" and behind == "to"):
            yield base


def set_apart(one: str, other: str) -> bool:
    """Whether two texts are of two sorts of a thing: the new contracts, and those that there are already; or whether
    what is denied is only said beside: `at the gate, never behind it`.
    """
    read = (*gists(one), *gists(other))
    if any(gist.old for gist in read) and not any(gist.denied for gist in read):
        return True
    pairs = ((a.things - b.things, b.things - a.things) for a, b in product(gists(one), gists(other)))
    return any(frozenset(pair) in OPPOSED for mine, theirs in pairs for pair in product(mine, theirs))


def _is_one_of_many(claim: Claim) -> bool:
    """`Lunch with Mia on Friday`, `I owe Ben ten euros`."""
    return claim.relation == "owe" or (claim.relation == "meet" and not claim.value and bool(claim.amounts))


def _is_done(mine: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> bool:
    """Whether one plans what the other tells the outcome of."""
    one, other = ({claim.holds for claim in told} for told in (mine, theirs))
    return (LATER in one and BEFORE in other) or (LATER in other and BEFORE in one)


def _is_past(text: str) -> bool:
    """Whether a text tells what happened, and not that something changed."""
    told = claims(text.partition(",")[0])
    return any(claim.holds == BEFORE for claim in told) and not any(one.fresh for one in gists(text))


def _past(a: Gist, b: Gist) -> Clash | None:
    """What one itself calls past is what the other says: `in Porto instead of Lisbon`."""
    for told, current, outdated in ((a, b, "other"), (b, a, "one")):
        words = told.old & (current.nouns | current.named) - current.lent
        values = [x.said for x in told.over for y in current.amounts if x.value == y.value]
        rest = (told.things - told.old) & current.things
        most = len(words) * 2 >= len(told.old) and len(words) + len(values) + len(rest) >= ENOUGH
        narrower = not values and any(x.kind != "number" for x in told.over)
        if (words or values) and most and not narrower and not current.denied and "depart" not in current.things:
            return Clash("no longer", f"{_said(words) or values[0]}: past against still", outdated)
    return None


def _typed(a: Gist, b: Gist) -> Clash | None:
    """One value each of one kind, and not the same."""
    if a.denied != b.denied or not of_one_matter(a, b) or _are_opposite(a, b):
        return None
    apart = dict(_apart(a, b))
    if "day" in apart or (apart.keys() == {"weekday", "clock"} and not _is_habit(*apart["weekday"])):
        apart = {"day": apart.get("day") or apart["weekday"]}
    if len(apart) != 1:
        return None
    [(one, other)] = apart.values()
    if _is_habit(one, other) and a.head == b.head and a.things - b.things and b.things - a.things:
        return None
    if one.kind not in SCHEDULE and when(a) != when(b) and not (a.fresh or b.fresh):
        return None
    return Clash("date" if one.kind in SCHEDULE else "number", f"{one.said} against {other.said}")


def _are_opposite(a: Gist, b: Gist) -> bool:
    """Whether both tell a state, and not the same: booked for May, and free in June."""
    mine, theirs = dict(a.states), dict(b.states)
    return any(mine[name] is not theirs[name] for name in mine.keys() & theirs.keys())


def _apart(a: Gist, b: Gist) -> Iterator[tuple[str, tuple[Amount, Amount]]]:
    """The kinds of which both have one value, and another."""
    mine, theirs = _measured(a, b), _measured(b, a)
    unbound = bool(_LIMITS & a.things & b.things)
    for kind in {x.kind for x in mine}:
        ones, others = (tuple(_plain(x, unbound) for x in found if x.kind == kind) for found in (mine, theirs))
        if len(ones) == len(others) == 1 and (found := differ(ones, others)):
            yield kind, found


def _plain(value: Amount, unbound: bool) -> Amount:
    """An hour as a clock face shows it, and what is at most so much as so much where both speak of the limit."""
    if value.kind == "clock":
        return value._replace(value=(value.value[0] % _HALF_DAY,))
    return value._replace(bound="") if unbound else value


def _measured(one: Gist, other: Gist) -> tuple[Amount, ...]:
    """Its values, the kinds of numbers as the other side has them: `5.5` and `6`, `80` and `90 %`."""
    told, theirs = ({x.kind for x in side.amounts} for side in (one, other))
    units = [kind for kind in theirs - told if kind.startswith(("number ", "money ", "percent"))]
    found = (_as_number(x, theirs, units) for x in one.amounts)
    dated = "month" in theirs - told and not (one.fresh or other.fresh)
    return tuple(_as_month(x) if dated else x for x in found)


def _as_month(value: Amount) -> Amount:
    """Of a day its month, with the year where that is told."""
    if value.kind != "day":
        return value
    year, month = value.value[:2]
    return value._replace(kind="month", value=(month, year) if year else (month,))


def _as_number(value: Amount, theirs: set[str], units: list[str]) -> Amount:
    if value.kind == "version" and len(value.value) == _FRACTION and theirs and "version" not in theirs:
        value = value._replace(kind="number", value=(float(value.said.lstrip("vV")),))
    known = value.kind == "number" and "number" not in theirs and len(units) == 1
    return value._replace(kind=units[0]) if known else value


def _is_habit(*days: Amount) -> bool:
    return any(one.said.casefold().endswith("days") for one in days)


def _kind(a: Gist, b: Gist) -> Clash | None:
    """One word each of a kind of which only one can be."""
    for x, y in product(a.kinds - b.kinds, b.kinds - a.kinds):
        single = KINDS[x] & KINDS[y] & (_SINGLE | OPPOSITES)
        if single and alike(a, b) and of_one_matter(without(a, (x, y)), without(b, (x, y))):
            return Clash("value", f"{x} against {y}")
    return None


def _polar(a: Gist, b: Gist) -> Clash | None:
    """What one denies is what the other says."""
    if a.denied == b.denied or strange(a, b) or not (a.things - a.lent) & (b.things - b.lent):
        return None
    denied, told = (a, widened(b)) if a.denied else (b, widened(a))
    said = denied.focus & told.things if denied.focus else denied.acts or denied.states or denied.ended
    if not said or when(denied) - when(told) or differ(a.amounts, b.amounts) or _of_others(a, b):
        return None
    bound = denied.head in (denied.scope & denied.nouns) - told.things and not told.every
    others = not denied.ended and denied.head in denied.nouns - denied.named - told.things
    if (
        bound
        or others
        or _of_two(a, b)
        or _measures_else(denied, told)
        or any(not on and name in _OVER for name, on in told.states)
    ):
        return None
    known = denied.nouns | denied.named
    ceased = denied.ended and not denied.acts and denied.named and known <= told.things
    found = ceased or close(denied, told)
    return Clash("negation", f"{_said(a.things & b.things)}: yes against no") if found else None


def _of_others(a: Gist, b: Gist) -> bool:
    """Whether one is of the guests and the other of the staff, or each for a purpose of its own."""
    mine, theirs = (a.things - b.things) & a.nouns, (b.things - a.things) & b.nouns
    scoped = mine & a.scope and theirs & b.scope
    placed = any(
        x <= mine and y <= theirs for (link, x, _), (other, y, _) in product(a.places, b.places) if link == other
    )
    return bool(scoped) or placed or (a.head in mine - a.named and b.head in theirs - b.named)


def _measures_else(denied: Gist, told: Gist) -> bool:
    """Whether it fails at 8 MHz what runs up to 2: no value of the kind is that of the other side."""
    values = {(one.kind, one.value) for one in told.amounts}
    kinds = {one.kind for one in told.amounts}
    return any(one.kind in kinds and (one.kind, one.value) not in values for one in denied.amounts)


def _of_two(a: Gist, b: Gist) -> bool:
    """Whether each tells which: the bees at the mill, the bees at the orchard; who likes a tent, and no boots."""
    mine, theirs = ((one.things - other.things) & one.nouns for one, other in ((a, b), (b, a)))
    if a.head != b.head or a.ended or b.ended:
        return False
    behind = mine - a.subject and theirs - b.subject and (mine & a.focus or theirs & b.focus)
    return bool((mine & a.subject and theirs & b.subject) or behind)


def _state(a: Gist, b: Gist) -> Clash | None:
    """In a state, and not in it."""
    mine, theirs = dict(a.states), dict(b.states)
    opposite = sorted(name for name in mine.keys() & theirs.keys() if mine[name] is not theirs[name])
    shared = a.things & b.things
    if not opposite or not shared or at_other_times(a, b) or strange(a, b) or _of_others(a, b):
        return None
    apart = (a.things - b.things) & a.nouns - {"night"} and (b.things - a.things) & b.nouns - {"night"}
    if not close(a, b) and (a.head != b.head or apart):
        return None
    return Clash("status", f"{_said(shared)}: {opposite[0]} against not")


def _exception(a: Gist, b: Gist) -> Clash | None:
    """What one says of every case, and the other only of some or of none."""
    for always, bound in ((a, b), (b, a)):
        limits = (bound.only or bound.denied) and not bound.every
        if always.every and not always.denied and limits and not strange(a, b) and close(a, b):
            return Clash("negation", f"{_said(a.things & b.things)}: always against not always")
    return None


def _gone(a: Gist, b: Gist) -> Clash | None:
    """What has died is not what the other says it is."""
    for over, told in ((a, b), (b, a)):
        certain = over.labels & told.labels or over.head in over.named
        dead, alive = (("alive", False) in one.states for one in (over, told))
        if dead and not alive and certain and over.head == told.head:
            return Clash("status", f"{over.head}: gone against there")
    return None


def _without_it(a: Gist, b: Gist) -> Clash | None:
    """`Nadia is vegan` against `Nadia eats fish`."""
    for one, other in ((a, b), (b, a)):
        words = one.things & EXCLUDED.keys()
        if not words:
            continue
        found = frozenset().union(*(EXCLUDED[word] for word in words)) & other.things
        others = (other.things - one.things - found) & other.nouns - {"food", "meal", other.head}
        same = one.things & other.things and one.denied == other.denied and not strange(a, b)
        if found and same and not others:
            return Clash("value", f"{_said(words)} against {_said(found)}")
    return None


def _role(a: Gist, b: Gist) -> Clash | None:
    """Another name for who has a part that one has alone: the midwife of Ana, the counsel in a case."""
    mine, theirs, shared = foreign(a, b), foreign(b, a), a.things & b.things
    if not mine or not theirs or not shared & _ROLES or a.denied or b.denied or a.adds or b.adds:
        return None
    placed = {link for one in (a, b) for link, words, _ in one.places if words & (mine | theirs)} - {"to"}
    bare = len(a.things | b.things) <= ENOUGH
    others = (a.things - mine - shared) & a.nouns and (b.things - theirs - shared) & b.nouns
    narrowed = (a.scope - b.things - mine) | (b.scope - a.things - theirs)
    if placed or others or narrowed or not (shared - _ROLES or bare):
        return None
    return Clash("value", f"{_said(mine)} against {_said(theirs)}")


def _renewed(a: Gist, b: Gist) -> Clash | None:
    """One says that it has changed, and names another: `tasks are kept in Notion now`."""
    mine, theirs = foreign(a, b), foreign(b, a)
    if not mine or not theirs or a.fresh == b.fresh or a.denied or b.denied or a.adds or b.adds or a.labels ^ b.labels:
        return None
    if (when(a) and when(b) and when(a) != when(b)) or mine & a.nouns or theirs & b.nouns:
        return None
    others = (a.things - b.things - mine) & a.nouns and (b.things - a.things - theirs) & b.nouns
    of_one = a.known & b.known if a.head == b.head else a.known & b.known & a.nouns & b.nouns
    if others or not of_one or (mine <= a.subject) != (theirs <= b.subject):
        return None
    return Clash("value", f"{_said(mine)} against {_said(theirs)}")


def _place(a: Gist, b: Gist) -> Clash | None:
    """Another place, source or way of what has one: `the keys are in the office`, `the keys are in the safe`."""
    if a.denied or b.denied or a.adds or b.adds or not (a.still and b.still) or _anywhere(a, b):
        return None
    for (link, x, named), (other, y, also) in product(a.places, b.places):
        one = link in _ONE_EACH if (link, named) == (other, also) else not (named or also) and {link, other} <= _SPOTS
        mine, theirs = without(a, x - b.things), without(b, y - a.things)
        within = mine.things <= theirs.things or theirs.things <= mine.things
        if one and not x & y and within and of_one_matter(mine, theirs):
            return Clash("value", f"{_said(x)} against {_said(y)}")
    return None


def _agent(a: Gist, b: Gist) -> Clash | None:
    """`Ravi does the payroll` against `payroll is handled by Simone`."""
    for told, doing in ((a, b), (b, a)):
        by = next((words for link, words, named in told.places if link == "by" and named), frozenset[str]())
        doer = foreign(doing, told)
        if not by or by & doing.things or doing.head not in doer:
            continue
        rest = ((told.things - doing.things - by) & told.nouns) | ((doing.things - told.things - doer) & doing.nouns)
        if told.known & doing.known and not rest and alike(told, doing):
            return Clash("value", f"{_said(by)} against {_said(doer)}")
    return None


def _said(words: frozenset[str]) -> str:
    return " ".join(sorted(words))


_HALF_DAY, _FRACTION = 720, 2
_LIMITS = frozenset(("budget", "limit", "hold"))
_OVER = frozenset(("used", "alive", "kept", "valid", "open", "running"))
_ANYWHERE = frozenset(("start", "release", "stop", "sell"))
_AGAIN = frozenset(("sing", "play", "perform", "visit", "swim", "jog", "walk", "cycle", "shop"))
_ONE_EACH = frozenset(("at", "in", "on", "from", "through", "to"))
_SPOTS = frozenset(("at", "in", "on"))
_SINGLE = word_set("""
    colour os file delivery theme stage sql cloud editor currency indent ci vcs tracker proxy letters
    """)
_ROLES = frozenset(map(concept, word_set("""
    doctor dentist nurse midwife teacher tutor coach trainer lawyer counsel accountant landlord tenant boss manager
    chair captain lead owner editor author supplier vendor insurer bank vet plumber electrician carer contact
    sponsor mentor supervisor assistant deputy secretary treasurer provider courier caterer photographer florist
    """)))  # fmt: skip
"""Parts that one has at a time."""

_TOLD = (_past, _role, _without_it)
"""What the words themselves say to exclude each other, whatever else is told."""

_RULES = (_typed, _kind, _polar, _exception, _renewed, _place, _agent, _state, _gone)
_LASTING = 2
"""So many of the last rules hold of a thing to which something has happened, too."""

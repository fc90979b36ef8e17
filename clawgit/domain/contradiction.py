"""Whether two texts contradict each other: the same thing and the same attribute, and yet not the same.

Two facts that can both be true are no contradiction, however alike they look; in doubt there is none.
"""

from itertools import product
from typing import NamedTuple

from clawgit.domain.contradiction_gist import besides, clash, repeated, set_apart
from clawgit.domain.contradiction_matter import widened
from clawgit.domain.mention import same_fact
from clawgit.domain.quantity import SCHEDULE, Amount, differ
from clawgit.domain.statement import BEFORE, PERHAPS, PLAIN, Claim, claims
from clawgit.domain.statement_concepts import EXCLUDED
from clawgit.domain.statement_gist import gists
from clawgit.domain.statement_nouns import aligned
from clawgit.domain.statement_pair import (
    TURNED,
    comparable,
    counts,
    denies,
    differing,
    is_one_of,
    kinds,
    means,
    near,
    one_at_a_time,
    rules_out,
    scoped,
    speak_alike,
    together,
)
from clawgit.domain.statement_verbs import BASES, REGULAR
from clawgit.domain.statement_words import (
    ASPECTS,
    KINDS,
    LIGHT,
    OPPOSITES,
    OVER,
    ROLES,
    SILENT,
)
from clawgit.domain.stems import stem

VALUE, NEGATION, NUMBER, DATE, ANTONYM = "value", "negation", "number", "date", "antonym"
ENDED, SWITCHED, STATUS = "no longer", "switched", "status"
ONE, OTHER = "one", "other"


class Contradiction(NamedTuple):
    """`detail` names what stands against what. `outdated` is the side, one or other, that the words of the opposite
    side call past; "" where neither does.
    """

    rule: str
    detail: str
    outdated: str = ""


def contradiction(one: str, other: str) -> Contradiction | None:
    """The first rule by which two texts cannot both be true; None where they can."""
    pairs = [aligned(a, b) for a, b in product(claims(one), claims(other)) if PERHAPS not in (a.holds, b.holds)]
    found = next((found for rule in _RULES for a, b in pairs if (found := rule(a, b))), None)
    excuse = _EXCUSED.get(found.rule) if found else None
    if excuse and excuse(one, other):
        return None
    if found is None and (loose := clash(one, other)):
        found = Contradiction(*loose)
    return None if found is None or same_fact(one, other) else found


def _switched(a: Claim, b: Claim) -> Contradiction | None:
    """`switched from X to Y` against X as current, whichever says so."""
    for told, current, outdated in ((a, b, OTHER), (b, a, ONE)):
        gone = told.old & (current.value | current.topic)
        if not gone or gone != told.old or told.value & current.value or current.negated or current.old:
            continue
        rest = current.topic - gone
        if current.holds != BEFORE and (near(told.topic, rest) or not told.topic or not rest):
            if told.relation == "prefer":
                return Contradiction(VALUE, f"{_said(told.value)} against {_said(gone)}")
            return Contradiction(SWITCHED, f"{_said(gone)} → {_said(told.value)}", outdated)
    return None


def _ended(a: Claim, b: Claim) -> Contradiction | None:
    for told, current, outdated in ((a, b, OTHER), (b, a, ONE)):
        if told.ended and not current.negated and current.holds != BEFORE and means(told, current):
            return Contradiction(ENDED, f"{_said(told.value or told.words)}: no longer, against still", outdated)
    return None


def _negation(a: Claim, b: Claim) -> Contradiction | None:
    if a.negated == b.negated or not together(a, b) or a.ended or b.ended:
        return None
    found = speak_alike(a, b) or denies(*((a, b) if a.negated else (b, a)))
    return Contradiction(NEGATION, f"{_said(a.value or a.words)}: yes against no") if found else None


def _amount(a: Claim, b: Claim) -> Contradiction | None:
    if not comparable(a, b) or (a.value and b.value and not near(a.value, b.value)):
        return None
    if (
        ("month" in {one.kind for one in a.amounts}) != ("month" in {one.kind for one in b.amounts})
        and a.amounts
        and b.amounts
        and len(a.amounts) != len(b.amounts)
    ):
        return None
    if not a.topic and not b.topic and a.value != b.value:
        return None
    others = a.agent != b.agent and not (a.topic | a.value) - _rates(a)
    if others or _turned(a, b) or (a.relation != b.relation and "off" in a.value | b.value):
        return None
    mine, theirs = (tuple(x for x in one.amounts if counts(one, x.kind)) for one in (a, b))
    found = differ(mine, theirs)
    if not found or len(differing(a, b)) > 1:
        return None
    return Contradiction(DATE if found[0].kind in SCHEDULE else NUMBER, f"{found[0].said} against {found[1].said}")


def _measure(a: Claim, b: Claim) -> Contradiction | None:
    """One measure of one thing, however it is worded: `the tank holds 55 litres`, `the capacity of the tank is 60`."""
    if a.negated or b.negated or len(a.amounts) != 1 or len(b.amounts) != 1 or not together(a, b):
        return None
    if _turned(a, b) or BEFORE in (a.holds, b.holds) or "meet" in (a.relation, b.relation) or not _of_one(a, b):
        return None
    mine, theirs = (_unbound(one.amounts[0], other.words) for one, other in ((a, b), (b, a)))
    if {mine.kind, theirs.kind} == {"day", "month"}:
        mine, theirs = _month(mine), _month(theirs)
    if "number" in (mine.kind, theirs.kind) and (mine.kind + theirs.kind).replace("number", "").startswith("money"):
        mine, theirs = mine._replace(kind="money"), theirs._replace(kind="money")
    if not differ((mine,), (theirs,)):
        return None
    return Contradiction(DATE if mine.kind in SCHEDULE else NUMBER, f"{mine.said} against {theirs.said}")


def _turned(a: Claim, b: Claim) -> bool:
    """Whether one does what is done to the other: `Ben owes me 50 euros`, `I owe Ben 80 euros`."""
    return a.relation == b.relation == "owe" and (a.passive != b.passive or a.topic != b.topic)


def _month(amount: Amount) -> Amount:
    return amount if amount.kind == "month" else amount._replace(kind="month", value=amount.value[1:2])


def _of_one(a: Claim, b: Claim) -> bool:
    """Whether two measures are of the same thing and of the same in it."""
    told, other = _aspects(a), _aspects(b)
    if told != other and ((told and other and not told & other) or not (told ^ other) <= SILENT):
        return False
    rates = [_rates(one) for one in (a, b)]
    if all(rates) and rates[0] != rates[1]:
        return False
    times = [one.words & _DAYTIME for one in (a, b)]
    if all(times) and times[0] != times[1]:
        return False
    nouns = [one.amounts[0].kind.partition(" ")[2] for one in (a, b)]
    counted = {*nouns} if nouns[0] == nouns[1] else set()
    mine, theirs = (one.words - PLAIN - counted - _DAYTIME - _ASPECT.keys() for one in (a, b))
    mine, theirs = (frozenset(_CLASS.get(word, word) for word in words) for words in (mine, theirs))
    return mine == theirs != frozenset()


def _rates(claim: Claim) -> frozenset[str]:
    return frozenset(word for word in claim.words if word.startswith("each-"))


def _aspects(claim: Claim) -> frozenset[str]:
    bound = {"<": ("limit",), ">": ("least",)}.get(claim.amounts[0].bound, ())
    return frozenset((*bound, *(_ASPECT[word] for word in claim.words | {claim.relation} if word in _ASPECT)))


def _unbound(amount: Amount, words: frozenset[str]) -> Amount:
    """Without its limit, and without the noun it counts where the other side speaks of it, too."""
    noun = amount.kind.partition("number ")[2]
    return amount._replace(bound="" if amount.bound != "~" else "~", kind="number" if noun in words else amount.kind)


def _antonym(a: Claim, b: Claim) -> Contradiction | None:
    """The same words but for one on each side, and these two are of one kind."""
    mine, theirs = (a.words - b.words) - PLAIN, (b.words - a.words) - PLAIN
    if a.negated or b.negated or not together(a, b) or differing(a, b) - {"hours"}:
        return None
    if len(mine) != 1 or len(theirs) != 1 or not a.words & b.words:
        return None
    [x], [y] = mine, theirs
    if not rules_out(a, b, x, y) or scoped(a, b, x, y) or not (x in TURNED or is_one_of(a, b, x, y)):
        return None
    opposite = x in TURNED or kinds(x, y) & OPPOSITES or not kinds(x, y)
    return Contradiction(ANTONYM if opposite else VALUE, f"{x} against {y}")


def _status(a: Claim, b: Claim) -> Contradiction | None:
    """Called off against still to come."""
    for told, current, outdated in ((a, b, OTHER), (b, a, ONE)):
        off, still = told.value & OVER, not current.value & OVER and current.holds != BEFORE
        on = current.relation == "happen" or any(one.kind in SCHEDULE for one in current.amounts)
        if off and on and still and told.negated == current.negated and near(told.topic, current.topic):
            return Contradiction(STATUS, f"{_said(off)} against {_said(current.words)}", outdated)
    return None


def _value(a: Claim, b: Claim) -> Contradiction | None:
    mine, theirs = a.value - b.value, b.value - a.value
    if not mine or not theirs or differing(a, b) - {"hours"} or not comparable(a, b):
        return None
    if bool(mine & _DAYTIME) != bool(theirs & _DAYTIME):
        return None
    if not one_at_a_time(a, b, mine, theirs):
        return None
    return Contradiction(VALUE, f"{_said(mine)} against {_said(theirs)}")


def _agent(a: Claim, b: Claim) -> Contradiction | None:
    """`taught by Marcus` against `Tina teaches it`."""
    for told, doing in ((a, b), (b, a)):
        by = (told.passive and told.link == "by") or (told.relation == "come" and told.link == "from")
        known = by and told.named and not doing.passive
        if not known or told.relation != doing.relation or told.negated or doing.negated or not together(a, b):
            continue
        thing, doer = told.topic - _amounts_of(told), doing.topic - doing.scope
        same = near(thing, doing.value) or thing == doing.value | doing.scope
        if same and doer - told.value and told.value - doer:
            return Contradiction(VALUE, f"{_said(told.value)} against {_said(doer)}")
    return None


def _successor(a: Claim, b: Claim) -> Contradiction | None:
    """`Pawel cleans on Thursdays now`: the same is said of another, and one of both is news."""
    if not (a.renewed or b.renewed) or a.negated or b.negated or a.relation != b.relation or not together(a, b):
        return None
    mine, theirs = a.topic - a.scope, b.topic - b.scope
    same = (
        a.value == b.value
        and a.scope == b.scope
        and a.amounts == b.amounts
        and a.relation not in LIGHT - {"take", "work", "happen"}
    )
    if (
        not same
        or not (a.value or a.amounts or a.scope)
        or not mine
        or not theirs
        or mine & theirs
        or BEFORE in (a.holds, b.holds)
    ):
        return None
    return Contradiction(VALUE, f"{_said(mine)} against {_said(theirs)}")


def _exclusive(a: Claim, b: Claim) -> Contradiction | None:
    """`Marta chairs the council` against `Jonas chairs the council`: what one person does."""
    same = a.relation == b.relation and a.value == b.value and a.amounts == b.amounts
    if not same or a.negated or b.negated or not together(a, b) or not a.value or a.link:
        return None
    alone = (a.relation in ROLES and "vehicle" not in KINDS.get(a.head, ())) or (a.relation in _PARTS and a.scope)
    others = a.doer and b.doer and not a.doer & b.doer and a.topic - a.doer == b.topic - b.doer
    return Contradiction(VALUE, f"{_said(a.doer)} against {_said(b.doer)}") if alone and others else None


def _amounts_of(claim: Claim) -> frozenset[str]:
    """The labels of a topic that are numbers."""
    return frozenset(word for word in claim.topic if word.endswith(")"))


def _said(words: frozenset[str]) -> str:
    return " ".join(sorted(words))


def keys(text: str) -> frozenset[str]:
    """The words by which a text that could contradict another is found: each such pair has one in common."""
    found: set[str] = set()
    for claim in claims(text):
        words = claim.words | claim.old
        found |= words - PLAIN or words
        found.update(f"kind {kind}" for word in words for kind in KINDS.get(word, ()))
        if not claim.topic - PLAIN:
            found.add("relation" if claim.relation in LIGHT else f"relation {claim.relation}")
    for gist in gists(text):
        found |= widened(gist).things | gist.old
        found.update(thing for name in gist.things & EXCLUDED.keys() for thing in EXCLUDED[name])
    return frozenset(found)


_PARTS = frozenset(("play", "sing"))
_DAYTIME = frozenset(("morning", "afternoon", "even", "night", "evening"))
_CLASS = {stem(form): REGULAR[form] for form in BASES}
_ASPECT = ASPECTS | {stem(word): aspect for word, aspect in ASPECTS.items()}
_RULES = (_switched, _ended, _negation, _amount, _measure, _antonym, _status, _value, _agent, _successor, _exclusive)
_EXCUSED = {NEGATION: set_apart, VALUE: besides, DATE: repeated}

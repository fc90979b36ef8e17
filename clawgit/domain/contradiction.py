"""Whether two texts contradict each other: the same thing and the same attribute, and yet not the same.

Two facts that can both be true are no contradiction, however alike they look; in doubt there is none.
"""

from itertools import product
from typing import NamedTuple

from clawgit.domain.mention import same_fact
from clawgit.domain.quantity import SCHEDULE, Amount, differ
from clawgit.domain.statement import BEFORE, LATER, PERHAPS, PLAIN, Claim, claims
from clawgit.domain.statement_nouns import aligned
from clawgit.domain.statement_verbs import BASES, REGULAR
from clawgit.domain.statement_words import (
    ASPECTS,
    ATTRIBUTES,
    FUNCTIONAL,
    KINDS,
    LIGHT,
    LISTING,
    OPPOSITES,
    OVER,
    PLACE,
    ROLES,
    SILENT,
    STATES,
    UNIQUE,
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
    return None if found is None or same_fact(one, other) else found


def _switched(a: Claim, b: Claim) -> Contradiction | None:
    """`switched from X to Y` against X as current, whichever says so."""
    for told, current, outdated in ((a, b, OTHER), (b, a, ONE)):
        gone = told.old & (current.value | current.topic)
        if not gone or gone != told.old or told.value & current.value or current.negated or current.old:
            continue
        rest = current.topic - gone
        if current.holds != BEFORE and (_near(told.topic, rest) or not told.topic or not rest):
            if told.relation == "prefer":
                return Contradiction(VALUE, f"{_said(told.value)} against {_said(gone)}")
            return Contradiction(SWITCHED, f"{_said(gone)} → {_said(told.value)}", outdated)
    return None


def _ended(a: Claim, b: Claim) -> Contradiction | None:
    for told, current, outdated in ((a, b, OTHER), (b, a, ONE)):
        if told.ended and not current.negated and current.holds != BEFORE and _means(told, current):
            return Contradiction(ENDED, f"{_said(told.value or told.words)}: no longer, against still", outdated)
    return None


def _negation(a: Claim, b: Claim) -> Contradiction | None:
    if a.negated == b.negated or not _together(a, b) or a.ended or b.ended:
        return None
    found = _speak_alike(a, b) or _denies(*((a, b) if a.negated else (b, a)))
    return Contradiction(NEGATION, f"{_said(a.value or a.words)}: yes against no") if found else None


def _denies(told: Claim, current: Claim) -> bool:
    """`sends no report` against `sends a report by mail`: what is never done is not done under a circumstance."""
    same = told.relation == current.relation and told.value == current.value and (told.value or told.passive)
    return (
        bool(same)
        and current.topic - told.topic <= current.scope
        and told.topic < current.topic
        and not _differing(told, current)
    )


def _amount(a: Claim, b: Claim) -> Contradiction | None:
    if not _comparable(a, b) or (a.value and b.value and not _near(a.value, b.value)):
        return None
    if (
        ("month" in {one.kind for one in a.amounts}) != ("month" in {one.kind for one in b.amounts})
        and a.amounts
        and b.amounts
        and len(a.amounts) != len(b.amounts)
    ):
        return None
    if _turned(a, b) or (a.relation != b.relation and "off" in a.value | b.value):
        return None
    mine, theirs = (tuple(x for x in one.amounts if _counts(one, x.kind)) for one in (a, b))
    found = differ(mine, theirs)
    if not found or len(_differing(a, b)) > 1:
        return None
    return Contradiction(DATE if found[0].kind in SCHEDULE else NUMBER, f"{found[0].said} against {found[1].said}")


def _measure(a: Claim, b: Claim) -> Contradiction | None:
    """One measure of one thing, however it is worded: `the tank holds 55 litres`, `the capacity of the tank is 60`."""
    if a.negated or b.negated or len(a.amounts) != 1 or len(b.amounts) != 1 or not _together(a, b):
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
    rates = [{word for word in one.words if word.startswith("each-")} for one in (a, b)]
    if all(rates) and rates[0] != rates[1]:
        return False
    nouns = [one.amounts[0].kind.partition(" ")[2] for one in (a, b)]
    counted = {*nouns} if nouns[0] == nouns[1] else set()
    mine, theirs = (one.words - PLAIN - counted - _DAYTIME - _ASPECT.keys() for one in (a, b))
    mine, theirs = (frozenset(_CLASS.get(word, word) for word in words) for words in (mine, theirs))
    return mine == theirs != frozenset()


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
    if a.negated or b.negated or not _together(a, b) or _differing(a, b) - {"hours"}:
        return None
    if len(mine) != 1 or len(theirs) != 1 or not a.words & b.words:
        return None
    [x], [y] = mine, theirs
    if not _exclude(x, y) or _scoped(a, b, x, y) or not (x in _TURNED or _is_one_of(a, b, x, y)):
        return None
    opposite = x in _TURNED or _kinds(x, y) & OPPOSITES or not _kinds(x, y)
    return Contradiction(ANTONYM if opposite else VALUE, f"{x} against {y}")


def _scoped(a: Claim, b: Claim, x: str, y: str) -> bool:
    """Whether the two words only tell circumstances; at what time of the day something is done is more than that."""
    told = x in a.topic and y in b.topic and (a.value or a.amounts)
    return bool(told) and not KINDS.get(x, frozenset()) & _MANNER


def _is_one_of(a: Claim, b: Claim, x: str, y: str) -> bool:
    """Whether the verb takes only one of a kind: who likes tea may like coffee."""
    return not {a.relation, b.relation} & (LISTING - {"work", "take"}) or bool(_kinds(x, y) & _ABSOLUTE)


def _status(a: Claim, b: Claim) -> Contradiction | None:
    """Called off against still to come."""
    for told, current, outdated in ((a, b, OTHER), (b, a, ONE)):
        off, still = told.value & OVER, not current.value & OVER and current.holds != BEFORE
        on = current.relation == "happen" or any(one.kind in SCHEDULE for one in current.amounts)
        if off and on and still and told.negated == current.negated and _near(told.topic, current.topic):
            return Contradiction(STATUS, f"{_said(off)} against {_said(current.words)}", outdated)
    return None


def _value(a: Claim, b: Claim) -> Contradiction | None:
    mine, theirs = a.value - b.value, b.value - a.value
    if not mine or not theirs or _differing(a, b) - {"hours"} or not _comparable(a, b):
        return None
    if not _one_at_a_time(a, b, mine, theirs):
        return None
    return Contradiction(VALUE, f"{_said(mine)} against {_said(theirs)}")


def _agent(a: Claim, b: Claim) -> Contradiction | None:
    """`taught by Marcus` against `Tina teaches it`."""
    for told, doing in ((a, b), (b, a)):
        by = (told.passive and told.link == "by") or (told.relation == "come" and told.link == "from")
        known = by and told.named and not doing.passive
        if not known or told.relation != doing.relation or told.negated or doing.negated or not _together(a, b):
            continue
        thing, doer = told.topic - _amounts_of(told), doing.topic - doing.scope
        same = _near(thing, doing.value) or thing == doing.value | doing.scope
        if same and doer - told.value and told.value - doer:
            return Contradiction(VALUE, f"{_said(told.value)} against {_said(doer)}")
    return None


def _successor(a: Claim, b: Claim) -> Contradiction | None:
    """`Pawel cleans on Thursdays now`: the same is said of another, and one of both is news."""
    if not (a.renewed or b.renewed) or a.negated or b.negated or a.relation != b.relation or not _together(a, b):
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
    if not same or a.negated or b.negated or not _together(a, b) or not a.value or a.link:
        return None
    alone = a.relation in ROLES or (a.relation in _PARTS and a.scope)
    others = a.doer and b.doer and not a.doer & b.doer and a.topic - a.doer == b.topic - b.doer
    return Contradiction(VALUE, f"{_said(a.doer)} against {_said(b.doer)}") if alone and others else None


def _amounts_of(claim: Claim) -> frozenset[str]:
    """The labels of a topic that are numbers."""
    return frozenset(word for word in claim.topic if word.endswith(")"))


def _comparable(a: Claim, b: Claim) -> bool:
    """Whether both say how it is with the same thing in the same respect, at one time."""
    if a.negated or b.negated or not _together(a, b) or not _same_verb(a, b) or not _near(a.topic, b.topic):
        return False
    return BEFORE not in (a.holds, b.holds) or _happens_once(a) or (a.relation == "send" and a.link in _MEANS)


def _one_at_a_time(a: Claim, b: Claim, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether only one of two values can be right."""
    verbs = {a.relation, b.relation}
    known = (a.head in KINDS and b.head in KINDS) or any(_exclude(x, y) for x in mine for y in theirs)
    several = any(one.relation in LISTING and not one.passive for one in (a, b))
    if several or known:
        return not several and any(_exclude(x, y) for x in mine for y in theirs)
    if a.head and a.head == b.head and a.topic and verbs <= LIGHT | {"prefer"}:
        return True
    common = a.value & b.value
    titled = common and mine == frozenset((a.head,)) and theirs == frozenset((b.head,)) and a.link == b.link != ""
    return bool(titled) or (not common and _has_one(a, b))


def _has_one(a: Claim, b: Claim) -> bool:
    """Whether such a thing has one such value: by its noun, by its verb, by how the value is told."""
    if a.relation == b.relation and a.relation in STATES:
        return False
    if {a.relation, b.relation} & FUNCTIONAL or _is_attribute(a, b) or _is_attribute(b, a):
        return True
    if {a.link, b.link} in _SOURCES and a.named and b.named and (a.definite or a.passive):
        return True
    if a.link != b.link:
        return {a.relation, b.relation} <= _STANDS and a.definite and b.definite and _apart(a.link, b.link)
    if {a.relation, b.relation} == {"become", "use"} and a.named and b.named:
        return True
    if a.link in PLACE or (a.passive and b.passive and a.relation not in STATES):
        return True
    linked = a.link in ("to", "from", "by") and a.relation != "use"
    return a.named and b.named and (linked or (a.definite and b.definite))


def _is_attribute(claim: Claim, other: Claim) -> bool:
    """Whether a claim names what its kind has one of, and the other tells the same or where it stands."""
    told = claim.topic & ATTRIBUTES and not claim.topic <= PLAIN
    return bool(told) and (claim.topic == other.topic or other.relation in _STANDS)


def _apart(link: str, other: str) -> bool:
    """On the hook is not under the pot."""
    return {link, other} <= _SPOTS and bool({link, other} - {"on", "in", "at"})


def _speak_alike(a: Claim, b: Claim) -> bool:
    """Whether two claims say the same, but for a not."""
    if _differing(a, b) or bool(a.amounts) != bool(b.amounts):
        return False
    return bool(a.words & b.words or (a.amounts and not a.words | b.words)) and _near(a.words, b.words)


def _means(told: Claim, current: Claim) -> bool:
    """Whether what one says to be over is what the other says, be it for a purpose that it names besides."""
    if _speak_alike(told, current) or _denies(told, current) or (not told.amounts and _near(told.words, current.words)):
        return True
    within = told.value and told.value <= current.value and not told.amounts
    given_up = _same_verb(told, current) or (told.relation == "use" and current.link in PLACE)
    return bool(within) and given_up and (not told.topic or _near(told.topic, current.topic))


def _together(a: Claim, b: Claim) -> bool:
    """Whether both hold at one time: what was does not speak of what is, nor a plan of its outcome."""
    doers = not a.agent or not b.agent or a.agent == b.agent
    return doers and (a.holds == b.holds or {a.holds, b.holds} == {"now", LATER})


def _same_verb(a: Claim, b: Claim) -> bool:
    if a.relation == b.relation or {a.relation, b.relation} <= LIGHT | {"live", "store", "host"}:
        return True
    if a.link == b.link == "from" and a.named and b.named and all(one.passive or one.relation == "come" for one in (a, b)):
        return True
    stands = {a.relation, b.relation} & _STANDS and (a.passive or b.passive)
    return bool(stands) and a.link == b.link and a.link in PLACE


def _near(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """The same, or one says a word more that adds nothing."""
    if mine == theirs:
        return True
    if mine < theirs or theirs < mine:
        return mine ^ theirs <= PLAIN and bool(mine & theirs)
    return False


def _happens_once(claim: Claim) -> bool:
    return claim.relation.removesuffix("ed") in UNIQUE or claim.relation == "be"


def _counts(claim: Claim, kind: str) -> bool:
    """Whether an amount is what is said: a day behind `uses` only tells since when."""
    return kind not in ("day", "month", "year") or claim.relation not in _TIMELESS


def _differing(a: Claim, b: Claim) -> set[str]:
    """The kinds in which two claims have not the same amount."""
    kinds = {one.kind for one in a.amounts} & {one.kind for one in b.amounts}
    pick = {kind: [tuple(one for one in side.amounts if one.kind == kind) for side in (a, b)] for kind in kinds}
    return {kind for kind, (mine, theirs) in pick.items() if differ(mine, theirs)}


def _exclude(x: str, y: str) -> bool:
    longer, shorter = sorted((x, y), key=len, reverse=True)
    if len(shorter) > _SHORTEST and longer.removesuffix(shorter) in _UN:
        return True
    return {x, y} in _OPPOSED or (x != y and bool(_kinds(x, y)))


def _kinds(x: str, y: str) -> frozenset[str]:
    return KINDS.get(x, frozenset()) & KINDS.get(y, frozenset())


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
    return frozenset(found)


_STANDS = frozenset(("be", "live", "store", "host"))
_SPOTS = frozenset(("on", "in", "at", "under", "behind", "inside", "above", "below", "beside"))
_TIMELESS = frozenset(("use", "prefer", "like", "hate", "know", "eat", "have", "support", "live", "meet"))
_ABSOLUTE = frozenset(("voice", "position", "zone", "diet", "allow", "enabled", "switch"))
_OPPOSED = ({"like", "hate"}, {"support", "forbid"})
_TURNED = frozenset(("like", "hate", "support", "forbid"))
_MANNER = frozenset(("turn", "vehicle", "delivery", "tongue", "zone"))
_MEANS = frozenset(("with", "by", "via"))
_PARTS = frozenset(("play", "sing"))
_SOURCES = ({"at", "with"}, {"from", "by"}, {"with", "by"}, {"through", "with"}, {"via", "with"})
_UN, _SHORTEST = ("un", "non-", "non", "in", "dis", "im", "ir"), 2
_DAYTIME = frozenset(("morning", "afternoon", "even", "night", "evening"))
_CLASS = {stem(form): REGULAR[form] for form in BASES}
_ASPECT = ASPECTS | {stem(word): aspect for word, aspect in ASPECTS.items()}
_RULES = (_switched, _ended, _negation, _amount, _measure, _antonym, _status, _value, _agent, _successor, _exclusive)

"""How two claims stand to each other: whether they speak of one thing at one time, and whether both can be right."""

from clawgit.domain.quantity import differ
from clawgit.domain.statement import BEFORE, LATER, PLAIN, Claim
from clawgit.domain.statement_words import (
    ATTRIBUTES,
    FUNCTIONAL,
    KINDS,
    LIGHT,
    LISTING,
    PLACE,
    STATES,
    UNIQUE,
)

TURNED = frozenset(("like", "hate", "support", "forbid"))
"""Relations that are the opposite of one another."""


def comparable(a: Claim, b: Claim) -> bool:
    """Whether both say how it is with the same thing in the same respect, at one time."""
    if a.negated or b.negated or not together(a, b) or not _same_verb(a, b) or not near(a.topic, b.topic):
        return False
    return BEFORE not in (a.holds, b.holds) or _happens_once(a) or (a.relation == "send" and a.link in _MEANS)


def one_at_a_time(a: Claim, b: Claim, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether only one of two values can be right."""
    verbs = {a.relation, b.relation}
    known = (a.head in KINDS and b.head in KINDS) or any(rules_out(a, b, x, y) for x in mine for y in theirs)
    several = any(one.relation in LISTING and not one.passive for one in (a, b))
    if several or known:
        return not several and any(rules_out(a, b, x, y) for x in mine for y in theirs)
    if a.head and a.head == b.head and a.topic and verbs <= LIGHT | {"prefer"}:
        return True
    common = a.value & b.value
    titled = common and mine == frozenset((a.head,)) and theirs == frozenset((b.head,)) and a.link == b.link != ""
    return bool(titled) or (not common and _has_one(a, b))


def _has_one(a: Claim, b: Claim) -> bool:
    """Whether such a thing has one such value: by its noun, by its verb, by how the value is told."""
    deployed = a.link == b.link == "to" and a.relation == "deploy" and not a.passive
    if deployed or (a.relation == b.relation and a.relation in STATES):
        return False
    named = a.named and b.named
    if _is_origin(a, b):
        return named and _one_source(a, b)
    if {a.relation, b.relation} & FUNCTIONAL or _is_attribute(a, b) or _is_attribute(b, a):
        return True
    if a.link != b.link:
        return (named and _one_source(a, b)) or _stands_apart(a, b)
    if a.link in PLACE or (a.passive and b.passive) or (named and {a.relation, b.relation} == {"become", "use"}):
        return True
    linked = a.link in ("to", "from", "by") and a.relation != "use"
    return named and (linked or (a.definite and b.definite))


def _is_origin(a: Claim, b: Claim) -> bool:
    """Whether only one tells where it is from: who is from Cork may live in Bath."""
    return bool(a.link and b.link) and a.link != b.link and "from" in (a.link, b.link)


def _one_source(a: Claim, b: Claim) -> bool:
    """`The account is at ING` against `it is with Ergo`: two prepositions for one relation."""
    return {a.link, b.link} in _SOURCES and (a.definite or b.definite or (a.passive and b.passive))


def _stands_apart(a: Claim, b: Claim) -> bool:
    return {a.relation, b.relation} <= _STANDS and a.definite and b.definite and _apart(a.link, b.link)


def _is_attribute(claim: Claim, other: Claim) -> bool:
    """Whether a claim names what its kind has one of, and the other tells the same or where it stands."""
    told = claim.topic & ATTRIBUTES and not claim.topic <= PLAIN
    return bool(told) and (claim.topic == other.topic or other.relation in _STANDS)


def _apart(link: str, other: str) -> bool:
    """On the hook is not under the pot."""
    return {link, other} <= _SPOTS and bool({link, other} - {"on", "in", "at"})


def speak_alike(a: Claim, b: Claim) -> bool:
    """Whether two claims say the same, but for a not."""
    if differing(a, b) or bool(a.amounts) != bool(b.amounts):
        return False
    return bool(a.words & b.words or (a.amounts and not a.words | b.words)) and near(a.words, b.words)


def means(told: Claim, current: Claim) -> bool:
    """Whether what one says to be over is what the other says, be it for a purpose that it names besides."""
    if speak_alike(told, current) or denies(told, current) or (not told.amounts and near(told.words, current.words)):
        return True
    within = told.value and told.value <= current.value and not told.amounts
    given_up = _same_verb(told, current) or (told.relation == "use" and current.link in PLACE)
    return bool(within) and given_up and (not told.topic or near(told.topic, current.topic))


def together(a: Claim, b: Claim) -> bool:
    """Whether both hold at one time: what was does not speak of what is, nor a plan of its outcome."""
    doers = not a.agent or not b.agent or a.agent == b.agent
    return doers and (a.holds == b.holds or {a.holds, b.holds} == {"now", LATER})


def _same_verb(a: Claim, b: Claim) -> bool:
    if a.relation == b.relation or {a.relation, b.relation} <= LIGHT | {"live", "store", "host"}:
        return True
    if a.link == b.link == "from" and all(one.named and (one.passive or one.relation == "come") for one in (a, b)):
        return True
    stands = {a.relation, b.relation} & _STANDS and (a.passive or b.passive)
    return bool(stands) and a.link == b.link and a.link in PLACE


def near(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """The same, or one says a word more that adds nothing."""
    if mine == theirs:
        return True
    if mine < theirs or theirs < mine:
        return mine ^ theirs <= PLAIN and bool(mine & theirs)
    return False


def _happens_once(claim: Claim) -> bool:
    return claim.relation.removesuffix("ed") in UNIQUE or claim.relation == "be"


def counts(claim: Claim, kind: str) -> bool:
    """Whether an amount is what is said: a day behind `uses` only tells since when."""
    return kind not in ("day", "month", "year") or claim.relation not in _TIMELESS


def differing(a: Claim, b: Claim) -> set[str]:
    """The kinds in which two claims have not the same amount."""
    kinds = {one.kind for one in a.amounts} & {one.kind for one in b.amounts}
    pick = {kind: [tuple(one for one in side.amounts if one.kind == kind) for side in (a, b)] for kind in kinds}
    return {kind for kind, (mine, theirs) in pick.items() if differ(mine, theirs)}


def _exclude(x: str, y: str) -> bool:
    longer, shorter = sorted((x.removesuffix("e"), y.removesuffix("e")), key=len, reverse=True)
    if len(shorter) > _SHORTEST and longer.removesuffix(shorter) in _UN:
        return True
    return {x, y} in _OPPOSED or (x != y and bool(kinds(x, y)))


def rules_out(a: Claim, b: Claim, x: str, y: str) -> bool:
    """Who is a nurse is no teacher; but who knows a nurse may know a teacher, too."""
    shared = kinds(x, y)
    return _exclude(x, y) and not (shared and shared <= _BEINGS and {a.relation, b.relation} != {"be"})


def kinds(x: str, y: str) -> frozenset[str]:
    return KINDS.get(x, frozenset()) & KINDS.get(y, frozenset())


def scoped(a: Claim, b: Claim, x: str, y: str) -> bool:
    """Whether the two words only tell circumstances; at what time of the day something is done is more than that."""
    told = x in a.topic and y in b.topic and (a.value or a.amounts)
    return bool(told) and not KINDS.get(x, frozenset()) & _MANNER


def is_one_of(a: Claim, b: Claim, x: str, y: str) -> bool:
    """Whether the verb takes only one of a kind: who likes tea may like coffee."""
    if a.relation == "work" and a.link == "with":
        return False
    return not {a.relation, b.relation} & (LISTING - {"work", "take"}) or bool(kinds(x, y) & _ABSOLUTE)


def denies(told: Claim, current: Claim) -> bool:
    """`sends no report` against `sends a report by mail`: what is never done is not done under a circumstance."""
    if told.relation != current.relation:
        return False
    if not told.value:
        bare = told.passive and current.passive and not told.amounts and told.relation not in TURNED
        return bare and told.topic == current.topic
    within = told.topic < current.topic and current.topic - told.topic <= current.scope
    return told.value == current.value and within and not differing(told, current)


_STANDS = frozenset(("be", "live", "store", "host"))
_SPOTS = frozenset(("on", "in", "at", "under", "behind", "inside", "above", "below", "beside"))
_TIMELESS = frozenset(("use", "prefer", "like", "hate", "know", "eat", "have", "support", "live", "meet"))
_ABSOLUTE = frozenset(("voice", "position", "zone", "diet", "allow", "enabled", "switch"))
_OPPOSED = ({"like", "hate"}, {"support", "forbid"})
_MANNER = frozenset(("turn", "vehicle", "delivery", "tongue", "zone"))
_BEINGS = frozenset(("breed", "animal", "job", "kin", "sex", "belief"))
_MEANS = frozenset(("with", "by", "via"))
_SOURCES = ({"at", "with"}, {"from", "by"}, {"with", "by"}, {"through", "with"}, {"via", "with"})
_UN, _SHORTEST = ("un", "non-", "non", "in", "dis", "im", "ir"), 2

"""One wording for two claims: what one tells by a verb and the other by the noun of that verb."""

from functools import cache

from clawgit.domain.statement import Claim
from clawgit.domain.statement_verbs import BASES, REGULAR, VERBS
from clawgit.domain.statement_words import LIGHT, table
from clawgit.domain.stems import stem


def aligned(a: Claim, b: Claim) -> tuple[Claim, Claim]:
    """Both as before, or one told as the other is: `choir rehearsals are in the gym`, `the choir rehearses there`."""
    if a.relation == b.relation:
        return a, b
    if not a.topic or not b.topic:
        return _of_act(a, b), _of_act(b, a)
    return _by_verb(a, b), _by_verb(b, a)


def _of_act(claim: Claim, other: Claim) -> Claim:
    """`We fly on the 14th` says when the flight is."""
    noun = next((word for word in sorted(other.topic) if word == claim.relation or _names(word, claim.relation)), "")
    if claim.topic or claim.relation in LIGHT or not noun or not (other.passive or other.relation in LIGHT):
        return claim
    return claim._replace(topic=frozenset((noun,)), relation=other.relation, passive=other.passive)


def _by_verb(claim: Claim, other: Claim) -> Claim:
    """`The supplier of the rings is Kramer` says by whom they are supplied."""
    if other.relation in LIGHT or not (claim.relation in LIGHT or claim.passive):
        return claim
    noun = next((word for word in sorted(claim.topic - other.topic - other.value) if _names(word, other.relation)), "")
    topic = claim.topic - {noun}
    if not noun or not topic:
        return claim
    if noun.endswith(_DOERS) and claim.relation == "be" and not claim.link:
        return claim._replace(topic=topic, relation=other.relation, passive=True, link="by")
    return claim._replace(topic=topic, relation=other.relation, passive=other.passive)


def _names(noun: str, relation: str) -> bool:
    """Whether a noun is that of a verb, be it one that no table knows: photographer."""
    rest = noun.removeprefix(relation)
    return verb_of(noun) == relation or (len(relation) >= _SHORTEST and rest != noun and rest in _ENDINGS)


@cache
def verb_of(noun: str) -> str:
    """What a noun's verb relates, "" where it has none: delivery, invoice, rehearsal, supplier."""
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun in _ROOTS:
        return _ROOTS[noun]
    for ending in _ENDINGS:
        root = noun.removesuffix(ending)
        if root != noun and len(root) >= _SHORTEST:
            found = next((VERBS[form] for form in (root, f"{root}e", f"{root[:-1]}y") if form in VERBS), "")
            if found:
                return found
    return ""


_ENDINGS = ("ation", "ment", "ance", "ence", "ery", "ing", "ion", "ure", "al", "er", "or", "y", "t")
_DOERS, _SHORTEST = ("er", "or"), 4
_IRREGULAR = table("""
    fly: flight
    cost: payment payer
    store: storage
    sell: sale
    clean: cleaner
    """)
_ROOTS = {stem(form): REGULAR[form] for form in BASES}

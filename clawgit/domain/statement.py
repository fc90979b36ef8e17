"""What the sentences of an entry state: of what, by which verb, which value, which numbers; whether it is so."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, starmap
from typing import NamedTuple

from clawgit.domain.quantity import Amount, Token, tokens
from clawgit.domain.statement_names import NEAREST, ROLE, SIGNS, called, doer, is_certain, is_name, labels, says
from clawgit.domain.statement_phrases import ENDED, INSTEAD, clauses, is_cjk, is_definite, reworded
from clawgit.domain.statement_verbs import BASES, REGULAR, SURE, VERBS
from clawgit.domain.statement_words import (
    ATTRIBUTES,
    COUNTED_BEFORE,
    FUTURE,
    GENERIC,
    KINDS,
    LIGHT,
    NOT,
    PAST,
    PLANS,
    PREPOSITIONS,
    STOP,
    word_set,
)
from clawgit.domain.stems import stem

NOW, LATER, BEFORE, PERHAPS = "now", "later", "before", "perhaps"
"""When a claim holds. What is only wished, guessed or reported holds perhaps."""


class Claim(NamedTuple):
    """One thing that a sentence states. `topic` is of what, and under which circumstances; `value` is what it says.

    `old` is what the sentence itself says is over; `ended`: it says that of the whole claim. `head` is the last word of
    the value, `link` the preposition before it; `definite`: it speaks of one certain thing; `named`: its value is a
    name; `passive`: it is done to it, by `agent` where that is told; `scope`: what of the topic stands behind the
    value; `renewed`: it says that it is so now; `doer`: the name of who does it to one certain thing. Words are folded
    and stemmed.
    """

    topic: frozenset[str]
    relation: str
    value: frozenset[str]
    amounts: tuple[Amount, ...] = ()
    negated: bool = False
    ended: bool = False
    holds: str = NOW
    old: frozenset[str] = frozenset()
    head: str = ""
    link: str = ""
    definite: bool = False
    named: bool = False
    passive: bool = False
    agent: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    renewed: bool = False
    doer: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """All that it says, but for its numbers."""
        return self.topic | self.value | ({self.relation} - LIGHT)


@lru_cache(maxsize=16384)
def claims(text: str) -> tuple[Claim, ...]:
    """What a text states, clause by clause; questions state nothing. Total, and linear in the length of the text."""
    found: list[Claim] = []
    for clause in clauses(text):
        if is_cjk(clause):
            from clawgit.domain import statement_cjk  # noqa: PLC0415 (6 ms of patterns that few memories need)

            found += [Claim(*one) for one in statement_cjk.read(clause)]
        else:
            found += _read(clause)
    return tuple(found)


def _read(clause: str) -> Iterator[Claim]:
    clause = reworded(clause)
    found = tokens(clause)
    words = [token.word for token in found if token.amount is None]
    holds = _holds(words)
    ended = ENDED in words
    negated = ended or sum(word in NOT for word in words) % 2 == 1
    told = [found[0], *starmap(_finite, pairwise(found))] if found else []
    kept = [token for token in told if token.word not in NOT and token.word != ENDED and token.word not in FUTURE]
    at = _verb(kept)
    if at is None:
        yield _whole(kept, negated=negated, ended=ended, holds=holds)
        return
    holds = _past(kept, at, holds)
    for claim in (_related(kept, at, clause), _undergone(kept, at)):
        if claim:
            yield claim._replace(negated=negated, ended=ended, holds=holds, renewed=bool(_RENEWED & {*words}))


def _finite(before: Token, token: Token) -> Token:
    """`does not include` says of the verb what `includes` says."""
    form = f"{token.word}s"
    plain = (before.word in NOT or before.word == ENDED) and (token.word in BASES or token.word not in SURE)
    return token._replace(word=form) if plain and form in VERBS and len(form) > _SHORT else token


def _holds(words: list[str]) -> str:
    if any(word in PLANS for word in words):
        return PERHAPS
    if any(word in FUTURE for word in words):
        return LATER
    return BEFORE if any(word in PAST for word in words) else NOW


def _past(kept: list[Token], at: int, holds: str) -> str:
    word = kept[at].word
    if holds == NOW and (word in _EVENTS or (word.endswith("ed") and (word in REGULAR or word not in VERBS))):
        return BEFORE
    return holds


def _verb(found: list[Token]) -> int | None:
    """Where the verb stands: the first that is surely one, else the first that may be, else what ends like one."""
    places = [
        at
        for at, token in enumerate(found)
        if at and (token.word in VERBS or token.word in _EVENTS) and _agrees(found, at)
    ]
    opening = found[0].word if found else ""
    places += [0] if opening in _EVENTS | SURE else []
    if sure := [at for at in places if found[at].word in _EVENTS | SURE]:
        return min(at for at in places if at == min(sure) or (at < min(sure) and _follows_name(found, at)))
    if places:
        return min(places, key=lambda at: (_next(found, at) not in _BEHIND, _is_plural(found, at), at))
    like = [at for at in range(1, len(found)) if len(found[at].word) > _SHORT]
    past = (at for at in like if found[at].word.endswith("ed"))
    acts = (
        1 for token in found[:1] if token.word in _ACTORS and _next(found, 0) not in STOP | PREPOSITIONS | {"", ","}
    )
    now = (at for at in like if found[at].word.endswith("s") and _next(found, at) in ROLE | PREPOSITIONS)
    return next(past, next(now, next(acts, None)))


def _agrees(found: list[Token], at: int) -> bool:
    """Whether a word may be a verb behind what stands before it: in `the hard drive` there is none."""
    word, before = found[at].word, found[at - 1].word
    if before in ROLE:
        return False
    return word not in BASES or before.endswith("s") or before in _PERSONS | _MODALS


def _is_plural(found: list[Token], at: int) -> bool:
    """Whether a word agrees with no subject before it: `the tests run`, `the test runs`."""
    return found[at].word.endswith("s") == found[at - 1].word.endswith("s")


def _next(found: list[Token], at: int) -> str:
    return found[at + 1].word if at + 1 < len(found) else ""


def _follows_name(found: list[Token], at: int) -> bool:
    """A word that may be a noun is the verb right behind a pronoun or `the NOUN` with a preposition to come."""
    before = found[at - 1].word
    return before in _PERSONS or (_next(found, at) in PREPOSITIONS and before not in ROLE)


def _whole(found: list[Token], *, negated: bool, ended: bool, holds: str) -> Claim:
    """Without a verb everything is the topic; `lunch with Mia` is one of many."""
    words = frozenset(stem(token.word) for token in found if says(token))
    relation = "meet" if any(token.word == "with" for token in found) else ""
    return Claim(words, relation, frozenset(), tuple(_counted(found, words)), negated, ended, holds)


def _related(found: list[Token], at: int, clause: str) -> Claim:
    """What stands before the verb is the topic, what stands behind it the value."""
    verb = VERBS.get(found[at].word, stem(found[at].word))
    subject, rest, passive = found[:at], found[at + 1 :], False
    lead = next((token.word for token in rest if token.word not in STOP and not token.named), "")
    if verb == "be" and lead.endswith("ing") and lead in VERBS and lead not in KINDS:
        place = next(n for n, token in enumerate(rest) if token.word == lead)
        verb, rest = VERBS[lead], rest[place + 1 :]
    elif verb == "be" and (_is_participle(lead) or _is_means(lead, rest)):
        place = next(n for n, token in enumerate(rest) if token.word == lead)
        verb, passive, rest = VERBS.get(lead, stem(lead)), True, rest[place + 1 :]
    if verb == "become" and subject and all(token.word in STOP for token in subject):
        subject, rest = _moved(rest)
    name = doer(found[:at], found[at].word) if any(map(is_certain, rest)) else frozenset()
    made = _swapped(_claim(subject, verb, rest), rest, name)
    definite = any(token.word == "for" for token in rest) if verb == "use" else is_definite(clause)
    return made._replace(definite=definite or made.definite, passive=passive, doer=name)


def _undergone(found: list[Token], at: int) -> Claim | None:
    """What is done to the object, as the passive tells it: `we keep the key in the safe`, `it is kept in the safe`."""
    verb, rest = VERBS.get(found[at].word, stem(found[at].word)), found[at + 1 :]
    end = next((n for n, token in enumerate(rest) if token.word in PREPOSITIONS or token.word in SIGNS), len(rest))
    thing = [token for token in rest[:end] if token.amount is None]
    agent = labels(found[:at]) - _CREW
    definite = bool(thing) and thing[0].word in ROLE
    permits = verb in _PERMITS
    told = [token for token in rest[:end] if token.amount] + rest[end:]
    if (
        (verb in _OF_SUBJECT and found[at].word not in ("run", "runs"))
        or not any(map(says, thing))
        or (agent and not (definite or permits or told[:1] != rest[end:][:1]))
    ):
        return None
    if permits:
        return _claim(thing, "be", [Token(_PERMITS[verb]), *told])._replace(agent=agent)
    claim = _claim(thing, "be" if verb == "prefer" else verb, told)
    return claim._replace(definite=definite, passive=True, agent=agent)


def _is_participle(word: str) -> bool:
    if word in _PARTICIPLES:
        return True
    return word.endswith(("ed", "en")) and word not in KINDS and word not in _NO_VERBS


def _is_means(lead: str, rest: list[Token]) -> bool:
    """`merged with squash` tells how, where `merged` alone is a state."""
    after = next((behind.word for token, behind in pairwise(rest) if token.word == lead), "")
    return lead.endswith("ed") and after in ("with", "by", "via", "using", "through", "to", "from")


def _moved(rest: list[Token]) -> tuple[list[Token], list[Token]]:
    """`We moved the standup to ten`: what stands before the preposition is what it speaks of."""
    place = next((n for n, token in enumerate(rest) if token.word in ("to", "from", "into", "onto", "with")), 0)
    return rest[:place], rest[place:]


def _claim(subject: list[Token], verb: str, rest: list[Token]) -> Claim:
    slots = _slots(rest, verb)
    crowd = _crowd(subject)
    topic = labels([*called(subject[len(crowd) :]), *crowd[1:], *slots.scope])
    said = [token for token in slots.value if says(token)]
    held = sorted(topic & COUNTED_BEFORE & ATTRIBUTES)
    amounts = tuple(_attributed(one, held) for one in _counted([*crowd, *slots.value], topic - labels(crowd)))
    if any(one.kind.startswith("money") for one in amounts):
        topic -= _PRICE
    if topic & ATTRIBUTES > {"name"}:
        topic -= {"name"}
    counted = {one.kind.partition(" ")[2] for one in amounts if one.kind.startswith("number ")}
    return Claim(
        topic=topic - counted if held else topic,
        relation=verb,
        value=frozenset(stem(token.word) for token in said) - (counted & COUNTED_BEFORE),
        amounts=amounts,
        old=labels(slots.old),
        head=stem(said[-1].word) if said else "",
        link=slots.link,
        scope=labels(slots.scope),
        named=any(map(is_name, said)) and all(is_name(token) or token.word in _CREW for token in said),
    )


def _crowd(subject: list[Token]) -> list[Token]:
    """`160 people are confirmed`: a number that begins a sentence counts, where one behind a noun is its name."""
    first = subject[0].amount if len(subject) > 1 else None
    return subject[:2] if first and first.kind == "number" and first.said[-1:].isdigit() else []


def _attributed(amount: Amount, held: list[str]) -> Amount:
    """`The port of staging is 8080` counts the port as `staging runs on port 8080` does."""
    return amount._replace(kind=f"number {held[0]}") if held and amount.kind == "number" else amount


def _swapped(claim: Claim, rest: list[Token], name: frozenset[str]) -> Claim:
    """`Ana is the owner of billing` states who its owner is."""
    one = (claim.head not in KINDS or len(claim.value) > 1) and not claim.value & NEAREST
    titled = bool(name) and rest[0].word == "the" and one and not claim.named
    role = (titled or claim.value & ATTRIBUTES) and not claim.topic & ATTRIBUTES and not claim.link
    if claim.relation != "be" or not role or claim.amounts or not any(token.word in ROLE for token in rest):
        return claim
    scope = labels(_slots(rest, "be").scope)
    subject = claim.topic - scope
    if not subject:
        return claim
    return claim._replace(
        topic=claim.value | scope, value=subject, head=min(subject), named=titled, definite=titled, scope=frozenset()
    )


class _Slots(NamedTuple):
    """What stands behind a verb: the value, its circumstances, what it is not any more; the preposition before it."""

    value: list[Token]
    scope: list[Token]
    old: list[Token]
    link: str


def _slots(rest: list[Token], verb: str) -> _Slots:
    slots = _Slots([], [], [], "")
    slot = slots.value
    for token in rest:
        if token.word == "dayofmonth":
            slot = slots.value
        if turn := _turn(token.word, verb, begun=bool(slots.value)):
            slot = slots.old if turn == "old" else slots.value
        elif token.word in PREPOSITIONS and token.amount is None:
            if not any(says(one) or one.amount for one in slots.value):
                slots = slots._replace(link=slots.link or token.word)
            elif slot is slots.old or token.word not in ("of", "to", "than"):
                slot = slots.scope
        elif token.word.startswith("each-"):
            slots.scope.append(token)
        elif token.amount and slot is slots.scope and token.amount.kind in _MEASURES:
            slots.value.append(token)
        elif token.word != ",":
            slot.append(token)
    return slots


def _turn(word: str, verb: str, *, begun: bool) -> str:
    """What a word begins: the value that is over, or the one that holds."""
    if word == INSTEAD or (verb == "prefer" and begun and word in ("over", "to")):
        return "old"
    if verb == "become" and word in ("from", "to", "into", "onto"):
        return "old" if word == "from" else "new"
    return ""


def _counted(found: list[Token], topic: frozenset[str]) -> Iterator[Amount]:
    """The amounts, each bare number with the noun that it counts."""
    for at, token in enumerate(found):
        if token.amount is None:
            continue
        before = found[at - 1].word if at else ""
        behind = found[at + 1] if at + 1 < len(found) else Token(",")
        if before in COUNTED_BEFORE:
            yield _numbered(token.amount, before)
        elif (
            token.amount.kind == "number"
            and says(behind)
            and "each-" not in behind.word
            and stem(behind.word) not in topic
        ):
            yield token.amount._replace(kind=f"number {stem(behind.word)}")
        else:
            yield token.amount


def _numbered(amount: Amount, noun: str) -> Amount:
    """`size 3.5` is no version."""
    if amount.kind == "version" and len(amount.value) == 2:  # noqa: PLR2004 (a whole number and its fraction)
        return Amount(f"number {noun}", (float(amount.said.lstrip("vV")),), amount.said)
    return amount._replace(kind=f"number {noun}") if amount.kind == "number" else amount


_SHORT = 3
_MEASURES = frozenset(("day", "weekday", "month", "clock", "year", "duration", "percent", "version")) | {
    f"money {name}" for name in ("usd", "eur", "gbp", "yen", "cny", "krw")
}
_ACTORS = word_set("i we they")
_PERSONS = word_set("i we you he she they it who")
_BEHIND = (PREPOSITIONS - {"of"}) | ROLE
_PRICE = frozenset(("price", "cost", "fee"))
_PARTICIPLES = word_set(
    "won drawn shown run sent kept held paid built sold made set put cut read led taught bought stored told brought"
)
_NO_VERBS = word_set(
    "red bed need used seed speed hundred children open golden wooden often even green seven ten garden kitchen"
)
_OF_SUBJECT = frozenset(("be", "become", "have", "use", "cost", "belong", "like", "hate", "meet", "know"))
_PERMITS = {"support": "allowed", "forbid": "forbidden"}
_MODALS = word_set("can could may must shall should will would to people always usually both all")
_RENEWED = word_set("now again")
_CREW = word_set("team company peopl everyon staff")
_EVENTS = word_set("""
    met visited called talked saw ran went bought ate drank fixed reviewed wrote sent gave got came took found made did
    paid told won lost began spoke built sold flew drove emigrated immigrated married died graduated attended
    """)

PLAIN = frozenset(map(stem, GENERIC))
"""The stems of what adds nothing to a topic."""

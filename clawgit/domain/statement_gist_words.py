"""How the words of a clause stand in it: which of them say something, which name or narrow, and where something is."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.quantity import Token
from clawgit.domain.statement_concepts import ACTS, PHRASES, STATES, concept, is_thing
from clawgit.domain.statement_names import ROLE
from clawgit.domain.statement_phrases import ENDED, INSTEAD
from clawgit.domain.statement_values import code
from clawgit.domain.statement_verbs import BASES, VERBS
from clawgit.domain.statement_words import ASPECTS, ATTRIBUTES, GENERIC, KINDS, LIGHT, NOT, PREPOSITIONS, STOP, word_set
from clawgit.domain.stems import stem

Place = tuple[str, frozenset[str], bool]
"""The word of a place or a way, what stands behind it, and whether that is a name."""


class Word(NamedTuple):
    """A word that says something: its concept, and how it stands there."""

    at: int
    said: str
    concept: str
    named: bool
    narrows: bool
    plain: bool


def joined(found: list[Token]) -> Iterator[Token]:
    """With what is said in several words as one, and what a hyphen joins as several."""
    at = 0
    while at < len(found):
        for size in (3, 2):
            words = [token.word for token in found[at : at + size] if token.amount is None]
            if len(words) == size and " ".join(words) in PHRASES:
                yield Token(" ".join(words))
                at += size
                break
        else:
            token = found[at]
            split = "-" in token.word and token.amount is None and not token.word.startswith("each-")
            if split and concept(token.word) == token.word and token.word not in KINDS.keys() | STATES.keys():
                first, _, rest = token.word.partition("-")
                yield Token(f"{first}-")
                yield from (token._replace(word=part) for part in rest.split("-") if part)
            else:
                yield token
            at += 1


def words(found: list[Token]) -> Iterator[Word]:
    """The words that say something of the matter, in order."""
    narrows = False
    for at, token in enumerate(found):
        word = token.word
        if token.amount is not None or word in (",", "(", ")", "-"):
            continue
        if word in PREPOSITIONS and word not in _NEITHER:
            after = found[at + 1].word if at + 1 < len(found) else ""
            narrows = word in _NARROWING and after not in _CERTAIN
            continue
        if word in VERBS and not is_thing(word):
            narrows = False
        if is_state(found, at) or word in DENIALS or word == INSTEAD or word.startswith("each-") or code(word):
            continue
        if word in _SILENT and not (token.named and word == "us"):
            continue
        name = token.named or (at == 0 and _opens_as_name(found))
        plain = word in _NEITHER or (word not in _OPPOSITE and (_is_noun(found, at) or _is_plain(word)))
        plain = plain and not _acts(found, at) and not (at == 0 and name and _is_doer(found))
        yield Word(at, word, concept(word.removesuffix("-")), name, narrows or word in _NEITHER, plain)


def named(told: list[Word]) -> Iterator[frozenset[str]]:
    """Names of several words as one."""
    run: list[Word] = []
    for one in told:
        if one.named and run and one.at == run[-1].at + 1 and not run[-1].said.endswith("'s"):
            run.append(one)
            continue
        if run:
            yield frozenset(x.concept for x in run)
        run = [one] if one.named else []
    if run:
        yield frozenset(x.concept for x in run)


def takes_out(said: list[str], at: int) -> bool:
    """`is off the plan`, `keep them out of the hall`."""
    pair = said[at : at + 2]
    return pair in (["out", "of"], ["off", "the"]) and bool(_TAKING & {*said[:at]})


def is_state(found: list[Token], at: int) -> bool:
    """Whether a word tells a state; one that may be a particle does so behind `is` alone."""
    word = found[at].word
    if word not in STATES or found[at].amount:
        return False
    before, behind = (found[n].word if 0 <= n < len(found) else "" for n in (at - 1, at + 1))
    if (word, behind) == ("out", "of"):
        return False
    stands = behind in PREPOSITIONS | {"", ",", ENDED} | STOP - ROLE
    return word not in _PARTICLES or (before in BE and stands)


def verb_at(found: list[Token]) -> int:
    """Where the verb stands, behind all words where there is none; an order begins with it."""
    if bids(found):
        return 0
    for at in range(1, len(found)):
        if found[at].word in VERBS and found[at - 1].word not in ROLE:
            return at
    return len(found)


def bids(found: list[Token]) -> bool:
    """`Order flour from the mill`, where `order is kept` bids nothing."""
    return len(found) > 1 and found[0].word in BASES and found[1].word not in VERBS


def stands(found: list[Token], verb: int) -> bool:
    """Whether it tells where something is, goes or is done, or bids to do so; and not who does it with what."""
    said = {token.word for token in found}
    ours = len(found) > _FEW and found[0].word in _ACTORS and found[2].word in ROLE
    if bids(found) or ours or (_STANDING & said and BE & said):
        return True
    return _rests(found, verb) or bool(_STANDING & said and not _ACTIVE & {VERBS.get(word, "") for word in said})


def _rests(found: list[Token], at: int) -> bool:
    """`The band rehearses in the barn`, where what a person does in one place he may do in another."""
    if at + 1 >= len(found) or found[at + 1].word not in _PLACES or VERBS[found[at].word] in _ACTIVE:
        return False
    return not _opens_as_name(found) and not any(token.named for token in found[:at])


def tells(one: Word) -> bool:
    """Whether it is a verb that says what is done, and not only that something is so."""
    return one.said in VERBS and not one.plain and VERBS[one.said] not in _WITHOUT_ACT


def places(found: list[Token], told: list[Word], verb: int) -> Iterator[Place]:
    """What stands behind each word of place or way, and whether it is a name."""
    for at, token in enumerate(found):
        if token.word not in _PLACES or token.amount or at < verb:
            continue
        end = next((n for n in range(at + 1, len(found)) if found[n].word in _STOPPING or found[n].amount), len(found))
        counted = end < len(found) and found[end].amount
        inside = [one for one in told if at < one.at < end and (one.plain or one.named) and not _is_time(one)]
        if inside and not counted:
            yield _PLACES[token.word], frozenset(one.concept for one in inside), any(one.named for one in inside)


def part(found: list[Token], told: list[Word], verb: int) -> tuple[str, str]:
    """What it is about, and what that is a part of or belongs to: `the bus to the museum`, `the museum's bus`."""
    subject = [one for one in told if one.at < verb]
    for first, second in pairwise(subject):
        owned = first.said.endswith("'s")
        joined_by = any(token.word in _BELONGING for token in found[first.at + 1 : second.at])
        if owned or (joined_by and not _is_object(found, first.at)):
            one, whole = (second, first) if owned else (first, second)
            return ("", "") if _is_aspect(one) else (one.concept, whole.concept)
    return "", ""


def _is_object(found: list[Token], at: int) -> bool:
    """Whether an article stands before it that does not begin the clause."""
    return any(token.word in ROLE for token in found[1:at])


def _is_aspect(one: Word) -> bool:
    """Whether a noun names what its thing has, and no other thing: the capacity of the tank."""
    known = {one.said, stem(one.said)} & (ASPECTS.keys() | ATTRIBUTES | _HELD)
    return one.concept in ACTS or bool(known and one.said not in _PARTIES)


def _is_time(one: Word) -> bool:
    return one.said in _DAYTIME


def _opens_as_name(found: list[Token]) -> bool:
    """Whether a clause may begin with a name: `Tamsin's base`, `Alma Road has`, `Sarah is`."""
    first, behind = found[0].word, found[1] if len(found) > 1 else Token("")
    if is_thing(first) or first.endswith("-") or first in KINDS or (first in VERBS and behind.word not in VERBS):
        return False
    agrees = behind.word.endswith("s") if first.endswith("s") else True
    return behind.named or first.endswith("'s") or (agrees and (behind.word in VERBS or concept(behind.word) in ACTS))


def _is_doer(found: list[Token]) -> bool:
    """Whether what it begins with is no more than who does it: somebody's, or who does something."""
    behind = next((at for at, token in enumerate(found) if at and not token.named), 0)
    word, after = found[behind].word, found[behind + 1].word if behind + 1 < len(found) else ""
    active = (word in VERBS and word.endswith("s") and VERBS[word] not in _STATIVE and after not in BE) or " " in word
    return found[0].word.endswith("'s") or active


def _is_noun(found: list[Token], at: int) -> bool:
    """Whether a word that may be a verb stands as a noun: behind an article, or where a verb follows it."""
    behind = found[at + 1].word if at + 1 < len(found) else ""
    if at > 0 and found[at].word.endswith("ing") and found[at - 1].word in PREPOSITIONS:
        return True
    return (
        (at > 0 and behind in BE)
        or (at > 0 and (found[at - 1].word in _BEFORE_NOUNS or found[at - 1].word.endswith("'s")))
        or (at == 0 and behind in VERBS)
    )


def _acts(found: list[Token], at: int) -> bool:
    """Whether an unknown word stands as a verb does: `the alarm fires at`, `it clogs in`."""
    word, before = found[at].word, found[at - 1] if at else Token("")
    behind = found[at + 1] if at + 1 < len(found) else Token("")
    noun = before.word and before.amount is None and before.word not in PREPOSITIONS | STOP | _BEFORE_NOUNS
    if before.word in BE and word.endswith("ed"):
        return True
    if is_thing(word) or found[at].named or not noun or before.word in VERBS:
        return False
    return (
        word.endswith("s")
        and not before.word.endswith("'s")
        and (behind.word in PREPOSITIONS or behind.amount is not None)
    )


def _is_plain(word: str) -> bool:
    """Whether a word names a thing or what it is like: no verb, and nothing that adds nothing."""
    if word in _DAYTIME:
        return False
    return is_thing(word) or not (word in VERBS or word in GENERIC or concept(word) in ACTS or word.endswith("ly"))


_FEW = 2
CEASED = word_set(
    """
    stopped stop stops ceased quit ditched dropped scrapped discontinued cancelled canceled terminated killed axed
    shelved
    """
)
DENIALS = NOT | CEASED | {ENDED}
"""What denies, be it that it says that something is over."""

BE = word_set("is are was were be been stays stay remains")
_PLACES = {
    "in": "in", "inside": "in", "under": "in", "behind": "in", "at": "at", "from": "from", "through": "through",
    "via": "through", "by": "by", "on": "on", "to": "to",
}  # fmt: skip
_BELONGING = word_set("of for to from at about")
_HELD = word_set("position job post vacancy")
_PARTIES = word_set("school gym bank insurer supplier vendor partner teacher mother father doctor dentist vet manager")
_STOPPING = PREPOSITIONS | {",", "now", "(", ")"}
_STANDING = word_set("is are be stays stay sits sit lies lie stands stand lives live goes go comes come leaves leave")
_ACTIVE = frozenset(("test", "deploy", "use", "have", "work", "send", "take", "sing", "play"))
_WITHOUT_ACT = LIGHT | {"happen", "end", "live", "store", "come"}
_ACTORS = word_set("we i you they")
_TAKING = word_set("is are keep keeps leave leaves stay stays take")
_NARROWING = word_set("with for in on at when whenever if unless while during above below under over except within per")
_CERTAIN = word_set("the our my their his her this that")
_NEITHER = word_set("outside back")
_OPPOSITE = word_set("new old already existing")
_DAYTIME = word_set("morning mornings afternoon afternoons evening evenings noon midday")
DAYTIMES = frozenset(map(stem, _DAYTIME))
"""The times of a day, by their stems."""
_STATIVE = word_set("be have become happen end")
_PARTICLES = word_set("taken back here away on up off down out open free works work live")
_BEFORE_NOUNS = ROLE | {"no"}
_SILENT = (STOP - word_set("new old already back")) | word_set("""
    day days time times way thing things part kind one ones place happens happen goes go gets get comes come made make
    date year years week weeks month hour minute there left even other again today off out up down on want wants wanted
    said says called named people persons instead exist exists
    """)
"""What says nothing of the matter."""

"""What a clause is about, whatever its build: the things that it names, its values, and the state it tells them in."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from clawgit.domain.quantity import Amount, Token, tokens
from clawgit.domain.statement_concepts import ACTS, DENYING, STATES
from clawgit.domain.statement_gist_words import (
    BE,
    CEASED,
    DAYTIMES,
    DENIALS,
    Place,
    Word,
    is_state,
    joined,
    named,
    part,
    places,
    stands,
    takes_out,
    tells,
    verb_at,
    words,
)
from clawgit.domain.statement_phrases import ENDED, INSTEAD, clauses, is_cjk, plainly
from clawgit.domain.statement_values import Label, values
from clawgit.domain.statement_verbs import SURE
from clawgit.domain.statement_words import KINDS, PREPOSITIONS, word_set
from clawgit.domain.stems import stem


class Gist(NamedTuple):
    """`things` are what a clause speaks of, by their concepts: `nouns` those of them that may tell it from another
    matter, `names` the proper ones, word by word together, `acts` what is done, `subject` what stands before the verb,
    `head` the first, `scope` what stands behind a word that narrows, and `places` what stands behind one of place or
    way, with whether it is a name; `still`: it tells where something is, and not who does it.

    `amounts` are its values, `labels` tell which of several alike, `kinds` are words of a kind that excludes, `rates`
    tell for how long a price is. `states` are the states it tells, each with whether the thing is in it; `results`:
    something brought it there. `focus` is what its denial is of; `ended`: it says that it is over; `old` and `over`:
    what it says so of beside what holds. `part`: its subject, and what that is a part of or belongs to; `daytimes`: the
    times of the day that it names. `lent` are the things of the clause it goes on from. `every`: it holds without
    exception, `only`: it is bound to a condition;
    `fresh`: it says that it has changed, `adds`: that it is so besides.
    """

    things: frozenset[str] = frozenset()
    nouns: frozenset[str] = frozenset()
    names: tuple[frozenset[str], ...] = ()
    acts: frozenset[str] = frozenset()
    subject: frozenset[str] = frozenset()
    head: str = ""
    scope: frozenset[str] = frozenset()
    places: tuple[Place, ...] = ()
    still: bool = False
    amounts: tuple[Amount, ...] = ()
    labels: frozenset[Label] = frozenset()
    kinds: frozenset[str] = frozenset()
    rates: frozenset[str] = frozenset()
    states: frozenset[tuple[str, bool]] = frozenset()
    results: bool = False
    denied: bool = False
    focus: frozenset[str] = frozenset()
    ended: bool = False
    old: frozenset[str] = frozenset()
    over: tuple[Amount, ...] = ()
    part: tuple[str, str] = ("", "")
    daytimes: frozenset[str] = frozenset()
    lent: frozenset[str] = frozenset()
    every: bool = False
    only: bool = False
    fresh: bool = False
    adds: bool = False

    @property
    def named(self) -> frozenset[str]:
        """All words of its names."""
        return frozenset[str]().union(*self.names)

    @property
    def known(self) -> frozenset[str]:
        """What it speaks of by nouns and names."""
        return self.things & (self.nouns | self.named)


@lru_cache(maxsize=16384)
def gists(text: str) -> tuple[Gist, ...]:
    """One a sentence that it states; what says little of itself goes on with the things of the first."""
    found: list[Gist] = []
    for clause in clauses(text):
        if is_cjk(clause):
            from clawgit.domain import statement_gist_cjk  # noqa: PLC0415 (patterns that few memories need)

            found.append(statement_gist_cjk.read(clause))
            continue
        for piece in _parts(clause):
            one = _read(piece)
            begun = piece.partition(" ")[0].casefold()
            again = begun in _PRONOUNS
            goes_on = found and (again or (len(one.things) < _FEW and not found[0].denied))
            found.append(_after(found[0], one, again=again) if goes_on else one)
    return tuple(found)


def _after(first: Gist, one: Gist, *, again: bool) -> Gist:
    """With the things of the clause before it, which a pronoun names `again`."""
    return one._replace(
        lent=frozenset() if again else first.things - one.things,
        things=one.things | first.things,
        nouns=one.nouns | first.nouns,
        names=(*one.names, *first.names),
        head=first.head,
    )


def _parts(clause: str) -> Iterator[str]:
    """The sentences that commas join: `it is weekly, the guests come by train`."""
    begun = ""
    for piece in clause.split(", "):
        if begun and _is_sentence([word.casefold() for word in piece.split()]):
            yield begun
            begun = piece
        else:
            begun = f"{begun}, {piece}" if begun else piece
    yield begun


def _is_sentence(said: list[str]) -> bool:
    return len(said) > _FEW and said[0] not in _JOINING and any(word in BE or word in SURE for word in said[1:-1])


def _read(clause: str) -> Gist:
    found = list(joined(tokens(plainly(clause))))
    said = [token.word for token in found]
    denials = [at for at, word in enumerate(said) if (word in DENIALS or word in _OUT) and _denies(said, at)]
    gone = _gone(found, denials)
    told = list(words(found))
    kept = [one for one in told if one.at not in gone]
    left = [at for at in denials if at not in gone]
    verb = verb_at(found)
    amounts, labels = values(found, gone, verb)
    one = Gist(
        amounts=tuple(amounts),
        labels=frozenset(labels),
        kinds=frozenset(_kinds(said, {word.at for word in kept if word.plain})),
        rates=frozenset(word for word in said if word.startswith("each-")),
        focus=frozenset(_focus(found, told, left[0])) if left else frozenset(),
        ended=not _ENDING_WORDS.isdisjoint(said),
        old=frozenset(word.concept for word in told if word.at in gone and word.plain),
        over=tuple(token.amount for at, token in enumerate(found) if at in gone and token.amount),
        every=not _EVERY.isdisjoint(said),
        only=not _ONLY.isdisjoint(said),
        fresh=not _FRESH.isdisjoint(said),
        adds=not _ADDING.isdisjoint(said),
    )
    return _with_states(_with_things(one, found, kept, verb), found, left, gone)


def _denies(said: list[str], at: int) -> bool:
    """`voluntary or not` denies nothing."""
    if said[at] == "not" and at + 1 == len(said) and said[at - 1] == "or":
        return False
    return said[at] in DENIALS or takes_out(said, at)


def _with_things(one: Gist, found: list[Token], kept: list[Word], verb: int) -> Gist:
    return one._replace(
        things=frozenset(word.concept for word in kept),
        nouns=frozenset(word.concept for word in kept if word.plain and not (word.named and word.at)),
        names=tuple(named(kept)),
        acts=frozenset(word.concept for word in kept if word.concept in ACTS or tells(word)),
        subject=frozenset(word.concept for word in kept if word.at < verb),
        head=kept[0].concept if kept else "",
        part=part(found, kept, verb),
        daytimes=frozenset(stem(token.word) for token in found) & DAYTIMES,
        scope=frozenset(word.concept for word in kept if word.narrows),
        places=tuple(places(found, kept, verb)),
        still=stands(found, verb),
    )


def _with_states(one: Gist, found: list[Token], denials: list[int], gone: frozenset[int]) -> Gist:
    """With the states it tells; what stands in a condition is none."""
    end = next((at for at, token in enumerate(found) if at and token.word in _CONDITIONS), len(found))
    told = [token.word for at, token in enumerate(found[:end]) if at not in gone and is_state(found, at)]
    states = [state for word in told for state in STATES[word]]
    signs = len(denials) + sum(not holds for name, holds in states if name in DENYING)
    odd = len(denials) % 2 == 1
    turned = len([at for at in denials if found[at].word != "no"]) % 2 == 1
    return one._replace(
        states=frozenset((name, holds is not (odd if name in DENYING else turned)) for name, holds in states),
        results=any(word.endswith("ed") or word in _RESULTS for word in told),
        denied=signs % 2 == 1,
    )


def _kinds(said: list[str], plain: set[int]) -> Iterator[str]:
    """The words of a kind; before a noun they only tell which: `the red board`."""
    return (word for at, word in enumerate(map(stem, said)) if word in KINDS and at + 1 not in plain)


def _focus(found: list[Token], told: list[Word], at: int) -> Iterator[str]:
    """What a denial is of: the thing behind a `no`, whatever stands behind a `not`, all of what is taken out."""
    said = [token.word for token in found]
    end = len(said)
    if said[at] == "no":
        end = next((n for n in range(at, end) if said[n] in PREPOSITIONS), end)
    return (one.concept for one in told if one.plain and (at < one.at < end or takes_out(said, at)))


def _gone(found: list[Token], denials: list[int]) -> frozenset[int]:
    """The places of what a clause itself says is over or is not so, beside what it says is: `on Mondays, no longer
    Tuesdays`, `in Porto instead of Lisbon`, `switched from Jenkins to Drone`.
    """
    commas, gone = [at for at, token in enumerate(found) if token.word == ","], set[int]()
    parts = [*pairwise([0, *commas, len(found)])]
    denied = [(begin, end) for begin, end in parts if any(begin <= at < end for at in denials)]
    if len(denied) < len(parts):
        gone = {at for begin, end in denied for at in range(begin, end)}
    for at, token in enumerate(found):
        end = next((n for n in range(at + 1, len(found)) if found[n].word in _ENDING), len(found))
        if token.word == INSTEAD or (token.word == "from" and any(one.word in _LEAVING for one in found[:at])):
            gone |= {*range(at, end)}
    return frozenset(gone)


_FEW = 2
_OUT = frozenset(("out", "off"))
_ENDING_WORDS = CEASED | {ENDED}
_ENDING = frozenset((",", "to", "into", "onto", "and"))
_LEAVING = word_set("switched moved changed migrated went raised lowered taken took inherited")
_JOINING = PREPOSITIONS | word_set("and or which that but not no never then only")
_PRONOUNS = word_set("he she it they this that")
_ADDING = word_set("also too well another besides additionally additional")
_RESULTS = word_set("sold paid shut dead died gone")
_CONDITIONS = word_set("when whenever if unless once")
_EVERY = word_set("any always every all whatever whenever anything anyone anytime everyone both")
_ONLY = word_set("only unless except")
_FRESH = CEASED | word_set("""
    now since moved switched changed became instead replaced raised lowered doubled halved increased reduced
    """)

"""What one message of the operator's does to memory: a pure function of the texts.

The order of goals: nothing false is written, nothing is disputed without need, nobody is asked
without need, and only then is as much heard as can be.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from clawgit.domain.corrections.exchange import Exchange, Subject, denies, exchange
from clawgit.domain.corrections.statement import statement
from clawgit.domain.corrections.typed_values import typed_values, words
from clawgit.domain.corrections.wording import (
    PROTECTED,
    RUN,
    doubt,
    is_negated,
    limits,
    pattern,
    sentences,
)
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.workspace.tiers import CORE, tier
from clawgit.values import NamedTuple

PUT_RIGHT, QUOTED, ASKED, NOTED, LEFT = "put right", "quoted", "asked", "noted", "left"

SURE, LIKELY = 0.36, 0.1
"""The chances of the judge of acts from which a message is a correction: by itself, and where it
shares a telling word with an entry."""

LONGEST_QUOTE = 300
_NEAR = 0.3
"""The share of an entry that the agent's statement must repeat to be about it."""
_TIE = 0.9
_TURN, _EARLIER = 1.5, 0.3
"""What a word counts that the agent's last turn says, and one of an earlier turn; the message's own
count 1."""
_NOTE = 0.6
_FIRM = 2
"""Telling words that a message must share with an entry of which the agent did not speak."""
_NAME = 3
"""A quotation of at most this many words is a name in quotation marks."""
_MOST_READ = 2000
"""How many characters of a message, a turn and an entry are read: the rest is pasted text."""
_PASTED = re.compile(r"```.*?(?:```|\Z)|^ {0,3}>.*$|^(?: {4}|\t).*$", re.DOTALL | re.MULTILINE)


class Talk(NamedTuple):
    """What was said before a message: the agent's last turn, and what it had been asked."""

    turn: str = ""
    question: str = ""


class Decision(NamedTuple):
    """`words` is the sentence to quote, `change` what makes the entry right."""

    kind: str
    why: str
    place: EntryPlace | None = None
    words: str = ""
    change: Exchange | None = None


class Target(NamedTuple):
    """An entry that a message may mean. `said` is the share of it that one sentence of the agent's
    last turn repeats, `own` the number of telling words that the message itself shares with it.
    """

    place: EntryPlace
    score: float
    said: float
    own: int


def decide(
    message: str, talk: Talk, places: Sequence[EntryPlace], *, called: bool, corrects: float
) -> Decision:
    """`called`: a pattern of the specification matched. `corrects`: the judge's chance."""
    own = own_words(message[:_MOST_READ])
    talk = Talk(talk.turn[:_MOST_READ], talk.question[:_MOST_READ])
    parts = sentences(own)
    ranked = targets(own, talk, places)
    is_call = called or corrects >= SURE or _is_tied(own, ranked, corrects)
    if not parts or not is_call or (own != message and not called):
        return Decision(LEFT, f"it most likely corrects nothing ({corrects:.3f})")
    is_linked = bool(ranked) and (ranked[0].own > 0 or ranked[0].said >= _NEAR)
    # One sentence in doubt is enough: “Wasn't it April? I'd have to look.”
    if why := next(filter(None, map(doubt, parts)), ""):
        if called and is_linked:
            return Decision(ASKED, f"it {why}", ranked[0].place)
        return Decision(LEFT, f"it {why}")
    if is_linked:
        # What is cut off or pasted could say more than what is read.
        is_whole = own == message
        fits = fitting(own, talk.turn, ranked, places, called=called) if is_whole else []
        return _on_entry(own, talk.turn, ranked, fits, called=called)
    if typed_values(own) or words(own) & words(talk.turn):
        return Decision(NOTED, "no entry holds it", words=_quote(own, ""))
    return Decision(LEFT, "it says neither what is wrong nor what is right")


def _is_tied(own: str, ranked: Sequence[Target], corrects: float) -> bool:
    """Whether a message that is no sure correction has enough to do with an entry to be one."""
    if not ranked:
        return False
    # “Remember that …” asks to keep something new.
    is_asked_for = bool(pattern("requests").search(own))
    is_likely = corrects >= LIKELY and ranked[0].own > 0 and not is_asked_for
    return is_likely or denies(own, statement(ranked[0].place.entry))


def _on_entry(
    own: str,
    turn: str,
    ranked: Sequence[Target],
    fits: Sequence[tuple[EntryPlace, Exchange]],
    *,
    called: bool,
) -> Decision:
    best = ranked[0]
    text = statement(best.place.entry)
    if is_repetition(own, text):
        return Decision(LEFT, "memory already says so", best.place)
    quote = _quote(own, text)
    # A dated note is a record of its day. The correction stands for itself, and comes first.
    if tier(best.place.path) != CORE:
        return Decision(NOTED, "a note of a past day is never changed", best.place, quote)
    likeliest = [each for each in ranked if each.score >= _TIE * best.score]
    # Only if the message would change no other entry as well.
    match fits:
        case [(place, change)] if any(place is each.place for each in likeliest):
            return Decision(PUT_RIGHT, change.why, place, quote, change)
    is_weak = best.said < _NEAR and best.own < _FIRM and not (called and best.own)
    if words(own) <= words(text) | words(turn):
        why = "it says that something is wrong, but not what is right"
    elif len(likeliest) > 1:
        why = "two entries fit as well"
    elif is_weak or not quote:
        why = "it shares little with that entry" if is_weak else "it is too long to be quoted"
    else:
        return Decision(QUOTED, "no exchange is proven", best.place, quote)
    return Decision(ASKED, why, best.place)


def own_words(message: str) -> str:
    """A message without code, pasted lines and quotations that are more than a name."""
    kept = PROTECTED.sub(lambda at: at[0] if _is_a_name(at[0]) else " ", _PASTED.sub(" ", message))
    return message if kept.split() == message.split() else kept


def _is_a_name(quotation: str) -> bool:
    unspaced = sum(map(len, RUN.findall(quotation)))
    return len(quotation.split()) <= _NAME and unspaced <= _NAME * _NAME


def targets(message: str, talk: Talk, places: Sequence[EntryPlace]) -> list[Target]:
    """The entries that share words with a message and with what was said before, the likeliest
    first. A word counts by how rare it is.
    """
    read = [(place, _words(place)) for place in places]
    spread = Counter(word for _, own in read for word in own)
    rarity = {word: log(1 + len(read) / count) for word, count in spread.items()}
    said = [words(part) for part in sentences(talk.turn)]
    mine, before = words(message), words(talk.question)
    found = (_target(place, own, mine, said, before, rarity) for place, own in read)
    return sorted((one for one in found if one.score), key=lambda one: -one.score)


def _target(
    place: EntryPlace,
    own: frozenset[str],
    mine: frozenset[str],
    said: Iterable[frozenset[str]],
    before: frozenset[str],
    rarity: dict[str, float],
) -> Target:
    def weight(some: Iterable[str]) -> float:
        return sum(rarity[word] for word in some)

    near = max((weight(own & theirs) for theirs in said), default=0.0)
    score = _TURN * near + weight(own & mine) + _EARLIER * weight(own & before)
    if tier(place.path) != CORE:
        score *= _NOTE
    return Target(place, score, near / (weight(own) or 1), len(own & mine))


def _words(place: EntryPlace) -> frozenset[str]:
    return words(f"{statement(place.entry)[:_MOST_READ]}\n{' '.join(place.entry.path)}")


def fitting(
    message: str,
    turn: str,
    ranked: Iterable[Target],
    places: Iterable[EntryPlace],
    *,
    called: bool = True,
) -> list[tuple[EntryPlace, Exchange]]:
    """The entries that a message changes by a proven exchange, with the change of each. `called`:
    a pattern calls it a correction, or it was typed as one. Dated notes are never changed, whatever
    they repeat.
    """
    parts, said = sentences(message), sentences(turn)
    every = [statement(place.entry) for place in places if tier(place.path) == CORE]
    found: list[tuple[EntryPlace, Exchange]] = []
    for target in ranked:
        entry = target.place.entry
        subject = Subject(statement(entry), " ".join(entry.path), every, said, called)
        if tier(target.place.path) == CORE and (change := exchange(message, parts, subject)):
            found.append((target.place, change))
    return found


def is_repetition(message: str, text: str) -> bool:
    """Whether a message says what an entry says: each of its values of a type that the entry has,
    or all of its words, and nothing of it is denied.
    """
    if denies(message, text) or limits(message) - limits(text):
        return False
    theirs = typed_values(text)
    types = {value.type for value in theirs}
    mine = {(value.type, value.key) for value in typed_values(message) if value.type in types}
    if mine:
        return mine <= {(value.type, value.key) for value in theirs}
    said = words(message)
    return len(said) > 1 and said <= words(text) and not is_negated(message)


def _quote(message: str, text: str) -> str:
    """The message on one line, or of a long one the sentence that is most about the entry; "" if
    that is too long, too.
    """
    line = " ".join(message.split())
    if len(line) > LONGEST_QUOTE:
        about = words(text)
        line = max(sentences(message), key=lambda part: len(words(part) & about))
    return line if len(line) <= LONGEST_QUOTE else ""

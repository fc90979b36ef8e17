"""What one message of the operator's does to memory: a pure function of the texts.

The order of goals: nothing false is written, nothing is disputed without need, nobody is asked
without need, and only then is as much heard as can be.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from clawgit.core.markdown.entry import Entry
from clawgit.core.tiers import CORE, tier
from clawgit.talk.rules.corrections import statement
from clawgit.talk.rules.exchange import Exchange, denies, exchange
from clawgit.talk.rules.wording import (
    PROTECTED,
    RUN,
    doubt,
    limits,
    pattern,
    sentences,
    typed_values,
    words,
)

PUT_RIGHT, QUOTED, ASKED, NOTED = "put right", "quoted", "asked", "noted"
LEFT, ROUTED = "left", "routed"
BINDING = (PUT_RIGHT, QUOTED, NOTED)
"""What is written into memory."""

SURE, LIKELY = 0.36, 0.15
"""The chances of the judge of acts from which a message is a correction: by itself, and for each
telling word that it shares with an entry."""

LEAST = 0.02
"""With less, memory is not even looked at."""

LONGEST_QUOTE = 300
_NEAR = 0.3
"""The share of an entry that the agent's statement must repeat to be about it."""
_TIE = 0.9
_TURN = 1.5
"""What a word counts that the agent's last turn says; the message's own count 1."""
_NOTE = 0.6
_FIRM = 2
"""Telling words that a message must share with an entry of which the agent did not speak."""
_NAME = 3
"""A quotation of at most this many words is a name in quotation marks."""
_MOST_READ = 2000
"""How many characters of a message, a turn and an entry are read: the rest is pasted text."""
_PASTED = re.compile(r"```.*?(?:```|\Z)|^ {0,3}>.*$|^(?: {4}|\t).*$", re.DOTALL | re.MULTILINE)


class Decision(NamedTuple):
    """What becomes of a message, and why.

    `words` is what memory will say, or the sentence that is quoted, and `change` what makes the
    entry say it. `said` is what the agent said.
    """

    kind: str
    why: str
    place: Entry | None = None
    words: str = ""
    change: Exchange | None = None
    said: str = ""


class Target(NamedTuple):
    """An entry that a message may mean. `said` is the share of it that one sentence of the agent's
    last turn repeats, `own` the number of telling words that the message itself shares with it.
    """

    place: Entry
    score: float
    said: float
    own: int


class _Heard(NamedTuple):
    """A message as it is read: its own words, and the entries that it may mean, likeliest first.
    `is_whole`: nothing of it was cut off or left out. `places` are all entries.
    """

    own: str
    is_whole: bool
    turn: str
    places: Sequence[Entry]
    ranked: Sequence[Target]
    called: bool
    corrects: float

    @property
    def is_call(self) -> bool:
        if self.called or self.corrects >= SURE:
            return True
        if not self.ranked or not self.is_whole:
            return False
        best = self.ranked[0]
        if denies(self.own, statement(best.place)):
            return True
        # “Remember that …” asks to keep something new.
        if pattern("requests").search(self.own):
            return False
        return self.corrects * best.own >= LIKELY

    @property
    def is_linked(self) -> bool:
        """Whether the message, or what the agent said, has enough to do with an entry."""
        best = self.ranked[0] if self.ranked else None
        return best is not None and (best.own > 0 or best.said >= _NEAR)

    @property
    def doubt(self) -> str:
        """One sentence in doubt is enough: “Wasn't it April? I'd have to look.”"""
        return next(filter(None, map(doubt, sentences(self.own))), "")


def decide(
    message: str,
    turn: str,
    places: Sequence[Entry],
    *,
    called: bool,
    corrects: float,
) -> Decision:
    """`called`: a pattern of the specification matched. `corrects`: the judge's chance."""
    own = own_words(message[:_MOST_READ])
    turn = turn[:_MOST_READ]
    ranked = targets(own, turn, places)
    heard = _Heard(own, own == message, turn, places, ranked, called, corrects)
    decision = _of_call(heard) if sentences(own) and (called or heard.is_whole) else None
    # What the texts prove needs no judge to call it.
    if decision and (heard.is_call or decision.kind == PUT_RIGHT):
        return decision
    return Decision(LEFT, f"it most likely corrects nothing ({corrects:.3f})")


def _of_call(heard: _Heard) -> Decision:
    if why := heard.doubt:
        if heard.called and heard.is_linked:
            return Decision(ASKED, f"it {why}", heard.ranked[0].place)
        return Decision(LEFT, f"it {why}")
    if heard.is_linked:
        return _on_entry(heard)
    if typed_values(heard.own) or words(heard.own) & words(heard.turn):
        return Decision(NOTED, "no entry holds it", words=_quote(heard.own, ""))
    return Decision(LEFT, "it says neither what is wrong nor what is right")


def _on_entry(heard: _Heard) -> Decision:
    place = heard.ranked[0].place
    text = statement(place)
    if is_repetition(heard.own, text):
        return Decision(LEFT, "memory already says so", place)
    quote = _quote(heard.own, text)
    # A dated note is a record of its day. The correction stands for itself, and comes first.
    if tier(place.path) != CORE:
        return Decision(NOTED, "a note of a past day is never changed", place, quote)
    if proven := _put_right(heard):
        return proven
    if why := _unclear(heard, text, quote):
        return Decision(ASKED, why, place)
    return Decision(QUOTED, "no exchange is proven", place, quote)


def _put_right(heard: _Heard) -> Decision | None:
    """The change of the one entry that the message proves; None if it would change another, too."""
    # What is cut off or pasted could say more than what is read.
    if not heard.is_whole:
        return None
    fits = fitting(heard.own, heard.turn, heard.ranked, called=heard.called)
    if len(fits) != 1:
        return None
    [(place, change)] = fits
    return Decision(PUT_RIGHT, change.why, place, change.applied(statement(place)), change)


def _unclear(heard: _Heard, text: str, quote: str) -> str:
    """Why the operator has to say more, "" if the message may be quoted under the entry."""
    best = heard.ranked[0]
    if words(heard.own) <= words(text) | words(heard.turn):
        return "it says that something is wrong, but not what is right"
    if len(_likeliest(heard.ranked)) > 1:
        return "two entries fit as well"
    least = 1 if heard.called else _FIRM
    if best.said < _NEAR and best.own < least:
        return "it shares little with that entry"
    return "" if quote else "it is too long to be quoted"


def _likeliest(ranked: Sequence[Target]) -> list[Target]:
    return [each for each in ranked if each.score >= _TIE * ranked[0].score]


def own_words(message: str) -> str:
    """A message without code, pasted lines and quotations that are more than a name."""
    kept = PROTECTED.sub(lambda at: at[0] if _is_a_name(at[0]) else " ", _PASTED.sub(" ", message))
    return message if kept.split() == message.split() else kept


def _is_a_name(quotation: str) -> bool:
    unspaced = sum(map(len, RUN.findall(quotation)))
    return len(quotation.split()) <= _NAME and unspaced <= _NAME * _NAME


def targets(message: str, turn: str, places: Sequence[Entry]) -> list[Target]:
    """The entries that share words with a message and with what was said before, the likeliest
    first. A word counts by how rare it is.
    """
    read = [(place, _words(place)) for place in places]
    spread = Counter(word for _, own in read for word in own)
    rarity = {word: log(1 + len(read) / count) for word, count in spread.items()}
    mine = words(message)
    spoken = [words(part) for part in sentences(turn)]

    def weight(shared: Iterable[str]) -> float:
        return sum(map(rarity.__getitem__, shared))

    def target(place: Entry, own: frozenset[str]) -> Target:
        near = max((weight(own & said) for said in spoken), default=0.0)
        score = _TURN * near + weight(own & mine)
        score *= 1 if tier(place.path) == CORE else _NOTE
        return Target(place, score, near / (weight(own) or 1), len(own & mine))

    found = (target(place, own) for place, own in read)
    return sorted((each for each in found if each.score), key=lambda each: -each.score)


def _words(place: Entry) -> frozenset[str]:
    return words(f"{statement(place)[:_MOST_READ]}\n{' '.join(place.under)}")


def fitting(
    message: str,
    turn: str,
    ranked: Iterable[Target],
    *,
    called: bool = True,
) -> list[tuple[Entry, Exchange]]:
    """The entries that a message changes by a proven exchange, with the change of each. `called`:
    a pattern calls it a correction, or it was typed as one. Dated notes are never changed, whatever
    they repeat.
    """
    said = sentences(turn)
    found: list[tuple[Entry, Exchange]] = []
    for target in ranked:
        place = target.place
        if tier(place.path) != CORE:
            continue
        headings = " ".join(place.under)
        if change := exchange(message, statement(place), headings, said, called=called):
            found.append((place, change))
    return found


def is_repetition(message: str, text: str) -> bool:
    """Whether each value of a message, of the types that an entry has, stands there, and nothing of
    it is denied.
    """
    if denies(message, text) or limits(message) - limits(text):
        return False
    held = _keys(text)
    types = {type_ for type_, _ in held}
    given = {(type_, key) for type_, key in _keys(message) if type_ in types}
    return bool(given) and given <= held


def _keys(text: str) -> set[tuple[str, str]]:
    return {(value.type, value.key) for value in typed_values(text)}


def _quote(message: str, text: str) -> str:
    """The message on one line, or of a long one the sentence that is most about the entry; "" if
    that is too long, too.
    """
    line = " ".join(message.split())
    if len(line) > LONGEST_QUOTE:
        about = words(text)
        line = max(sentences(message), key=lambda part: len(words(part) & about))
    return line if len(line) <= LONGEST_QUOTE else ""

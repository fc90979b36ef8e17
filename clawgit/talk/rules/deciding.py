"""What one message of the operator's does to memory: a pure function of the texts.

The order of goals: nothing false is written, nothing is disputed without need, nobody is asked
without need, and only then is as much heard as can be.
"""

from collections import Counter
from collections.abc import Sequence
from math import fsum, log

from clawgit.core import NamedTuple
from clawgit.core.markdown.entry import Entry
from clawgit.core.markdown.excerpt import one_line
from clawgit.core.tiers import CORE, tier
from clawgit.language.clauses import is_asking
from clawgit.language.judges.judging import OF_BOTH, disputes, of_message, thresholds
from clawgit.language.lexicon import has_any
from clawgit.talk.rules.corrections import statement
from clawgit.talk.rules.exchange import Exchange, denies, exchange, retracts, telling
from clawgit.talk.rules.passages import FEWEST, typed
from clawgit.talk.rules.wording import (
    PROTECTED,
    doubt,
    is_negated,
    limits,
    sentences,
    typed_values,
    unopened,
    words,
)

PUT_RIGHT, QUOTED, ASKED, NOTED = "put right", "quoted", "asked", "noted"
LEFT, ROUTED = "left", "routed"
BINDING = (PUT_RIGHT, QUOTED, NOTED)
"""What corrects memory."""

_NEWS, _ALONE = 0.06, 0.13
"""The chances of the judge of acts below which a message is news, and from which one that denies
something is a correction of what no entry holds."""
_DOUBTFUL = 0.7
"""The chance of the judge of disputes from which the operator is asked."""

LEAST = 0.02
"""With less, memory is not even looked at."""

LONGEST_QUOTE = 300
_NEAR = 0.3
"""The share of an entry that the agent's last turn must repeat to be about it."""
_TIE = 0.9
_LITTLE = 0.25
"""The share of its words below which one word of an entry says nothing of what is meant."""
_STEPS = 5
"""How finely the judge is told of a share."""
_MOST_READ = 2000
"""How many characters of a message, a turn and an entry are read: the rest is pasted text."""


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
    """An entry that a message may mean, and what it says. `said` is the share of it that the
    agent's last turn repeats, `own` the number of telling words that the message itself shares with
    it.
    """

    place: Entry
    text: str
    score: float
    said: float
    own: int
    is_named: bool


def decide(
    message: str, turn: str, places: Sequence[Entry], *, called: bool, corrects: float
) -> Decision:
    """`called`: a pattern of the specification matched. `corrects`: the judge's chance."""
    own, turn = own_words(message[:_MOST_READ]), turn[:_MOST_READ]
    # What is cut off or pasted could say more than what is read.
    is_whole = own == message
    if not _says_something(own) or not (called or is_whole):
        return Decision(LEFT, "it says nothing of its own")
    ranked = targets(own, turn, places)
    called |= _is_objection(own, turn, ranked)
    answered = _answered(own, turn, ranked) if called else ()
    # One sentence in doubt is enough: “Wasn't it April? I'd have to look.”
    if unsure := next(filter(None, map(doubt, sentences(own))), ""):
        for best in filter(_is_linked, answered[:1]):
            return Decision(ASKED, f"it {unsure}", best.place)
        return Decision(LEFT, f"it {unsure}")
    if ranked and is_repetition(own, ranked[0].text):
        return Decision(LEFT, "memory already says so")
    # What the texts prove needs no judge to call it. What would change another entry, too, is not
    # proven.
    fits = fitting(own, turn, ranked, called=called) if is_whole else []
    if len(fits) == 1:
        return fits[0]
    return _called(own, turn, answered) if called else _judged(own, turn, ranked, corrects)


def _says_something(own: str) -> bool:
    """Whether a message has a sentence of its own: “This is what Rosa wrote: …” has none."""
    return not all(each.endswith((":", "：")) for each in sentences(own))


def _called(own: str, turn: str, ranked: Sequence[Target]) -> Decision:
    """What becomes of what is called a correction, and proves no change."""
    for best in ranked[:1]:
        if best.said >= _NEAR or best.own >= _LITTLE * len(words(best.text)):
            return _on_entry(own, turn, ranked)
    return _alone(own, turn)


def _judged(own: str, turn: str, ranked: Sequence[Target], corrects: float) -> Decision:
    """What the judges say of all else."""
    # A letter shares words with any entry by its length alone.
    if corrects >= _NEWS and len(own) <= LONGEST_QUOTE and (found := _disputed(own, turn, ranked)):
        return found
    if corrects >= _ALONE and (calls_wrong(own, turn) or denies(own, own)):
        return _alone(own, turn)
    return Decision(LEFT, "it calls nothing wrong")


def _disputed(own: str, turn: str, ranked: Sequence[Target]) -> Decision | None:
    # What happened since a dated note was written does not make it wrong.
    if not ranked or tier(ranked[0].place.path) != CORE:
        return None
    if disputes(beside(own, turn, ranked)) >= thresholds().disputes:
        return _on_entry(own, turn, ranked)
    # Which of those that it names is meant is for the operator to say.
    apart = [*ranked[:1], *(each for each in ranked if not each.is_named)]
    if ranked[0].is_named and disputes(beside(own, turn, apart)) >= _DOUBTFUL:
        return Decision(ASKED, "it may be about that entry", ranked[0].place)
    return None


def _answered(own: str, turn: str, ranked: Sequence[Target]) -> Sequence[Target]:
    """What answers a value of the agent's by another is about the entries that hold one like these:
    “No, it's the 19th” is not about the venue.
    """
    given, spoken = _keys(own), _keys(turn)
    if given <= spoken or spoken <= given:
        return ranked
    types = {type_ for type_, _ in given ^ spoken}
    return [each for each in ranked if any(type_ in types for type_, _ in _keys(each.text))]


def _on_entry(own: str, turn: str, ranked: Sequence[Target]) -> Decision:
    best = ranked[0]
    # A dated note is a record of its day. The correction stands for itself, and comes first.
    if tier(best.place.path) != CORE:
        is_proven = _change(own, turn, best, called=True)
        alone = _alone(own, f"{best.text} {turn}")
        return alone._replace(place=best.place) if is_proven else alone
    if any(_is_tied(best, each) for each in ranked[1:2]):
        return Decision(ASKED, "two entries fit as well", best.place)
    quote = quote_of(own, best.text)
    if not quote:
        return Decision(ASKED, "it is too long to be quoted", best.place)
    return Decision(QUOTED, "no exchange is proven", best.place, quote)


def _is_tied(best: Target, rival: Target) -> bool:
    """Whether another entry is as likely: the message names both or neither."""
    is_like = rival.said >= _TIE * max(best.said, _NEAR) or rival.score >= _TIE * best.score
    return is_like and best.is_named == rival.is_named and tier(rival.place.path) == CORE


def _alone(own: str, before: str) -> Decision:
    """What becomes of a correction of what no entry holds. What only tells something is left to the
    Memory Miner, who hears what is said after it.
    """
    is_telling = typed_values(own) or words(own) & words(before)
    if is_telling or len(words(unopened(own))) >= FEWEST:
        return Decision(NOTED, "no entry holds it", words=quote_of(own, ""))
    return Decision(LEFT, "it says neither what is wrong nor what is right")


def _is_linked(best: Target) -> bool:
    """Whether a message that is called a correction may be about an entry: it names something of
    its subject, or answers the agent, who has just said it.
    """
    return best.said >= _NEAR or best.is_named


def _is_objection(own: str, turn: str, ranked: Sequence[Target]) -> bool:
    """Whether a message denies what the likeliest entry says, or begins as a correction of it and
    gives a value, a name or a word: “No, Thursday.”, and not “No, it's fine.”
    """
    if any(retracts(own, each.text) for each in ranked[:1]):
        return True
    if not calls_wrong(own, turn) or not any(map(_is_linked, ranked[:1])):
        return False
    return bool(typed_values(own) or ranked[0].is_named) or any(map(str.isupper, unopened(own)[1:]))


def calls_wrong(message: str, turn: str) -> bool:
    """Whether a message begins with “No, …” or “Wrong: …”, and that is no answer to a question."""
    opening = message.removesuffix(unopened(message))
    return has_any(opening, "negations", "objections") and not is_asking(turn)


def own_words(message: str) -> str:
    """A message without code, pasted lines and quotations."""
    kept = PROTECTED.sub(" ", typed(message))
    return message if kept.split() == message.split() else kept


def targets(message: str, turn: str, places: Sequence[Entry]) -> list[Target]:
    """The entries that share words with a message and with what was said before, the likeliest
    first. A word counts by how rare it is.
    """
    read = [(one, words(statement(one)[:_MOST_READ]), words(" ".join(one.under))) for one in places]
    spread = Counter(word for _, says, above in read for word in says | above)
    rarity = {word: log(1 + len(read) / count) for word, count in spread.items()}
    mine, spoken = words(message), words(turn)

    def weight(shared: frozenset[str]) -> float:
        # Exact, so that two entries tie in every process: words come in an order of its own.
        return fsum(map(rarity.__getitem__, shared))

    found = list[Target]()
    for place, says, above in read:
        own = says | above
        score = weight(own & spoken) + weight(own & mine)
        if score:
            # The agent repeats an entry, and not the headings above it.
            said = weight(says & spoken) / (weight(says) or 1)
            is_named = bool(telling(own & mine))
            found.append(Target(place, statement(place), score, said, len(own & mine), is_named))
    # A dated note often repeats an entry.
    return sorted(
        found, key=lambda each: (tier(each.place.path) != CORE, not each.is_named, -each.score)
    )


def beside(message: str, turn: str, ranked: Sequence[Target]) -> list[list[str]]:
    """The features of a message beside the first of some entries, and of how that stands."""
    best = ranked[0]
    rival = min(1.0, sum(each.score for each in ranked[1:2]) / best.score)
    # What names something else is about that, whatever the agent has just said.
    more = len(telling(words(message) - words(best.text)))
    named = f"named {best.is_named} {min(_STEPS, more)}"
    shares = [f"rival {int(_STEPS * rival)}", f"said {int(_STEPS * best.said)}", named]
    return [*of_message(message, turn), *of_message(message, best.text)[OF_BOTH:], shares]


def fitting(
    message: str, turn: str, ranked: Sequence[Target], *, called: bool = True
) -> list[Decision]:
    """What puts right each entry that a message changes by a proven exchange. `called`:
    a pattern calls it a correction, or it was typed as one. Dated notes are never changed, whatever
    they repeat.
    """
    return [
        Decision(PUT_RIGHT, change.why, each.place, change.applied(each.text), change)
        for each in ranked
        if tier(each.place.path) == CORE and (change := _change(message, turn, each, called=called))
    ]


def _change(message: str, turn: str, target: Target, *, called: bool) -> Exchange | None:
    """What a message proves about an entry."""
    headings = " ".join(target.place.under)
    return exchange(message, target.text, headings, sentences(turn), called=called)


def is_repetition(message: str, text: str) -> bool:
    """Whether each value of a message stands in an entry, and the message denies nothing and tells
    hardly anything more: “two signatures above 100k, and Ellis signs” is more than the 100k.
    """
    said = unopened(message)
    objects = is_negated(said) or has_any(said, "objections", "withdrawals")
    if objects or limits(message) - limits(text):
        return False
    given, more = _keys(message), telling(words(message) - words(text))
    return bool(given) and given <= _keys(text) and len(more) <= 1


def _keys(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((value.type, value.key) for value in typed_values(text))


def quote_of(message: str, text: str) -> str:
    """The message on one line, or of a long one the sentence that is most about the entry; "" if
    that is too long, too.
    """
    line = one_line(message)
    if len(line) > LONGEST_QUOTE:
        about = words(text)
        line = max(sentences(message), key=lambda part: len(words(part) & about))
    return line if len(line) <= LONGEST_QUOTE else ""

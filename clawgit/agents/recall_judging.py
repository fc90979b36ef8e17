"""What a call of the Recall Validator comes to: put right, quoted, asked, somebody else's matter,
or left; and why.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.agents.contract import Call
from clawgit.domain.conversation.chat import ASSISTANT, USER, unwrapped
from clawgit.domain.corrections.doubts import ASKS, doubt, has
from clawgit.domain.corrections.exchange import (
    Exchange,
    Unplain,
    agrees,
    corrective,
    exchange,
    is_of_another,
)
from clawgit.domain.corrections.hearing import Heard, candidates, hear
from clawgit.domain.corrections.sentence import heard_sentence
from clawgit.domain.corrections.statement import statement
from clawgit.domain.extraction.speaker import is_private
from clawgit.domain.facts.fact_verdict import Place
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.language.corrective import has as has_class
from clawgit.language.lexicon import lexicons_for
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words

PUT_RIGHT = "put right"
QUOTED = "quoted"
ASKED = "asked"
ROUTED = "routed"
LEFT = "left"

_MOST_READ = 20_000
_LONGEST_SAID = 400


class Ruling(NamedTuple):
    """What is to be done about a call, and why. `right` is what memory shall say, or the sentence
    that is quoted; `said` is what the agent said; `change` is the exchange that makes the entry say
    it.
    """

    kind: str
    why: str = ""
    right: str = ""
    said: str = ""
    place: Place | None = None
    change: Exchange | None = None


class Talk(NamedTuple):
    """What was said before a message: the agent's last turn, and what it was asked."""

    turn: str = ""
    question: str = ""


Reader = Callable[[str, Talk, Sequence[Place]], Ruling | None]
"""A language model's own ruling, None where the judges must do."""


def talk_before(call: Call) -> Talk:
    turn, question = "", ""
    for message in reversed(call.exchange):
        if message.role == ASSISTANT and not turn and not question:
            turn = message.text[:_MOST_READ]
        elif message.role == USER and (turn or not question):
            question = unwrapped(message.text)[:_MOST_READ]
            break
    return Talk("" if is_sensitive(turn) else turn, question)


def is_external(call: Call) -> bool:
    """Whether what failed is no memory, but a tool or a capability that the agent has: the operator
    speaks to the agent of one, and a pattern or the judge hears that something went wrong.
    """
    text = unwrapped(call.message.text)[:_MOST_READ]
    if not any(_names_a_capability(one.text) for one in sentences(text)):
        return False
    judged = acts(text, talk_before(call).turn)
    return bool(call.triggers) or judged.corrects + judged.complains >= thresholds().corrects_ask


def ruled(call: Call, talk: Talk, places: Sequence[Place], reader: Reader | None = None) -> Ruling:
    """The ruling on a call: by the model where it has one that stands the guards, else by the
    judges.
    """
    text = unwrapped(call.message.text)[:_MOST_READ]
    called = any(trigger.route for trigger in call.triggers)
    if why := _not_for_us(call) or barred(text):
        return Ruling(LEFT, why)
    heard = hear(text, talk.turn, places, called=called)
    if not call.triggers and not heard.is_called:
        return Ruling(LEFT, "it sets nothing right")
    said = in_a_line(talk.turn, _LONGEST_SAID)
    if is_external(call):
        return Ruling(ROUTED, "it is about a tool or a capability", said=said)
    ruling = reader(text, talk, places) if reader else None
    ruling = ruling or _judged(text, talk.turn, heard, candidates(text, talk.turn, places))
    if ruling.kind in (PUT_RIGHT, QUOTED) and not is_private(call.message.session):
        return Ruling(ASKED, "others speak in this session, too", said=said, place=ruling.place)
    return ruling._replace(said=said)


def _names_a_capability(sentence: str) -> bool:
    return has_class(sentence, lexicons_for(sentence), "capabilities") and has(
        sentence, "second_person"
    )


def _not_for_us(call: Call) -> str:
    if call.message.role != USER:
        return "only what the operator says himself is a correction"
    return (
        ""
        if call.triggers or is_private(call.message.session)
        else "others speak in this session, too"
    )


def barred(text: str, lets_in: frozenset[str] = frozenset()) -> str:
    """Why words may not stand in memory at all, "" where they may: no secrets, no orders to whoever
    reads them.
    """
    if is_sensitive(text, lets_in):
        return "it holds a secret, which is never written down"
    if any(one.hold for one in poison("", text)):
        return "it reads like orders to an agent, and is no fact"
    return ""


def _judged(text: str, turn: str, heard: Heard, near: Sequence[Place]) -> Ruling:
    if not heard.is_askable:
        return Ruling(LEFT, f"it most likely sets nothing right ({heard.corrects:.3f})")
    if heard.place is None or not heard.is_sure:
        return Ruling(
            ASKED, "it does not say what of" if heard.place is None else "which entry is meant?"
        )
    if not content_words(text) - corrective(text):
        return Ruling(
            ASKED, "it says that something is wrong, and not what is right", place=heard.place
        )
    old, headings = statement(heard.place.entry), " ".join(heard.place.entry.path)
    if agrees(text, old, headings) or is_of_another(text, old):
        return Ruling(LEFT, "memory says so already, or speaks of another thing")
    change = exchange(text, turn, old, headings)
    if isinstance(change, Exchange) and not any(
        _fits(text, turn, place) for place in near if place is not heard.place
    ):
        return Ruling(
            PUT_RIGHT, "one value, and nothing else", change.applied(old), "", heard.place, change
        )
    why = change.why if isinstance(change, Unplain) else "more than one entry could be meant"
    return _quotation(text, turn, heard.place, why)


def _quotation(text: str, turn: str, place: Place, why: str) -> Ruling:
    words = heard_sentence(text, f"{statement(place.entry)} {' '.join(place.entry.path)} {turn}")
    if not words or _cannot_be_quoted(words):
        return Ruling(ASKED, "the sentence cannot be quoted", place=place)
    if doubt(words) == ASKS:
        return Ruling(ASKED, "it asks, and may set something right", place=place)
    return Ruling(QUOTED, why, words, "", place)


def _fits(text: str, turn: str, place: Place) -> bool:
    return isinstance(
        exchange(text, turn, statement(place.entry), " ".join(place.entry.path)), Exchange
    )


def _cannot_be_quoted(words: str) -> bool:
    """Whether a sentence would be read as something else inside an entry."""
    return "<!--" in words or "-->" in words or "claw:" in words or bool(barred(words))

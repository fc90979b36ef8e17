"""Decides the outcome of a call of the Recall Validator: corrected, quoted, asked or left."""

from collections.abc import Callable, Sequence

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
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.language.corrective import has as has_class
from clawgit.language.lexicon import lexicons_for
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words
from clawgit.values import NamedTuple

PUT_RIGHT = "put right"
QUOTED = "quoted"
ASKED = "asked"
ROUTED = "routed"
LEFT = "left"

_MOST_READ = 20_000
"""How many characters of a message are read. The rest is mostly pasted text."""

_LONGEST_SAID = 400
_MARKUP = ("<!--", "-->", "claw:")
"""Text that would not be read as plain words inside an entry."""


class Ruling(NamedTuple):
    """What is to be done about a call, and why.

    `right` is what memory will say, or the sentence that is quoted. `said` is what the agent
    said. `change` is the exchange of words that makes the entry say `right`.
    """

    kind: str
    why: str = ""
    right: str = ""
    said: str = ""
    place: EntryPlace | None = None
    change: Exchange | None = None


class Talk(NamedTuple):
    """What was said before a message: the agent's last turn, and what it had been asked."""

    turn: str = ""
    question: str = ""


Reader = Callable[[str, Talk, Sequence[EntryPlace]], Ruling | None]
"""A language model's ruling where the judges would ask; None if it has none."""


def talk_before(call: Call) -> Talk:
    """The agent's last turn before a call, and the operator's message before that turn.

    Without a turn of the agent, the question is the operator's last message.
    """
    turn = question = ""
    for message in reversed(call.exchange):
        if message.role == USER:
            question = unwrapped(message.text)[:_MOST_READ]
            break
        if message.role == ASSISTANT and not turn:
            turn = message.text[:_MOST_READ]
    return Talk("" if is_sensitive(turn) else turn, question)


def is_external(call: Call) -> bool:
    """Whether what failed is no memory, but a tool or a capability of the agent.

    The operator speaks to the agent about one, and a pattern or the judge finds a complaint.
    """
    text = unwrapped(call.message.text)[:_MOST_READ]
    if not any(_names_a_capability(sentence.text) for sentence in sentences(text)):
        return False
    judged = acts(text, talk_before(call).turn)
    return bool(call.triggers) or judged.corrects + judged.complains >= thresholds().corrects_ask


def ruled(
    call: Call, talk: Talk, places: Sequence[EntryPlace], reader: Reader | None = None
) -> Ruling:
    """The ruling on a call: the judges', and a model's only where they would ask the operator."""
    text = unwrapped(call.message.text)[:_MOST_READ]
    if why := _not_for_us(call) or barred(text):
        return Ruling(LEFT, why)
    called = any(trigger.route for trigger in call.triggers)
    heard = hear(text, talk.turn, places, called=called)
    if not call.triggers and not heard.is_called:
        return Ruling(LEFT, "it corrects nothing")

    if is_external(call):
        why = "it is about a tool or a capability"
        return Ruling(ROUTED, why, said=_excerpt(call, talk))
    ruling = _judged(text, talk.turn, heard, candidates(text, talk.turn, places))
    if reader and ruling.kind == ASKED:
        ruling = reader(text, talk, places) or ruling
    is_binding = ruling.kind in (PUT_RIGHT, QUOTED)
    # In a group the user may be anybody, so the operator has to confirm.
    if is_binding and not is_private(call.message.session):
        why = "others speak in this session too"
        return Ruling(ASKED, why, said=_excerpt(call, talk, ruling.place), place=ruling.place)
    return ruling._replace(said=_excerpt(call, talk, ruling.place))


def _excerpt(call: Call, talk: Talk, place: EntryPlace | None = None) -> str:
    """What the agent said, for the log.

    If the operator wrote something else in between, it counts as what was wrong only if it shares a
    word with the message or the entry. Otherwise it is marked, and never compared with memory.
    """
    if talk.turn:
        return in_a_line(talk.turn, _LONGEST_SAID)
    turns = (message.text for message in reversed(call.exchange) if message.role == ASSISTANT)
    turn = next(turns, "")[:_MOST_READ]
    if not turn or is_sensitive(turn):
        return ""
    about = f"{unwrapped(call.message.text)[:_MOST_READ]} {statement(place.entry) if place else ''}"
    said = in_a_line(turn, _LONGEST_SAID)
    return said if content_words(turn) & content_words(about) else frames.EARLIER.format(said=said)


def _names_a_capability(sentence: str) -> bool:
    """Whether a sentence is about a tool or capability, and speaks to the agent."""
    if not has_class(sentence, lexicons_for(sentence), "capabilities"):
        return False
    return has(sentence, "second_person")


def _not_for_us(call: Call) -> str:
    if call.message.role != USER:
        return "only the operator's own words are a correction"
    if not call.triggers and not is_private(call.message.session):
        return "others speak in this session too"
    return ""


def barred(text: str, lets_in: frozenset[str] = frozenset()) -> str:
    """Why words may not be in memory at all: a secret or an injection; "" if they may."""
    if is_sensitive(text, lets_in):
        return "it holds a secret, which is never written down"
    if any(finding.hold for finding in poison("", text)):
        return "it reads like orders to an agent, not like a fact"
    return ""


def _judged(text: str, turn: str, heard: Heard, near: Sequence[EntryPlace]) -> Ruling:
    if not heard.is_askable:
        return Ruling(LEFT, f"it most likely corrects nothing ({heard.corrects:.3f})")
    place = heard.place
    if place is None or not heard.is_sure:
        return Ruling(ASKED, "which entry is meant?" if place else "it does not say what is wrong")
    if not content_words(text) - corrective(text):
        return Ruling(ASKED, "it says that something is wrong, but not what is right", place=place)
    if agrees(text, *_read(place)) or is_of_another(text, statement(place.entry)):
        return Ruling(LEFT, "memory already says so, or is about something else")
    return _corrected(text, turn, place, near)


def _corrected(text: str, turn: str, place: EntryPlace, near: Sequence[EntryPlace]) -> Ruling:
    """One value is exchanged if only this entry can be meant; else the sentence is quoted."""
    change = exchange(text, turn, *_read(place))
    if isinstance(change, Unplain):
        return _quotation(text, turn, place, change.why)
    others = (other for other in near if other is not place)
    if any(isinstance(exchange(text, turn, *_read(other)), Exchange) for other in others):
        return _quotation(text, turn, place, "more than one entry could be meant")
    right = change.applied(statement(place.entry))
    return Ruling(PUT_RIGHT, "one value, and nothing else", right, "", place, change)


def _read(place: EntryPlace) -> tuple[str, str]:
    """What an entry says, and its headings."""
    return statement(place.entry), " ".join(place.entry.path)


def _quotation(text: str, turn: str, place: EntryPlace, why: str) -> Ruling:
    words = heard_sentence(text, f"{statement(place.entry)} {' '.join(place.entry.path)} {turn}")
    if not words or _cannot_be_quoted(words):
        return Ruling(ASKED, "the sentence cannot be quoted", place=place)
    if doubt(words) == ASKS:
        return Ruling(ASKED, "it asks, and may correct something", place=place)
    return Ruling(QUOTED, why, words, "", place)


def _cannot_be_quoted(words: str) -> bool:
    """Whether a sentence may not be part of an entry, or would be read as something else there."""
    return any(mark in words for mark in _MARKUP) or bool(barred(words))

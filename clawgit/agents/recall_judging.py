"""Decides the outcome of a call of the Recall Validator: put right, quoted, asked, noted, left."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.agents.contract import Call
from clawgit.domain.conversation.chat import ASSISTANT, USER, unwrapped
from clawgit.domain.corrections.deciding import (
    ASKED,
    LEFT,
    LIKELY,
    NOTED,
    PUT_RIGHT,
    QUOTED,
    Decision,
    Talk,
    decide,
)
from clawgit.domain.corrections.exchange import Exchange, is_worded_as_a_change
from clawgit.domain.corrections.statement import statement
from clawgit.domain.corrections.wording import pattern
from clawgit.domain.extraction.speaker import is_private
from clawgit.domain.facts.fact_verdict import EntryPlace
from clawgit.domain.markdown import frames
from clawgit.domain.markdown.excerpt import in_a_line
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.judges.acts import acts
from clawgit.judges.thresholds import thresholds
from clawgit.language.lexicon import has_any
from clawgit.language.sentences import sentences
from clawgit.language.stems import content_words

ROUTED = "routed"

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


def is_worth_a_look(text: str, turn: str) -> bool:
    """Whether a message that matches no pattern may correct something. Does not look at memory."""
    return acts(text, turn).corrects >= LIKELY or is_worded_as_a_change(text)


def ruled(
    call: Call, talk: Talk, places: Sequence[EntryPlace], reader: Reader | None = None
) -> Ruling:
    """The ruling on a call: what the texts prove, and a model's only where they would have the
    operator asked.
    """
    text = unwrapped(call.message.text)[:_MOST_READ]
    if why := _not_for_us(call) or barred(text):
        return Ruling(LEFT, why)
    if is_external(call):
        why = "it is about a tool or a capability"
        return Ruling(ROUTED, why, said=_excerpt(call, talk))
    called = any(trigger.route for trigger in call.triggers)
    decided = decide(text, talk, places, called=called, corrects=acts(text, talk.turn).corrects)
    ruling = _ruling(decided)
    if reader and ruling.kind == ASKED:
        ruling = reader(text, talk, places) or ruling
    # In a group the user may be anybody, so the operator has to confirm.
    if ruling.kind in (PUT_RIGHT, QUOTED, NOTED) and not is_private(call.message.session):
        ruling = Ruling(ASKED, "others speak in this session too", place=ruling.place)
    return ruling._replace(said=_excerpt(call, talk, ruling.place))


def _ruling(decided: Decision) -> Ruling:
    place, words = decided.place, decided.words
    if decided.kind == PUT_RIGHT and place and decided.change:
        right = decided.change.applied(statement(place.entry))
        return Ruling(PUT_RIGHT, decided.why, right, "", place, decided.change)
    if decided.kind in (QUOTED, NOTED) and _cannot_be_quoted(words):
        return Ruling(ASKED, "the sentence cannot be quoted", place=place)
    return Ruling(decided.kind, decided.why, words, "", place)


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
    return bool(pattern("capabilities").search(sentence)) and has_any(sentence, "second_person")


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


def _cannot_be_quoted(words: str) -> bool:
    """Whether a sentence may not be part of an entry, or would be read as something else there."""
    return any(mark in words for mark in _MARKUP) or bool(barred(words))

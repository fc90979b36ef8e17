"""What the operator says that is worth keeping, each as one contiguous piece of one message.

Nothing is reworded here. What the operator asks to be kept is kept; the judges decide the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from itertools import chain

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.tag_table import DECISION, TAGS_BY_NAME
from clawgit.language.clauses import core, is_asking
from clawgit.language.days import bracket
from clawgit.language.judges.judging import acts, tag, thresholds, worth
from clawgit.language.lexicon import begins_with, content_words, has_any
from clawgit.memory.rules.confidence import BASE, EXPLICIT, INFERRED
from clawgit.memory.rules.marks import LESSON, danger, marks
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.talk.rules.exchange import telling
from clawgit.talk.rules.kept_line import bears, kept, line
from clawgit.talk.rules.passages import FEWEST, MOST, Passage, passages
from clawgit.talk.rules.triage import has_priority, triage
from clawgit.talk.rules.wording import doubt, is_sure, pattern
from clawgit.talk.rules.wording import words as spoken

_ORDER = 0.5
_REQUEST = re.compile(
    r"[^\w:：]*([^:：]{1,40}?)([:：]|\b(dass|que|that)\b|(?<=[住了])(?<!住了)(?!了))\s*\S"
)
"""A request to keep something ends with a colon, or with “that”, in Chinese with its verb."""

_PLAN = re.compile(TAGS_BY_NAME[DECISION].words, re.IGNORECASE)
"""What the operator asks to keep, and calls a decision or a plan, is one."""

_LONGEST_TALK = 30
"""With more passages than this, a message is a text that was pasted in."""

Choose = Callable[[Message, str], bool | None]
"""Whether a passage of a message is worth keeping; None if the judge decides."""


class Memory(NamedTuple):
    """One thing to keep. `text` is the line, without its tag.

    `quote` is the piece of the message that it holds, and `evidence` names that message. `asked`:
    the operator asked for it to be kept.
    """

    text: str
    tag: str
    source: str
    confidence: float
    evidence: str
    quote: str
    said: datetime
    asked: bool = False


class _Turn(NamedTuple):
    """A message of the operator with its words and time, and what the agent said before it."""

    message: Message
    text: str
    speaker: str
    said: datetime
    before: str


def memories(
    messages: Iterable[Message],
    zone: tzinfo | None = None,
    name: str = "",
    choose: Choose = lambda *_: None,
) -> tuple[Memory, ...]:
    """All that is worth keeping, in the order of the messages. `name` is the operator's.

    Messages of several sessions may be mixed.
    """
    told = (_told(turn, choose) for turn in _turns(messages, zone, name))
    return tuple(chain.from_iterable(told))


def _turns(messages: Iterable[Message], zone: tzinfo | None, name: str) -> Iterator[_Turn]:
    heard: dict[str, str] = {}
    for message in messages:
        text = unwrapped(message.text)[: MOST + 1]
        before, heard[message.session] = heard.get(message.session, ""), ""
        if message.role == ASSISTANT:
            heard[message.session] = text
        # A message with a slash is a command to the client.
        elif message.role == USER and not text.lstrip().startswith("/"):
            said_at = message.time.astimezone(zone) if zone else message.time
            yield _Turn(message, text, name, said_at, before)


def _told(turn: _Turn, choose: Choose) -> Iterator[Memory]:
    """What the operator says in their own words."""
    own = passages(turn.text)
    # From the first passage on that asks for a text, a message may hold that.
    is_draft = pattern("doubts", "drafts").search
    read = (": ".join((*each.under, each.text)) for each in own)
    before = next((at for at, text in enumerate(read) if is_draft(text)), len(own))
    asked = _asked(turn.text, own) & {*range(before)}
    # Of a pasted text, and beside a draft, only what the operator asks for is kept.
    is_talk = before == len(own) <= _LONGEST_TALK
    for at, passage in enumerate(own):
        chosen, is_asked = choose(turn.message, passage.text), at in asked
        if is_asked or (is_talk and _is_worth(turn, passage, chosen=chosen)):
            yield from _memory(turn, passage, asked=is_asked)


def _asked(text: str, own: Sequence[Passage]) -> set[int]:
    """The numbers of the passages that the operator asks to be kept."""
    asked = {
        at
        for at, passage in enumerate(own)
        if _is_request(passage.text) or LESSON in marks(passage.text)
    }
    if not has_priority(triage(text)):
        return asked
    for at, passage in enumerate(own):
        triggers = triage(" ".join((*passage.under, passage.text)))
        # “Remember that story?” asks.
        if has_priority(triggers) and not is_asking(passage.text):
            matched = " ".join(trigger.match for trigger in triggers)
            asked.add(_meant(at, passage, matched))
    return asked


def _meant(at: int, passage: Passage, matched: str) -> int:
    """The number of the passage that a request means. `matched` are the words of the request.

    “Remember this!” alone means the passage before it, or the next one if it comes first.
    """
    if content_words(passage.text) - content_words(matched):
        return at
    return at - 1 if at else at + 1


def _is_request(passage: str) -> bool:
    """Whether a passage is `Remember: …`, in any language."""
    opening = _REQUEST.match(passage)
    if opening is None or is_asking(passage):
        return False
    asked = pattern("requests").match(opening[1])
    # “Merk dir nicht, dass …”
    return asked is not None and not has_any(opening[1][asked.end() :], "negations")


def _is_worth(turn: _Turn, passage: Passage, *, chosen: bool | None) -> bool:
    words = core(passage.text).text
    # “Her sister Ewa is a dentist” tells of a person whom it does not name.
    asks = doubt(passage.text) == "asks"
    # “Suppose we use Redis” is fiction. “If it hangs, restart it” tells how things are.
    opening = pattern("doubts", "supposes").match(words)
    supposes = opening and not has_any(opening[0], "conditions")
    if asks or begins_with(passage.text, "persons") or supposes:
        return False
    if chosen is None:
        chosen = worth(words) >= thresholds().worth
    # A standing order belongs in the soul, and the Soul Keeper takes care of it.
    return chosen and acts(passage.text, turn.before).orders < _ORDER


def _memory(turn: _Turn, passage: Passage, *, asked: bool) -> Iterator[Memory]:
    """The line of a passage, if it says something by itself and can do no harm.

    Each of its words is proven to stand in the message.
    """
    words = kept(passage.text, turn.speaker, turn.said)
    if passage.under:
        words = words._replace(bracket=bracket(f"{passage.path}\n{words.words}", turn.said))
    # “31 de marzo.” answers something.
    elif len(content_words(words.words)) < FEWEST or not (asked or telling(spoken(words.words))):
        return
    text = line(words)
    if not all(bears(turn.text, piece) for piece in (text, *passage.under)):
        return
    if passage.under:
        text = frames.UNDER.format(path=passage.path, words=text)
    if danger(text):
        return
    source = EXPLICIT if is_sure(words.words) else INFERRED
    yield Memory(
        text=text,
        tag=DECISION if asked and _PLAN.search(words.words) else tag(words.words),
        source=source,
        confidence=BASE[source],
        evidence=evidence_of(turn.message),
        quote=passage.text,
        said=turn.said,
        asked=asked,
    )

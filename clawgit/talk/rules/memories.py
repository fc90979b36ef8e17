"""What the operator says that is worth keeping, each as one contiguous piece of one message.

Nothing is reworded here. What the operator asks to be kept is kept; the judges decide the rest.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, tzinfo

from clawgit.core import NamedTuple
from clawgit.core.markdown import frames
from clawgit.core.markdown.tag_table import DECISION, TAGS_BY_NAME
from clawgit.language.clauses import core
from clawgit.language.days import bracket
from clawgit.language.judges.judging import acts, tag, thresholds, worth
from clawgit.language.lexicon import (
    Lexicon,
    begins_with,
    content_words,
    has_any,
    lexicons_for,
    number_of,
)
from clawgit.language.tokens import fold
from clawgit.memory.rules.confidence import BASE, EXPLICIT, INFERRED
from clawgit.memory.rules.marks import LESSON, danger, marks
from clawgit.talk.rules.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.talk.rules.kept_line import bears, kept, line, quotable
from clawgit.talk.rules.passages import FEWEST, MOST, Passage, names_address, passages
from clawgit.talk.rules.triage import has_priority, triage
from clawgit.talk.rules.wording import (
    TOKEN,
    doubt,
    is_filler,
    is_sure,
    pattern,
    typed_values,
    without,
)

_ORDER = 0.5
_REQUEST = re.compile(
    r"[^\w:：]*([^:：]{1,40}?)([:：]|\b(dass|que|that)\b|(?<=[住了])(?<!住了)(?!了))\s*\S"
)
"""A request to keep something ends with a colon, or with “that”, in Chinese with its verb."""

_ASKING = ("?", "？")
_CODE = re.compile(r"(?<![\d.,])\d{3}|\d[ -]\d")
"""A figure of three digits may be a PIN or the code of a door, whatever word stands beside it."""

_PLAN = re.compile(TAGS_BY_NAME[DECISION].words, re.IGNORECASE)
"""What the operator asks to keep, and calls a decision or a plan, is one."""

_SMALL = ("function_words", "lead_outs")
"""What may stand beside the value that closes a question: “Twenty then”."""

_CLOSES, _NAME_CLOSES = 0.1, 0.33
"""The chances from which such a pair is kept: the judge learned from statements, and gives
questions less. What has a capital may be no name: “Danke”.
"""

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
    kept_lines: list[Memory] = []
    heard: dict[str, str] = {}
    for message in messages:
        text = unwrapped(message.text)[: MOST + 1]
        before, heard[message.session] = heard.get(message.session, ""), ""
        if message.role == ASSISTANT:
            heard[message.session] = text
        # A message with a slash is a command to the client.
        elif message.role == USER and not text.lstrip().startswith("/"):
            said_at = message.time.astimezone(zone) if zone else message.time
            kept_lines += _told(_Turn(message, text, name, said_at, before), choose)
    return tuple(kept_lines)


def _told(turn: _Turn, choose: Choose) -> Iterator[Memory]:
    """What the operator says in their own words."""
    own = passages(turn.text)
    # From the first passage on that asks for a text, a message may hold that.
    is_draft = pattern("doubts", "drafts").search
    read = (": ".join((*each.under, each.text)) for each in own)
    before = next((at for at, text in enumerate(read) if is_draft(text)), len(own))
    asked = _asked(turn.text, own) & {*range(before)}
    if not asked and (closing := _closing(turn, own, choose)):
        yield closing
        return
    # Of a pasted text, and beside a draft, only what the operator asks for is kept.
    is_talk = before == len(own) <= _LONGEST_TALK
    for at, passage in enumerate(own):
        chosen, is_asked = choose(turn.message, passage.text), at in asked
        # “But not on Sundays.” says nothing by itself.
        is_whole = is_talk and not begins_with(passage.text, "exceptions")
        if is_asked or (is_whole and _is_worth(turn, passage, chosen=chosen)):
            yield from _memory(turn, passage, asked=is_asked)


def _closing(turn: _Turn, own: Sequence[Passage], choose: Choose) -> Memory | None:
    """A short answer with the only question of the agent, which it closes, as a quotation of
    both.
    """
    before = passages(turn.before)[-1:]
    asks = sum(map(turn.before.count, _ASKING))
    if len(own) != 1 or not before or asks != 1:
        return None
    question = _borne(turn.before, before[0], turn.said)
    answer = _borne(turn.text, own[0], turn.said)
    if not question.endswith(_ASKING):
        return None
    speaker = quotable(turn.speaker)
    text = frames.CLOSED.format(question=question, speaker=speaker, answer=answer)
    if not _is_answer(question, answer) or danger(text):
        return None
    chosen = choose(turn.message, own[0].text)
    if chosen is None:
        chance = max(worth(f"{question} {answer}"), worth(answer, turn.before))
        both, said = f"{question} {answer}", map(fold, TOKEN.findall(answer))
        has_value = typed_values(answer) or any(number_of(word, both) for word in said)
        chosen = chance >= (_CLOSES if has_value else _NAME_CLOSES)
    return _remembered(turn, text, own[0].text) if chosen else None


def _borne(text: str, passage: Passage, said: datetime) -> str:
    """A passage as memory keeps it; "" if that is no piece of the text, or holds an address."""
    words = kept(passage.text, "", said).words
    return words if bears(text, words) and not names_address(words) else ""


def _is_answer(question: str, answer: str) -> bool:
    """Whether an answer is certain, and one value or name: “no, leave it off” is none."""
    if answer.endswith(_ASKING) or _CODE.search(answer):
        return False
    values = typed_values(answer)
    rest = without(answer, values)
    if has_any(rest, "hedges", "conditions", "negations"):
        return False
    words = _telling(rest, lexicons_for(f"{question} {answer}"))
    if values:
        return len(values) == 1 and not words
    return bool(words) and all(word[0].isupper() for word in words)


def _telling(text: str, languages: Iterable[Lexicon]) -> list[str]:
    """The words of a text that say something: “Twenty” of “Twenty then”."""
    small = frozenset().union(*(each.words(name) for each in languages for name in _SMALL))
    words = (word for word in TOKEN.findall(text) if not is_filler(word))
    return [word for word in words if fold(word) not in small]


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
        if has_priority(triggers) and not passage.text.endswith(_ASKING):
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
    if opening is None or passage.endswith(_ASKING):
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
        chosen = worth(words, turn.before) >= thresholds().worth
    # A standing order belongs in the soul, and the Soul Keeper takes care of it.
    return chosen and acts(passage.text, turn.before).orders < _ORDER


def _memory(turn: _Turn, passage: Passage, *, asked: bool) -> Iterator[Memory]:
    """The line of a passage, if it says something by itself and can do no harm.

    Each of its words is proven to stand in the message.
    """
    words = kept(passage.text, turn.speaker, turn.said)
    if passage.under:
        words = words._replace(bracket=bracket(f"{passage.path}\n{words.words}", turn.said))
    elif len(content_words(words.words)) < FEWEST:
        return
    text = line(words)
    if not all(bears(turn.text, piece) for piece in (text, *passage.under)):
        return
    if passage.under:
        text = frames.UNDER.format(path=passage.path, words=text)
    if danger(text):
        return
    yield _remembered(turn, text, passage.text, words.words, asked=asked)


def _remembered(
    turn: _Turn, text: str, quote: str, words: str = "", *, asked: bool = False
) -> Memory:
    words = words or text
    source = EXPLICIT if is_sure(words) else INFERRED
    return Memory(
        text=text,
        tag=DECISION if asked and _PLAN.search(words) else tag(words),
        source=source,
        confidence=BASE[source],
        evidence=evidence_of(turn.message),
        quote=quote,
        said=turn.said,
        asked=asked,
    )

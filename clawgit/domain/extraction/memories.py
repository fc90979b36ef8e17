"""What the operator says that is worth keeping, each as one contiguous piece of one message, in its
own words.

Nothing is put into other words here. What he asks to be kept is kept; all else the judges decide.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import NamedTuple

from clawgit.domain.conversation.chat import ASSISTANT, USER, Message, evidence_of, unwrapped
from clawgit.domain.conversation.triage import has_priority, triage
from clawgit.domain.extraction.passages import MOST, Passage, passages
from clawgit.domain.extraction.quoting import bears, kept, line
from clawgit.domain.facts.confidence import BASE, EXPLICIT, INFERRED
from clawgit.domain.markdown import frames
from clawgit.domain.safety.injection import findings as poison
from clawgit.domain.safety.masks import is_sensitive
from clawgit.judges.acts import acts
from clawgit.judges.tags import tag
from clawgit.judges.thresholds import thresholds
from clawgit.judges.worth import worth
from clawgit.language.corrective import first
from clawgit.language.days import bracket
from clawgit.language.edges import core
from clawgit.language.lexicon import lexicons_for
from clawgit.language.stems import content_words
from clawgit.language.tokens import tokens

_STALE = timedelta(hours=1)
"""A reply that comes later answers something else."""

_FEWEST = 2
_LONGEST_TALK = 30
"""So many passages somebody says in one message; more are a text that was pasted in."""


class Memory(NamedTuple):
    """One thing to keep. `text` is the line, without its tag; `quote` is the piece of the message
    that it holds, and `evidence` names that message. `asked`: the operator asked for it to be kept.
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
    """A message as it is read: its words, who said them and when, and what the assistant had said
    before.
    """

    message: Message
    text: str
    speaker: str
    said: datetime
    before: str

    @property
    def place(self) -> str:
        return "chat" if self.message.role == USER else "assistant"


def memories(
    messages: Iterable[Message], zone: tzinfo | None = None, name: str = ""
) -> tuple[Memory, ...]:
    """All that is worth keeping, in the order of the messages, of however many sessions. `name` is
    the operator's.
    """
    found: list[Memory] = []
    last: dict[str, _Turn] = {}
    for message in messages:
        before = last.get(message.session)
        turn = last[message.session] = _turn(message, before, zone, name)
        if message.role != USER or turn.text.lstrip().startswith("/"):
            continue
        if (
            before
            and before.message.role == ASSISTANT
            and message.time - before.message.time <= _STALE
        ):
            found += _agreed(before, turn)
        found += _told(turn)
    return tuple(found)


def _turn(message: Message, before: _Turn | None, zone: tzinfo | None, name: str) -> _Turn:
    heard = before.text if before and before.message.role == ASSISTANT else ""
    said = message.time.astimezone(zone) if zone else message.time
    speaker = name if message.role == USER else frames.AGENT
    return _Turn(message, unwrapped(message.text)[: MOST + 1], speaker, said, heard)


def _told(turn: _Turn) -> Iterator[Memory]:
    """What the operator says himself."""
    own = passages(turn.text)
    asked = _asked(turn.text, own)
    is_talk = len(own) <= _LONGEST_TALK
    for at, passage in enumerate(own):
        if at in asked or (is_talk and _is_worth(turn, passage)):
            yield from _memory(turn, passage, asked=at in asked)


def _asked(text: str, own: Sequence[Passage]) -> set[int]:
    """The numbers of the passages that the operator asks to be kept. Where he only says “remember
    this!”, that is the passage before it, or the one behind where it comes first.
    """
    found = {at for at, passage in enumerate(own) if _is_request(passage.text)}
    if not has_priority(triage(text)):
        return found
    for at, passage in enumerate(own):
        triggers = triage(" ".join((*passage.under, passage.text)))
        if has_priority(triggers):
            matched = " ".join(one.match for one in triggers)
            says_more = content_words(passage.text) - content_words(matched)
            found.add(at if says_more else max(at - 1, 0) if at else at + 1)
    return found


def _is_request(passage: str) -> bool:
    """`Remember: …`, in whatever language."""
    languages = lexicons_for(passage)
    at = first(passage, languages, "requests")
    if at is None or tokens(passage)[0].start != at:
        return False
    return _REQUEST.match(passage) is not None


def _is_worth(turn: _Turn, passage: Passage) -> bool:
    if passage.text.endswith(("?", "？")):
        return False
    words = core(passage.text).text
    if worth(words, turn.before, place=turn.place) < thresholds().worth:
        return False
    # A standing order is the Soul Keeper's.
    return turn.message.role != USER or acts(passage.text, turn.before).orders < _ORDER


def _agreed(proposal: _Turn, reply: _Turn) -> Iterator[Memory]:
    """What the assistant had said, where the operator does nothing but agree and it can only be
    that: as a quotation of the assistant.
    """
    if _is_yes(reply.text):
        told = [passage for passage in passages(proposal.text) if _is_worth(proposal, passage)]
        if len(told) == 1:
            yield from _memory(proposal, told[0])


def _is_yes(text: str) -> bool:
    """Whether a reply holds only words that agree."""
    if len(text) > _LONGEST_YES or text.rstrip().endswith(("?", "？")):
        return False
    among = tokens(text)
    for language in lexicons_for(text):
        rows = language.exact("agreements")
        covered = sum(match.after - match.first for match in rows.every(text, among))
        if among and covered == len(among):
            return True
    return False


def _memory(turn: _Turn, passage: Passage, *, asked: bool = False) -> Iterator[Memory]:
    """The line of a passage that says something by itself and could do no harm, each of its words
    proven to stand in the message.
    """
    words = kept(passage.text, turn.speaker, turn.said)
    if turn.message.role != USER:
        words = words._replace(speaker=frames.AGENT)
    if passage.under:
        words = words._replace(bracket=bracket(f"{passage.path}\n{words.words}", turn.said))
    text = line(words)
    if not _states(words.words) or not all(bears(turn.text, one) for one in (text, *passage.under)):
        return
    if passage.under:
        text = frames.UNDER.format(path=passage.path, words=text)
    if is_sensitive(text) or any(one.hold for one in poison("", text)):
        return
    source = EXPLICIT if turn.message.role == USER and not _is_hedged(words.words) else INFERRED
    yield Memory(
        text, tag(words.words)[0], source, BASE[source], evidence_of(turn.message), passage.text,
            turn.said, asked
    )  # fmt: skip


def _states(words: str) -> bool:
    """Whether it says something by itself: “yes, that one” does not."""
    return len(tokens(words)) >= _FEWEST and len(content_words(words)) >= _FEWEST


def _is_hedged(words: str) -> bool:
    """Whether the speaker is not sure himself, or only says what somebody else says."""
    among = tokens(words)
    return any(
        next(language.exact(name).every(words, among), None) is not None
        for language in lexicons_for(words)
        for name in ("hedges", "reports")
    )


_LONGEST_YES = 40
_ORDER = 0.5
_REQUEST = re.compile(r"[^:：]{1,30}[:：]\s*\S")
"""What asks for something to be kept ends with a colon."""

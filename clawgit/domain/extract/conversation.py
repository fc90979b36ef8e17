"""A conversation read for what is worth keeping: the operator's own words, and what he takes from his assistant."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta, tzinfo

from clawgit.domain.absolute import absolute
from clawgit.domain.chat import USER, Message
from clawgit.domain.extract.judging import Judgement, judged
from clawgit.domain.extract.language import compiled
from clawgit.domain.extract.memory import DECIDED, FACT, Memory
from clawgit.domain.extract.reading import Setting, language_of, read, remembered
from clawgit.domain.extract.sentences import sentences

ASSISTANT = "assistant"
_STALE = timedelta(hours=1)
"""A reply that comes later answers something else."""


def extract(messages: Iterable[Message], zone: tzinfo | None = None, name: str = "") -> tuple[Memory, ...]:
    """All that is worth keeping, in the order of the messages, of however many sessions. `name` is the operator's."""
    return tuple(_extracted(messages, zone, name))


def evidence_of(message: Message) -> str:
    """How an entry and a commit cite a message."""
    return f"chat:{message.key}"


def _extracted(messages: Iterable[Message], zone: tzinfo | None, name: str) -> Iterator[Memory]:
    turns: dict[str, Message] = {}
    subjects: dict[str, str] = {}
    for message in messages:
        before = turns.get(message.session)
        turns[message.session] = message
        if message.role != USER or message.text.lstrip().startswith("/"):
            continue
        said = message.time.astimezone(zone) if zone else message.time
        subject = "" if _PUTS_RIGHT.match(message.text) else subjects.get(message.session, "")
        setting = Setting(said, name, subject, evidence_of(message), flagged=message.priority)
        if before and before.role == ASSISTANT and message.time - before.time <= _STALE:
            yield from _taken(before, message, setting)
            yield from _answered(before, message, setting)
        found = read(message.text, setting)
        subjects[message.session] = found.subject
        yield from found.memories


def _taken(proposal: Message, reply: Message, setting: Setting) -> Iterator[Memory]:
    """What the assistant proposed and the operator agreed to, where it is a choice and no errand."""
    language = language_of(reply.text)
    if not compiled(language.agrees).match(reply.text):
        return
    frame = compiled(rf"^.{{0,40}}?\b(?:{language.proposes})\s*")
    for sentence in sentences(proposal.text):
        text = sentence.text.rstrip("?").strip()
        core = frame.sub("", text, count=1)
        asked = core != text or sentence.text.endswith("?")
        judgement = judged(language.taken.format(core), language)
        if asked and judgement.outright and judgement.kind == DECIDED:
            yield from remembered(sentence._replace(text=core), judgement, setting)


def _answered(question: Message, reply: Message, setting: Setting) -> Iterator[Memory]:
    """A value that was asked for by its name alone: “Deadline?”, “18 September, noon”."""
    asked, answers = sentences(question.text), sentences(reply.text)
    named = _NAMED_VALUE.fullmatch(asked[-1].text) if asked and answers else None
    if named is None or len(answers[0].text.split()) > _SHORT_ANSWER:
        return
    language = language_of(answers[0].text)
    when = absolute(answers[0].text, setting.said).when
    if judged(answers[0].text, language, dated=when is not None).against in _NO_ANSWER and (
        when or compiled(language.concrete).search(answers[0].text)
    ):
        text = f"{named[1]}: {answers[0].text}"
        yield from remembered(answers[0]._replace(text=text), Judgement(FACT, 2, False, ""), setting)


_PUTS_RIGHT = re.compile(
    r"\W*(?:no|nope|wrong|not (?:true|right)|that'?s (?:not|wrong)|actually|i (?:already |just )?(?:said|told you))\b",
    re.IGNORECASE,
)
"""What the operator sets right has its subject in what the assistant said, and is the Recall Validator's."""

_SHORT_ANSWER = 8
_NO_ANSWER = ("", "too little speaks for it", "says nothing that lasts")
_NAMED_VALUE = re.compile(
    r"(?:and |the |your )?((?!(?:what|who|when|where|why|how|is|are|do|does|did|was|can|should|shall|want|will|would"
    r"|have|has|any|anything|full|really|ok|again|worth|same)\b)[a-z][\w'-]+(?: (?!is|are|was|did)[\w'-]+)?)\?",
    re.IGNORECASE,
)

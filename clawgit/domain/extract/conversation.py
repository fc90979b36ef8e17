"""A conversation read for what is worth keeping: the operator's own words, and what he takes from his assistant."""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta, tzinfo

from clawgit.domain.absolute import absolute
from clawgit.domain.chat import USER, Message, evidence_of
from clawgit.domain.extract.amending import amended
from clawgit.domain.extract.judging import ENOUGH, UNDISPUTED, Judgement, judged, worth_of_day
from clawgit.domain.extract.language import Language, compiled
from clawgit.domain.extract.memory import DECIDED, FACT, Memory
from clawgit.domain.extract.reading import Setting, language_of, read, remembered
from clawgit.domain.extract.sentences import Sentence, sentences
from clawgit.domain.extract.wording import turned
from clawgit.domain.extract.worth import Learned, learned

ASSISTANT = "assistant"
_STALE = timedelta(hours=1)
"""A reply that comes later answers something else."""


def extract(
    messages: Iterable[Message], zone: tzinfo | None = None, name: str = "", judge: Learned | None = None
) -> tuple[Memory, ...]:
    """All that is worth keeping, in the order of the messages, of however many sessions. `name` is the operator's;
    `judge` has learned what a sentence is worth: none, and it is what we have learned.
    """
    judge = judge or learned()
    kept: list[Memory] = []
    turns: dict[str, Message] = {}
    subjects: dict[str, str] = {}
    newest: dict[str, int] = {}
    for message in messages:
        before = turns.get(message.session)
        turns[message.session] = message
        if message.role != USER or message.text.lstrip().startswith("/"):
            continue
        said = message.time.astimezone(zone) if zone else message.time
        subject = "" if _PUTS_RIGHT.match(message.text) else subjects.get(message.session, "")
        setting = Setting(
            said, name, subject, evidence_of(message), message.priority, before=_heard(before), learned=judge
        )
        if _is_changed(kept, newest.get(message.session), message.text, setting):
            continue
        if before and before.role == ASSISTANT and message.time - before.time <= _STALE:
            kept += _answered(before, message, setting)
            for memory in _confirmed(before, message, setting):
                if _is_fuller(memory, kept, newest.get(message.session)):
                    kept[newest[message.session]] = memory
                else:
                    kept.append(memory)
        found = read(message.text, setting)
        subjects[message.session] = found.subject
        kept += found.memories
        if found.memories:
            newest[message.session] = len(kept) - 1
    return tuple(kept)


def _heard(turn: Message | None) -> str:
    return turn.text if turn is not None and turn.role == ASSISTANT else ""


def _is_changed(kept: list[Memory], last: int | None, text: str, setting: Setting) -> bool:
    """Whether the operator only changes what he said last; then that memory is what he says now."""
    if last is None or setting.said - kept[last].said > _STALE:
        return False
    changed = amended(kept[last], text, setting.said, setting.evidence)
    if changed:
        kept[last] = changed
    return changed is not None


def _is_fuller(memory: Memory, kept: list[Memory], last: int | None) -> bool:
    """Whether the assistant only put into a sentence what the operator said last."""
    if last is None or memory.when is None or kept[last].when != memory.when:
        return False
    return memory.said - kept[last].said <= _STALE and len(memory.text) > len(kept[last].text)


def _confirmed(proposal: Message, reply: Message, setting: Setting) -> Iterator[Memory]:
    """What the assistant proposed and the operator agreed to, where it is a choice and no errand; and what it asked
    whether it understood, and did.
    """
    language = language_of(reply.text)
    if not compiled(language.agrees).match(reply.text):
        return
    named = _QUOTED.findall(proposal.text)
    if len(named) == 1 and compiled(language.chooses).search(reply.text):
        chosen = Sentence(f"Chosen: “{named[0]}”")
        yield from remembered(chosen, Judgement(DECIDED, ENOUGH, True, ""), setting)
        return
    for sentence in sentences(proposal.text):
        core, judgement = _taken(sentence, language)
        if not judgement.keeps:
            core, judgement = _understood(sentence, language, setting)
        if judgement.keeps:
            yield from remembered(sentence._replace(text=core), judgement, setting)


def _taken(sentence: Sentence, language: Language) -> tuple[str, Judgement]:
    text = sentence.text.rstrip("?").strip()
    core = compiled(rf"^.{{0,40}}?\b(?:{language.proposes})\s*").sub("", text, count=1)
    if core == text and not sentence.text.endswith("?"):
        return "", _NOTHING
    judgement = judged(language.taken.format(core), language)
    return (core, judgement) if judgement.outright and judgement.kind == DECIDED else ("", _NOTHING)


def _understood(sentence: Sentence, language: Language, setting: Setting) -> tuple[str, Judgement]:
    text = sentence.text.rstrip("?").strip()
    core = compiled(language.checks).sub("", text)
    if not sentence.text.endswith("?") or core == text:
        return "", _NOTHING
    core = turned(core)
    dated = absolute(core, setting.said).when
    return core, judged(core, language, dated=worth_of_day(dated, setting.said))


def _answered(question: Message, reply: Message, setting: Setting) -> Iterator[Memory]:
    """A value that was asked for by its name alone: “Deadline?”, “18 September, noon”."""
    asked, answers = sentences(question.text), sentences(reply.text)
    named = _NAMED_VALUE.fullmatch(asked[-1].text) if asked and answers else None
    if named is None or len(answers[0].text.split()) > _SHORT_ANSWER:
        return
    language = language_of(answers[0].text)
    when = absolute(answers[0].text, setting.said).when
    if judged(answers[0].text, language, dated=worth_of_day(when, setting.said)).against in UNDISPUTED and (
        when or compiled(language.concrete).search(answers[0].text)
    ):
        text = f"{named[1]}: {answers[0].text}"
        yield from remembered(answers[0]._replace(text=text), Judgement(FACT, 2, False, ""), setting)


_QUOTED = re.compile(r"[\"“„]([^\"“”„]{2,60})[\"”“]")
_NOTHING = Judgement("", 0, False, "")
_PUTS_RIGHT = re.compile(
    r"\W*(?:no|nope|wrong|not (?:true|right)|that'?s (?:not|wrong)|actually|i (?:already |just )?(?:said|told you))\b",
    re.IGNORECASE,
)
"""What the operator sets right has its subject in what the assistant said, and is the Recall Validator's."""

_SHORT_ANSWER = 8
_NAMED_VALUE = re.compile(
    r"(?:and |the |your )?((?!(?:what|which|who|since|until|from|with|by|for|to"
    r"|when|where|why|how|is|are|do|does|did|was|can|should|shall|want|will|would"
    r"|have|has|any|anything|full|really|ok|again|worth|same)\b)[a-z][\w'-]+(?: (?!is|are|was|did)[\w'-]+)?)\?",
    re.IGNORECASE,
)

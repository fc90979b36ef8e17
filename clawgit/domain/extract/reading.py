"""One text read for what is worth keeping in it."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from clawgit.domain.absolute import absolute
from clawgit.domain.confidence import BASE, EXPLICIT, INFERRED
from clawgit.domain.extract.judging import ENOUGH, UNDISPUTED, Judgement, judged, worth_of_day
from clawgit.domain.extract.language import Language, compiled, signs_in
from clawgit.domain.extract.memory import DECIDED, FACT, HAPPENED, LESSON, PLAN, TAGS, TOLD, Memory
from clawgit.domain.extract.patterns_en import ENGLISH
from clawgit.domain.extract.patterns_ko import KOREAN
from clawgit.domain.extract.patterns_zh import CHINESE
from clawgit.domain.extract.sentences import LONGEST, Sentence, sentences
from clawgit.domain.extract.wording import object_of, resolved, standing, subject_of, trimmed
from clawgit.domain.extract.worth import Learned, Place, slots_of
from clawgit.domain.masks import is_sensitive
from clawgit.domain.poison import findings as poison
from clawgit.domain.routing import EVENT, KNOWLEDGE, category
from clawgit.domain.triage import has_priority, triage


class Setting(NamedTuple):
    """In what a text was said: when, by whom, what was spoken of before, and how a message of it is named. `flagged`:
    triage found in it that something is to be remembered; `before` is what the assistant had said.
    `learned` says what a sentence is worth, where its language was taught. `length` is that of the text.
    """

    said: datetime
    name: str = ""
    subject: str = ""
    evidence: str = ""
    flagged: bool = False
    before: str = ""
    learned: Learned | None = None
    length: int = 0


class Reading(NamedTuple):
    """What a text holds, and what it speaks of at its end."""

    memories: tuple[Memory, ...]
    subject: str


def memories(text: str, said: datetime, name: str = "") -> tuple[Memory, ...]:
    """What rules keep of a text that the operator wrote, in a conversation or not. `said` is in his zone."""
    return read(text, Setting(said, name)).memories


def read(text: str, setting: Setting) -> Reading:
    """The memories of one message, in its order."""
    setting = setting._replace(length=len(text))
    found: list[Memory] = []
    subject = spoken_of = setting.subject
    carried, before = "", None
    for sentence in sentences(text):
        told = _only_asks_to_keep(sentence)
        if told and before:
            found = [*(one for one in found if one.quote != before.text), *_kept(before, spoken_of, setting, told=True)]
        elif before and found and found[-1].quote == before.text and _belongs_to(before, found[-1], sentence, setting):
            before = before._replace(rest=f"{before.rest} {sentence.text}".strip())
            found[-1:] = _kept(before, spoken_of, setting, told=found[-1].asked)
        elif not told:
            told = setting.flagged and has_priority(triage(sentence.text))
            new = [] if _leans(sentence) else [*_kept(sentence, subject, setting, told=told)]
            if before and not new and _asks_to_keep(sentence):
                found = [one for one in found if one.quote != before.text]
                new = [*_kept(before._replace(rest=sentence.text), spoken_of, setting, told=True)]
            found += new
            before, spoken_of = sentence, subject
        named = subject_of(sentence.text) or object_of(sentence.text)
        carried, subject = named or carried, named or subject
    return Reading(tuple(found), carried)


def language_of(text: str) -> Language:
    return next((language for signs, language in _LANGUAGES if signs.search(text)), ENGLISH)


def _only_asks_to_keep(sentence: Sentence) -> bool:
    """Whether a sentence says nothing but that what stands before it is to be remembered."""
    language = language_of(sentence.text)
    if compiled(language.closes).fullmatch(f" {sentence.text}"):
        return True
    left = _WORD.findall(trimmed(sentence.text, language))
    return len(left) < _FEWEST and not _CJK.search("".join(left)) and judged(sentence.text, language).weight >= _TOLD


def _asks_to_keep(sentence: Sentence) -> bool:
    signs = (sign for sign in language_of(sentence.text).signs if sign.kind == TOLD)
    return any(signs_in(signs, sentence.text))


def _leans(sentence: Sentence) -> bool:
    return not sentence.lead and compiled(language_of(sentence.text).leans).match(sentence.text) is not None


def _belongs_to(before: Sentence, kept: Memory, sentence: Sentence, setting: Setting) -> bool:
    """Whether a sentence goes with the one before it, which is kept: it says nothing without it, what a lesson
    brought, or only a little more on the same matter.
    """
    language = language_of(sentence.text)
    if sentence.lead or len(before.text) + len(before.rest) + len(sentence.text) > LONGEST:
        return False
    if compiled(language.turns).match(sentence.text):
        return False
    dated = absolute(sentence.text, setting.said).when
    judgement = judged(sentence.text, language, dated=worth_of_day(dated, setting.said))
    if _leans(sentence) or (kept.kind == LESSON and judgement.weight and judgement.kind in (LESSON, HAPPENED)):
        return judgement.against in UNDISPUTED
    if not judgement.keeps or judgement.asked:
        return False
    return compiled(language.goes_on).match(sentence.text) is not None or (not dated and _adds_to(kept, judgement))


def _adds_to(kept: Memory, judgement: Judgement) -> bool:
    """Whether what is told now is how it is on the day that was named, or weighs little."""
    return not judgement.outright and judgement.weight <= ENOUGH + (kept.tag == EVENT)


def _kept(sentence: Sentence, subject: str, setting: Setting, *, told: bool = False) -> Iterator[Memory]:
    judgement, slots = weighed(sentence, setting, told=told)
    if not judgement.asked and slots is not None and setting.learned:
        if setting.learned.worth(slots, judgement.weight) <= (_OUTRIGHT if judgement.outright else 0):
            return
        judgement = judgement._replace(kind=judgement.kind or FACT)
    elif not judgement.keeps:
        return
    yield from remembered(sentence, judgement, setting._replace(subject=subject))


def weighed(sentence: Sentence, setting: Setting, *, told: bool = False) -> tuple[Judgement, frozenset[int] | None]:
    """What rules make of a sentence, and what it shows to whom has learned what that is worth; None where nobody has,
    for its language.
    """
    language = language_of(sentence.text)
    dated = absolute(sentence.text, setting.said).when
    text = sentence.whole
    judgement = judged(text, language, dated=worth_of_day(dated, setting.said), asked_for=told)
    if not language.taught:
        return judgement, None
    ahead = dated is not None and dated > setting.said.date()
    place = Place(sentence.number, sentence.of, setting.length, setting.before, ahead)
    return judgement, slots_of(text, judgement.signs, judgement.against, place)


def remembered(sentence: Sentence, judgement: Judgement, setting: Setting) -> Iterator[Memory]:
    """The memory of a sentence that is worth it; none where it could harm, or says nothing without its neighbours."""
    language = language_of(sentence.text)
    core = resolved(trimmed(sentence.text, language), setting.subject)
    if len(_WORD.findall(core)) < _FEWEST and not _CJK.search(core):
        return
    if sentence.lead and len(sentence.lead) <= _LONGEST_LEAD:
        core = f"{trimmed(sentence.lead, language)}: {core}"
    if sentence.rest:
        core = f"{core.rstrip(' .!…')}; {trimmed(sentence.rest, language)}"
    text, when = absolute(standing(core, setting.name), setting.said)
    if is_sensitive(text) or any(one.hold for one in poison("", text)):
        return
    source = EXPLICIT if judgement.outright else INFERRED
    tag = _tag(judgement.kind, text, when, setting.said.date())
    if tag == EVENT and when is None:
        when = setting.said.date()
    quote = sentence.text
    yield Memory(
        text, tag, judgement.kind, source, BASE[source], when, setting.evidence, quote, setting.said, judgement.asked
    )  # fmt: skip


def _tag(kind: str, text: str, when: date | None, today: date) -> str:
    """What comes to the operator on a day of its own is an event; what he chose or undertakes is a decision."""
    if kind == TOLD:
        guessed = category(text)
        return EVENT if guessed == KNOWLEDGE and when and when != today else guessed
    recurs = _RECURS.search(text) is not None
    if kind == LESSON and when and when > today:
        return EVENT
    if when is None:
        return KNOWLEDGE if kind == PLAN or (kind == HAPPENED and recurs) else TAGS[kind]
    moves = kind == PLAN or (kind == DECIDED and _MOVES.search(text) is not None)
    if (moves and not _CHOSEN.search(text)) or (kind == FACT and not recurs):
        return EVENT
    return TAGS[kind]


_TOLD = 3
_OUTRIGHT = -2
"""What somebody says outright to be so, decided or learned needs little else to be worth keeping."""

_FEWEST = 2
_LONGEST_LEAD = 60
_WORD = re.compile(r"\w+(?:['’.:/@-]\w+)*")
_CJK = re.compile("[\u3400-\u9fff가-힣]")
_CHOSEN = re.compile(r"\b(?:we|they|promised|committed|plan|planned|launch|release|ship|cutover)\b", re.IGNORECASE)
_MOVES = re.compile(r"\b(?:moved|postponed|rescheduled|pushed|confirmed|deadline)\b", re.IGNORECASE)
_RECURS = re.compile(
    r"\b(?:every|each|since|version|as of|always|usually"
    r"|prices?|rate|fee|rent|costs?|salary|budget|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"
    r"|\b(?:is|are|costs?)\b.{0,60} (?:from|as of) \d{4}-",
    re.IGNORECASE,
)
_LANGUAGES = ((re.compile("[가-힣]"), KOREAN), (re.compile("[\u3400-\u9fff]"), CHINESE))

"""Whether a sentence is worth keeping, and as what: the signs in it, weighed."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from clawgit.domain.extract.language import Language, Sign, compiled, signs_in
from clawgit.domain.extract.memory import TOLD

ENOUGH = 2
UNDISPUTED = ("", "too little speaks for it", "says nothing that lasts")
"""What a judgement has against a sentence that nothing speaks against."""

_OUTRIGHT = 3
_HOPELESS = -6
_MOST_NAMED = 2
_READ = 200
_SUBSTANTIAL = 6
_MOST_WEAK = 2


class Judgement(NamedTuple):
    """`kind` is "" where nothing speaks for the sentence; `against` is the first reason to leave it out, "" for none.
    `outright`: the speaker says himself that it is so or was decided; `asked`: that it shall be kept. `signs` are those
    that were found.
    """

    kind: str
    weight: int
    outright: bool
    against: str
    asked: bool = False
    signs: tuple[Sign, ...] = ()

    @property
    def keeps(self) -> bool:
        return bool(self.kind) and self.weight >= ENOUGH


def judged(text: str, language: Language, *, dated: int = 0, asked_for: bool = False) -> Judgement:
    """Weighs a sentence. `dated`: what the day that it names is worth; `asked_for`: the speaker says elsewhere that it
    is to be kept.
    """
    text = compiled(language.asides).sub("", text)
    text = _BARE.sub(_with_apostrophe, compiled(language.opens).sub("", text, count=1))
    text = _QUOTATION.sub('"…"', text)
    told = [sign for sign in language.signs if sign.kind == TOLD]
    against = [*signs_in((sign for sign in language.signs if sign.weight < 0), text)]
    # A question or an errand need not be read for anything else, unless it asks to keep something.
    if not asked_for and sum(sign.weight for sign in against) <= _HOPELESS and not any(signs_in(told, text)):
        return Judgement("", 0, False, against[0].kind, signs=tuple(against))
    speaking = [*signs_in((sign for sign in language.signs if sign.weight >= 0), text), *[_ASKED_FOR] * asked_for]
    if not speaking:
        return Judgement("", 0, False, against[0].kind if against else "says nothing that lasts", signs=tuple(against))
    best = max(speaking, key=lambda sign: (sign.kind != TOLD and sign.weight > 0, sign.weight))
    strongest = max(sign.weight for sign in speaking)
    weight = _weight(speaking, against) + _matter(
        text, language, dated=dated, clear=strongest >= ENOUGH, pure=not against
    )
    asked = any(sign.kind == TOLD for sign in speaking)
    outright = asked or (strongest >= _OUTRIGHT and not against)
    reason = against[0].kind if against else "too little speaks for it"
    return Judgement(best.kind, weight, outright, reason, asked, (*speaking, *against))


def worth_of_day(day: date | None, said: datetime) -> int:
    """What a day says for the sentence that names it: more where it lies ahead."""
    return 0 if day is None else 1 + (day > said.date())


def _weight(speaking: Sequence[Sign], against: Sequence[Sign]) -> int:
    """What the signs weigh together; several weak ones often see the same thing."""
    weights = [sign.weight for sign in (*speaking, *against)]
    return sum(weight for weight in weights if weight != 1) + min(weights.count(1), _MOST_WEAK)


def _matter(text: str, language: Language, *, dated: int, clear: bool, pure: bool) -> int:
    """What a sentence has to tell, beside its signs. Where none of these is `clear`, small words of the day and short
    sentences that name nothing count against it; where it is `pure`, with no sign against it, its length for it.
    """
    concrete = _concrete(text, language, dated=dated)
    passing = compiled(language.passing).search(text) is not None
    is_long = text.count(" ") + 1 >= _SUBSTANTIAL
    matter = concrete + (pure and is_long and not passing)
    if clear:
        return matter
    return matter - (passing and concrete < _MOST_NAMED) - (not concrete and not is_long)


def _with_apostrophe(found: re.Match[str]) -> str:
    if found["not"]:
        return f"{found['not']}n't"
    return "'".join(part for part in found.groups() if part)


def _concrete(text: str, language: Language, *, dated: int) -> int:
    """What names a number, a place, a day or a thing by its name can be wanted again."""
    named = len(compiled(language.concrete).findall(text[:_READ]))
    return min(named, _MOST_NAMED) + dated


_BARE = re.compile(
    r"\b(?:(?P<not>do|does|did|is|are|was|were|have|has|had|wo|ca|could|would|should)nt|(?P<i>i)(?P<m>m|ve)"
    r"|(?P<they>you|they)(?P<re>re|ve)|(?P<she>he|she|that|what|there|who|let|when|where)(?P<s>s))\b",
    re.IGNORECASE,
)
"""Words that lost their apostrophe in a hurry."""

_QUOTATION = re.compile(r"[\"“„«「]\s*[^\s\"”“»」]+(?:\s+[^\s\"”“»」]+){2,}\s*[\"”»」]")
_ASKED_FOR = Sign(TOLD, 6, "")

"""A sentence by its clauses: what states something, and what only talks about the talk itself."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from clawgit.domain.correction_slots import verb_in
from clawgit.domain.correction_verdict import is_verdict
from clawgit.domain.triage import read

_HEAD = 60


class Clause(NamedTuple):
    """A part of a sentence, and the words that tie it to the one before."""

    tie: str
    text: str


class Stated(NamedTuple):
    """A sentence without its talk. `firm`: the talk says that something was wrong or forgotten."""

    text: str
    firm: bool = False


def clauses(text: str) -> list[Clause]:
    """The clauses of a sentence; “and” parts only what has a verb of its own on either side."""
    found: list[Clause] = []
    start, tie = 0, ""
    for at in _BREAK.finditer(text):
        if _IS_AND.fullmatch(at[0]) and not (stands(text[start : at.start()]) and stands(text[at.end() :])):
            continue
        found.append(Clause(tie, text[start : at.start()]))
        start, tie = at.end(), at[0]
    return [*found, Clause(tie, text[start:])]


def stands(text: str) -> bool:
    """Whether a text opens with a subject and its verb."""
    head = re.split(r"[,;:(]", text, maxsplit=1)[0][:_HEAD]
    return _SUBJECT_SHORT.match(head) is not None or verb_in(f" {head}") is not None


def without_verdict(text: str) -> Stated:
    """A sentence without the clauses that only say that something was wrong, or was told before."""
    parts = clauses(text)
    verdicts = _verdicts(parts)
    kept = [one for one, judges in zip(parts, verdicts, strict=True) if not judges]
    said = "".join(f"{one.tie if number else ''}{one.text}" for number, one in enumerate(kept))
    return Stated(said, firm=any(verdicts))


def _verdicts(parts: Sequence[Clause]) -> list[bool]:
    """Which clauses only judge. What a verdict is about, and the next clause goes on about, is still needed."""
    told = [one.text.strip(" .!?…") for one in parts]
    return [
        _is_verdict(plain) and not (_GOES_ON_OF_IT.match(behind) and not _OF_TALK_ITSELF.match(plain))
        for plain, behind in zip(told, [*told[1:], ""], strict=True)
    ]


def _is_verdict(plain: str) -> bool:
    if _SAID_IT.fullmatch(plain):
        return False
    return is_verdict(plain) or _TOLD.fullmatch(plain) is not None or _OUTDATED.fullmatch(plain) is not None


def without_talk(text: str) -> Stated:
    """A sentence without the clauses that only talk to the listener: “…, I told you twice”, “you mixed that up”."""
    kept: list[Clause] = []
    firm = False
    parts = clauses(text)
    for clause, judges in zip(parts, _verdicts(parts), strict=True):
        plain = clause.text.strip(" .!?…")
        if judges:
            firm = True
        elif _BLAME.match(plain) and not _DENIES.match(plain):
            firm = firm or _WRONG.search(plain) is not None
        elif not kept or not (_ASKED.match(plain) or (_REASON.fullmatch(clause.tie) and stands(plain))):
            kept.append(clause)
    said = "".join(f"{one.tie if number else ''}{one.text}" for number, one in enumerate(kept))
    return Stated(said, firm)


def sentences(text: str) -> list[str]:
    """The sentences of a message, without what it quotes and without blocks of code."""
    reading = read(_SHORT_QUOTE.sub(r"\1", text))
    plain = "".join(mine if seen == "\0" else seen for mine, seen in zip(reading.text, reading.joined, strict=True))
    return [one.strip() for one in _SENTENCE.split(_RUN_ON.sub("\n", plain)) if one and one.strip(" \t\n-*•>")]


def supposes(sentence: str) -> bool:
    """Whether a question is a statement that wants a yes: “Dinner is at seven?”"""
    return sentence.rstrip().endswith("?") and stands(sentence) and not _ASKS.match(sentence)


def main_clause(text: str) -> str:
    """What a sentence states first, with what it goes on to say of the same by he, she or it."""
    first, *others = clauses(text)
    said, after_verb = first.text, stands(first.text)
    for one in others:
        if after_verb and stands(one.text) and not _GOES_ON.match(one.text):
            break
        if _BEFORE.match(one.text):
            break
        said += f"{one.tie}{one.text}"
        after_verb = after_verb or stands(one.text)
    return said


_BREAK = re.compile(
    r",\s+(?:and |but |so |because |as )?|:\s+|\s+(?:so|but|because|since|cause|and)\s+|\s+[–—-]\s+|\s+\((?=\w)",
    re.IGNORECASE,
)
_GOES_ON_OF_IT = re.compile(r"(?:it|they)\b", re.IGNORECASE)
_OF_TALK_ITSELF = re.compile(r"(?:it|that|this|they|you|i|we|wrong|incorrect|not)\b", re.IGNORECASE)
_REASON = re.compile(r",?\s+(?:because|since|cause|as)\s+", re.IGNORECASE)
_IS_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_SUBJECT_SHORT = re.compile(
    r"(?:i|you|he|she|it|we|they|that|there)['’](?:s|re|m|ve|ll|d)\b|\w+['’]s (?:at|on|in|from|not|now|the|an?|my"
    r"|our|your)\b"
    r"|(?:i|we|he|she|they) [a-z]+\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:he|she|it)(?:['’]s)? ", re.IGNORECASE)
_BEFORE = re.compile(r"(?:it|that|he|she|they|this)(?: was| were| used to)\b", re.IGNORECASE)
_OF_TALK = (
    r"you|u|that|this|it|them|so|to|about|already|just|before|again|now|once|twice|earlier|yesterday|last|in|on|at|the"
    r"|a|an|of|for|many|several|few|hundred|thousand|two|three|four|five|ten|weeks?|months?|years?|days?|times?|ago"
    r"|other|literally|clearly|myself|[a-z]+day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|spring|summer|autumn|winter|morning|evening"
)
_TOLD = re.compile(
    r"(?:and |but |so |as |like |because |since )?(?:(?:i|we)(?:['’]ve|['’]d| have| had)?(?: \w+ly| already| just)*"
    r" )?(?:told|said|mentioned|explained|reminded|corrected|repeated|wrote|gave)"
    rf"(?: (?:{_OF_TALK}))*",
    re.IGNORECASE,
)
_SAID_IT = re.compile(r"(?:i|we)(?:['’]ve| have)? (?:said|meant|wrote|gave) (?:on |in |at |the )?\w+", re.IGNORECASE)
_BLAME = re.compile(
    r"(?:and |but |so |because |since |that's |what )*(?:you|u)(?:['’](?:ve|d|re))?(?: \w+){0,2}? (?:know|known|mixed"
    r"|mixing|swapped|confus\w+|got|had|have it|keep|kept|forg[eo]t\w*|misremember\w*|missed|misread|misheard|made"
    r"|mistak\w+|never|listen\w*|should know|wrote|noted|transposed|switched|typed|put)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"wrong|mixed|mixing|swapped|confus|forg[eo]t|misremember|missed|mis(?:read|heard)|mistak|listen|transposed|keep",
    re.IGNORECASE,
)
_OUTDATED = re.compile(
    r".{1,60}\b(?:is|are|was|were)(?: \w+)? (?:the old (?:one|company|firm|name|number|address|version|price|plan)"
    r"|the old ones|old news|outdated|obsolete|out of date)",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|isn't|never)\b.*\bbut\b", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:so |and |then )?(?:please|pls|can you|could you|note (?:that|it)|remember (?:that|it)|write (?:it|that)"
    r"|fix (?:it|that)|(?:put|add|keep|leave|move) (?:it|that|this|them) \w+|update (?:it|that|your)"
    r"|correct (?:it|that|your))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\bdr\.)(?<!\bmr\.)(?<!\bmrs\.)(?<!\bprof\.)(?<!\bms\.)(?<!\bst\.)(?:(?<!\bno\.)|(?=\s+\D))(?<!\bnr\.)(?<!str\.)(?<!\bvs\.)(?<!\bca\.)"
    r""
    r"(?<!e\.g\.)(?<!i\.e\.)\s+|(?<=[。！？])|\n+|\s*;\s+|\s+[:;]-?[()DP](?=\s|$)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:and|so|ok(?:ay)?|but|also|or|then)[, ]+)*(?:what|who|where|when|which|why|how|is|are|was|were|do|does"
    r"|did|can"
    r"|could|should|shall|would|will|have|has|had|may|might|am|any|want|need|i |i['’]|let)\b",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    r"(?:(?<= now)|(?<= again)|(?<= anymore)|(?<= any more)|(?<= already)|(?<=[0-9])|(?<= [A-Z])|(?<= yes))(?<! I)"
    r" (?=(?:I|we|he|she|they)(?:['’](?:ve|m|ll|re|s|d))? (?-i:[a-z]))"
    r"|(?<=\w)(?<!\bthat)(?<!\bbut)(?<!\band)(?<!\bso)(?<!\bwhen)(?<!\bif)(?<!because)(?<!\bsince)"
    r" (?=(?:you forgot|wrong again|I told you)\b)"
)
"""Where speech goes on without a stop: “it's band E I've got the bill here”."""

_SHORT_QUOTE = re.compile(r"[\"“”](\w[\w-]*(?: [\w-]+){0,2})[\"“”]")

"""A sentence of a conversation as one that stands for itself: who speaks is named, what only leads to it is gone."""

import re

from clawgit.domain.extract.language import Language, compiled
from clawgit.domain.past import IRREGULAR

OPERATOR = "the operator"
_ROUNDS = 4


def trimmed(text: str, language: Language) -> str:
    """Without what opens and closes a sentence and says nothing, and without the words that ask to keep it."""
    before, text = "", compiled(language.asides).sub("", text)
    for _ in range(_ROUNDS):
        if text == before:
            break
        before = text
        text = compiled(language.opens).sub("", text, count=1).strip()
        text = compiled(rf"^(?:{language.triggers})").sub("", text, count=1).strip() or ""
        text = compiled(language.closes).sub("", text, count=1).strip()
    return text.strip(" ,;:–—-")


def standing(text: str, name: str = "") -> str:
    """With the speaker named instead of I and my. “We” stays: it is who it is for whoever reads it."""
    who = name or OPERATOR
    if _CJK.search(text):
        return finished(_cjk(text, name))
    pieces = _CODE.split(text)
    pieces[::2] = [_named(piece, who) for piece in pieces[::2]]
    named = "".join(pieces)
    return finished(_NEXT.sub(lambda at: f"{at[1]}{at[2].upper()}", named))


def finished(text: str) -> str:
    """With a capital, and a full stop where a sentence of words ends."""
    text = text.strip().rstrip(",;:!…").strip()
    if not text:
        return ""
    if text[0].islower() and not _CODE_LIKE.match(text):
        text = text[0].upper() + text[1:]
    return text if text[-1] in '.。)]`"”' else f"{text}{'。' if _HAN.search(text) else '.'}"


def subject_of(text: str) -> str:
    """What a sentence speaks of, where it says so with an article: `the board meeting`; "" else."""
    found = _SUBJECT.search(text)
    return found[1].strip() if found else ""


def object_of(text: str) -> str:
    """The last thing that a sentence names with an article, for a sentence right behind it."""
    objects = _OBJECT.findall(text)
    return objects[-1] if objects else ""


def resolved(text: str, subject: str) -> str:
    """With the first “it” replaced by what was spoken of; "" where that is not known and the sentence opens with it."""
    found = _IT.search(text)
    if found is None:
        return text
    if not subject:
        return "" if found.start() <= _EARLY else text
    if found.start():
        subject = subject[0].lower() + subject[1:]
    return f"{text[: found.start()]}{subject}{found['short'] or ''}{text[found.end() :]}"


def turned(text: str) -> str:
    """What the assistant says of the operator, as the operator would: “your bus” is “my bus”. "" where the assistant
    speaks of itself.
    """
    if _SELF.search(text):
        return ""
    return _YOU.sub(lambda at: _OWN.get(at[0].lower().replace("’", "'"), at[0]), text)


def _named(text: str, who: str) -> str:
    text = _BE.sub(lambda at: f"{who} {_FORMS_OF_BE.get(at[1].lower(), at[1])}", text)
    text = _I.sub(lambda at: f"{who}{at['adverb'] or ''}{_third(at)}", text)
    text = _MY.sub(lambda at: _THEIRS.get(at[0].lower(), at[0]) if who in text[: at.start()] else f"{who}'s", text)
    text = re.sub(r"\bby myself\b", "alone", text)
    text = re.sub(r"\bmyself\b", "themselves", text)
    return re.sub(r"\b(?:me|I|i)\b(?!['’.]\w)", who, text)


def _third(found: re.Match[str]) -> str:
    """The verb behind “I” in the third person; one that is past or modal stays."""
    gap, verb = found["gap"] or "", found["verb"] or ""
    low = verb.lower()
    if low in _SHORTENED and gap != " ":
        return _SHORTENED[low]
    if low in _IRREGULAR:
        return gap + _IRREGULAR[low]
    if not low or low in _UNCHANGED or _PAST.search(low):
        return gap + verb
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{gap}{verb[:-1]}ies"
    return f"{gap}{verb}{'es' if low.endswith(('s', 'x', 'z', 'ch', 'sh', 'o')) else 's'}"


def _cjk(text: str, name: str) -> str:
    if _HANGUL.search(text):
        who = name or "운영자"
        text = re.sub(r"(?<![가-힣])(?:나는|난|저는|전)(?= )", f"{who}는", text)
        return re.sub(r"(?<![가-힣])(?:내|제|나의|저의)(?= )", f"{who}의", text)
    return re.sub("我(?!们)", name or "用户", text)


_SELF = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_OWN = {"you're": "I'm", "you are": "I am", "you were": "I was", "yours": "mine", "your": "my", "you": "I"}
_YOU = re.compile(r"\b(?:you['’]re|you are|you were|yours|your|you)\b", re.IGNORECASE)
_NEXT = re.compile(rf"([.!?] )({OPERATOR[0]})(?={OPERATOR[1:]}\b)")
_CODE = re.compile(r"(`[^`]*`|\"[^\"]*\"|“[^”]*”)")
_CODE_LIKE = re.compile(r"[a-z]+[A-Z_/.:@~]|[a-z]\w*\(")
_CJK = re.compile("[\u3400-\u9fff가-힣]")
_HAN = re.compile("[\u3400-\u9fff]")
_HANGUL = re.compile("[가-힣]")
_SUBJECT = re.compile(
    r"\b((?:the|our|my)\s(?:(?!(?:i|we|you|he|she|they|it|that|which|who)\b)[\w'-]+\s){0,4}?(?!(?:i|we|you|he|she|they"
    r"|it|that|which|who)\b)[\w'-]+)\s(?:is|are|was|were|will|has|had|moves?|moved|goes|went|starts?"
    r"|needs?|runs?|uses?|came|comes|must|can|should|wants?|stays?|gets?|got|needs)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:the|our|my) (?:(?!last|next|first|other|same|way|time|end|thing)[a-z][\w'-]+ ){0,2}?"
    r"(?!last|next|first|other|same|way\b|time\b|end\b|thing)[a-z][\w'-]+(?= (?:of|in|on|at|to|for|by|with|and|or|but"
    r"|from|until|end|is|are|was|were|has|as|that|which|than|about|so)\b|[^\w\s'-]|\s*$)",
    re.IGNORECASE,
)
_IT = re.compile(
    r"(?:\bit(?P<short>['’]s)?|(?:^|(?<=[,;.] )|(?<=and )|(?<=but )|(?<=so ))that)\b"
    r"(?=['’]?s? (?:to|is|was|on|at|in|by|for|from|runs|uses|goes|has|will|listens|lives|needs|costs|takes|starts|ends"
    r"|moves)\b)|^it\b|(?<=push )it\b|(?<=move )it\b|(?<=call )it\b|(?<=host )it\b"
    r"|(?<=drop )it\b|(?<=keep )it\b|(?<=sell )it\b|(?<=ship )it\b|(?<=skip )it\b|(?<=book )it\b|(?<=renew )it\b",
    re.IGNORECASE,
)
_EARLY = 6
_BE = re.compile(r"\bi['’ ]?(m|am|was)\b(?<!(?-i:im)(?= (?-i:[A-ZÄÖÜ])))", re.IGNORECASE)
_FORMS_OF_BE = {"m": "is", "am": "is", "was": "was"}
_I = re.compile(
    r"\bi(?P<adverb>(?: (?:always|never|usually|also|just|only|still|already|often|now|sometimes|seldom|rarely"
    r"|(?!(?:rely|apply|reply|supply|comply|ally|fly|bully|tally|multiply|imply)\b)[a-z]{2,}ly))*)"
    r"(?P<gap>['’ ])(?P<verb>[a-z]+(?:['’]t)?)\b",
    re.IGNORECASE,
)
_THEIRS = {"my": "their", "mine": "theirs"}
_MY = re.compile(r"\bmy\b|\bmine\b", re.IGNORECASE)
_SHORTENED = {"ve": " has", "ll": " will", "d": " would"}
_IRREGULAR = {
    "have": "has", "do": "does", "don't": "doesn't", "don’t": "doesn't", "dont": "doesn't", "go": "goes",
    "haven't": "hasn't", "be": "is",
}  # fmt: skip
_STAYS = """
    can could will would shall should must may might cannot can't won't cant wont wouldn't couldn't didn't put set let
    read agreed to and or in on at of with from is are has does not as who
    """
_UNCHANGED = IRREGULAR | frozenset(_STAYS.split())
"""Behind “I”: verbs that are past or modal, and words that are none."""

_PAST = re.compile(r"\w(?<!e)ed$|\w{3}ing$")

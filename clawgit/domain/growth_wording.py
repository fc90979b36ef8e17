"""A principle in the words of the soul, made of what somebody said: one imperative line, to the agent, in its voice."""

import re
from functools import cache

from clawgit.domain.growth_verbs import gerunds, verbs

LONGEST = 160
"""Characters of a principle; what takes more is no principle, but a manual."""


def worded(clause: str) -> str:
    """The principle that a clause asks for, "" where it asks for none that a line can say.

    It takes “you should never touch prod”, “stop using emojis”, “always show me the diff”; not what states a fact.
    """
    text = _trimmed(clause) if len(clause) <= _MOST else ""
    if fronted := _compiled(_FRONTED).match(text):
        return _fronted(fronted[1], fronted[2], fronted[3])
    if _compiled(_FOREIGN).search(text):
        return _foreign(text)
    if _compiled(_SIGN).search(text):
        return ""
    none = _compiled(_NONE).fullmatch(text)
    line = f"No {_voice(none[1])}." if none else _imperative(text)
    return line if len(line) <= LONGEST and len(line.split()) > 1 else ""


def _imperative(text: str) -> str:
    adverb, verb, rest = _taken_apart(text)
    if not verb or _states(rest) or _compiled(_POINTING).match(rest):
        return ""
    line = _compiled(_ASK).sub(r"\1", f"{adverb}{verb} {_voice(rest)}".strip())
    return f"{line[0].upper()}{line[1:]}."


def negated(clause: str) -> str:
    """The principle that forbids what a clause in the form of `using emojis` or `use emojis` tells of."""
    first, _, rest = _trimmed(clause).partition(" ")
    verb = gerunds().get(first.lower()) or verbs().get(first.lower(), "")
    return worded(f"do not {verb} {rest}") if verb else ""


def is_told(line: str) -> bool:
    """Whether a principle tells the agent to do or not to do something, in the form that `worded` gives."""
    if _compiled(_FOREIGN).search(line):
        return True
    first, second, *_ = *_compiled(_STRESS).sub("", line).lower().split(), "", ""
    told = first in verbs() or first in ("always", "never", "no")
    return told or (first, second) in (("do", "not"), ("you", "may"), ("you", "need"))


def allowed(clause: str, *, negative: bool = False) -> str:
    """The principle that takes back an order, of what it allows: “use emojis” → “You may use emojis.”"""
    line = worded(clause)
    if not line or not line[0].isascii():
        return ""
    return f"You {'need not' if negative else 'may'} {line[0].lower()}{line[1:]}"


def _trimmed(clause: str) -> str:
    text = " ".join(clause.replace("’", "'").split())
    text = _compiled(_REASON).split(text, maxsplit=1)[0]
    while (shorter := _compiled(_TAIL).sub("", _compiled(_HEAD).sub("", text))) != text:
        text = shorter
    return text


def _fronted(when: str, clause: str, main: str) -> str:
    """“Before you push, run the tests”: the deed comes first, unless it speaks of what the condition names."""
    if not _compiled(_POINTS).search(main):
        return worded(f"{main} {when.lower()} {clause}")
    main = _trimmed(main)
    told = worded(_compiled(_POINTS).sub("what", main))
    line = f"{when.capitalize()} {_voice(clause)}, {_voice(main)}."
    return line if told and len(line) <= LONGEST else ""


def _foreign(text: str) -> str:
    """Chinese and Korean say it in the words they have: what was asked of an agent is asked of it there too."""
    text = text.rstrip("。.！!，, ")
    if not _FEWEST <= len(text) <= _MOST_FOREIGN:
        return ""
    return f"{text}。" if _compiled(_CHINESE).search(text) and not _compiled(_KOREAN).search(text) else f"{text}."


def _taken_apart(text: str) -> tuple[str, str, str]:
    """What goes before the verb (`Never `, `Do not `), the verb, and the rest."""
    found = _compiled(_FORM).match(text)
    said = (found[1] or "").lower() if found else ""
    first, _, rest = text[found.end() if found else 0 :].partition(" ")
    word = first.lower().rstrip(",")
    if said.startswith(("stop", "quit", "avoid", "no more")):
        verb = gerunds().get(word, "")
        return "Do not ", verb, rest
    verb = verbs().get(word, "")
    if "never" in said or "ever" in said.split():
        return "Never ", verb, rest
    if {"not", "no"} & {*said.split()} or "n't" in said:
        return "Do not ", verb, rest
    return ("Always " if "always" in said else ""), verb, rest


def _states(rest: str) -> bool:
    """Whether the words behind a verb tell that it was a noun: “answer is 42”, “deploy runs on Fridays”."""
    few = rest.lower().split()[:_NEAR]
    return any(word.rstrip(".,;:") in _FINITE or word.endswith("'s") for word in few[:1]) or bool(
        {*few} & _FINITE and not {*few} & _CLAUSES
    )


def _voice(rest: str) -> str:
    """The soul speaks to the agent, so its human is somebody else: “show me” is “show your human”."""
    named = False

    def other(found: re.Match[str]) -> str:
        nonlocal named
        word = found[0].lower()
        if word in _SUBJECTS:
            return _SUBJECTS[word]
        named, again = True, named
        return (_AGAIN if again else _FIRST).get(word, word)

    return _compiled(_FIRST_PERSON).sub(other, rest)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first met: together it takes 20 ms."""
    return re.compile(pattern, re.IGNORECASE)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FIRST = {"me": "your human", "us": "your human", "my": "your human's", "our": "your human's", "mine": "your human's",
          "ours": "your human's", "myself": "your human"}  # fmt: skip
_AGAIN = {"me": "them", "us": "them", "my": "their", "our": "their", "mine": "theirs", "ours": "theirs",
          "myself": "them"}  # fmt: skip
_SUBJECTS = {"i'm": "they are", "i am": "they are", "i was": "they were", "i've": "they have", "i'll": "they will",
             "i'd": "they would", "we're": "they are", "we've": "they have", "i": "they", "we": "they"}  # fmt: skip
_FIRST_PERSON = r"(?<![\w'])(?:i'm|i am|i was|i've|i'll|i'd|we're|we've|i|we|me|us|my|our|mine|ours|myself)(?![\w'])"

_STANDING = (
    r"(?:from (?:now|here|today|this (?:day|point))(?: on(?:wards?)?(?: out)?| forward)?"
    r"|going forward|in (?:the )?future"
    r"|for the future|henceforth|as a (?:general |standing )?rule|anymore|any more|again|once and for all|at all times"
    r"|please|pls|instead)"
)
_HEAD = (
    rf"^(?:[\s,:;.–—-]+|(?:{_STANDING}|and|but|so|also|just|then|really|to|that)(?![\w'])[,:]?\s*"
    r"|(?:請|请|都|就|你|，|：)+)"
)
_AGREED = r"(?:thanks|thank you|ok(?:ay)?|right|will you|would you|got it|understood)"
_TAIL = rf"(?:[\s,;:.!…–—-]+|[,\s]{_STANDING}|[,.;!] ?{_AGREED})$"
_REASON = (
    r",? (?:because|otherwise|or else|since (?=i\b|it\b|you\b|we\b|that\b)|so that (?=i\b|we\b)"
    r"|cause\b|as (?=(?:my|our|i|we|it|that|this|the)\b[^,.]{0,40} (?:is|are|am|was|has|have|\w{2,20}s|\w{2,20}ed)\b)"
    r"|, (?:it|that|this) (?:is|was)\b)"
    r"| [–—-] |; |, (?=i |it |that |this |we |you )|\((?=[^)]{0,120}\)?$)"
)
_YOU = r"you(?: really| just)? (?:should|must|need to|have to|ought to|are to|will|shall|can)"
_WANT = r"(?:i|we)(?: really| always| just)* (?:want|need|expect|'d like|would like|'d prefer|would prefer) you to"
_SURE = r"(?:make sure|be sure|remember|see to it|take care)(?: that you| you)?(?: to)?"
_FORM = (
    rf"((?:(?:{_YOU}|{_WANT}|{_SURE}|you|i'd like you to|i'd prefer you to) )?"
    r"(?:(?:please )?(?:always|do not ever|don't ever|never ever|never|do not|don't|not to|not|stop"
    r"|quit|avoid|no more|no longer)) "
    rf"|(?:you (?:should not|shouldn't|must not|mustn't|can not|can't|cannot|are not to|may not))(?: ever| to)? "
    rf"|(?:{_YOU}|{_WANT}|{_SURE}|i'd like you to|i'd prefer you to) )(?:always )?(?:please )?(?:ever )?"
)
_POINTS = r"(?<![\w'])(?:it|this|that|them|these|those)(?![\w'])"
_FRONTED = r"(before|after|when|whenever|every time|each time|once|if|unless|until|while) ([^,]{3,80}), (?:then )?(.+)$"
_POINTING = r"(?:it|this|that|them|these|those|him|her)(?![\w'])"
"""What a principle cannot begin with behind its verb: nobody knows later what it was."""

_NONE = r"no (?:more )?((?!worries|problems|thanks|doubts|questions|news|ideas|rules|limits)[a-z-]{3,}s(?: .+)?)"
_STRESS = "[*_.]"
_ASK = r"^((?:Always |Never )?ask) your human(?= (?:before|first|if|when)\b)"
_MOST = 2 * LONGEST
_NEAR = 3
_FINITE = _set(
    """is are was were has had isn't aren't wasn't runs lives uses starts ends costs happens belongs expires takes means
    begins goes comes contains stands lies sits"""
)
_CLAUSES = _set("before when if what that which who where how why whenever after unless until once while it")
_CHINESE = "[\u3400-\u9fff]"
_KOREAN = "[\uac00-\ud7af]"
_FOREIGN = "[\u3400-\u9fff\uac00-\ud7af]"
_SIGN = r"[^\x00-\x7f“”‘’„«»\u2013\u2014\u2026\u00c0-\u024f\u20ac\u00a3]"
_FEWEST, _MOST_FOREIGN = 3, 80

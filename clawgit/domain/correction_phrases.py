"""What people say when they set somebody right, as tables: how it begins, and what they put behind it."""

import re
from functools import cache

_TIMES = (
    r"(?:before|earlier|already|again|yesterday|today|twice|once|repeatedly|last (?:time|night|week(?:end)?"
    r"|month|year|spring|summer|autumn|fall|winter|\w+day)|(?:(?:a|one|two|three|four"
    r"|five|ten|several|many|some|few|\d+|so|or) ){1,4}(?:\w+ )?(?:times|ago))"
)
_YOU = r"(?:you|u|ya)"
_WEAK = (
    r"oh|ah+|er+m?|alas|forgive me|hey|hi|well|wait|sorry|look|listen|come on|ugh+|argh+|hm+|um+|uh|dude|man"
    r"|please|pls|but|and|so|also"
    r"|ok(?:ay)?|yes|yeah|right|honestly|seriously|btw|by the way|fyi|heads up|good|great|important|note|update"
    r"|(?:one|small) (?:more )?thing(?: though)?|anyway|anyways|remember|make (?:that|it)"
    r"|as a reminder|reminder|fwiw|thanks|that(?= (?:my|the|our|i|i'm|we|your|it|he|she|they|an?)\b)"
    r"|i (?:think|believe|guess|mean)|i'm (?:pretty )?sure(?: that)?|in the end|it turns out|turns out|just so you know"
)

_JUDGED_WRONG = (
    rf"(?:(?:that|it)(?: has|'s)? changed(?: (?:at|in|on|with|since) the (?:\w+ )?\w+)?|(?:that|this|it"
    rf"|{_YOU})(?:'?s| is| was|'?re| are)?(?: just| still| all| so| totally| completely| simply"
    rf"| actually)*"
    r" ?(?:not (?:right|correct|true|accurate|what i said|it|how it is)|isn't (?:right|correct|true|it|what i said)"
    r"|wrong|outdated|out of date|incorrect|false|mistaken|old(?: news| info(?:rmation)?)?|stale|obsolete))"
    r"(?: (?:again|now|then|though|anymore|by the way|i'm afraid))*"
)
_GOT_WRONG = (
    rf"{_YOU}(?:'ve|'re| have| are)? (?:got|have|had|keep getting|mixed|mixing) (?:that|this|it|them|the \w+|my \w+)"
    r" (?:all )?(?:wrong|up|mixed up|backwards?|the wrong way round)(?: again)?"
)
_TOLD_YOU = (
    r"(?:i|we)(?:'ve| have|'d| had)?(?: already| just| clearly| definitely| literally)*"
    r" (?:told|said|mentioned|explained|wrote|corrected|reminded)(?: to)?"
    rf"(?: {_YOU})?(?: this| that| it| so)?(?: {_TIMES})*(?: (?:to {_YOU}|that|about))?(?= ?[,;:.!?—–-]| |$)"
)
_AS_I_SAID = rf"(?:as|like) i(?:'ve| have)?(?: already)? (?:said|told {_YOU}|mentioned|explained)(?: {_TIMES})*"
_FORGOT = (
    rf"{_YOU}(?:'ve| have|'re)?(?: just| always| totally| completely| still| once again| again| keep)*"
    r" (?:forgot|forget|forgotten|forgetting|misremember(?:ed)?)(?: again)?"
    r"(?: that| about| how| what i said(?: about)?)?"
)
_REMEMBER = (
    rf"(?:don't|do|didn't|can't) {_YOU} (?:not |even |really )*(?:remember|recall)"
    r"(?: that| when i said| me saying| what i said(?: about)?)?"
)
_HOW_OFTEN = (
    r"how (?:many times|often)(?: (?:do|did|must|should|have|will|i|we|have to|need to|to|got|gotta)){0,6}"
    rf"(?: (?:tell|told|say|said|repeat|explain|remind))?(?: to)?(?: {_YOU})?(?: this| that| it)?(?: that)?(?: before)?"
)
_TALKED = (
    r"we(?:'ve| have)? (?:already |just )?(?:talked|discussed|went over|gone over|spoke|spoken|been over"
    r"|been through)(?: about)?(?: this| that| it)"
    rf"(?: {_TIMES}| on \w+day| in \w+)*"
)

FIRM = (
    (
        rf"(?:didn't|haven't|did|have) i(?: not)?(?: already| just)? (?:tell|told|say|said"
        rf"|mention\w*)(?: {_YOU})?(?: that)?"
    ),
    r"no+|nope|nah|naw|nay|(?:wrong|incorrect)(?: again)?|not (?:quite|exactly|true|right)|correction",
    _JUDGED_WRONG,
    _GOT_WRONG,
    _TOLD_YOU,
    _AS_I_SAID,
    _FORGOT,
    _REMEMBER,
    r"remember when i said(?: that)?",
    _HOW_OFTEN,
    _TALKED,
    rf"i mentioned (?:this|that|it)(?: {_TIMES})*",
    r"i (?:never|didn't|did not) sa(?:id|y)(?: that)?",
)
"""Openings that say that something was wrong or forgotten."""

SOFT = (
    "actually",
    "in fact",
    "to be (?:precise|exact|clear)",
    "strictly speaking",
    "as of (?:today|now)",
    "from now on",
)

TAILS = (
    (
        r"(?:ok(?:ay)?|remember|right|please|pls|thanks|thank you|thx|lol|haha+|hehe|got it|capisce"
        r"|and not the other way round)"
    ),
    _TIMES,
    rf"(?:as|like) i(?:'ve| have)?(?: already)? (?:said|told {_YOU}|mentioned)(?: {_TIMES})*",
    rf"i(?:'ve| have)?(?: already| just)? told {_YOU}(?: that| this| so)?(?: {_TIMES})*",
    r"for the (?:\w+|hundredth|umpteenth) time",
    (
        r"(?:can you |could you |so )?(?:please |pls )?(?:fix|update|correct|note|remember|change|write down|save)"
        r" (?:it|that|this|your (?:notes|memory)|the (?:notes|memory))(?: down)?(?: please)?"
    ),
    r"by the way|btw|fyi|that's (?:outdated|wrong|old)|from now on|you (?:had|have|got) (?:it|that) wrong",
    r"for (?:the record|now)",
)
"""What people put behind a statement."""

_END = r"[\s,;:.!?—–-]*"


def stripped_of(kind: str, text: str) -> str | None:
    """The rest of a text that opens with words of this kind, None where it does not."""
    found = _openings(kind).match(text)
    return text[found.end() :] if found and found.end() else None


def without_tail(text: str) -> str:
    """A statement without what people put behind it: `…, ok?`, `… as I said`."""
    while (found := _tail().search(text)) and found.start() > 0:
        text = text[: found.start()]
    return text


@cache
def _openings(kind: str) -> re.Pattern[str]:
    phrases = {"firm": FIRM, "soft": SOFT, "weak": (_WEAK,)}[kind]
    return re.compile(rf"[\s,;:.!?—–…-]*(?:{'|'.join(phrases)})(?![\w'])[\s,;:.!?—–…-]*", re.IGNORECASE)


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(rf"[,;:.!?—– -]+(?:{'|'.join(TAILS)}){_END}$", re.IGNORECASE)

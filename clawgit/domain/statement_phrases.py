"""A text as plain clauses to be read: no questions, no reasons, and one wording for what is said in many."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from clawgit.domain.tags import visible

ENDED, INSTEAD = "nolonger", "insteadof"
"""The words that stand in a clause for `no longer` and for `instead of`, in whatever way these are said."""


def clauses(text: str) -> Iterator[str]:
    """What a text states, piece by piece. A sentence that is too long to be one fact is passed over."""
    plain = _TAG.sub(" ", visible(text)).replace("`", " ").replace("*", " ")
    plain = unicodedata.normalize("NFKC", plain).replace("’", "'")
    for sentence in (" ".join(piece.split()) for piece in _SENTENCE.split(plain)):
        if sentence.endswith(("?", "？")) or len(sentence) > _LONGEST:
            continue
        told = _REASON.split(sentence, maxsplit=1)[0]
        for clause in (_CLAUSE if _CONDITION.match(told) else _SPLICED).split(told):
            if clause.strip(" .!,-"):
                yield clause.strip()
                yield from (f"{one[0]} is {one[1]}" for one in _APPOSED.findall(clause))


def reworded(clause: str) -> str:
    """An English clause with its short forms and its turns of phrase made alike."""
    return _with_all(clause, _TURNS)


@lru_cache(maxsize=16384)
def plainly(clause: str) -> str:
    """An English clause in its own words, but for its short forms and for what denies."""
    return _with_all(clause, _SHORT_FORMS)


def _with_all(clause: str, rows: tuple[tuple[tuple[str, ...], str, str], ...]) -> str:
    folded = clause.casefold()
    for signs, pattern, full in rows:
        for sign in signs:
            if sign in folded:
                clause = _compiled(pattern).sub(full, clause)
                folded = clause.casefold()
                break
    return clause


def _rows(table: tuple[tuple[str, str, str], ...]) -> tuple[tuple[tuple[str, ...], str, str], ...]:
    """With the signs apart: to split them at each clause costs more than to look for them."""
    return tuple((tuple(signs.split("|")), pattern, full) for signs, pattern, full in table)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Late: most texts need few of them."""
    return re.compile(pattern, re.IGNORECASE)


def is_cjk(text: str) -> bool:
    return _CJK.search(text) is not None


def is_definite(clause: str) -> bool:
    """Whether it begins with one certain thing: the, my, our, somebody's."""
    return _DEFINITE.match(clause) is not None


_LONGEST = 600
_CJK = re.compile("[\u3400-\u9fff\uac00-\ud7af]")

_TAG = re.compile(r"(?<!\S)#[^\W\d_][\w/-]*")
_SENTENCE = re.compile(r"(?<=[\w)'\"]{3}[.!])(?<!Mrs\.)(?<!Prof\.)\s+(?=[^a-z\s])|(?<=[?？。！])|[;；\n]")
_CLAUSE = re.compile(
    r",?\s+(?:but|while|whereas|although|though)\s+|\s+[–—]\s+|,?\s+and\s+(?=(?:the|my|our|we|i|they|he|she|it)\b)",
    re.IGNORECASE,
)
_SPLICED = re.compile(rf"{_CLAUSE.pattern}|,\s+(?=(?:he|she|it|they|we|i)\s)", re.IGNORECASE)
_APPOSED = re.compile(r"\b((?:[Mm]y|[Oo]ur|[A-Z]\w{1,20}'s) [a-z]{3,20}),? ((?:Mr|Mrs|Ms|Dr)\.? [A-Z][\w-]{1,20})")
_CONDITION = re.compile(
    r"\W*(?:when|whenever|if|unless|while|after|before|once|until|on|in|at|for|during)\b", re.IGNORECASE
)
_REASON = re.compile(
    r",?\s+(?:because|so that|in order to|due to|thanks to|which|since (?:it|we|they|he|she|the)\b)", re.IGNORECASE
)
_DEFINITE = re.compile(r"\W*(?:the|my|our|your|their|his|her|its|\w+['’]s)\b", re.IGNORECASE)
_MOVED = (
    r"\b(?:is|are|was|were|has been|have been|got|been) (?=(?:now )?(?:switched|moved|migrated|changed|pushed|"
    r"postponed|rescheduled|shifted|renamed|upgraded|relocated|raised|lowered|increased|reduced)\b)"
)
"""`The launch was moved to May` says when it is."""

_BEEN = r"(?:is|are|was|were|has been|have been|got)"
_LABEL = (
    r"^\W*(?:notes?|decisions?|decided|reminders?|lessons?|todo|updates?|fyi|preferences?|facts?|important"
    r"|rules?|correction)\b ?[^:]{0,20}: "
)
"""`Note: the office is in Paris`."""

_OF_MONTH = r"(?:day )?(?:of|in) (?:the|each|every|a) month\b"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RATE = (
    r"(\d[\d.,]*k?(?: \w{1,20}){0,2}?) ?(?:\ba|\ban|\bper|\beach|\bevery|/) ?"
    r"(minute|hour|day|night|week|month|year|season)\b"
)
"""`60 requests a minute`."""

_RATED = ("day|hour|minute|month|night|season|week|year", _RATE, r"\1 each-\2 ")
_OTHERWISE = (
    ", not|as opposed to|in place of|instead of|rather than",
    r"\b(?:rather than|instead of|in place of|as opposed to)\b|, not\b(?! only)",
    f" {INSTEAD} ",
)
_NO_LONGER = ("longer|more", r"\bno longer\b|\bnot (?=[^.]{0,80}\bany ?more\b)", f" {ENDED} ")
_CONTRACTED = (
    ("won't", r"\bwon't\b", "will not"),
    ("can", r"\bcan't\b|\bcannot\b", "can not"),
    ("n't", r"n't\b", " not"),
    ("'ve", r"\b(we|i|they|you)'ve\b", r"\1 have"),
)
_SHORTENED = (
    *_CONTRACTED,
    _OTHERWISE,
    _NO_LONGER,
    ("more", r"\bno (?=[^.]{0,80}\bany ?more\b)", f" {ENDED} "),
    ("more", r"\bany ?more\b", " "),
    ("gave up|given up|got rid of|left out", r"\b(?:gave up|given up|got rid of|left out)\b", f" {ENDED} "),
    ("up|down", r"\b(go|goes|went|gone|is|are) (?:up|down) to\b", r"\1 now to"),
    ("by hand", r"\bby hand\b", "manually"),
    ("place", r"\btakes? place\b", "is"),
    ("business|calendar|working", r"\b(?:working|business|calendar) (?=days?\b|hours?\b)", ""),
    ("even", r",? even (?:if|when|though)\b[^,]*", ""),
    _RATED,
)
"""What is written short, and what denies."""

_REWRITTEN = (
    *_CONTRACTED,
    ("correction|decided|decision|fact|fyi|important|lesson|note|preference|reminder|rule|todo|update", _LABEL, ""),
    (":", r"^([^\s:,][^:,]{1,48}): (?=\S)", r"\1 is "),
    (
        "as a rule|at present|at the moment|by default|for now|nowadays|right now|these days",
        r"\b(?:by default|at the moment|for now|right now|these days|at present|nowadays|as a rule)\b",
        " ",
    ),
    ("are|is", r"\b(is|are)( not)? (?:(?:turned|switched) on\b|on(?=\W*$))", r"\1\2 enabled"),
    ("off|switched|turned", r"\b(is|are)( not)? (?:(?:turned|switched) off\b|off(?=\W*$))", r"\1\2 disabled"),
    ("fixed|set", r"\b(?:is|are|was|were|gets?|got) (?:set|fixed) (?=at|to)", " is "),
    ("capped|limited", r"\b(?:is|are|was|were) (?:capped|limited) (?=at|to)", " limit is "),
    ("old", r"\b(years?|months?|weeks?) old\b", r"\1 of age"),
    ("turned", r"\bturned (\d{1,3})\b(?: (?:last|this) \w{1,12})?", r"is \1 years of age"),
    ("done by", r"\bdone by\b", "performed by"),
    (
        "handled|headed|led|looked after|maintained|managed|overseen|owned|taken care of",
        r"\b(?:is|are) (?:handled|headed|managed|led|maintained|overseen|owned|looked after|taken care of) by\b",
        " lead is ",
    ),
    (
        "has to|have to|must|need|should",
        (
            r"\b(?:must|has to|have to|needs? to|should) be "
            r"(?:paid|submitted|handed in|filed|returned|renewed|finished) by\b"
        ),
        " deadline is ",
    ),
    ("ed", r"\b(?:gets?|got) (?=\w{2,20}ed\b)", "is "),
    ("ceased|quit|stopped", r"\b(?:has|have) (?=(?:stopped|quit|ceased)\b)", ""),
    ("report", r"\breports? to\b", "manager is"),
    ("back", r"\b(?:comes?|gets?|goes) (?=back\b)", "is "),
    ("works", r"\bworks (?:again|fine|now)\b", "is working"),
    (
        "accessible|available|found|reachable",
        r"\b(is|are) (?:reachable|available|found|accessible) (?=at|under|via|on)",
        r"\1 ",
    ),
    ("add|amount|come|totals", r"\b(?:amounts?|comes?|adds? up) to (?=\D?\d)|\btotals (?=\D?\d)", "is "),
    ("half", r"\bevery half (?:an )?hour\b", "every 30 minutes"),
    ("half", r"\bhalf an hour\b", "30 minutes"),
    ("left", r"\b(?:has |have )?left (?=the|our|my|his|her|their)", f" {ENDED} used "),
    (
        "hour|minute|day|week|month|year",
        r"\b(takes?|lasts?|for|after|within|is) an? (hour|minute|day|week|month|year)\b",
        r"\1 1 \2",
    ),
    ("said", r"\bsaid (yes|no) to\b", r"are \1 to"),
    ("being", r"\b(?:is|are) being\b", "is"),
    ("always|never", r"\b(?:has|have) (never|always) (?=\w{2,20}ed\b)", r"\1 "),
    ("should", r"\b(i|we) should\b", r"\1 might"),
    ("should", r"\bshould\b", " "),
    ("ant|ould like", r"\b(?:wants?|would like) (?!to\b)", " prefers "),
    ("run", r"\bruns? out\b", "ends"),
    ("out", r"\b(?:go|goes) out\b", "is sent"),
    ("owns", r"\bowns (?=the|our)\b", "is the owner of "),
    (
        "captains|chairs|mentors|sponsors",
        r"\b(captain|chair|mentor|sponsor)s (?=(?:the|our|my|his|her|their)\b|\w+'s\b)",
        r"is the \1 of ",
    ),
    ("captained|chaired|mentored", r"\b(?:is|are) (captain|chair|mentor)(?:e?d) by\b", r" \1 is "),
    ("signs off", r"\bsigns off(?: on)?\b", "approves"),
    ("signed off", r"\bsigned off(?: on)?\b", "approved"),
    ("on call", r"\b(?:is|are) on call\b", "is the on-call engineer"),
    ("works as", r"\bworks as\b", "is"),
    (
        "school|kindergarten|nursery|college|university",
        r"\b(?:goes to|attends) (?=[^.,;]{0,40}\b(?:school|kindergarten|nursery|college|university)\b)",
        "is at ",
    ),
    ("by hand", r"\bby hand\b", "manually"),
    ("local time", r"\blocal time\b", "local-time"),
    (
        "had",
        r"^\W*(\w{1,20}) had (?:her|his|their) (\w{1,20}(?: \w{1,20})?) (\w{2,20}ed)\b",
        r"\1's \2 was \3",
    ),
    ("cost", r"^\W*((?:the|my|our|his|her|their) [\w-]{1,30}[^\Ws]) cost (?=\S*\d)", r"\1 price was "),
    ("engaged|married", r"\b(?:is|are|got) (?:married|engaged) to\b", " spouse is "),
    ("month", rf"\bthe (?:first|1st) {_OF_MONTH}", " dayofmonth 1"),
    ("the", rf"\bthe (\d{{1,2}})(?:st|nd|rd|th)(?: {_OF_MONTH}|(?=\W*$))", r" dayofmonth \1"),
    (
        "apr|aug|dec|feb|jan|jul|jun|mar|may|nov|oct|sep",
        r"\b(\d{1,2})(?:st|nd|rd|th) of (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
        r"\1 ",
    ),
    ("every", rf"\bevery (?:second|other) (?={_WEEKDAY})", "every "),
    _RATED,
    ("monthly", r"(\d|euros|dollars|francs|pounds) monthly\b", r"\1 each-month"),
    ("annually|yearly", r"(\d|euros|dollars|francs|pounds) (?:yearly|annually)\b", r"\1 each-year"),
    ("he's|i'm|it's|she's|they're|we're|you're", r"\b(i'm|we're|they're|you're|he's|she's|it's)(?=\W)", r"\1 is"),
    _OTHERWISE,
    _NO_LONGER,
    ("more", r"\bany ?more\b", " "),
    ("ing", r"\b(?:stopped|quit|ceased|gave up|given up)\b (?=\w{1,20}ing\b)", f" {ENDED} "),
    ("gave up|given up|quit", r"\b(?:quit|gave up|given up)\b", f" {ENDED} used "),
    ("able|allowed|permitted", r"\b(?:is|are)( not)? (?:allowed|permitted|able) to\b", r" can\1 "),
    ("good|valid", r"\b(?:is|are) (?:valid|good) (?=until|till|through|to)", "expires "),
    (
        "abandoned|deprecated|did away with|ditched|dropped|got rid of|phased out|retired",
        rf"\b(?:{_BEEN} )?(?:dropped|abandoned|retired|deprecated|ditched|got rid of|did away with|phased out)\b",
        f" {ENDED} used ",
    ),
    (
        "canceled|cancelled|terminated|unsubscribed from",
        (
            r"(?<!is )(?<!was )(?<!are )(?<!were )(?<!been )\b"
            r"(?:cancelled|canceled|terminated|unsubscribed from) (?=the|my|our|his|her|their)"
        ),
        f" {ENDED} used ",
    ),
    ("do", rf"\b(?:does|do) +(?=(?:not|{ENDED})\b)", " "),
    ("used to", r"\bused to\b", " formerly "),
    (
        "agreed|chose|chosen|decided|opted|settled",
        r"\b(?:(?:has|have|had) )?(?:decided|agreed|chose|chosen|settled|opted)(?: (?:that|to|on|for|with))*\b",
        " ",
    ),
    ("-", r"^\W*(?:on )?\d{4}-\d{2}-\d{2}\W+(?=we\b|i\b)", ""),
    ("go for|with", r"\b(?:go|goes|going|went) with\b|\bgo for\b", " use "),
    ("replaced|swapped", r"\b(?:replaced|swapped(?: out)?) ([\w.-]{1,40}) (?:with|by|for)\b", r" switched from \1 to "),
    (
        "changed|increased|lowered|migrated|moved|postponed|pushed|raised|reduced|relocated|renamed|rescheduled|shifted|switched|upgraded",
        _MOVED,
        " ",
    ),
    ("moved|pushed|shifted", r"\b(pushed|moved|shifted) (?:back|forward|up|out|over|on) (?=to\b)", r"\1 "),
    ("called|goes by|named", r"\b(?:is|are) (?:called|named)\b|\bgoes by\b", " name is "),
    (
        "based|headquartered|housed|located|situated",
        r"\b(?:is|are) (?:based|located|situated|headquartered|housed) (?=in|at|on|under|near)",
        " is ",
    ),
    ("due", r"\b(?:is|are) due\b(?: (?:on|by))?", " deadline is "),
    ("born", r"\b(?:was|were|is) born (?=on|in)", " birthday is "),
    ("due date", r"\bdue date\b", "deadline"),
    ("time", r"\btime ?zone\b", "timezone"),
    ("may", r"\b(we|i|it|they|he|she) may\b", r"\1 might"),
    ("person|site", r"\b(?:in|on)[ -](?:person|site)\b", "onsite"),
    ("ha", r"\b(?:has|have) (?:already )?(?=\w{2,20}ed\b)", " is "),
    ("goes|gone|went", r"\b(?:went|goes|gone) (?:up|down) to\b", " is "),
    ("in use", r"\bin use\b", "in-use"),
    ("out of", r"\bout of (?:use|order|service)\b", "out-of-use"),
    ("this", r"\bthis (?:season|year|month|term|semester|quarter)\b", " "),
    ("this", r"\bthis (?=(?:week|weekend|morning|afternoon|evening)\b)", " during "),
    ("called off", r"\bcalled off\b", "cancelled"),
    ("on hold", r"\bon hold\b", "paused"),
    ("place", r"\btakes? place\b", "happens"),
    ("took place", r"\btook place\b", "was"),
    (
        "handles|heads|leads|looks after|maintains|manages|oversees|takes care of",
        r"\b(?:leads|heads|manages|maintains|handles|oversees|looks after|takes care of)\b",
        "is the lead of",
    ),
    ("github actions", r"\bgithub actions\b", "github-actions"),
    ("gitlab ci", r"\bgitlab ci\b", "gitlab-ci"),
    ("code|isual studio code", r"\bvs ?code\b|\bvisual studio code\b", "vscode"),
    ("out after", r"\btimes? out after\b", "timeout is"),
    ("cost", r"\b(costs?)\b(?= (?:about |around )?[$€£¥\d])", " price is "),
    ("available|closed|open", r"\b(?:is|are) (?:open|available|closed) (?=from|until|till)", " is hours "),
    ("in charge of|responsible for", r"\b(?:in charge of|responsible for)\b", " owner of "),
)
"""What one of its words must be there for, the pattern, the wording; in this order."""

_TURNS, _SHORT_FORMS = _rows(_REWRITTEN), _rows(_SHORTENED)

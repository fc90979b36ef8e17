"""What the operator sets right, read from his own words: the statement, the right value, and the wrong one if told."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from clawgit.domain.correction_phrases import stripped_of, without_tail
from clawgit.domain.correction_slots import slots, verb_in
from clawgit.domain.correction_values import NAME, VERBS
from clawgit.domain.triage import read


class Objection(NamedTuple):
    """A statement that may set something right. `value` is what is right, with the words that lead to it; `wrong` what
    it stands against, "" where he does not say. `firm`: he says that something was wrong or forgotten. `whole`: the
    statement stands by itself, and needs nothing that was said before to be understood.
    """

    said: str
    value: str
    wrong: str = ""
    firm: bool = False
    whole: bool = False
    changed: bool = False
    """He tells that something is now otherwise, be it that nobody was wrong."""
    around: str = ""
    """The sentence of which it is a part."""


class Heard(NamedTuple):
    """A message as it was read. `firm`: something was wrong, whether or not a value is told."""

    objections: tuple[Objection, ...]
    firm: bool
    only_no: bool = False
    """Whether nothing but a bare “no” says that something was wrong; it may as well answer a question."""


class _Piece(NamedTuple):
    body: str
    firm: bool
    soft: bool
    asks: bool
    no: bool = False
    around: str = ""


def heard(text: str) -> Heard:
    """The statements of a message that may be corrections, the likeliest first. Never fails, and invents no value."""
    text = text[:_LONGEST]
    if _ASIAN.search(text) and (told := tuple(_asian(text))):
        return Heard(told, any(one.firm for one in told))
    pieces = [piece for sentence in sentences(text) for piece in _pieces(sentence)]
    firm = any(piece.firm for piece in pieces)
    found: list[tuple[int, int, Objection]] = []
    answered = False
    for at, piece in enumerate(pieces):
        follows = at > 0 and pieces[at - 1].firm and not pieces[at - 1].body
        objection = _objection(piece, firm=piece.firm or follows)
        if objection is None:
            continue
        rank = 0 if objection.firm and not answered else 1 if objection.wrong else 2 if piece.soft else 3
        answered = answered or objection.firm
        found.append((rank, at, objection._replace(firm=objection.firm or bool(objection.wrong and firm))))
    if firm and found and not any(one.firm for _, _, one in found):
        found = [(rank, at, one._replace(firm=True)) for rank, at, one in found]
    ordered = tuple(one for _, _, one in sorted(found, key=lambda row: row[:2]))
    return Heard(ordered, firm, only_no=all(piece.no for piece in pieces if piece.firm))


def sentences(text: str) -> list[str]:
    """The sentences of a message, without what it quotes and without blocks of code."""
    reading = read(text)
    plain = "".join(mine if seen == "\0" else seen for mine, seen in zip(text, reading.joined, strict=True))
    return [one.strip() for one in _SENTENCE.split(plain) if one and one.strip(" \t\n-*•>")]


def is_request(body: str) -> bool:
    """Whether something is to be done, now and once: no fact that could be remembered."""
    return _REQUEST.match(body) is not None


def predicate(statement: str) -> str:
    """What a statement says of its subject."""
    verb = verb_in(f" {statement}")
    return statement[max(verb[1] - 1, 0) :].strip() if verb else statement


def _pieces(sentence: str) -> Iterator[_Piece]:
    """A sentence as a whole; and where it says several things, each of them for itself, too."""
    whole = _piece(sentence)
    yield whole
    parts = [part for part in _CLAUSE.split(whole.body) if part and part.strip() and not part.startswith("not ")]
    for part in parts if parts != [whole.body] else ():
        clause = _piece(part)
        if clause.body and (_PRONOUN.match(clause.body) or verb_in(f" {clause.body}") or _is_value(clause.body)):
            yield clause._replace(firm=whole.firm, soft=whole.soft, asks=whole.asks, no=whole.no, around=whole.body)


def _is_value(body: str) -> bool:
    return len(body.split()) <= _LONGEST_FRAGMENT and any(slot.kind != NAME for slot in slots(body))


def _piece(sentence: str) -> _Piece:
    """Takes the openings off, in whatever order they come."""
    body, firm, soft = _SLANG.sub(lambda found: _SHORT_FORMS[found[0].lower()], sentence), False, False
    no = bool(_NO.match(body))
    if no:
        body, firm = _NO.sub("", body), True
    while True:
        for kind in ("firm", "soft", "weak"):
            rest = stripped_of(kind, body)
            if rest is not None and rest != body and not (firm and _RULE.match(body)):
                no = no and kind != "firm"
                body, firm, soft = rest, firm or kind == "firm", soft or kind == "soft"
                break
        else:
            break
    bare_body = without_tail(body).strip(" \t\n,;:—–-…")
    asks = sentence.rstrip().endswith(("?", "？")) and (
        bare_body == body.strip(" \t\n,;:—–-…") or bare_body.endswith("?")
    )
    return _Piece(bare_body, firm, soft, asks, no)


def _objection(piece: _Piece, *, firm: bool) -> Objection | None:
    body = _CLEFT.sub(r"\1 \2", piece.body.rstrip(" .!?…"))
    if not any(sign.isalnum() for sign in body) or is_request(body) or _EMPTY.fullmatch(body):
        return None
    if piece.asks and not (piece.firm and _STATES.search(body)):
        return None
    if not piece.firm and _UNSURE.search(body):
        return None
    for reader in (_denied, _contrasted, _turned, _updated, _labelled):
        if told := reader(body):
            return told._replace(firm=firm or told.firm, changed=True, around=piece.around)
    told = None if _NOT_BUT.search(body) else _stated(body, firm=firm)
    return told._replace(changed=_NOW.search(body) is not None, around=piece.around) if told else None


def _denied(body: str) -> Objection | None:
    """“The office isn't in Paris, it's in Berlin”, “it's not Paris but Berlin”, “not Paris, Berlin”."""
    found = _DENIED.match(body)
    if found is None:
        return None
    subject, verb, wrong, value = (found[name] or "" for name in ("subject", "verb", "wrong", "value"))
    value = _PRONOUN.sub("", value)
    if subject and verb and not _IS_PRONOUN.fullmatch(subject):
        return Objection(f"{subject} {_FULL.get(verb.lower(), verb)} {value}", value, wrong, firm=True, whole=True)
    return Objection(value, value, wrong, firm=True)


def _contrasted(body: str) -> Objection | None:
    """“It's Berlin, not Paris”, “520k instead of 480k”."""
    found = _CONTRASTED.match(body)
    if found is None:
        return None
    said, wrong = found["said"].strip(" ,"), found["wrong"].strip()
    *_, last = _CLAUSE.split(said)
    said = last if last and (_PRONOUN.match(last) or verb_in(f" {last}")) else said
    told = _stated(said, firm=False)
    return told._replace(wrong=_PRONOUN.sub("", wrong)) if told else None


def _turned(body: str) -> Objection | None:
    """“We moved from Heroku to Hetzner”, “I changed the meeting to Thursday”, “we switched to Postgres”."""
    found = _TURNED.match(body)
    if found is None:
        return None
    who, verb, what, wrong, value = (found[name] or "" for name in ("who", "verb", "what", "wrong", "value"))
    if _IS_PRONOUN.fullmatch(what.strip()) or what.strip().lower() in ("them", "him", "her"):
        who = "it"
    if wrong:
        body = body.replace(f" from {wrong}", "", 1)
    whole = not _IS_PRONOUN.fullmatch(who.strip())
    del verb
    return Objection(_sentence(body), f"to {value}", wrong, whole=whole)


def _updated(body: str) -> Objection | None:
    """“The registry moved, it's registry.example.org:5005”."""
    found = _UPDATED.match(body) or _CHANGED.match(body)
    if found is None:
        return None
    subject, value = found["subject"].strip(), _NOW.sub("", found["value"]).strip()
    verb = "are" if found["they"] else "is"
    return Objection(f"{subject} {verb} {value}", value, whole=not _IS_PRONOUN.fullmatch(subject), firm=False)


def _labelled(body: str) -> Objection | None:
    """“Beds at the hut: 28”."""
    found = _LABELLED.match(body)
    if found is None or verb_in(f" {found['subject']}") or not any(slot.kind != NAME for slot in slots(found["value"])):
        return None
    return Objection(f"{found['subject']} is {found['value']}", found["value"], whole=True)


def _stated(body: str, *, firm: bool) -> Objection | None:
    """A plain statement, or no more than its value."""
    body = _SPELLED.sub("", _NOW.sub("", body)).strip(" ,")
    led = _PRONOUN.match(body)
    if led:
        value = body[led.end() :].strip()
        return Objection(body, value, firm=firm) if value else None
    if verb_in(f" {body}"):
        return Objection(body, predicate(body), firm=firm, whole=_SOMEBODY.match(body) is None)
    if len(body.split()) > _LONGEST_FRAGMENT and not firm:
        return None
    return Objection(body, body, firm=firm, whole=firm and _RULE.match(body) is not None)


def _sentence(body: str) -> str:
    return " ".join(body.split())


_LONGEST = 4000
"""Characters of a message that are read: who sets something right says it soon."""

_LONGEST_FRAGMENT = 8
_SHORT_FORMS = {
    "u": "you", "ur": "your", "im": "I'm", "thats": "that's", "its": "it's", "isnt": "isn't", "dont": "don't",
    "ive": "I've", "youre": "you're", "arent": "aren't", "wasnt": "wasn't", "doesnt": "doesn't", "whats": "what's",
    "r": "are",
}  # fmt: skip
_SLANG = re.compile(rf"(?<![\w'./-])(?:{'|'.join(_SHORT_FORMS)})(?![\w'./-])", re.IGNORECASE)

_CLAUSE = re.compile(
    r",\s+(?:and |but |so |because |as )?|:\s+|\s+(?:so|but|because|since|cause)\s+|\s+[–—-]\s+|\s+\((?=\w)",
    re.IGNORECASE,
)
_NO = re.compile(r"(?:no+|nope|nah)(?![\w'])[\s,;:.!—–-]*", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?<=[.!?…])(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bst\.)(?<!\bno\.)(?<!\bnr\.)(?<!str\.)(?<!\bvs\.)(?<!\bca\.)"
    r"(?<!e\.g\.)(?<!i\.e\.)\s+|(?<=[。！？])|\n+|\s*;\s+",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"(?:(?:it|that|this|he|she|they|these|those|there)(?:'(?:s|re|ll be)| (?:is|are|was|were|will be|has been"
    r"|should be|should have been|must be))"
    r"|it|he|she|they)(?: (?:now|actually|really|supposed to be|called|always))*(?: |$)(?=\S)",
    re.IGNORECASE,
)
_IS_PRONOUN = re.compile(r"(?:it|that|this|he|she|they|these|those|there|you)(?:['’]s|['’]re)?", re.IGNORECASE)
_SOMEBODY = re.compile(r"(?:it|that|this|he|she|they|these|those|there|his|her|their|its)\b", re.IGNORECASE)
_FULL = {"isn": "is", "aren": "are", "wasn": "was", "weren": "were", "'s": "is", "'re": "are"}
_BE = r"is|are|was|were|isn|aren|wasn|weren|'s|'re"
_DENIED = re.compile(
    rf"(?:(?P<subject>[^,;]{{1,80}}?)(?: |(?='))(?P<verb>{_BE})(?:n't|'t| not) |(?:definitely "
    rf"|certainly )?not )(?P<wrong>[^,;.]{{1,60}}?)"
    r"(?:[,;.—–-]+ ?(?:but |rather )?| but (?:rather )?)(?P<value>\S.*)$",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(
    r"(?P<said>\S.{0,200}?)(?:(?:,| and| –| —| -|\(|(?<!\b(?:is|it|do|am|or|if|so))(?<!\b(?:are|was|did|can|has|had"
    r"|may|why))(?<!\b(?:does|were|will|have"
    r"|must))(?<!\b(?:could|would|might))(?<!should)) ?(?P<not>not|never)(?: (?:in|on|at|the))? |,? (?:instead of"
    r"|rather than|in place of|and no longer"
    r"|no longer) )(?P<wrong>(?:(?! but )[^,;()]){1,60}?)\)?(?:[,;].*| anymore| any more)?$",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"(?P<who>[^,;]{1,60}? )?(?:'ve |have |has |just |recently |finally |got |was |were |been )*(?P<verb>moved"
    r"|switched|changed|migrated|went over"
    r"|updated|renamed|upgraded|relocated|swapped|postponed|rescheduled|pushed(?: back)?)(?: (?P<what>(?:the|our|my"
    r"|his|her|their|all) [^,;]{1,50}?|it|them|that|this|him|her|those))?"
    r"(?: over| away| out| back)?(?: from (?P<wrong>[^,;]{1,40}?))? (?:to|for) (?P<value>[^,;]{1,80})(?:[,;].*)?$",
    re.IGNORECASE,
)
_UPDATED = re.compile(
    r"(?P<subject>[^,;]{2,60}?) (?:has |have |just |got |was |were )*(?:moved|changed|went up|went down"
    r"|is different|are different|is new|renamed|raised|lowered|fixed|updated)"
    r"(?: (?:now|again|too|as well))*,? (?:and )?(?:now )?(?:it|(?P<they>they))(?:'s|'re| is"
    r"| are)(?: now)? (?P<value>[^,;]+)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"(?:i|we|they|he|she|you|\w+) (?:have |has |'ve |just |had to |recently )*(?:raised|changed|lowered|moved"
    r"|updated|increased|reduced|cut|swapped"
    r"|replaced|extended|shortened|renamed) (?P<subject>(?:my|our|the|his|her|their) [^,;]{1,50}?)(?: again| too"
    r"| now)*,? (?:so |and )?(?:now )?"
    r"(?:it|(?P<they>they))(?:'s|'re| is| are)(?: now)? (?P<value>[^,;]+)",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"(?P<subject>[^:,;]{2,40}): (?P<value>[^,;:]{1,40})(?:,.*)?$")
_SPELLED = re.compile(
    r",?\s(?:spelled|spelt|written|with (?:an?|one|two|double|no|just one|only one) ['\"“]?\w{1,6}['\"”]?$"
    r"|without (?:an?|the) ['\"“]?\w['\"”]?$).*$",
    re.IGNORECASE,
)
_NOW = re.compile(r"(?:,? (?:now|nowadays|these days|by now))+$|^now,? ", re.IGNORECASE)
_CLEFT = re.compile(r"^(?:it|that)(?:'s| is| was) ([^,]{2,40}?) who (.+)$", re.IGNORECASE)
_NOT_BUT = re.compile(r"\bnot\b.{1,60}\bbut\b", re.IGNORECASE)
_RULE = re.compile(r"(?:no|never|always|only|don't|do not) (?:\S+ ){1,12}\S+$", re.IGNORECASE)
_EMPTY = re.compile(
    r"(?:it|that|this|so|again|stop (?:it|that)|come on|(?:that|it)(?:'s| is) (?:it|all|fine|ok(?:ay)?|good)"
    r"|(?:please )?(?:check|look|try|think|read)"
    r"(?: (?:it|that|this|again|properly|your (?:notes|memory)|once more))*|about (?:it|that|this)|(?:before"
    r"|already|earlier|yesterday|last \w+)"
    r"|(?:the |a )?(?:wrong|old|other) (?:one|\w+)|what i (?:said|meant|told you)|not what i (?:said|meant|asked).*"
    r"|(?:right|correct|true|wrong)"
    r"|something else|different|the other way (?:a)?round|you|we|i)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please |pls |just |now |go |and |then |to )*(?:delete|remove|run|send|show|fix|open|close|give|tell|make"
    r"|write|check|look|try|read|create|add|ignore"
    r"|forget|disregard|execute|install|print|list|find|search|do|redo|stop|start|wait|call (?!me\b)|let|put|change"
    r"|update|rename|move|explain|translate"
    r"|summari[sz]e|draft|book|order|buy|push|commit|deploy|restart|undo|revert|reply|answer|post|copy|paste"
    r"|download|upload|export|import|set|turn)\b"
    r"(?! (?:is|are|was|runs?|goes|happens?|time|times|window|day|days|date)\b)|(?:can|could|would|will) you\b"
    r"|let's\b|i(?:'d| would) (?:like|love) you to\b"
    r"|i (?:want|need|asked|told) you to\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|might|not sure|probably|possibly|would be|could be|should we|what if|if (?:we|i|you|it)"
    r"|i wonder|i guess|let's)\b",
    re.IGNORECASE,
)
_STATES = re.compile(rf"\b(?:i'm|{VERBS})\b|'(?:s|re|m)\b", re.IGNORECASE)


def _asian(text: str) -> Iterator[Objection]:
    """“是柏林，不是巴黎”, “파리가 아니라 베를린이야”, “不对，端口是 9090”."""
    for pattern in _asian_contrasts():
        if found := pattern.search(text):
            wrong = found["wrong"].strip()
            yield Objection(found["value"].strip(), found["value"].strip(), wrong.split()[-1], firm=True)
            return
    firm = _ASIAN_FIRM.search(text) is not None
    for clause in _ASIAN_CLAUSE.split(text):
        bare_clause = _ASIAN_OPENING.sub("", clause.strip())
        found = (
            _KOREAN_STATED.search(bare_clause)
            or (_KOREAN_VALUE.search(bare_clause) if firm else None)
            or _ASIAN_STATED.search(bare_clause)
        )
        if found and not clause.rstrip().endswith(("?", "？", "吗", "까")):
            yield Objection(found[0].strip(), found["value"].strip(), firm=firm, whole=bool(found["subject"].strip()))


@cache
def _asian_contrasts() -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(r"不是(?P<wrong>[^，,。而]{1,30})[，,]?(?:而)?是(?P<value>[^，,。！]{1,40})"),
        re.compile(r"是(?P<value>[^，,。不]{1,30})[，,]?不是(?P<wrong>[^，,。！]{1,40})"),
        re.compile(
            r"不再?(?:用|在|住|去|吃|喝)\s?(?P<wrong>[^，,。了]{1,30}?)\s?了?[，,]\s?(?:我们|我|已经|现在|都|而是)*(?:换成|改成|改用|换到|搬到|改为|用|在|去)"
            r"\s?(?P<value>[^，,。！了]{1,40})"
        ),
        re.compile(
            r"(?:改用|换成|改成|换到|搬到)(?P<value>[^，,。了]{1,30})了?[，,]不再?(?:用|是|在)?(?P<wrong>[^，,。！了]{1,30})"
        ),
        re.compile(
            r"(?:从|把)\s?(?P<wrong>[^，,。]{1,30}?)\s?(?:换成|改成|改为|搬到|换到)了?\s?(?P<value>[^，,。！了]{1,40})"
        ),
        re.compile(
            r"(?P<wrong>[^,.]{1,30}?)(?:이|가)? 아니(?:라|고),? (?P<value>[^\s,.!]{1,20}?)"
            r"(?:이에요|예요|이야|야|입니다|이다|으로|로|에서|에)?(?=[\s,.!]|$)"
        ),
        re.compile(
            r"(?P<wrong>[^\s,.]{1,20}?)(?:에서|말고|대신) (?P<value>[^\s,.!]{1,20}?)"
            r"(?:으로|로|에)? ?(?:바꿨|옮겼|변경|바뀌|갈아탔)"
        ),
    )


_ASIAN = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]")
_ASIAN_FIRM = re.compile(r"不对|错了|记错|说过|讲过|告诉过|忘了|不是这样|아니|틀렸|말했|잊었|잊어|얘기했|그게 아니")
_ASIAN_CLAUSE = re.compile(r"[，,。！!.;；](?=\s|[^\d\w]|[\u3400-\u9fff\uac00-\ud7af]|$)|\n")
_ASIAN_OPENING = re.compile(r"^(?:不|不对|不是|其实|对了|啊|哦|我说过|现在|아니요?|사실|참)+\s?")
_ASIAN_STATED = re.compile(
    r"^(?P<subject>[^是在叫]{0,30}?)(?:是|在|叫|改成|改到|换成|搬到)了?\s?(?P<value>[^了吗呢吧]{1,40})"
)
_KOREAN_VALUE = re.compile(r"^(?P<subject>)(?P<value>\S.{0,20}?)(?:이에요|예요|이야|야|입니다|에요)[.!]?$")
_KOREAN_STATED = re.compile(
    r"^(?P<subject>\S.{0,30}?(?:은|는|이|가)) (?P<value>[^\s].{0,30}?)"
    r"(?:이에요|예요|이야|야|입니다|이다|에요|임|으로 바뀌\S*|로 바뀌\S*)[.!]?$"
)

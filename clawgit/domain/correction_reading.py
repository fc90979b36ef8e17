"""What the operator sets right, read from his own words: the statement, the right value, and the wrong one if told."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.domain.correction_asian import asian, is_asian
from clawgit.domain.correction_clauses import clauses, main_clause, sentences, stands, without_talk
from clawgit.domain.correction_objection import Objection
from clawgit.domain.correction_phrases import stripped_of, without_tail
from clawgit.domain.correction_slots import content, holds, slots, verb_in
from clawgit.domain.correction_values import NAME, VERBS


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
    if is_asian(text) and (told := tuple(asian(text))):
        return Heard(told, any(one.firm for one in told))
    pieces = [piece for sentence in sentences(text) for piece in _pieces(sentence)]
    firm = any(piece.firm or _NOT_IT.match(piece.body) for piece in pieces)
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
    found = [(rank, at, _instead_of(one, pieces[:at])) for rank, at, one in found]
    if firm and found and not any(one.firm for _, _, one in found):
        found = [(rank, at, one._replace(firm=True)) for rank, at, one in found]
    found = [(rank, at, one._replace(changed=one.changed or firm)) for rank, at, one in found]
    ordered = tuple(one for _, _, one in sorted(found, key=lambda row: row[:2]))
    return Heard(ordered, firm, only_no=all(piece.no for piece in pieces if piece.firm))


def _instead_of(objection: Objection, before: list[_Piece]) -> Objection:
    """What takes the place of what was just said to be over: “I sold the Nikon, I've got a Fuji”."""
    if objection.wrong or not before:
        return objection
    over = next((told for piece in reversed(before) if (told := _GONE.search(piece.body))), None)
    if over is None or holds(objection.said, over["wrong"]):
        return objection
    return objection._replace(wrong=over["wrong"], changed=True)


def is_request(body: str) -> bool:
    """Whether something is to be done, now and once: no fact that could be remembered."""
    found = _REQUEST.match(body)
    verb = verb_in(body) if found and len(found[0].split()) == 1 else None
    return found is not None and not (verb and body[verb[0] : verb[1]].endswith("s") and verb[0] < _NOUN)


def predicate(statement: str) -> str:
    """What a statement says of its subject."""
    verb = verb_in(f" {statement}")
    return statement[max(verb[1] - 1, 0) :].strip() if verb else statement


def _pieces(sentence: str) -> Iterator[_Piece]:
    """A sentence as a whole; and where it says several things, each of them for itself, too."""
    whole = _piece(sentence)
    yield whole
    parts = [one.text for one in clauses(whole.body) if one.text.strip() and not one.text.startswith("not ")]
    for part in parts[: _MOST_CLAUSES if len(parts) > 1 else 0]:
        clause = _piece(part)
        if clause.body and (_PRONOUN.match(clause.body) or verb_in(f" {clause.body}") or _is_value(clause.body)):
            yield clause._replace(
                firm=whole.firm or clause.firm, soft=whole.soft, asks=whole.asks, no=whole.no, around=whole.body
            )


def _is_value(body: str) -> bool:
    return len(body.split()) <= _LONGEST_FRAGMENT and any(slot.kind != NAME for slot in slots(body))


def _piece(sentence: str) -> _Piece:
    """Takes the openings off, in whatever order they come."""
    body, firm, soft = _SLANG.sub(lambda found: _SHORT_FORMS[found[0].lower()], sentence), False, False
    if _ORDERED.search(body):
        return _Piece("", firm=False, soft=False, asks=False)
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
    if _WOULD.match(body):
        return _Piece("", firm=False, soft=False, asks=False)
    stated = without_talk(body)
    bare_body = without_tail(stated.text)
    talked = stated.firm or _TALKED.search(stated.text[len(bare_body) :]) is not None
    firm, no = firm or talked, no and not talked
    bare_body = bare_body.strip(" \t\n,;:—–-…")
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
    told = None if _NOT_BUT.search(body) else _stated(main_clause(body), firm=firm)
    return told._replace(changed=piece.soft or _SINCE.search(body) is not None, around=piece.around) if told else None


def _denied(body: str) -> Objection | None:  # noqa: PLR0911 - one guard clause for each way to say it
    """“The office isn't in Paris, it's in Berlin”, “it's not Paris but Berlin”, “not Paris, Berlin”."""
    found = _DENIED.match(body)
    if found is None:
        return None
    subject, verb, wrong, value = (found[name] or "" for name in ("subject", "verb", "wrong", "value"))
    wrong = _ANY_MORE.sub("", wrong)
    if other := _INSTEAD.fullmatch(value):
        return Objection(f"{other[1]} {other[2]} {wrong}", other[1], subject, firm=True, whole=True)
    wrong = _of_like(wrong, value)
    if verb and verb.lower() in ("do", "does", "did"):
        subject = ""
    if _DOES.match(value) and not _PRONOUN_IS.match(value):
        return None
    if _SPEAKS.match(value) and verb_in(f" {value}"):
        return Objection(value, predicate(value), wrong, firm=True, whole=True)
    led = _PRONOUN.match(value)
    value = _NOW.sub("", value[led.end() :] if led else value)
    if not subject and verb and (stands(value) or len(value.split()) > _LONGEST_FRAGMENT):
        return None
    if subject and verb and not _IS_PRONOUN.fullmatch(subject):
        return Objection(f"{subject} {_FULL.get(verb.lower(), verb)} {value}", value, wrong, firm=True, whole=True)
    return Objection(value, value, wrong, firm=True)


def _of_like(wrong: str, value: str) -> str:
    """Of what is denied, the one value that is like the right one: `Tuesdays` of “go out on Tuesdays”."""
    first = wrong.split(" ", 1)
    if len(first) == len("ab") and first[0].lower() in value.lower().split():
        wrong = first[1]
    kinds = {slot.kind for slot in slots(value)}
    like = [slot.text for slot in slots(wrong) if slot.kind in kinds]
    return like[0] if len(like) == 1 and verb_in(f"x {wrong}") else wrong


def _contrasted(body: str) -> Objection | None:
    """“It's Berlin, not Paris”, “520k instead of 480k”."""
    found = _CONTRASTED.match(body)
    if found is None:
        return None
    said, wrong = found["said"].strip(" ,"), _ANY_MORE.sub("", found["wrong"].strip())
    last = clauses(said)[-1].text
    said = last if last and (_PRONOUN.match(last) or verb_in(f" {last}")) else said
    told = _stated(said, firm=False)
    led = _PRONOUN.match(wrong)
    return told._replace(wrong=wrong[led.end() :] if led else wrong) if told else None


def _turned(body: str) -> Objection | None:
    """“We moved from Heroku to Hetzner”, “I changed the meeting to Thursday”, “we switched to Postgres”."""
    found = _TURNED.match(body)
    if found is None:
        return None
    who, verb, what, wrong, value = (found[name] or "" for name in ("who", "verb", "what", "wrong", "value"))
    if verb.lower() == "renamed" and _OUR.match(what):
        return Objection(f"{what} is {value}", value, wrong, whole=True)
    if verb.lower() == "renamed":
        wrong = wrong or what
    if _IS_PRONOUN.fullmatch(what.strip()) or what.strip().lower() in ("them", "him", "her", "everything", "all"):
        who = "it"
    if wrong:
        body = body.replace(f" from {wrong}", "", 1)
    whole = not _IS_PRONOUN.fullmatch(who.strip()) and not (who.strip().lower() in ("i", "we") and not what)
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
    if (
        found is None
        or verb_in(f" {found['subject']}")
        or verb_in(f" {found['value']}")
        or not any(slot.kind != NAME for slot in slots(found["value"]))
    ):
        return None
    return Objection(f"{found['subject']} is {found['value']}", found["value"], whole=True)


def _stated(body: str, *, firm: bool) -> Objection | None:  # noqa: PLR0911 - one guard clause for each way to say it
    """A plain statement, or no more than its value."""
    body = _SPELLED.sub("", _NOW.sub("", body)).strip(" ,")
    if _IS_NOT.match(body):
        return None
    led = _PRONOUN.match(body)
    if led:
        value = body[led.end() :].strip()
        return Objection(body, value, firm=firm) if value else None
    if inverted := _INVERTED.fullmatch(body):
        return Objection(f"{inverted['role']} is {inverted['name']}", inverted["name"], firm=firm, whole=True)
    if verb_in(f" {body}"):
        return Objection(body, predicate(body), firm=firm, whole=_SOMEBODY.match(body) is None)
    if (spoken := _SPOKEN.match(body)) and content(body[spoken.end() :]):
        return Objection(body, body[spoken.end() :], firm=firm, whole=True)
    if short := _SHORT_IS.fullmatch(body):
        return Objection(f"{short['name']} is {short['value']}", short["value"], firm=firm, whole=True)
    if len(body.split()) > _LONGEST_FRAGMENT and not firm:
        return None
    return Objection(body, body, firm=firm, whole=firm and _RULE.match(body) is not None)


def _sentence(body: str) -> str:
    return " ".join(body.split())


_LONGEST = 4000
"""Characters of a message that are read: who sets something right says it soon."""

_LONGEST_FRAGMENT, _MOST_CLAUSES, _NOUN = 8, 6, 24
_SHORT_FORMS = {
    "u": "you", "ur": "your", "im": "I'm", "thats": "that's", "its": "it's", "isnt": "isn't", "dont": "don't",
    "ive": "I've", "youre": "you're", "arent": "aren't", "wasnt": "wasn't", "doesnt": "doesn't", "whats": "what's",
    "r": "are",
}  # fmt: skip
_SLANG = re.compile(rf"(?<![\w'./-])(?:{'|'.join(_SHORT_FORMS)})(?![\w'./-])", re.IGNORECASE)

_NO = re.compile(r"\A(?:(?:no+|nope|nah)(?![\w'])[\s,;:.!—–-]*)+", re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?:(?:it|that|this|he|she|they|these|those|there)(?:'(?:s|re|ll be)| (?:is|are|was|were|will be|has been"
    r"|should be|should have been|must be))"
    r"|it|he|she|they)(?: (?:now|actually|really|supposed to be|called|always))*(?: |$)(?=\S)",
    re.IGNORECASE,
)
_IS_PRONOUN = re.compile(r"(?:it|that|this|he|she|they|these|those|there|you)(?:['’]s|['’]re)?", re.IGNORECASE)
_SOMEBODY = re.compile(r"(?:it|that|this|he|she|they|these|those|there|his|her|their|its)\b", re.IGNORECASE)
_FULL = {"isn": "is", "aren": "are", "wasn": "was", "weren": "were", "'s": "is", "'re": "are", "'m": "am"}
_BE = r"is|are|was|were|isn|aren|wasn|weren|'s|'re|'m|am|do|does|did"
_DENIED = re.compile(
    rf"(?:(?P<subject>[^,;]{{1,80}}?)(?: |(?='))(?P<verb>{_BE})(?:n't|'t| not) |(?:definitely "
    rf"|certainly )?not )(?P<wrong>[^,;.]{{1,60}}?)"
    r"(?:[,;.—–-]+ ?(?:but |rather )?| but (?:rather )?)(?P<value>\S.*)$",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(
    r"(?P<said>\S.{0,200}?)(?:(?:,| and| –| —| -|\(|(?<!\s)(?<!'[sm])(?<!'re)(?<!\b(?:is|it|do|am|or|if"
    r"|so))(?<!\b(?:are|was|did|can|has|had"
    r"|may|why))(?<!\b(?:does|were|will|have"
    r"|must))(?<!\b(?:could|would|might))(?<!should)) ?(?P<not>not|never)(?: (?:in|on|at|the))? |,? (?:instead of"
    r"|rather than|in place of|and no longer"
    r"|no longer) )(?P<wrong>(?:(?! but )[^,;()]){1,60}?)\)?(?:[,;].*| anymore| any more)?$",
    re.IGNORECASE,
)
_TURNED = re.compile(
    r"(?P<who>[^,;]{1,60}? )?(?:'ve |have |has |just |recently |finally |got |was |were |been )*(?P<verb>moved"
    r"|transferred|switched|changed|migrated|went over"
    r"|updated|renamed|upgraded|relocated|swapped|postponed|rescheduled|pushed(?: back)?)(?: (?P<what>(?!from |to "
    r"|for |over |out "
    r"|away |back )[^,;]{1,50}?))?"
    r"(?: over| away| out| back)?(?: from (?P<wrong>[^,;]{1,40}?))? (?:to|for) (?P<value>[^,;]{1,80})(?:[,;].*)?$",
    re.IGNORECASE,
)
_UPDATED = re.compile(
    r"(?P<subject>[^,;]{2,60}?) (?:has |have |just |got |was |were )*(?:moved|changed|went up|went down"
    r"|is wrong|are wrong|is off|is outdated|isn't right|is not right|is different|are different|is new|renamed"
    r"|raised|lowered|fixed|updated)"
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
    r",?\s(?:(?:spelled|spelt|written)(?= (?:with|as|like|without|(?-i:[A-Z])))|with (?:an?|one|two|double|no"
    r"|just one|only one) ['\"“]?\w{1,6}['\"”]?$"
    r"|without (?:an?|the) ['\"“]?\w['\"”]?$|with (?:an? )?['\"“]?\w['\"”]? at .*).*$",
    re.IGNORECASE,
)
_NOW = re.compile(r"(?:,? (?:now|nowadays|these days|by now))+$|^now,? ", re.IGNORECASE)
_CLEFT = re.compile(r"^(?:it|that)(?:'s| is| was) ([^,]{2,40}?) who (.+)$", re.IGNORECASE)
_ANY_MORE = re.compile(r"(?: (?:any ?more|any longer|now|these days))+$", re.IGNORECASE)
_INSTEAD = re.compile(r"(?:it's )?(\S+(?: \S+){0,3}?) (is|are|does|do|has|will)", re.IGNORECASE)
_SPEAKS = re.compile(r"(?:i|we|my|our)\b", re.IGNORECASE)
_ORDERED = re.compile(
    r"\b(?:i|we)(?:'ve| have| had)?(?: already| just)? (?:told|asked) you (?:not )?to (?!always|never|only)",
    re.IGNORECASE,
)
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
_SPOKEN = re.compile(r"(?:i|we) (?:just |now |always )?[a-z]+ (?=\S)", re.IGNORECASE)
_INVERTED = re.compile(
    r"(?P<name>(?!(?:my|our|the|this|that|it|he|she|they|i|we|there|in|on|at|a|an)\b)\S+(?: \S+){0,2}?)"
    r"(?: (?:is|are|has been|has become|became)|'s)(?: now)? (?P<role>(?:my|our|his|her|their) [^,;]+?(?<!['’]s))"
    r"(?: since [^,;]+)?",
    re.IGNORECASE,
)
_TALKED = re.compile(r"told|said|mentioned|wrong|outdated|\bold\b", re.IGNORECASE)
_IS_NOT = re.compile(r"(?:it|that|this|he|she|they)(?:['’]s| is| are| was)?(?: not|n['’]t)\b", re.IGNORECASE)
_NOT_IT = re.compile(r"not [^,]{1,40},", re.IGNORECASE)
_DOES = re.compile(r"(?:he|she|it|they) ", re.IGNORECASE)
_PRONOUN_IS = re.compile(r"(?:he|she|it|they) (?:is|are|will|has|have|was|lives?|uses?|works?)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:now|nowadays|these days|since|as of|any ?more|no longer|recently)\b", re.IGNORECASE)
_OUR = re.compile(r"(?:the|our|my|his|her|their) ", re.IGNORECASE)
_SHORT_IS = re.compile(r"(?P<name>(?:the |our |my )?[A-Za-z]\w*(?: \w+)?)['’]s (?P<value>[^,;]+)", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:sold|cancell?ed|stopped(?: using| going to| doing)?|quit|gave up|got rid of|dropped|(?:don't|do not) use)"
    r" (?:the |my |our )?(?P<wrong>(?!out\b|off\b|by\b)[^,;.]{2,30}?)(?: (?:any ?more|last .*|in .*|a .*))?$",
    re.IGNORECASE,
)
_WOULD = re.compile(r"(?:it |that |this )?(?:would|could|might) be\b", re.IGNORECASE)
_STATES = re.compile(rf"\b(?:i'm|{VERBS})\b|'(?:s|re|m)\b", re.IGNORECASE)

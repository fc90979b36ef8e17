"""The forms of a statement that sets something right: “not X but Y”, “we moved from X to Y”, “the port is Y”."""

import re

from clawgit.domain.correction_clauses import clauses, stands
from clawgit.domain.correction_objection import Objection
from clawgit.domain.correction_people import is_person
from clawgit.domain.correction_slots import content, slots, verb_in
from clawgit.domain.correction_values import NAME


def contrast(body: str) -> Objection | None:
    """A statement that tells by its form what was otherwise, or is so now."""
    readers = (_denied, _replaced, _contrasted, _turned, _updated, _chosen, _filled, _labelled)
    return next((told for reader in readers if (told := reader(body))), None)


def opens_with_pronoun(body: str) -> bool:
    """Whether a statement is of it, him or them."""
    return _PRONOUN.match(body) is not None


def is_rule(body: str) -> bool:
    """“Never on Sundays”, “only by train”: what begins like a denial, and is the rule itself."""
    return _RULE.match(body) is not None


def predicate(statement: str) -> str:
    """What a statement says of its subject."""
    verb = verb_in(f" {statement}")
    return statement[max(verb[1] - 1, 0) :].strip() if verb else statement


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
    value = _NEVER.sub("", value)
    if _SPEAKS.match(value) and verb_in(f" {value}"):
        return Objection(value, predicate(value), wrong, firm=True, whole=True)
    led = _PRONOUN.match(value)
    value = _NOW.sub("", value[led.end() :] if led else value)
    if not subject and verb and (stands(value) or len(value.split()) > _LONGEST_FRAGMENT):
        return None
    if subject and not led and stands(value):
        return Objection(value, predicate(value), wrong, firm=True, whole=True)
    if subject and verb and not _IS_PRONOUN.fullmatch(subject):
        return Objection(f"{subject} {_FULL.get(verb.lower(), verb)} {value}", value, wrong, firm=True, whole=True)
    return Objection(value, value, wrong, firm=True)


def _replaced(body: str) -> Objection | None:
    """“Fuji took its place”, “Carla takes over from Ben”, “the fax was replaced by e-mail”."""
    found = next((told for form in _REPLACED if (told := form.match(body))), None)
    if found is None:
        return None
    wrong = found.groupdict().get("wrong") or ""
    return Objection(found["value"], found["value"], "" if _IS_PRONOUN.fullmatch(wrong) else wrong)


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
    told = stated(said, firm=False)
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


def _chosen(body: str) -> Objection | None:
    """“We settled on 0.45 after the test”, “we went with green for the logo”."""
    found = _CHOSEN.fullmatch(body)
    if found is None:
        return None
    value = found["value"].strip()
    matter = "" if is_person(value) else found["matter"] or ""
    said = f"{matter} is {value}" if matter else value
    return Objection(said, value, whole=bool(matter), firm=False)


def _filled(body: str) -> Objection | None:
    """“They have a new accountant, Annika”."""
    found = _FILLED.search(body)
    return Objection(f"the {found['role']} is {found['name']}", found["name"], whole=True) if found else None


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


def stated(body: str, *, firm: bool) -> Objection | None:  # noqa: PLR0911 - one guard clause for each way to say it
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
        said = predicate(body) or body
        of_it = _OF_IT.match(said)
        value = said[of_it.end() :] if of_it else said
        return Objection(body, value, firm=firm, whole=not of_it and _SOMEBODY.match(body) is None)
    if (spoken := _SPOKEN.match(body)) and content(body[spoken.end() :]):
        return Objection(body, body[spoken.end() :], firm=firm, whole=True)
    if short := _SHORT_IS.fullmatch(body):
        return Objection(f"{short['name']} is {short['value']}", short["value"], firm=firm, whole=True)
    if len(body.split()) > _LONGEST_FRAGMENT and not firm:
        return None
    return Objection(body, body, firm=firm, whole=firm and _RULE.match(body) is not None)


def _sentence(body: str) -> str:
    return " ".join(body.split())


_LONGEST_FRAGMENT = 8
_PRONOUN = re.compile(
    r"(?:(?:it|that|this|he|she|they|these|those|there)(?:'(?:s|re|ll be)| (?:is|are|was|were|will be|has been"
    r"|should be|should have been|must be))"
    r"|it|he|she|they)(?: (?:now|actually|really|supposed to be|called|always))*(?: |$)(?=\S)",
    re.IGNORECASE,
)
_IS_PRONOUN = re.compile(r"(?:it|that|this|he|she|they|these|those|there|you)(?:['’]s|['’]re)?", re.IGNORECASE)
_SOMEBODY = re.compile(r"(?:it|that|this|he|she|they|these|those|there|his|her|their|its)\b", re.IGNORECASE)
_OF_IT = re.compile(r"(?:it|them) (?=\S)", re.IGNORECASE)
_FULL = {"isn": "is", "aren": "are", "wasn": "was", "weren": "were", "'s": "is", "'re": "are", "'m": "am"}
_BE = r"is|are|was|were|isn|aren|wasn|weren|'s|'re|'m|am|do|does|did"
_DENIED = re.compile(
    rf"(?:(?P<subject>[^,;]{{1,80}}?)(?: |(?='))(?P<verb>{_BE})(?:n't|'t| not) |(?:definitely "
    rf"|certainly )?not )(?P<wrong>(?:[^,;.]|(?<=\bMr)\.|(?<=\bMrs)\.|(?<=\bMs)\.|(?<=\bDr)\.){{1,60}}?)"
    r"(?:(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?:[,;.—–]|(?<!\w)-)+ ?(?:but |rather )?"
    r"| but (?:rather )?)(?P<value>\S.*)$",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(
    r"(?P<said>\S.{0,200}?)(?:(?:,| and| –| —| -|\(|(?<!\s)(?<!'[sm])(?<!'re)(?<!\b(?:is|it|do|am|or|if"
    r"|so))(?<!\b(?:are|was|did|can|has|had"
    r"|may|why))(?<!\b(?:does|were|will|have"
    r"|must))(?<!\b(?:could|would|might))(?<!should)) ?(?P<not>not|never)(?: (?:in|on|at|the))? |,? (?:instead of"
    r"|rather than|in place of|and no (?:longer|more)(?: (?:in|on|at))?"
    r"|no longer) )(?P<wrong>(?:(?! but )[^,;()]){1,60}?)\)?(?:[,;].*| anymore| any more)?$",
    re.IGNORECASE,
)
_REPLACED = (
    re.compile(
        r"(?P<value>[^,;:]{2,40}?) (?:has |have |will |is |are )*(?:(?:took|taken?|takes|taking) (?:it['’]?s|his"
        r"|her|their|the)"
        r" place|(?:took|taken?|takes|taking) over|(?:stands?|steps?|stood|stepped|filled|fills) in)(?: (?:of|from|for)"
        r" (?P<wrong>[^,;]{2,40}?))?(?: (?:since|in|on|now|from) .*)?$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<value>[^,;:]{2,40}?) (?:has |have |will )?(?:replaced?|replaces|supersede[sd]?) (?P<wrong>[^,;]{2,40}?)"
        r"(?: (?:since|in|on|now|from) .*)?$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<wrong>[^,;:]{2,40}?) (?:is|are|was|were|has been|have been|got) replaced (?:by"
        r"|with) (?P<value>[^,;]{2,40})",
        re.IGNORECASE,
    ),
)
_TURNED = re.compile(
    r"(?P<who>[^,;]{1,60}? )?(?:'ve |have |has |just |recently |finally |got |was |were |been )*(?P<verb>moved"
    r"|transferred|switched|changed|migrated|went over"
    r"|raised|lowered|increased|reduced|extended|shortened|bumped|updated|renamed|upgraded|relocated|swapped"
    r"|postponed|rescheduled|put|pushed(?: back)?)"
    r"(?: (?P<what>(?!from |to "
    r"|for |over |out "
    r"|away |back )[^,;]{1,50}?))?"
    r"(?: over| away| out| back| up| down)?(?: from (?P<wrong>(?:[^,;]|(?<=[0-9]),(?=[0-9])){1,40}?))?"
    r" (?:to|for) (?P<value>(?:[^,;]|(?<=[0-9]),(?=[0-9])){1,80})(?:[,;].*)?$",
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
_CHOSEN = re.compile(
    r"(?:we|i)(?:['’]ve| have|['’]d| had)?(?: already| finally| just| all)* (?:settled on|went with|gone with"
    r"|decided on|agreed on|opted for|ended up with|landed on) (?P<value>(?!it\b|that\b|this\b|them\b)[^,;]{1,40}?)"
    r"(?: (?:after|since|because|when|in the end|last|back in|in (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december)) ?.*| for (?P<matter>(?:the|our|my) [^,;]{2,40}))?",
    re.IGNORECASE,
)
_FILLED = re.compile(
    r"\b(?:we|they|i|he|she|(?-i:[A-Z]\w+))(?:['’]ve|['’]s| have| has)(?: got)? an? new (?P<role>[a-z][^,;:]{2,30})"
    r"(?:,|:| called) (?P<name>(?:(?:Dr|Mrs?|Ms|Prof)\. )?(?-i:[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*))(?=,|;|$| now\b)",
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
_ANY_MORE = re.compile(r"(?: (?:any ?more|any longer|now|these days))+$", re.IGNORECASE)
_INSTEAD = re.compile(r"(?:it's )?(\S+(?: \S+){0,3}?) (is|are|does|do|has|will)", re.IGNORECASE)
_SPEAKS = re.compile(r"(?:i|we|my|our)\b", re.IGNORECASE)
_RULE = re.compile(r"(?:no|never|always|only|don't|do not) (?:\S+ ){1,12}\S+$", re.IGNORECASE)
_SPOKEN = re.compile(r"(?:i|we) (?:just |now |always )?[a-z]+ (?=\S)", re.IGNORECASE)
_INVERTED = re.compile(
    r"(?P<name>(?!(?:my|our|the|this|that|it|he|she|they|i|we|there|in|on|at|a|an)\b)\S+(?: \S+){0,2}?)"
    r"(?: (?:is|are|has been|has become|became)|'s)(?: now)? (?P<role>(?:my|our|his|her|their) [^,;]+?(?<!['’]s))"
    r"(?: since [^,;]+)?",
    re.IGNORECASE,
)
_IS_NOT = re.compile(r"(?:it|that|this|he|she|they)(?:['’]s|['’]re| is| are| was)?(?: not|n['’]t)\b", re.IGNORECASE)
_NEVER = re.compile(r"^(?:never|not ever|no)(?:, | )(?=i |we )", re.IGNORECASE)
_DOES = re.compile(r"(?:he|she|it|they) ", re.IGNORECASE)
_PRONOUN_IS = re.compile(r"(?:he|she|it|they) (?:is|are|will|has|have|was|lives?|uses?|works?)\b", re.IGNORECASE)
_OUR = re.compile(r"(?:the|our|my|his|her|their) ", re.IGNORECASE)
_SHORT_IS = re.compile(r"(?P<name>(?:the |our |my )?[A-Za-z]\w*(?: \w+)?)['’]s (?P<value>[^,;]+)", re.IGNORECASE)

"""Clauses that only judge what was said: “that count's not right”, “bad number”, “you did not understand”."""

import re


def is_verdict(clause: str) -> bool:
    """Whether a clause says that something is wrong, and nothing of what is right."""
    return len(clause) <= _LONGEST and any(form.fullmatch(clause) for form in _FORMS)


_LONGEST = 160
_LEAD = r"(?:(?:and|but|so|well|o+h|a+h|er+m?|u+m+|hm+|no+|nope|nah|sorry|wait|i (?:think|guess|believe|fear))[, ]+)*"
_ABOUT = (
    r"(?: (?:again|now|then|there|here|though|either|any ?more|alas|sadly|at all|i'm afraid|by the way|o|mate|man"
    r"|(?:about|on|of|in|with|for) (?:the |that |this |my |our |your |his |her )?[\w'’-]+(?: [\w'’-]+){0,3}))*[\s.!…,]*"
)
_VERY = (
    r"(?:\s(?:just|still|all|so|quite|really|totally|completely|simply|plain|a bit|way|slightly|even|even close to))*"
)
_BE = r"(?:\s(?:is|are|was|were|looks|look|seems|sounds)|['’]s|['’]re|s(?= not))"
_FALSE = (
    r"(?:wrong|incorrect|inaccurate|untrue|false|mistaken|off|astray|outdated|out of date|obsolete|stale|nonsense"
    r"|rubbish|not (?:quite |really |even )?(?:right|correct|true|accurate|so|it|(?:the (?:right )?one)|him|her|them"
    r"|how it is"
    r"|what (?:i|we|you|he|she|they) \w+(?: \w+){0,2}))"
)
_JUDGED = re.compile(
    rf"{_LEAD}(?:[\w'’-]+ ){{0,9}}?(?:[\w-]+)(?:{_BE}{_VERY}\s{_FALSE}"
    rf"|(?:\s(?:is|are|was|were|does|do)|s)n['’]?t{_VERY} (?:right|correct|true|accurate|it|add up|look right)"
    rf"|\s(?:can(?:['’]?t|not)|couldn['’]?t) be{_VERY} (?:right|correct|true|accurate)"
    rf"|\s(?:has|have) (?:an? )?(?:error|mistake)s?(?: in (?:it|them))?){_ABOUT}",
    re.IGNORECASE,
)
_EXCLAIMED = re.compile(
    rf"{_LEAD}(?:(?:wrong|incorrect|untrue|false|mistaken|not (?:right|correct|true|so))(?: again)?"
    rf"|(?:bad|wrong|old) (?:number|count|date|figure|address|name|day|one|info(?:rmation)?)){_ABOUT}",
    re.IGNORECASE,
)
_MISSED = re.compile(
    rf"{_LEAD}(?:you|u)(?:['’](?:ve|re)| have| are)?(?: \w+ly| just| still)? (?:(?:did not|didn['’]?t|do not|don['’]?t)"
    r" (?:understand|listen|get)|misunderst\w+|misheard|misread|confused?|mixing|mixed)"
    rf"(?: (?:it|that|this|them|me|things|something))?(?: up)?{_ABOUT}",
    re.IGNORECASE,
)
_THERE = re.compile(
    rf"{_LEAD}(?:there(?:['’]?s| is| are)|i see|you have|you['’]ve got) (?:something|some things|an? (?:error"
    rf"|mistake|slip)"
    rf"|mistakes|errors)(?: (?:wrong|off|astray|amiss|not right))?{_ABOUT}",
    re.IGNORECASE,
)
_DOUBTED = re.compile(
    rf"{_LEAD}(?:i|we) (?:do not|don['’]?t|can['’]?t|cannot) (?:believe|buy|trust|recognise|recognize) (?:that|this|it)"
    rf"(?: [\w'’-]+){{0,3}}{_ABOUT}",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    rf"{_LEAD}(?:you|u)(?:['’]ve| have)? (?:written|wrote|got|put|noted|entered|typed|spelled|spelt|copied|counted"
    rf"|read)"
    rf"(?: [\w'’-]+){{0,6}} (?:wrong|wrongly|incorrectly|badly){_ABOUT}",
    re.IGNORECASE,
)
_FORMS = (_JUDGED, _EXCLAIMED, _MISSED, _THERE, _DOUBTED, _WRITTEN)

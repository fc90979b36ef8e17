"""Denials and reproaches that people use to correct an agent, besides those of the specification.

The words alone are not enough: a denial opens its sentence, or it judges a statement. Whether it
answers a question is for the agent to see.
"""

from clawgit.domain.conversation.triage_rules import (
    LETS_BE,
    RECALL_FAILURE,
    SOFT_CORRECTION,
    Friend,
    TriageRule,
)

_CALLS = (
    r"(?:and|but|so|well|o+h|a+h|eh|er+m?|u+m+|uh|hm+|hey|ha+|sorry|wait|look|listen|dude|man|mate|love|ok(?:ay)?"
    r"|yes|yeah|right|please|honestly|forgive me|hold on|hang on|hello|hi|actually|nope?|nah)"
)
_INSIDE = Friend("does not open its sentence", rf"^(?!\W*(?:{_CALLS}\W+)*⟦)")
_SIGH = Friend(
    "is a sigh",
    r"\b(?:oh|ah|omg|ugh|argh|damn|god|wow|aww?|dear),? ⟦no⟧(?! (?:you|that|he|she|they)\b)",
)
_COUNTS = Friend(
    "only says that there is none",
    r"⟦no⟧ "
    r"(?!(?:i|he|she|it|we|you|they|that|this|these|those|there|the|an?|my|our|your|his|her|their|not|in|on|at|by"
    r"|for|from|since|only|wrong|again|\d)(?![\w-]))",
)
_JUDGES_OTHERS = Friend(
    "judges no statement", r"\b(?:i|he|she|they|we|who|what|which|whether)\b(?:'\w+)? ?⟦"
)
_JUDGES_NONE = Friend(
    "denies it",
    r"\b(?:nothing|something|everything|anything|somebody|what|don't|dont|doesn't|didn't|nobody|no one|not|never)\b"
    r"[^⟦,;]{0,30}⟦",
)
_OF_A_THING = Friend("speaks of a trouble", r"⟧ (?:with|for (?:me|us|you)|side|way|to\b)")
_REFERS = Friend(
    "only refers to it",
    r"\b(?:what|whatever|everything|anything|all|things?|(?:the|that|those) \w+) ⟦",
)
_ASKS = Friend(
    "asks", r"\b(?:have|had|did|if|when|whether|maybe|not sure) ⟦|^\W*⟦[^⟧]*⟧[^?]{0,60}\?\W*$"
)
_STORY = Friend(
    "tells a story", r"⟧ (?:an?|the|what|how|who|why|where|all|everything|to|so\b(?!\W*$))\b"
)
_NOT_RIGHT = r"(right|correct|true|accurate)"
_WRONG = r"(wrong|incorrect|inaccurate|mistaken|outdated|out of date)"
_TOLD = (_REFERS, _ASKS, _STORY)
_MIXED = (Friend("asks", r"\b(?:if|when|whether|sure|unless|did|do|have) ⟦"), _REFERS)


def _denial(pattern: str, cues: str, *friends: Friend, kind: str = SOFT_CORRECTION) -> TriageRule:
    return TriageRule(kind, pattern, tuple(cues.split("|")), friends)


DENIALS = (
    _denial(
        "(?<![./@-])(no|nope|nah|naw)(?![/.]\\w)", "no|nah|naw", _INSIDE, _SIGH, _COUNTS, LETS_BE
    ),
    _denial(
        "(wrong|incorrect|untrue|not (?:true|correct)|not right(?! now| away))",
        "wrong|correct|true|right",
        _INSIDE,
        _OF_A_THING,
    ),
    _denial(
        rf"(is|are|was|were)(n't| not) (quite |really |even )?{_NOT_RIGHT}",
        "right|correct|true|accurate",
        _JUDGES_OTHERS,
        _JUDGES_NONE,
        _OF_A_THING,
    ),
    _denial(
        rf"\w+'s not (quite |really |even )?{_NOT_RIGHT}",
        "right|correct|true|accurate",
        Friend("judges no statement", r"⟦(?:he|she|who|what)'?s\b"),
        _OF_A_THING,
    ),
    _denial(rf"(can't|cannot|couldn't) be {_NOT_RIGHT}", "be right|be correct|be true|be accurate"),
    _denial(
        rf"(is|are|was|were) (all |just |still |so |completely |totally )?{_WRONG}",
        "wrong|correct|accurate|mistaken|date",
        _JUDGES_OTHERS,
        _JUDGES_NONE,
        _OF_A_THING,
    ),
    _denial(
        r"(that|this|number|count|figure|total|sum|date|time|price|amount)('s| is) (way |a bit "
        r"|slightly )?off(?= ?\W|$)",
        "off",
        Friend("speaks of a trouble", r"⟧ (?:with|to|limits|the)\b"),
    ),
    _denial("that's not what (i|we) (said|agreed|settled|meant|told|decided)", "not what"),
    _denial(
        "i (don't|can't) (believe|trust|buy) (that|this|the) "
        "(number|count|figure|date|price|total|amount)",
        "i ",
    ),
    _denial(
        r"you('ve| have)? (written|wrote|got|put|noted|entered|copied|counted|spelled) ([\w-]+ "
        r"){1,6}(wrong|wrongly)",
        "wrong",
        *_MIXED,
    ),
    _denial("bad (number|count|figure|date|address|info)", "bad", _INSIDE),
    _denial(
        r"you('ve| have|'re| are)? (just |still |always |again "
        r")?(misunderstood|misheard|misread|misremember(ed)?"
        r"|mixed|mixing|confused|confusing|(did not|didn't|don't) (understand|listen|get "
        r"(it|that|me)))",
        "mis|mix|confus|understand|listen|get",
        *_MIXED,
    ),
    _denial(
        r"you('ve| have)? (got|have|had|keep getting) "
        r"(it|this|that|them|him|her|(the|my|our|his|her|their) \w+)"
        r" (all )?(wrong|mixed up|backwards|muddled)",
        "wrong|mixed|backwards|muddled",
        *_MIXED,
    ),
    _denial(
        "(i told (you|u|ya)|i('ve| have| did) (told|tell) (you|u|ya)|i did (say|mention))",
        "told|tell|did say|did mention",
        *_TOLD,
        kind=RECALL_FAILURE,
    ),
    _denial("(did i not|didn't i) (say|tell|mention)", "say|tell|mention", kind=RECALL_FAILURE),
    _denial("(we|we've|we have) (already )?been (over|through) this", "been", kind=RECALL_FAILURE),
    _denial(
        "[\u3400-\u9fff]{0,30}(不对|错了|记错|搞错|不是这样|告诉过你|跟你说过)[\u3400-\u9fff]{0,30}",
        "不对|错了|记错|搞错|不是这样|告诉过你|跟你说过",
        Friend("asks", r"对不对|⟧[^。！!.]{0,20}[?？吗]"),
        Friend("owns up to a slip", r"⟦我(?:搞|弄|记)?错"),
    ),
    _denial(
        r"([^\s,.!?]{0,12}(틀렸|라고 했잖|말했잖|잘못 (알|기억))[^\s,.!?]{0,12}|아니야?(?=,))",
        "틀렸|했잖|잘못|아니",
        Friend("owns up to a slip", r"(?:제가|내가) ⟦"),
    ),
)
"""Tried after the phrases of the specification."""

"""What triage looks for: the phrases that call an agent, and the false friends of each, as data.

A pattern is written as the specification has it. A false friend is a sentence that has the words
and not the meaning. It is tried on the sentence around a match, in which the match stands between
⟦ and ⟧.
"""

import re

from clawgit.core import NamedTuple

MEMORY = "memory"
RECALL_FAILURE = "recall_failure"
SOFT_CORRECTION = "soft_correction"
MINER = "memory-miner"
VALIDATOR = "recall-validator"

ROUTES = {MEMORY: MINER, RECALL_FAILURE: VALIDATOR, SOFT_CORRECTION: VALIDATOR}
CONFIDENCES: dict[str, str | None] = {
    MEMORY: None,
    RECALL_FAILURE: "high",
    SOFT_CORRECTION: "medium",
}


class TriageRule(NamedTuple):
    """`pattern` is tried only where one of the cues stands in the text, so that most are never
    compiled.
    """

    kind: str
    pattern: str
    cues: tuple[str, ...]
    friends: tuple[str, ...]


def expression(pattern: str) -> str:
    """The regular expression of a rule: whole words, any blanks between them, an apostrophe or
    none.
    """
    loose = pattern.replace("'", "'?").replace("{1,30}", "{1,30}?").replace(" ", " {1,3}")
    return rf"(?<!\w)(?:{loose})(?!(?<=\w)\w)"


_VERY = """(?:(?:all|really|quite|pretty|very|so|too|totally|perfectly|just|even|still|much|also|a|an|not|already|the
|getting|almost|nearly|about) ){0,3}"""
_GOOD = """(?:fine|ok|okay|alright|all right|good|great|nice|cool|perfect|brilliant|wonderful|lovely|excellent|better
|best|right|correct|true|fair|enough|amazing|awesome|helpful|useful|clever|bad|a problem|necessary|needed|important)"""
_CLOSED = r"""(?=\W*$|[.!?,;:)]| (?:thanks|thank|thx|cheers|like this|like that|this way|that way|as is|as it is|for me
|for now|at all|for us|for today|with me|by me|to me|from me|enough|idea|point|question|too|already|then|now
|so far)\b)"""

_SUPPOSED = (
    r"\b(?:if|unless|whether|in case|suppose|supposing|assuming|imagine|provided)(?: that| maybe| "
    r"perhaps)?,? ⟦"
)
_ASKED = r"""^(?!.*\b(?:can|could|will|would) you (?:please |always |kindly )?⟦)
    \W*(?:(?:and|but|so|or|ok|hey|hi|well|then)\W+)?(?:is|are|was|were|am|do|does|did|have|has|had|can|could
    |would|should|shall|may|might|what|who|whom|whose|which|where|when|why|how|in how)\b
    [^⟦]*⟦[^⟧]*⟧[^?]*\?"""
_TWO_SENTENCES = r"⟦[^⟧]*(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)(?<!\bst)(?<!\bno)[.!?;…] [^⟧]*⟧"

_COMMON = (_SUPPOSED, _ASKED, _TWO_SENTENCES)
"""The false friends of all rules."""

_REMEMBER = (
    r"""\b(?:i|we|he|she|they|people|nobody|who)(?:'ll|'d|'ve)?(?: (?:still|always|also|do|will
        |can|could|would|never|hardly|barely|vaguely|clearly|even|just|only|fondly|really)){0,3} ⟦""",
    r"\b(?:do|did|does|don't|didn't) (?:you|we|they|i|he|she)(?: \w+)? ⟦",
    r"""\b(?:can't|cant|cannot|can not|couldn't|couldnt|don't|dont|didn't|didnt|doesn't|won't|never|not|hard to
        |unable to|trouble)(?: really| even| quite| to)? ⟦""",
    r"""⟦remember when⟧ (?:(?:i|we|he|she|they|it|the|that|my|our)\b
        (?![^?]*\b(?:must|should|needs?|ha(?:ve|s) to|will|always|never|please|to)\b[^?]*$)|you\b[^?]*\?)""",
)
_FORGET = (
    (
        r"(?<!so )(?<!so that )\b(?:i|we|they|he|she|people|never)(?: "
        r"(?:usually|really|just|also|never|normally))* ⟦"
    ),
)
_IMPORTANT = (
    r"\b(?:not|less|hardly|isn't|nothing|never)(?: so| that| very| too| really| all that)? ⟦",
)
_PLAN = (
    r"\b(?:what|whatever|how|where|why|who) ⟦[^⟧]*⟧(?!:)",
    r"⟦the plan is⟧ (?:still |not yet |yet )?(?:unclear|unknown|open|missing|to be)\b",
)

_REFERS = r"""\b(?:what|whatever|everything|anything|something|all|which|whom?|things?
    |(?:the|this|that|those|these|any) [\w-]+(?: [\w-]+)?)(?: that| which)? ⟦"""
_TALKED = (
    r"""\b(?:when|what|whatever|after|since|while|before|where|until|once|time|times|day|everything|all|something
        |anything|whenever|how) ⟦
        |\b(?:the|that|this|those|these|an?|any|every|my|our|your)(?: [\w-]+){1,3} ⟦[^⟧]*about⟧
        (?= (?:last|yesterday|on|in|at|earlier|before|is|was|today|recently|the other)\b|\W*$|[,;])""",
)
_POLITE = rf"""⟦no,? (?:it'?s|that'?s|it was)⟧ (?:{_VERY}(?:{_GOOD}|all|it|everything|nothing){_CLOSED}|just\b|only\b
    |nothing\b|never mind|not (?:important|necessary|urgent|a problem|needed)\b|up to you\b|not? worr)
    |⟦no,? the⟧ pleasure"""
_OWN_SLIP = r"⟦no,? (?:my|it was)⟧ (?:my )?(?:bad|mistake|fault|apolog\w+|pleasure|error)\b"
_ALAS = r"\b(?:oh|ah|omg|ugh|argh|damn|god|wow|uh|aww?|dear),? ⟦no"
_REPORTED = r"""\b(?:say|says|said|answers?|answered|replie[sd]|told \w+|thinks?|thought|means?|meant|is|was|wrote|or|there's
    |with|has|have)(?: me| him| her| us| them)?[,:]? ⟦no"""
_NO = (_POLITE, _ALAS, _REPORTED)

_TIMES = (
    r"""⟦[^⟧]*⟧(?!\W*$|\W* now\b|,)(?![^?.!]{0,24}?\b(?:i|we|must|need)\b[^?.!]{0,24}?
        \b(?:tell|told|say|said|ask|asked|repeat|repeated|explain|explained|remind|reminded|correct|corrected
        |go over|gone over|went over|been over|been through|discussed?|mention|mentioned)\b)""",
)
_ACTUALLY = (
    rf"""⟦[^⟧]*⟧(?:'s|[^.!?⟦]{{0,40}}?\b(?:is|was|are|looks|sounds|seems|'s))? {_VERY}{_GOOD}{_CLOSED}
        |⟦[^⟧]*that⟧ (?:works|helps|makes sense|sounds|would (?:be|work)|will do|could work|might work)
        |⟦[^⟧]*i⟧ (?:(?:really|quite|also|do|rather) )?(?:(?:like|love|enjoy|prefer) (?:it|this|that|how)\b|agree\b
        |appreciate\b|don't mind|think (?:it|that|this|you)(?:'s|'re| is| are)? {_VERY}{_GOOD}{_CLOSED})""",
    r"""⟦[^⟧]*i⟧ (?:(?:also|just|only|still) )?(?:have (?:\w+ ){1,3}(?:question|request|idea|favou?r|thing)s?\b
        |was (?:just )?(?:wondering|going to ask|hoping|about to)|want(?:ed)? to (?:ask|know)|wonder|need (?:your )?help
        |would like to (?:ask|know))""",
)
_CHANGED = (
    r"""⟦i stopped⟧ (?:by|over|for|at|in|to|short|dead|here|there)\b
        |⟦i moved⟧ (?:on|past|along|closer|forward|ahead|around)\b
        |⟦i started⟧ (?:(?:wonder|think|laugh|cry|feel|worry|worry|dream|shak|sweat|panick)\w*
        |to (?:wonder|think|laugh|cry|feel|worry|realise|realize|understand|believe)|with|off|over|out|from)\b
        |⟦i switched⟧ (?:off|on|it|them)\b|⟦i changed⟧ (?:nothing|the subject|trains?)\b""",
)
_WRONG = (
    r"""\b(?:thing|everything|anything|something|nothing|stuff|all|(?:the|any|every|each|an?
        |some|no) [\w-]+(?: [\w-]+)?) ⟦that""",
)
_NOW = (
    rf"""⟦it's {_VERY}(?:\d{{1,2}}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)|\d{{1,2}}:\d\d|half past|quarter
        |late|early|dark|light|night|morning|noon|midnight|evening|time|bedtime|been|raining|snowing|pouring|cold
        |hot|warm|sunny|windy|cloudy|foggy|freezing)\b""",
    rf"""⟦it's {_VERY}(?:working|running|fixed|done|finished|{_GOOD}|worse|clear|clearer|gone|ready|broken|failing
        |stuck|loading|building|back|over|quiet|solved|resolved|crashing|hanging|passing|compiling|your turn|my turn
        |up to you|easy|easier|my|your)(?: [\w']+){{0,3}} now""",
)


def _rule(kind: str, pattern: str, cues: str, *friends: str) -> TriageRule:
    """A rule. Line ends in the patterns of its friends, and the blanks after them, are dropped."""
    told = tuple(re.sub(r"\n *", "", friend) for friend in (*friends, *_COMMON))
    return TriageRule(kind, pattern, tuple(cues.split("|")), told)


RULES = (
    _rule(MEMORY, "remember (that|this|when)", "remember", *_REMEMBER),
    _rule(MEMORY, "don't forget", "forget", *_FORGET),
    _rule(MEMORY, "important:", "important:", *_IMPORTANT),
    _rule(MEMORY, "decision:", "decision:"),
    _rule(MEMORY, "we agreed", "agreed"),
    _rule(MEMORY, "the plan is", "plan", *_PLAN),
    _rule(MEMORY, "note to self", "self"),
    _rule(RECALL_FAILURE, "i (already|just) told you", "told", _REFERS),
    _rule(
        RECALL_FAILURE,
        "we (talked|discussed|went over) (about |this)",
        "talked|discussed|went",
        *_TALKED,
    ),
    _rule(RECALL_FAILURE, "you forgot", "forgot"),
    _rule(RECALL_FAILURE, "remember when i said", "remember"),
    _rule(
        RECALL_FAILURE,
        "i mentioned (this|that|it) (before|earlier|already|yesterday|last)",
        "mentioned",
    ),
    _rule(RECALL_FAILURE, "no,? (i said|it's|it was|my)", "no", *_NO, _OWN_SLIP),
    _rule(RECALL_FAILURE, "how many times", "times", *_TIMES),
    _rule(RECALL_FAILURE, "don't you remember", "remember"),
    _rule(SOFT_CORRECTION, "actually,? (it's|it was|the|I|we|that)", "actually", *_ACTUALLY),
    _rule(SOFT_CORRECTION, "no,? (it's|that's|the) ", "no", *_NO),
    _rule(
        SOFT_CORRECTION,
        "i (changed|switched|moved|updated|stopped|started) ",
        "changed|switched|moved|updated|stopped|started",
        *_CHANGED,
    ),
    _rule(
        SOFT_CORRECTION,
        "that's (not right|wrong|outdated|old)",
        "right|wrong|outdated|old",
        *_WRONG,
    ),
    _rule(SOFT_CORRECTION, "it's .{1,30} now", "now", *_NOW),
)

"""English as a table: frames of sentences that say what is worth keeping, whatever words fill them."""

from clawgit.domain.extract.language import sign
from clawgit.domain.extract.memory import DECIDED, DIRECTIVE, FACT, HOW_TO, LESSON, PLAN, TOLD
from clawgit.domain.extract.patterns_en_for import OPEN, WHEN

_KEEP = r"(?:keep|save|store|record|file|hang on to|hold on to|don'?t (?:lose|drop|misplace))"
_APPOINTMENT = r"""(?:appointment|appt|slot|meeting|training|viewing|session|hearing|deposition|scan|exam|test|service
    |interview|check-?up|rehearsal|inspection|delivery|visit|class|lesson|party|wedding|review|dentist|ferry|flight
    |train|workshop|talk|lecture|concert|funeral|draw|recording|photographer|plumber|election|drill|audit)"""
"""What has its day and its hour."""

_LEARN = r"(?:found|learn(?:ed|t)|noticed|figured out|discovered|reali[sz]ed|worked out|saw)"
_HELP = r"(?:work(?:s|ed)?|help(?:s|ed)?|fix(?:es|ed)|solved|moved|saved|did it|held|sorted|stopped|cured|clicked)"

FRAMES = (
    # The operator asks to keep what he says, in whatever words.
    sign(
        TOLD,
        6,
        rf"""\b{_KEEP} (?:this|that|it)\b(?=\W*$|[,;:!]|\.\s| (?:for (?:later|next|the|ever|future)|in mind|somewhere))
        |\bworth (?:recording|noting|remembering|keeping|writing down)\b|\bone thing to (?:remember|keep|know|note)\b
        |\bshould have in mind\b|\b(?:don'?t|do not) want to (?:lose|forget)\b|\bnote for (?:ever|good|later)\b
        |{OPEN}(?:put|pencil|pop|stick|mark|write) (?:it |that |me |us )?(?:in|down)\b(?! (?:the|your) (?:letter|mail
        |text|draft|table|oven|bin))(?=.*\b(?:{WHEN}|\d{{1,2}}[:.]\d\d))|{OPEN}put [\w' ]{{2,24}} (?:in|down) (?:for
        |on) (?=.*\b{WHEN})|{OPEN}block [\w ]{{0,20}}\b{WHEN}""",
    ),
    # What is certain to be done.
    sign(
        DECIDED,
        3,
        r"""\b(?:i|we)(?:'ve| have|'m| am)? (?:all )?(?:made up (?:my|our) minds?|settled (?:it|that)|sworn off
        |promised)|\b(?:the|our) [\w' -]{2,30} (?:resolved|voted|decided|agreed|ruled) (?:to|that|on|against
        |in favou?r)\b""",
    ),
    sign(
        DECIDED,
        3,
        rf"{OPEN}(?:from|as of|starting) (?:this |next |the )?[\w ]{{2,24}},? (?:i|we) (?!was|were|had|did)\w+",
    ),
    sign(
        DECIDED,
        3,
        r"""\b(?:i|we)(?:'m|'re| am| are) not (?:ever )?going to (?!be\b|lie\b|get\b|have\b|say\b)\w+ \w+|\b(?:i
        |we) (?:will not|won'?t) (?!be\b|have\b)\w+ .*\b(?:any|without|unless)\b""",
    ),
    sign(DECIDED, 3, r"(?<=\w)'s off(?=[,;.!]|\W*$)"),
    # What has its day.
    sign(
        PLAN,
        2,
        rf"\b(?:i'?m|we'?re|i am|we are|is|are|'s) (?!being)\w+ing (?:\w+ ){{0,4}}(?:on )?(?:the )?{WHEN}",
    ),
    sign(
        FACT,
        2,
        rf"""\b{_APPOINTMENT}s?\b.{{0,60}}\b{WHEN}|\b(?:is|are|'s|s)(?: now)? (?:on |for |at )?(?:the )?{WHEN}|\b(?:has
        |have) (?!had\b)\w.{{2,40}} on {WHEN}|\b(?:put|down|marked|pencil(?:l)?ed) (?:\w+ ){{0,4}}for {WHEN}""",
    ),
    # What was found to help, and what was not.
    sign(
        LESSON,
        3,
        rf"""\bwhat (?:i|we)(?:'ve| have)? (?:\w+ )?{_LEARN}\b|\bis what (?:\w+ )?{_HELP}\b
        |\bwhat (?:\w+ )?{_HELP}\b.{{2,40}}\b(?:is|was)\b|\bwhat (?:does|did|really|finally|always)(?: \w+)? {_HELP}\b
        |\b(?:thing|trick|something) that (?:\w+ )?{_HELP}\b|\b(?:thing|one thing|something) (?:i|we)(?:'ve
        | have)? (?:\w+ )?{_LEARN}\b|\blesson\s?,|\b(?:i|we)(?:'ve| have)? (?:\w+ )?(?:found|noticed|discovered|learned
        |figured out) (?:that|out)\b""",
    ),
    sign(LESSON, 4, r"\b(?:i|we)(?:'ve| have)? (?:\w+ ){0,2}learn(?:ed|t)(?: [\w ]{0,24})?:"),
    sign(
        LESSON,
        2,
        r"""\b(?:did|does|do) (?:nothing|wonders|the lot|no good)\b|\bma(?:de|kes) no difference\b|\bno use (?:for
        |against)\b|\btried .{2,40} and (?:it|they|that)\b|\b(?:is|are) (?:no good|useless|best|hopeless) (?:for|against
        |on|with)\b""",
    ),
    # What holds, said in short.
    sign(FACT, 2, r"\w\)? = \S"),
    sign(FACT, 4, r"^\W*you (?:need|must have|have to have) (?!to\b)(?:\w+ ){1,6}(?:for|to|when|if)\b"),
    sign(
        FACT,
        2,
        r"""^(?!\W*(?:i|it|you|this|that)\b)(?!.*\bfeels?\b)[\w' ,-]{6,60} (?:these days|nowadays)\b|^(?!.*\b(?:i'?m
        |i am|right now|feels?)\b).*s (?:\w+ ){1,3}(?:now|these days|nowadays)(?=\W*$|,| and\b)""",
    ),
    sign(DIRECTIVE, 3, rf"{OPEN}(?:don'?t|do not|never) ever \w+ \w+|\b(?:don'?t|do not) \w+ .{{3,60}}[.,] ever\W*$"),
    sign(DIRECTIVE, 3, rf"{OPEN}use (?:the|only|our|my) [\w' -]{{3,40}}, (?:not|the|it|because|since)\b"),
    sign(HOW_TO, 4, r"^\W*if .{4,50} (?:it'?s|it is|that'?s|that is|it means|that means) (?:the|an?|because|time)\b"),
    sign(DIRECTIVE, 3, r"[,;] (?:always|never) (?!again|mind)[\"“]?\w+[\"”]? \w"),
)

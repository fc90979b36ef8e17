"""English as a table: what a sentence does instead of telling something: it asks, greets, passes on, denies."""

from clawgit.domain.extract.language import sign
from clawgit.domain.extract.patterns_en_for import DAY, OPEN

_KNOWS = r"""(?:doctors?|dr|vets?|midwife|nurse|surgeon|council|bank|school|court|landlord|letting agent|insurance
    |letter|e?mail|sign|label|manual|law|contract|lease|invoice|note|bill|rules?|policy|spec|docs?|documentation
    |timetable)"""
"""Those who say how it is, where others only say what they think."""

_SAY = r"""(?:says?|said|(?:is|are|goes) (?:round )?(?:saying|telling)|maintains?|maintained|reckons?|reckoned|claims?
    |claimed|claiming|swears?|swore|tells|mentioned|grumbles?|complains?|warns?|predicts?|keeps (?:on )?(?:saying
    |telling|about))"""
_INFORMATION = r"""(?:count|number|figure|total|sum|amount|table|list|sheet|chart|address|spelling|date|time|price|rate
    |name|version|draft|entry|answer|summary|figures|numbers|dates|times|names|prices|totals)"""
"""What an assistant gives, and what can be wrong with it."""

_NOT_TRUE = r"""(?:(?:is|are|was|were|'s|looks?|seems?|sounds?)(?: (?:just|simply|still|all|also|plain|quite|a bit
    |completely)){0,2} (?:wrong|incorrect|mistaken|false|(?:not|n't) (?:\w+ )?(?:correct|right|true|accurate|so|it))
    |(?:is|are|was|were|does|do)n'?t (?:\w+ )?(?:correct|right|true|accurate|so|add up|look right|sound right))"""
_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a few|some|several|a couple of)"
_PREDICATE = r"""(?:is|are|was|were|be|been|has|have|had|will|must|can|may|should|needs?|gets?|goes?|costs?|takes?|per
    |each|every|max|min|only|for|from|to|before|after|at|by|'s|'re)"""

ACTS = (
    # Requests in the middle of what is said.
    sign(
        "asks for something to be done now",
        -6,
        rf"""(?<!\bif )(?<!\bas )\b(?:can|could|will|would) (?:you|u|ya)\b(?! (?:please |pls |ever )?(?:remember|note
        |keep|save|make a note|believe|imagine|find|get))|{OPEN}(?:i )?(?:(?:still|just|also|only) )?(?:need
        |want)[ ](?:you to\b|(?:an?|some|the|another) (?!.*\b(?:to|for every|whenever)\b))(?!.*\b(?:always|never
        |every)\b)|, (?:so |and |now )?(?:give|send|show|bring|get|find|make|write|read) me\b
        |{OPEN}(?:the )?same (?:again|for|with|but)\b""",
    ),
    # What somebody else says or thinks.
    sign(
        "is what others think",
        -3,
        rf"""^\W*(?:[\w'’]+ ){{0,5}}?(?!(?:i|we|you|it|that|this|which|what|to|and|as|{_KNOWS})\b)\w+,? (?:(?:always
        |just|still|also|even) )?{_SAY}\b(?! (?:yes|no|ok|hi|hello)\b)(?![^,;]*(?:\d|\b(?:only|always|never
        |on (?:{DAY}))))|\b(?:man|woman|guy|bloke|lady|someone|somebody) (?:on|in|at|from) the \w+\b|\b(?:asks|asked
        |wonders|wondered) (?:me |us )?(?:whether|if|why|what|how|who|when)\b|\bsaying (?:that|it|he|she|they|we|i
        |the)\b""",
    ),
    # What was said is denied, and nothing told instead.
    sign(
        "only denies",
        -6,
        rf"""\b{_NOT_TRUE}\W*(?:\w{{1,3}}\W*|at all\W*|either\W*|by the way\W*|there\W*|again\W*)?$
        |\b{_INFORMATION}\b(?: \w+){{0,6}} (?:is|are|'s|looks?|seems?)(?: \w+)? (?:off|wrong|out|odd|strange)\W*$
        |^\W*(?:no\b\W*){{2,}}\w+|\byou(?:'ve| have)? \w+ .{{2,50}}\b(?:wrong(?:ly)?|incorrectly|backwards)\b""",
    ),
    # Greetings, comfort, and talk about talking.
    sign(
        "is small talk",
        -2,
        r"""^\W*(?:hi|hello|hey|hiya|ciao|hola|(?:good )?(?:morning|evening|afternoon))(?: (?!is\b
        |at\b)[\w']+){0,3},[ ]\w""",
    ),
    sign(
        "is small talk",
        -3,
        rf"""{OPEN}no (?:need|harm|worries|problem|wonder|rush|hurry|bother|hard feelings|stress|fuss|offen[cs]e
        |matter)\b|{OPEN}(?:i|you) know (?:i|we|you|me|that i|how i)\b|{OPEN}(?:forgive|excuse|pardon|bear with
        |ignore) me\b|\b(?:ignore|forget|never mind|disregard) (?:me|that|it|this|what i)\b|\bdictat(?:ed|ing)\b
        |{OPEN}(?:i |we )?(?:can'?t|cannot|couldn'?t|could) (?:tell|say|recall|remember)\b|{OPEN}i (?:must|need to
        |have to|should|will|'ll) (?:look|check|ask|think|count|see|find out)\b|\bi(?:'m| am)? (?:talk|speak|type|shout
        |whisper)(?:ing)? (?:to|at|with|through|because|from)\b""",
    ),
    sign("is about what is at hand", -3, r"\bon (?:page|slide|line|row|sheet) \d+\b"),
    # Where somebody is just now, and how.
    sign(
        "passes soon",
        -3,
        r"""\b(?:i'?m|i am|we'?re|we are) (?:(?:just|still|now|already) )?(?:between|outside|behind|under|near|beside|by
        |halfway|off to|back (?:from|in|at)|in the (?:car|truck|van|bath|kitchen|garden|shop|queue|lift|yard)
        |at the[ ](?:light|till|door|gate|wheel|counter|pump))\b|\b(?:have|has|'ve) been (?:up|awake|at it|here
        |\w+ing) (?:since|for|all)|^\W*(?:the )?(?:traffic|rain|sun|wind|heat|snow|sky|queue) (?:is|has|was|won't)\b
        |\b(?:my|the|both) (?:hands?|fingers|eyes|arms?|ears|feet|back|knees?|shoulders?|baby|kids?) (?:is|are|has
        |have) (?!(?:allergic|not allowed|never|always|due|at|on)\b)\w+""",
    ),
    sign(
        "is not settled",
        -4,
        r"""\b(?:would|could|might)(?: not|n't)? have\b|\b(?:fingers crossed|touch wood|knock on wood)\b|\b(?:nobody
        |no one|none of \w+|never) (?:has |have |really )?(?:decided|agreed|chose|settled)\b
        |\bi (?:(?!don)\w+ )?(?:wonder|doubt)\b|\bif (?:the|this|my|our|a) [\w' ]{2,30} (?:was|were)\b""",
    ),
    sign("passes soon", -2, r"\bi(?:'ll| will) (?:send|show|give|forward|bring) (?:you|u|it|them)\b"),
    sign("is trouble of the moment", -2, r"(?<!never )(?<!not )\bagain\W*$"),
    # A count of things that are there: no sentence, and nothing that holds.
    sign(
        "counts what is there",
        -3,
        rf"^\W*{_NUMBER} (?!.*(?:\b|(?<=\w)){_PREDICATE}\b)(?!.*(?:{DAY}|:|\d/|\d%))[a-z]",
    ),
    sign(
        "announces something",
        -3,
        rf"""^\W*{_NUMBER} (?:\w+ )?(?:changes?|things?|points?|notes?|updates?|corrections?|items?|questions?|requests?
        |remarks?)\b(?: (?:for|to|about|from|on) \w+)?\W*$""",
    ),
)

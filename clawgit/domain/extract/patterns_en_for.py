"""English as a table: what says that a sentence is worth keeping."""

from clawgit.domain.extract.language import sign
from clawgit.domain.extract.memory import DECIDED, DIRECTIVE, FACT, HAPPENED, HOW_TO, LESSON, PLAN, PREFERENCE, TOLD

_SOMEBODY = "(?:i|we|they|the team|management|everyone|everybody|the (?:board|family|group|client))"
_HAVE = "(?:'ve| have| had|'s| has)?"
_SOFT = r"""(?: (?:also|just|now|finally|all|already|both|officially|basically|definitely|really|actually|usually|only
    |mostly|normally)){0,2}"""
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\bmay \d"
WHEN = rf"""(?:the )?(?:next |this )?(?:{DAY}|tomorrow|\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}} (?:jan|feb|mar|apr|may|jun
    |jul|aug|sep|oct|nov|dec))"""
OPEN = r"""^[\W\d]*(?:(?:and|but|so|or|ok|okay|hey|hi|well|then|now|also|oh|um|hmm|btw|please|pls|cool|great|good
    |nice|right|yes|yeah)\b\W+){0,3}"""
_IT = "(?:it|that|this|these|those|them|him|her|you|the (?:idea|sound|look|way)|how|what|when)"
_STATES = r"""(?:is|are|isn'?t|aren'?t|has|have|uses?|runs?|lives?|listens|costs?|takes?|needs?|requires?|opens?|closes?
    |starts|begins|ends|expires?|stays|goes|sits|means|equals|stands|contains?|supports?|lasts|weighs?|handles
    |belongs?|points|speaks|accepts|comes|fits|pays|owns|covers|counts|holds|works|wants|'s|'re|resets|renews
    |rotates|ships|leaves|arrives|happens|changes|depends|serves|keeps|allows|gets|gives?|offers?|provides?
    |sends|brings?|teaches|charges?|delivers|prefers?|expects|sells?|lets|rents?|rehearses|meets|lies|hangs
    |measures|reads)"""


_MOMENTARY = r"""(?:always|never|prefer|hate|dislike|also|now|finally|all|already|both|really|actually|usually|only
        |mostly|think|guess|see|know|mean|hope|feel|wonder|need|want|have|wish|suppose|agree|understand|get\b|remember
        |forget|look|ask|say|tell|try|trust|believe|doubt|bet|swear|hear|am|are|do\b|don|can|could|would|will|should
        |shall|may|might|must|had|was|were|did|went|got|met|made|took|gave|came|left|bought|sold|sent|paid|lost|found
        |ran|broke|began|won|told|said|saw|held|quit|fell|built|wrote|cut|thought|knew|felt|spent|hit|beat|ate|drank
        |slept|woke|read|put|set|let|heard|forgot|just|still|give up|care|mind|appreciate|miss|love|like|promise|'
        |aint|never|gotta|owe|wanna|gonna|come|wait|apologi|recommend|suggest|expect|imagine|assume|figure|notice
        |reali|worry|finish|check|stop|start)"""
"""Verbs that say what somebody does now, thinks, or did, and not what he does as a rule."""

FOR = (
    # What the operator asks to be kept.
    sign(
        TOLD,
        6,
        rf"""{OPEN}(?:(?:please |pls |just |always |do )?remember(?! when\b)(?: (?:this|that|to|for)\b|:|,| (?=\w))
        |(?:can|could|will|would) you (?:please )?(?:remember|note|save|make a note|keep in mind)
        |note(?: that\b|\s?:| down)|heads[ -]?up|fyi\b|psa\b)|\b(?:do ?n[o']?t|never|not to
        |don't you) (?:ever )?(?:let me )?forget\b(?! (?:about )?it\b)|\bdon'?t let me (?:forget|slip)
        |\b(?:keep|bear) (?:\w+ ){{0,3}}in mind\b|\bnotes? to (?:my|our)?self\b|\bimportant(?: note)?\s?:
        |\b(?:for the record|for (?:later|future) reference|for your (?:memory|information))\b|\b(?:write|note
        |jot|put) (?:that|this|it) down\b|\b(?:please|pls) (?:remember|note|save|record|memori[sz]e)\b
        |\bmake a (?:mental )?note\b|\bremember (?:that|this)\b|\b(?:save|record|log) (?:that|this|it)\b""",
    ),
    # Choices.
    sign(
        DECIDED,
        3,
        rf"""\b{_SOMEBODY}{_HAVE}{_SOFT} (?:decided|agreed|chose|chosen|settled|opted|voted|resolved|approved
        |committed|signed off|picked|went with|gone with|passed on|dropped|cut|scrapped|cancell?ed|ruled out
        |adopted|ditched|turned down|rejected|accepted|postponed|called off)\b|\b{_SOMEBODY}(?:'re| are|'m| am
        |'s| is)?{_SOFT} (?:not )?(?:going with|switching|moving (?:\w+ ){{0,4}}(?:to|off|from|over)|migrating
        |sticking|dropping|replacing|retiring|adopting|standardi[sz]ing|committing|ditching|cancell?ing
        |keeping|postponing|hiring|renewing|buying|selling|signing|closing|expanding|quitting|stopping
        |launching|rewriting|outsourcing|leaving \w+ for)\b|\b(?:let'?s|lets|we'?ll|we will|i'?ll|i will|gonna
        |going to){_SOFT} (?:(?:go|stick) (?:with|to)(?! (?:that|it|this)\b)|switch|settle on|use|drop
        |keep(?! .{{0,40}}\bfree\b)|call it|move|push|skip|stay|make it|postpone|standardi[sz]e|ditch
        |replace)\b|\b(?:decision|final(?: answer| decision| call)?|verdict)\s?(?::|is\b|was\b)
        |\bit'?s decided\b|\bdecision (?:is )?made\b|\b\w+ it is\W*$|\bchange of plans?\b|\b(?:we|i) (?:don'?t
        |won'?t|do not|will not) .{{2,60}}\bany ?(?:more|longer)\b|\bwe no longer\b|\b(?:that'?s final
        |end of story|no discussion|case closed)\b|\bended up \w+ing\b|\bvoted (?:yes|no|for|against|to|on)\b
        |\bstaying with\b|\b(?:swapped|switched|changed) .{{2,60}} for good\b|\b(?:is|are) off\b(?=[,;.!]
        |\W*$)|\bit'?s official\b|\bnew (?:\w+ )?(?:rule|policy)\b|\bas of (?:today|now|tomorrow|next|{DAY}
        |\d)|\b\w+ (?:has |have )?(?:decided|agreed)\b(?! (?:yet|on nothing))|{OPEN}[\w' -]{{2,24}}: (?:hire
        |use|book|take|buy|get|go with|keep)\b|\b{_SOMEBODY}{_HAVE}{_SOFT} (?:gave up|given up|went for
        |gone for|backed out|called it quits|took the (?:job|offer|flat|house))\b|\b(?:we|i)(?:'re| are|'m
        | am){_SOFT} (?:doing|going for|calling|taking|getting|starting|ending|splitting|pausing
        |skipping) (?!it\b|that\b|this\b|well|fine|good|ok|great|there|to\b|a (?:break|walk|nap)|home)\w+
        |\blet'?s call (?!it a day)\w+|{OPEN}(?:scrap|drop|ditch|forget) (?:the|all
        |that) .{{2,60}}\b(?:instead|we)\b|\bwe(?:'ll| will)? (?:do|take|use|make|have|go|run
        |try) .{{2,60}} instead\b|\b(?:is|are) (?:now )?off the table\b|(?<!and )(?<!or )\bno more \w
        |\bthe plan(?: now)? is\b
        |\b(?:is|was|got|been|are) (?:now )?(?:agreed|decided|settled)\b|\bfrom now on\b|\bcanon\b
        |\b(?:that'?s a|i) promise\b|\b(?:said|say) (?:yes|no) to\b|\bnew (?:policy|rule|plan)\s?:
        |\bwe (?:chose|picked|agreed|decided)\b|{OPEN}(?:decided|agreed|settled|going with|we go with
        |switching to)\b|(?:\b(?:i|we)(?:'ve| have)?{_SOFT} |{OPEN})(?:moved|switched|migrated) (?:\w+ ){{0,5}}(?:to
        |from|over to)\b""",
    ),
    sign(FACT, 3, r"\b(?:moved|switched|migrated|transferred) (?:\w+ ){0,5}(?:to|from|over to)\b"),
    sign(
        DECIDED,
        3,
        r"""\b(?:no|only|without) (?:[\w'-]+ ){1,4}this (?:year|season|quarter|month|term|sprint|summer|winter|spring
        |time)\b|\bonly this (?:year|season|quarter|month|term|sprint|summer|winter|spring)\b""",
    ),
    sign(
        DECIDED,
        1,
        rf"""\b{_SOMEBODY}(?:'ll| will|'re going to|'m going to| are going to| am going to|'re gonna
        |'m gonna)\b(?! (?:see|think|let you|check|try|be back))|\blet'?s (?!see|start|try|check|look|talk
        |go\b|do\b|continue|wait|get|have|make|play|begin|focus|grab|say|hope|not|be|just|eat|discuss|recap
        |review|pretend|imagine|find|test|run)\w|\bwe (?:move|switch|drop|keep|start|stop|go|use|cut|raise
        |launch|ship|host|sell|buy|build)\b|\b(?:goal|aim|target) (?:is|for)\b""",
    ),
    sign(
        PLAN,
        2,
        rf"""\b(?:is|are|was|were|'s|'re|got|been)(?: now| all)? (?:scheduled|planned|booked|due|set|moved|pushed
        |rescheduled|postponed|confirmed|fixed|expected|slated) (?:for|on|by|to|in|at|until)\b
        |\bdeadlines?\b.{{0,60}}(?:{DAY}|\d)|\bdue (?:by |on |in |at |before )?(?:the |next |this |end )?
        (?:{DAY}|\d|tomorrow|month|week|end)|\b(?:must|has to|have to|needs? to|should
        |wants?)\b.{{2,60}}\b(?:by|before|until)\b.{{0,24}}(?:{DAY}|\d|tomorrow|month|week|year|end)
        |\b(?:moves?|moved|pushed?|postponed|rescheduled|shifted) (?:\w+ ){{0,3}}to (?:the )?(?:next )?
        (?:{DAY}|\d)|\b(?:expires?|renews?|launch(?:es)?|go(?:es)? live|starts?|starting|begins?|opens?|ends?
        |leav(?:es?|ing)|arriv(?:es?|ing)|mov(?:es?|ing)|flying|fly|flies|travel(?:l?ing|s)?|leave|return
        |arrive|meet|deliver(?:y|ed|s)|happens|runs) (?:\w+ ){{0,4}}?(?:in |on |at |by |from |until )?{WHEN}
        |\b(?:come|comes|coming|be) back\b.{{0,20}}\b(?:in|on) (?:a|an|one|two|three|four|five|six|\d+|the
        |{DAY})""",
    ),
    # How the operator wants things.
    sign(
        PREFERENCE,
        3,
        rf"""\b(?:i|we){_SOFT} (?:prefer|hate|dislike|can'?t stand|cannot stand|detest|despise|always(?! (?:mix|say
        |tell|ask|laugh|forget|lose|get|have|had|confuse|think|feel|wonder|wanted))|never(?! said| saw| thought| knew
        | heard| mind| got))(?! {_IT}\b)|\b(?:i|we){_SOFT} (?:really |do |don'?t |do not |kinda )?(?:like|love
        |enjoy)(?! (?:to see|{_IT})\b)|\b(?:i'?m|i am|we'?re|my \w+ is) (?:a |an )?{_SOFT}(?:allergic|vegetarian|vegan
        |lactose|gluten|intolerant|(?:big |huge |no )?fan of|left-handed|colou?r-?blind|diabetic)|\bmy (?:favou?rite
        |preferred|usual|go-to|default)\b|\b(?:i|we) (?:don'?t|do not|dont|no longer|can'?t) (?:eat|drink|smoke|drive
        |fly|use|take|work|do|want)\b|\bi'?d rather\b(?! (?:not )?(?:die|say))|\b(?:i
        |we){_SOFT} use \w+.{{0,40}}\b(?:for|as|instead|over)\b|{OPEN}call me [A-Z]|\bi{_SOFT} (?:take|drink|eat|have
        |wear|drive|keep|park) my\b|\bi{_SOFT} (?:want|like|need) (?:my|all|every|the) .{{3,60}}\b(?:to be|in|as|with
        |without)\b""",
    ),
    sign(
        DIRECTIVE,
        3,
        rf"""\b(?:from now on|going forward|in (?:the )?future|from here on|henceforth|starting (?:now|today))\b
        |{OPEN}(?:always|never|only|make sure (?:to )?always)\s+(?!again|been|had|was|seen|heard|said|knew
        |thought|mind\b|a\b|the\b|in\b)[a-z]{{2,}}|\b(?:whenever|every time|each time|any ?time
        |when(?:ever)? you)\b.{{3,80}}[,;:]|{OPEN}(?:don'?t|do not|never)(?: ever)? (?!worry|know|think|mind
        |forget|let me|get me wrong|be|bother|care|need|have|understand|see)\w+ .{{0,80}}\b(?:before|after
        |between|until|unless|without|when|during|on (?:{DAY})|at (?:night|weekends)|in (?:german|english
        |public|production|prod)|any ?more)\b|\bi (?:want|need|expect|'d like|would like) you to (?:always
        |never|stop)\b|{OPEN}stop \w+ing\b|{OPEN}(?:don'?t|never) (?!worry|know|think|mind
        |forget)\w+ .{{3,60}}, (?:it|they|that|or|because|else)\b|{OPEN}no (?!problem|worries|idea|way|rush
        |need|thanks|one\b|more\b|longer|it|that|the\b|i\b|not|he\b|she\b|we\b|you|they|wait|pressure|clue
        |luck|big deal|doubt|wonder)[a-z-]{{3,}} \w+|{OPEN}(?:nobody|no one|everyone|everybody|each \w+
        |all \w+s) (?:may|must|can(?:not|'t)?|has to|have to|needs? to|gets?|brings?|pays?|parks?|enters?
        |leaves?|uses?|touches?|takes?|comes?|starts?)\b|{OPEN}use (?:the |a |an |my |our |
        only )?\w+.{{0,60}}\b(?:for|when|in|as|instead)\b""",
    ),
    sign(
        DIRECTIVE,
        2,
        r"""(?:\bnot|n't) allowed\b|(?<!\bi )(?<!\bwe )(?<!\byou )\b(?:can'?t|cannot|may not|must not|mustn'?t|(?:is
        |are) not to)[ ](?:have|eat|do|drink|take|use|go|drive|lift|swim|travel|work|get (?:wet|cold|hot))\b
        |\bno (?:[\w'-]+ ){1,4}(?:until|till|before|without|unless)\b|, (?:never|always|only|not) (?:by|via|with|on|in
        |from|at|before|after) \w|, (?:nobody|no one)[ ]\w+s\b|\bnothing (?:over|under|with|without|after|before)\b
        |\bdon'?t let any(?:one|body)\b""",
    ),
    # What was learned.
    sign(
        LESSON,
        3,
        rf"""\b(?:lessons? (?:learn(?:ed|t)|here|is|was|from)|lesson\s?:|(?:we
        |i)(?:'ve)? (?:finally |just )?learn(?:ed|t)(?: that| the hard way| to| not to|:)?)
        |{OPEN}(?:i |we )?(?:just |finally )?(?:learn(?:ed|t)|figured out|found out|discovered|noticed
        |reali[sz]ed) (?:today|yesterday|that|why|how|not to|what)\b|\b(?:my|our|the|big|biggest
        |one)? ?mistake (?:was|we made|i made|:)|\b(?:failed|broke|crashed|died|hung|stalled) because\b
        |\blearn(?:ed|t) (?:my|our|the|a) lesson\b|\bmakes? (?:all the|a big|a huge|the) difference\b
        |\bworks? (?:way |much |a lot |far )?better\b|\bwrong (?:approach|idea|way) (?:was|is)\b
        |\bonly works? (?:if|when|with|after|on|in)\b|\bworks? only\b|\bi found (?:that|out)\b
        |\bthe hard way\b|\bnever again\b|\b(?:root )?cause (?:was|is|of)\b|\b(?:culprit|trick|solution|fix
        |workaround|takeaway|moral|(?:key|secret|answer)(?= (?:is|was) to\b))(?: (?:for|to|of|with
        |behind) .{{2,50}}?)?(?: btw| here| this time)? ?(?:is|was|:|turned)(?! (?:not|in|on|unclear|unknown
        |that (?:nobody|we))\b)|\bwhat (?:\w+ ){{0,2}}(?:worked|works|helps?|helped|fixed it
        |did the trick)(?: \w+){{0,5}}?\s?(?::|is|was|,)|\b(?:fixed|solved|helped|cured|did the trick|did it
        |made (?:it|the difference))\b.{{0,40}}\bby \w+ing\b|\w+ing\b.{{0,50}}\b(?:fixed|solved|cured
        |helped with)\b|\b(?:works? (?:best|better|great|only)|worked (?:best|better|great|well)) (?:when|if
        |with|after|without|for)\b|\b(?:my|our) mistake was\b|\b(?:should(?:n'?t| not)? have|shouldn'?t've
        |should've) \w+.{{4,60}}\b(?:before|first|instead|because|next time)\b|\bnext time,? (?!i see
        |we (?:meet|see)|you (?:see|talk)|maybe)\w+""",
    ),
    sign(
        HOW_TO,
        4,
        rf"""{OPEN}(?:if|when(?:ever)?) (?!i\b|you (?:can|have|want|get a)|possible).{{3,60}}(?:, (?:then )?
        |\bthen )(?:you (?:need|have) to |we (?:need|have) to |just |always |never |don'?t |first )?(?:restart
        |run|use|press|set|open|close|call|hold|check|turn|do|reboot|clear|ask|go|add|unplug|reset|try|replace
        |switch|tap|hit|push|pull|clean|wait|type|click|delete|remove|reinstall|reboot|kick|shake|warm|soak
        |rinse|take|put|start|stop|blow|unscrew|disable|enable)\b""",
    ),
    sign(
        HOW_TO,
        3,
        r"""\b(?:if|when)\b.{3,60}(?:,| then| just) (?:just |then )?(?:use|clean|restart|press|unplug|turn|set|open
        |close|add|put|run|reset|replace|switch)\b""",
    ),
    sign(HOW_TO, 3, r"\b(?:need|have|has|needs) to (?!go\b|be\b)\w+ .{3,40}\bbefore\b"),
    sign(
        HAPPENED,
        2,
        r"""\b(?:first|second|third) (?:place|prize)\b|\b(?:is|are) (?:done|finished|complete|repaired|installed
        |sold|through)\b(?! with)""",
    ),
    sign(FACT, 1, r"\b(?:better|best|good|free|reserved|meant) (?:for|in|at|on) \w"),
    sign(HOW_TO, 4, r"\b(?:else|otherwise) (?:the|it|you|we|they|i|your|your|he|she)\b"),
    sign(
        HOW_TO,
        2,
        rf"""\bhow to\b.{{3,60}}(?::|\bis\b)|{OPEN}to \w+ .{{3,60}}, (?:you |we |just |first )?
        (?:have to |need to |must )?(?:run|use|press|set|open|call|hold|add|put|start|restart|go|turn|type|hit
        |click|wait|do|remove)\b|\b(?:best|only|right|easiest|quickest|safest) way (?:to|of)\b.{{3,60}}\b(?:is
        |was|:)|\b(?:you|one|we) (?:need|have|must)(?: to)? \w+.{{3,60}}\b(?:before|first|otherwise|or else
        |or it)\b|{OPEN}make sure (?:to|you|that|the|we)\b.{{3,80}}\b(?:before|first|after|when|every)\b""",
    ),
    sign(HOW_TO, 3, r"\b(?:there'?s|here'?s) a (?:trick|way|workaround)\b|\bfor (?:the future|next time)\s?[:,]"),
    # What is so.
    sign(FACT, 3, r"\b(?:turns?|turned) out\b(?! (?:fine|ok|great|well|good|nice|bad))"),
    sign(
        FACT,
        1,
        rf"""(?<=[\w)])(?<!\bit)(?<!\bthat)(?<!\bthere)(?:(?<=\w)'s|\s{_STATES})\b(?! (?:it|you|me|so|very|such
        |like|just|kind|pretty)\b)""",
    ),
    sign(
        FACT,
        1,
        rf"""\b(?:is|are) now\b|\b(?:no longer|any ?more|instead of|used to|not the)\b
        |,? not (?:the |a |an |in |on |at |with |via |by |from |to )?[\w-]+(?: \w+){{0,2}}[.!]*$|\b(?:changed
        |moved|went up|went down|increased|dropped|raised) \b|\bthe new\b|\b[\d.,]+k? ?(?:\w+ )?(?:a|per|an
        |each) (?!lot|bit|few|couple|day ago|week ago|month ago|year ago)\w+|\b(?:every|each|per|twice
        |once an?) (?:other )?(?:\w+ )?(?:{DAY}|days?|week|month|year|morning|evening|night|quarter|hour
        |minute|request|user|person)|\b(?:daily|weekly|monthly|yearly|quarterly|{DAY})\b(?=.*s\b)|\b(?:is|are
        |it'?s) (?:called|named|known as|spelled|labell?ed)\b|\b(?:stands for|short for|means)\b|\b(?:address
        |number|extension|code|size|port|path|url|version|model|limit|budget|rate|price|rent|fee|salary
        |account|username|timezone|password|pin|combination|plate|serial|id)\b.{{0,40}}\b(?:is|are|:)""",
    ),
    sign(
        FACT,
        2,
        r"""^(?!\W*(?:i|it|this|that|you|we|they|he|she|there)\b).{3,80}\b(?:must|have to|has to|needs? to) (?:be
        |not|always|never|go|have|come|stay|contain|start|end)\b(?!.*\b(?:today|asap|fixed|done)\b)""",
    ),
    sign(
        FACT,
        2,
        rf"""^\W*(?:i|we){_SOFT} (?!{_MOMENTARY})[a-z]{{2,}}(?<!ed)(?<!ing)\b(?= \w+.* \w
        |.*\b(?:in|with|at|on|for|to|as|by|over|through|via)\b)(?!.*\b(?:you|it|this|that)\W*$)""",
    ),
    sign(
        FACT,
        1,
        r"""\b(?:my|our) (?:[\w'-]+ ){1,3}(?:is|are) (?!so\b|very|really|too|not\b|late|broken|dead|full|empty|low
        |down|sick|tired|busy|here|there|ready|done|fine|ok|good|great|gone|hurting|killing|terrible|awful
        |stuck|over|on\b|slow|still|being|getting|acting|about|\w+ing\b)\w""",
    ),
    sign(
        FACT,
        1,
        r"""^(?:the|our|my|each|every|[\w]+'s) (?:[\w-]+ ){1,3}?[a-z]{2,}s\b (?=(?:at|in|on|to|for|from|by|only|with
        |after|before|when|every|an?|no|two|three|all)\b|\d)""",
    ),
    sign(
        FACT,
        2,
        r"\w+s (?:\w+ ){0,2}(?:only|always|never|usually|must|cannot|can't|don't|do not) [a-z]+|\w+s [a-z]+ only\b",
    ),
    sign(
        FACT,
        2,
        r"""(?-i:\b(?:is|are) (?:[a-z]+ ){0,2}[A-Z0-9][\w.,'-]*(?: [\w.,'-]+){0,3} now\b)
        |\bnot (?:the )?(?:[\w'-]+ ){0,2}[\w'-]+,? but (?:the |on |in |at )?\w|\bfrom (?!now\b
        |here\b)(?:[\w'-]+ ){1,3}on\b|\bso now (?:we|i|it|they)\b""",
    ),
    sign(FACT, 1, rf"\bsince (?:{DAY}|\d{{4}})|\ballergic\b|\bcoeliac\b|\bceliac\b"),
    sign(
        DECIDED,
        2,
        r"\b(?:i|we)(?:'m|'re| am| are) not (?:taking|doing|renewing|selling|buying|having)"
        r" (?!it\b|that\b|this\b|well)\w+ \w",
    ),
    sign(PLAN, 2, r"\b(?:moved|pushed|brought) (?:up|forward|back)\b"),
    sign(HAPPENED, 1, r"\bnew [\w-]+ (?:started|arrived|joined|moved in)\b"),
    sign(HAPPENED, 2, r"\bwe (?:lost|scrapped|missed) (?!\W*(?:it|that|this|again)\b)\w+ \w"),
    sign(LESSON, 3, r"\bfound the (?:leak|bug|cause|problem|issue|reason|culprit|mistake|error)\b|\b\w+ tip\s?:"),
    sign(
        FACT,
        1,
        r"""\b(?:is|are|lives?|sits?|hangs?|stands?|lies?|kept|stored|parked
        |hidden) (?:now |always |all )?(?:under|behind|inside|next to|above|below|in|on|at|with|opposite
        |near) (?:the|my|our|an?|[\w]+'s)\b(?! (?:way|phone|moment|mood|train|road))""",
    ),
    sign(
        FACT,
        1,
        r"""\bonly (?:in|on|for|with|via|at|by|from|when|if|after|before|takes?|speaks?|accepts?)\b|\b(?:at least
        |at most|no more than|minimum|maximum|max|min)\b""",
    ),
    sign(
        FACT,
        1,
        rf"""^(?:the|our|my) (?:[\w'-]+ ){{1,4}}{_STATES} (?=(?:\S+ ){{2}})(?!(?:so|very|too|really|again|not|still
        |being|getting)\b)""",
    ),
    sign(FACT, 0, r"(?:[a-z]{3,}.{1,40}){2}[a-z]{3,}"),
    sign(
        FACT,
        1,
        r"""\w+s (?:don't|do not|go|run|start|open|close|live|use|cost|need|take|expire|end|belong|last|weigh
        |arrive|leave|happen|work|get|have to|stay|sit)\b(?! (?:it|you|me|so|very|out of)\b)""",
    ),
    sign(
        FACT,
        2,
        r"""^(?:the |new )?(?:price|rent|cost|fee|size|port|code|limit|budget|deposit|salary|age|weight|height
        |length|width|rate|interest|version|room|gate|password hint|username|extension|opening hours
        |hours) ?(?:now )?[$€£]?\d""",
    ),
    sign(FACT, 2, r"^[a-z][\w /'&-]{1,40}: (?=.*[\d/@_`])\S.{1,80}$"),
    sign(FACT, 1, r"^(?!\W*(?:question|todo|edit|ps|lol|me|him|her|them|and)\b)[a-z][\w '&-]{2,30}: \S+(?: \S+){3}"),
    sign(FACT, 2, r"\b(?:got|was|were|is|are|been) (?:now )?(?:renamed|moved|replaced|migrated|upgraded|archived)\b"),
    sign(DECIDED, 3, r"\b(?:i|we)(?:'ve| have)? (?:stopped|quit|given up) \w+ing\b"),
    # What happened.
    sign(
        HAPPENED,
        2,
        r"""\bgot (?:the job|engaged|promoted|accepted|fired|laid off|the (?:visa|permit|loan|contract|keys
        |results|grant))\b|(?:\b(?:i|we|they|he|she|the [\w' -]{2,40}|my [\w' -]{2,30}|our [\w' -]{2,30}
        |[a-z]+)(?:'ve| have| has|'s)? |^\W*(?:and |also |so |ok |finally |just )*)(?:just |finally |already |
        also |all |officially ){0,2}(?:got |were |was |been )?(?:shipped|launched|released|deployed|published
        |signed|planted|replaced|installed|delivered|vaccinated|repaired|hired|fired|promoted|resigned|retired
        |graduated|married|engaged|divorced|born|died|passed away|bought|sold|moved (?:in|out|house)|crashed
        |finished|completed|submitted|handed in|closed|opened|started (?:at|as|on|my|our|the|working)|won
        |lost (?:the|our|a) (?:\w+ )?(?:account|client|pitch|bid|tender|order|customer|contract|deal|game
        |match|case|baby|election|job|final|bid|appeal)|passed (?:the|my|his|her|an?)|failed (?:the|my|his|her
        |an?)|diagnosed|adopted|arrived|merged|migrated|upgraded|paid off|received|accepted|filed|cancelled
        |harvested|sowed|seeded|painted|booked|renewed|registered|migrated|rolled (?:out|back)|broke (?:my|his
        |her|the|down)|totalled|inspected|tested positive|quit|joined|raised \d)\b""",
    ),
    sign(
        HAPPENED,
        1,
        r"""\b(?:met (?:with )?(?!the req|all)[A-Za-z]|visited|attended|(?:was|were) here|spoke (?:to|with)
        |got (?:the|a|an|my|our|into) )\b""",
    ),
    sign(
        HAPPENED,
        1,
        r"""^(?!\W*(?:i|you|it|that|this|he|she)\b)[\w'. -]{2,40}? (?:paid|cut|came back|turned|gave|sent|brought
        |lost|broke|fell|burned|froze|stole|wrote|got|went|took|made|sold|left|built|dropped|ended|started
        |stopped|called|asked|agreed|confirmed|approved|refused|declined|cancelled|canceled|extended|raised
        |lowered|changed|fixed|delivered|picked|offered|ordered|counted|tested|inspected|won|beat|hit)\b""",
    ),
    sign(
        HAPPENED,
        0,
        r"""\b(?:i|we|the \w+(?: \w+)?|my \w+|our \w+) (?:ran|swam|rode|climbed|caught|found|took|made|gave|built
        |fixed|ordered|paid|spent|picked up|dropped off|handed|swarmed|hatched|bloomed|flooded|froze|scored
        |beat|came|ate|cooked|baked|wrote|read|sang|played|performed|exhibited|measured|saw)\b""",
    ),
    sign(
        HAPPENED,
        3,
        r"""\b(?:is|was|got|been|are|were) (?:now |finally |just )?(?:approved|cancell?ed|postponed|called off
        |accepted|rejected|hired|fired|promoted|elected|stolen|robbed|injured|awarded|granted|denied|signed
        |sold|born|merged|released|evacuated)\b|\b(?:we|i|they) (?:hit|reached|passed|crossed|beat
        |raised) (?:the )?(?:[A-Z]\w+ )*[$€£]?\d|\b(?:exam|test|inspection|audit|interview|review
        |defen[cs]e) (?:is |was |got )?(?:passed|failed|done)\b|\b(?:the|my|our
        |[\w]+'s|^[\w]+) [\w ]{2,30} went (?:well|fine|great|badly|wrong|ok|smoothly)\b|\b(?:blew off|burned down
        |burnt down|collapsed|was flooded|broke in|passed away|gave birth|got married|had (?:a|the) (?:baby
        |accident|surgery|operation|stroke))\b|\b(?:started|finished) (?:school|kindergarten|daycare
        |university|college|high school|chemo|therapy|treatment)\b""",
    ),
)

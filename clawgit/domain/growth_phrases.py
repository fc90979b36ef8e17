"""How humans tell an agent what they think of its behaviour: standing orders, complaints, praise, as patterns.

Tried on one sentence in its own spelling, without the little words before it; `what` is the behaviour it speaks of.
"""

from typing import NamedTuple

from clawgit.domain.growth import FAILED, ORDERED, PRAISED, WISHED

AS_IS, FORBIDDEN, GERUND, DID, DOES, RATHER = "as is", "forbidden", "gerund", "did", "does", "rather"
ALLOWED, WELCOME, SPARED = "allowed", "welcome", "spared"
"""What `what` is: told as it is, told of what is not wanted, in the form of `asking`, a deed that was wrong
(`deleted`), one that was right (`show`, `showed`), or the one that was missing; what is allowed again (`use emojis`,
`emojis`), or is asked for no longer (`show the diff`).
"""


class Phrase(NamedTuple):
    """`care` in a pattern is what should have come before the deed: asking, checking."""

    kind: str
    form: str
    pattern: str


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NOW_ON = (
    r"(?:from (?:now|here|today|this (?:day|point))(?: on(?:wards?)?(?: out)?| forward)?"
    r"|going forward|in (?:the )?future"
    r"|for the future|henceforth|as a (?:general |standing )?rule|next time|starting (?:now|today)"
    r"|new rule|house rule|rule for the future)"
)
_EACH = r"(?:every (?:single )?time|each time|at all times|in every (?:case|answer|reply|message)|once and for all)"
_HABIT = (
    r"(?:using|saying|writing|adding|asking|apologi[sz]ing|guessing|making|inventing|repeating"
    r"|calling|ending|starting|beginning"
    r"|assuming|flattering|pretending|ignoring|forgetting|interrupting|explaining|lecturing|answering"
    r"|replying|rambling|hedging"
    r"|summari[sz]ing|moralising|moralizing|opening|including|listing|quoting|telling)"
)
_CARE = r"(?:asking|checking|telling|testing|reading|looking|confirming|warning|verifying|reviewing)"

_AGAIN = r"(?:again|anymore|any more|after all|from now on|now)"
_FINE = r"(?:fine|ok|okay|allowed|welcome|all right|alright)"

PHRASES = (
    Phrase(
        ORDERED,
        ALLOWED,
        rf"^(?:you (?:can|may|(?:are|'re) (?:now )?(?:allowed|free) to)|feel free to|it(?:'s| is) {_FINE} to)(?: now)?"
        rf" (?P<what>.+?),? (?:again|after all|{_NOW_ON})$",
    ),
    Phrase(ORDERED, ALLOWED, rf"^{_NOW_ON}[,:]? (?:you (?:can|may|(?:are|'re) allowed to)|feel free to) (?P<what>.+)$"),
    Phrase(ORDERED, WELCOME, rf"^(?P<what>(?:[a-z-]+ )?[a-z-]+s) are {_FINE}(?: with me| by me)?(?: {_AGAIN})+$"),
    Phrase(
        ORDERED,
        SPARED,
        r"^you (?:no longer (?:need|have) to|(?:are|'re) no longer (?:required|supposed|asked) to)"
        rf" (?P<what>.+?)(?:,? {_AGAIN})?$",
    ),
    Phrase(
        ORDERED,
        SPARED,
        r"^(?:you (?:do not|don't) (?:need|have) to|you need(?: not|n't)|(?:there is |there's )?no need to)"
        r" (?P<what>.+?),? (?:anymore|any more|from now on)$",
    ),
    Phrase(ORDERED, AS_IS, r"^(?P<what>no longer .+)$"),
    Phrase(ORDERED, GERUND, rf"^(?P<what>\w+ing .+?),? {_NOW_ON}$"),
    Phrase(ORDERED, AS_IS, r"^你?(?:(?:现在|从现在起|以后|今后)你?(?=可以)|(?=又?可以(?:再|重新|继续)))(?P<what>.+)$"),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?:이제|앞으로|다시)(?:는|부터)?,? (?P<what>.+(?:도 ?돼|도 ?된다|도 ?됩니다|도 ?괜찮아))(?:요)?$",
    ),
    Phrase(ORDERED, AS_IS, rf"^{_NOW_ON}[,:]? (?P<what>.+)$"),
    Phrase(ORDERED, AS_IS, rf"^(?P<what>.+?),? {_NOW_ON}$"),
    Phrase(ORDERED, AS_IS, rf"^(?P<what>.+?),? {_EACH}$"),
    Phrase(ORDERED, AS_IS, r"^(?P<what>(?:always|never|do not ever|don't ever|never ever) .+)$"),
    Phrase(ORDERED, AS_IS, r"^(?P<what>(?:do not|don't) .+) (?:again|anymore|any more|ever)$"),
    Phrase(ORDERED, AS_IS, r"^(?P<what>(?:whenever|every time|each time) [^,]{3,80}, .+)$"),
    Phrase(ORDERED, AS_IS, r"^(?P<what>.+? (?:whenever|every time|each time) .+)$"),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?P<what>(?:i|we)(?: really)? (?:want|need|expect|'d like|would like) you to (?:always|never) .+)$",
    ),
    Phrase(ORDERED, AS_IS, r"^(?P<what>you (?:should|must|need to|have to|are to) (?:always|never) .+)$"),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?:i|we)(?:'ve| have)?(?: already)? (?:told|asked) you(?: [a-z]+){0,3}?"
        r" (?P<what>(?:not |never |always )?to .+)$",
    ),
    Phrase(
        ORDERED,
        AS_IS,
        (
            r"^how (?:often|many times)(?: more)? (?:do|must|did) (?:i|we)(?: have| need)?(?: to)? (?:tell"
            r"|ask|remind) you (?P<what>to .+)$"
        ),
    ),
    Phrase(
        ORDERED,
        FORBIDDEN,
        r"^(?:i|we) (?:do not|don't) (?:ever )?want you to (?P<what>.+) (?:again|anymore|any more|ever)$",
    ),
    Phrase(WISHED, FORBIDDEN, r"^(?:i|we) (?:do not|don't) want you to (?P<what>.+)$"),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?P<what>(?:remember|make sure|be sure|see to it)(?: that you| you)?(?: to)? (?:always|never) .+)$",
    ),
    Phrase(
        WISHED,
        RATHER,
        (
            r"^(?:it(?: would|'d) be|i(?: would|'d) (?:like|love) it) (?:(?:better|nicer|nice|great"
            r"|good|best) )?(?:if|when) you(?: could)? (?P<what>.+)$"
        ),
    ),
    Phrase(WISHED, AS_IS, r"^(?P<what>(?:when|if|before|after) you(?:'re|'ve| are| have)? [^,]{3,80}, .+)$"),
    Phrase(
        PRAISED,
        GERUND,
        r"^(?:good|great|nice|smart|excellent) (?:call|thinking|move|idea|instinct),? (?P<what>\w+ing .+)$",
    ),
    Phrase(ORDERED, AS_IS, rf"^(?P<what>stop {_HABIT}\b.+)$"),
    Phrase(FAILED, FORBIDDEN, r"^stop (?P<what>\w+ing\b.+)$"),
    Phrase(
        FAILED,
        AS_IS,
        (
            r"^you(?:'ve| have)?(?: again| once more)? (?:forgot|forgotten|failed"
            r"|neglected)(?: again)? to (?P<what>.+)$"
        ),
    ),
    Phrase(
        FAILED,
        AS_IS,
        (
            r"^you(?: still| again)? (?:didn't|did not|don't|do not) (?P<what>(?!know|need|have to|mind"
            r"|get it).+)$"
        ),
    ),
    Phrase(
        FAILED,
        DID,
        (
            rf"^(?:and |but )?(?:why did )?you(?: just"
            rf"| again)? (?P<what>\w+\b[^,]{{0,60}}?) without (?P<care>{_CARE})\b.*$"
        ),
    ),
    Phrase(FAILED, FORBIDDEN, r"^(?:why do )?you (?:keep|kept|always) (?P<what>\w+ing\b.+)$"),
    Phrase(FAILED, DID, r"^you(?: just)? (?P<what>\w+\b.+?) again$"),
    Phrase(FAILED, RATHER, r"^you should(?: have|'ve) (?P<what>\w+ .+)$"),
    Phrase(FAILED, RATHER, r"^you never (?P<what>\w+ .+)$"),
    Phrase(
        FAILED,
        FORBIDDEN,
        (
            r"^you always (?P<what>(?:forget|ignore|skip|interrupt|guess|assume|overwrite|break|repeat"
            r"|exaggerate|invent) .+)$"
        ),
    ),
    Phrase(
        PRAISED,
        DOES,
        (
            r"^(?:i )?(?:really |do |just )*(?:like|love|appreciate|enjoy)(?: it)? (?:when|that|how"
            r"|the way) you (?P<what>.+)$"
        ),
    ),
    Phrase(
        PRAISED,
        GERUND,
        (
            r"^(?:(?:thanks|thank you|kudos|props|well done|good job|nice work)(?: a lot| so much)? for"
            r"|keep(?: on)?) (?P<what>\w+ing\b.+)$"
        ),
    ),
    Phrase(
        PRAISED,
        DOES,
        (
            r"^(?:it(?:'s| is) )?(?:good|great|nice|helpful|excellent"
            r"|perfect)(?: thing)? that you (?P<what>.+)$"
        ),
    ),
    Phrase(WISHED, AS_IS, r"^(?P<what>(?:do not|don't) .+)$"),
    Phrase(WISHED, AS_IS, r"^(?P<what>you (?:should|must|shouldn't|should not|mustn't|must not|need to|have to) .+)$"),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?:请)?(?:以后|今后|从现在起|从现在开始|从今以后|往后|从今天起)"
        r"(?:请|你|都|就)*[，,：:]? ?(?P<what>.+)$",
    ),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?:请|你)?(?P<what>(?:永远|千万|绝对|绝)(?:不要|别|不能).+"
        r"|(?:不要|别)再.+|每次(?:都|要|先).+)$",
    ),
    Phrase(FAILED, AS_IS, r"^你(?:又|怎么又|还是)(?:忘了|忘记|没有|没)(?P<what>.+)$"),
    Phrase(PRAISED, AS_IS, r"^我(?:很|真的|非常)?(?:喜欢|欣赏)你(?P<what>.+)$"),
    Phrase(ORDERED, AS_IS, r"^(?:앞으로|이제부터|지금부터|다음부터)(?:는|도)?,? (?P<what>.+)$"),
    Phrase(
        ORDERED,
        AS_IS,
        r"^(?P<what>(?:항상|언제나|절대(?:로)?|다시는|매번) .+"
        r"(?:줘|주세요|해|하세요|마|마세요|말아줘|말아|말 것))$",
    ),
    Phrase(FAILED, AS_IS, r"^또 (?P<what>.+)(?:을|를|는 것을|는 걸)? (?:잊었|까먹었|안 했).*$"),
    Phrase(PRAISED, AS_IS, r"^(?P<what>.{2,60}(?:해|여|려|어|아) ?줘서) (?:고마워|좋아|좋았어).*$"),
)

ONCE = (
    r"\b(?:today|tonight|tomorrow|yesterday|this time|for now|just now|right now|yet|until|till"
    r"|for this|in this|on this|this one"
    r"|these|the (?:first|second|third|last|next) one|here|this (?:week|month|evening|morning"
    r"|afternoon)|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|(?:delete|send|touch|push|use|do|change|start|stop|run|open"
    r"|answer|write|save|post|move|merge"
    r"|worry about|forget|bother|read|try|like|think|say|mean|know|believe|understand|remember|mind"
    r"|care) (?:it|that|this|them|him|her)\b)"
    r"|今天|明天|这次|现在先|这个|这封|오늘|내일|이번|지금은|이거"
)
"""What says that it is about one thing or one day, and not about how the agent shall behave."""

GENERAL = (
    r"\b(?:always|never|every time|each time|ever|whenever|from (?:now|here|today) on|next time"
    r"|going forward|in future)\b"
    r"|for the future\b|从现在|以后|앞으로|항상|절대"
)

_SPAN = (
    r"(?:today|tonight|tomorrow|this \w+|the (?:next|coming|rest of|moment)\b|now\b|an? (?:day|week|month|hour|while)\b"
    r"|(?:\d+|one|two|three|four|five|six) (?:day|week|month|hour)s?\b)"
)
PASSING = (
    r"\b(?:until|till) (?:(?:next|this|the end of|the) )?(?:day|week|month|year|weekend|noon|midnight|tonight"
    r"|tomorrow|then|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan\w*|feb\w*|mar(?:ch)?|apr\w*|may|june?|july?|aug\w*"
    r"|sep\w*|oct\w*|nov\w*|dec\w*|\d{1,2}[./ ]\d?|(?:i|we)(?:'m|'re| am| are) back)\b"
    rf"|^(?:{_NOW_ON},? )?(?:(?:just |only )?for {_SPAN}|today\b|tonight\b|this (?:week|month|time)\b)"
    r"|\bfor (?:now|this \w+|the moment)$"
    r"|\b(?:just|only) (?:for )?(?:today|this once|this time|this week|once|now)\b"
    r"|\b(?:today|tonight|this (?:week|time|once)) only\b|\b(?:in|with|to|as|short|mails?|emojis) \w{2,20} today$"
    r"|今天|本周|这周|这次|为止|오늘만|오늘은|이번 ?주|이번에"
)
"""What ends or is for one case, however firmly it is said; but not “from today”."""

SUPPOSED = (
    r"^\W*(?:if|unless|when|should|shall|would|could|can|may|might|do(?! not)|does|did|what|who|why|how|where"
    r"|which|imagine|suppose|say that"
    r"|maybe|perhaps|he|she|they|it|there|people|everybody|somebody|my|his|her|their|the|a|an"
    r"|i (?:think|guess|wonder|never|always|don't"
    r"|do not|will|would|can|could|have|was|am|used)|we (?:never|always|don't|will|can|have|are|should|must))\b"
)
"""What supposes, asks, or tells of somebody else."""

CHEER = (
    r"^(?:Do not )?(?:give up|forget|worry|go|get|let|stay|push|try|do(?! not)|offer"
    r"|be (?!so |too |brief|short|concise|honest|direct|formal|precise|specific|careful))\b"
)
"""Rules that come of words of comfort, and of reminders: they are about no behaviour of an agent."""

LASTING = (
    r"\b(?:always|never|do not|don't|stop|before|after|when|whenever|if|every|each|first|without|should|must)\b"
    r"|[\u3400-\u9fff\uac00-\ud7af]"
)
"""What tells of more than one time."""

MANNERS = _set(
    """acknowledge admit answer ask avoid be begin check choose cite clarify compare confirm consult count describe
    double-check end explain express follow format give highlight include keep limit link list listen look make measure
    mention name quote re-check re-read read repeat reply report respond review say search show skip slow speak spell
    start state stay stick structure suggest summarise summarize talk tell test think treat use validate vary verify
    wait warn write"""
)
"""What an agent does all day, so that an imperative of it is about its manner."""

OFFERS = r"\bneed (?:help|assistance|anything|support|me|us|them|your human|a hand)\b"
"""What a friend offers; nobody orders it."""

SAID_AGAIN = (
    r"^(?:great|perfect|nice|good|yes|exactly|love it|excellent"
    r"|awesome)?[,.! ]*(?:please )?(?:keep (?:doing (?:that|this|it)|it up|it that way"
    r"|going like (?:that|this))|do (?:that|it) (?:always|again|every time|more often)"
    r"|more of (?:that|this)|(?:exactly )?like (?:that|this),? always"
    r"|that's (?:exactly )?how i (?:like|want) it)\b|^(?:很好|太好了|不错)?[，,!！ ]*(?:继续保持|就这样|保持下去)"
    r"|^(?:좋아|잘했어)?[,.! ]*(?:계속 그렇게|이대로 계속)"
)
"""Praise that points at the answer before it."""

WORKED = (
    r"^(?:(?:great|perfect|nice|yes|yep|awesome|excellent|wow|confirmed|thanks|thank you|super|cool)[,.! ]+){0,3}"
    r"(?:it|that|this|everything|all)(?:'s| is| has)?(?: all| now| just| really)? (?:works?|worked"
    r"|working|runs?|running|up|green|did it|did the trick"
    r"|passed|passes|solved it|fixed it|restored|back|live|perfect|succeeded)\b|^(?:works"
    r"|worked)(?: perfectly| great| like a charm| now| fine)?\W*$"
    r"|^(?:成功了|好用|可以了|搞定了|运行正常)|^(?:잘 돼|잘 된다|성공|작동해|잘 작동)"
)
"""That what the agent did has succeeded, in the words of who tried it."""

DONE = (
    r"^(?:(?:ok(?:ay)?|done|all done|great|good news|alright|so|there we go|finished|success"
    r"|great news)[,.:;! –—-]+){0,2}(?:i|i've|i have) (?:now |just |successfully |already )?"
    r"(?P<what>(?:restored|recovered|deployed|migrated|configured|set up|built|automated"
    r"|integrated|installed|wrote|written|translated|trained|fixed|repaired"
    r"|debugged|refactored|scheduled|connected|converted|imported|exported|backed up|designed|created"
    r"|implemented|transcribed|booked|scraped|benchmarked"
    r"|upgraded|wired up|parsed|published|rolled back|provisioned|merged|encrypted|decrypted|compiled"
    r"|ported|patched|hardened|monitored) .{4,110}?)"
    r"(?:[.!;]|, (?:and|so|it|you|which)\b| – | — |$)"
)
"""What an agent reports as done, by itself and with success."""

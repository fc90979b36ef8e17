"""Behaviours that humans ask of any agent: how they are asked for, how an agent shows them, and how it breaks them."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple


class Theme(NamedTuple):
    """`line` is the principle in the words of the soul. The patterns are tried on lower case with straight apostrophes.

    `asked` finds it in what a human asks for and in a principle; `felt` in a complaint of few words; `shown` in an
    answer that does it, and `broken` in one that does the opposite. `own` are the words, as `growth_orders` reads them,
    by which a rule says no more than the theme.
    """

    name: str
    line: str
    asked: str
    felt: str = ""
    shown: str = ""
    broken: str = ""
    own: str = ""


@lru_cache(maxsize=1 << 12)
def theme_of(rule: str) -> str:
    """The theme that a rule or principle belongs to, "" for none."""
    lowered = _plain(rule)
    return next((theme.name for theme in THEMES if _pattern(theme.asked).search(lowered)), "")


@cache
def own_words(theme: str) -> frozenset[str]:
    """The words by which a rule of that theme says nothing more."""
    return frozenset(next((one.own for one in THEMES if one.name == theme), "").split())


def complaint(sentence: str) -> Theme | None:
    """The theme that a short complaint or wish is about."""
    lowered = _plain(sentence)
    if len(lowered.split()) > _FEW_WORDS:
        return None
    found = next((theme for theme in THEMES if theme.felt and _pattern(theme.felt).search(lowered)), None)
    return None if found and found.line.startswith(_BANS) and _pattern(_WANTED).search(lowered) else found


def shown(answer: str) -> Iterator[Theme]:
    """The themes that an answer lives up to."""
    lowered = _plain(answer)
    return (theme for theme in THEMES if theme.shown and _pattern(theme.shown).search(lowered))


def breaks(theme: str, answer: str) -> bool:
    """Whether an answer does what a principle of that theme rules out."""
    found = next((one for one in THEMES if one.name == theme), None)
    if found is None or not found.broken:
        return False
    return _pattern(found.broken).search(_plain(answer)) is not None


def _plain(text: str) -> str:
    return text.replace("’", "'").lower()


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_FEW_WORDS = 12
_BANS = ("Do not ", "Skip ")
_WANTED = (
    r"\bnot enough\b|\byou (?:can|may)\b|\bfeel free\b|\b(?:is|are) (?:fine|ok|okay|allowed|welcome|all right)\b"
    r"|\bbring back\b|\bi (?:like|love|miss|enjoy)\b|\b(?:don't|do not) (?:mind|need to|have to)\b|\bmore emojis\b"
)
"""What speaks well of what a theme rules out."""

_EMOJI = "[\u2600-\u27bf\U0001f300-\U0001faff]"
_NOT = r"(?:\b(?:no|not|n't|never|without|stop|avoid|skip|fewer|less|drop|leave out|cut)\b|n't\b)"

THEMES = (
    Theme(
        "emoji",
        "Do not use emojis.",
        rf"{_NOT}[^.]{{0,30}}\bemojis?\b|(?:不要|别|不用|少).{{0,6}}表情|이모(?:지|티콘).{{0,8}}(?:마|말|금지|없)",
        rf"{_NOT}[^.]{{0,30}}\b(?:emojis?|smileys?)\b"
        r"|^\W*(?:(?:ugh|argh|oh no)\W+)?(?:emojis|smileys) again\b|\b(?:emojis|smileys)\b.{0,20}\boff\b"
        "|(?:不要|别).{0,6}表情|이모(?:지|티콘).{0,8}(?:마|말|빼)",
        broken=_EMOJI,
        own="emoji answer write send",
    ),
    Theme(
        "short",
        "Keep answers short; give detail when asked.",
        r"\b(?:answer|answers|repl(?:y|ies)|respond|responses?|write|be|keep|stay|make)\b[^.]{0,30}"
        r"\b(?:short|shorter|brief|briefer|concise|terse|to the point)\b|\bshort when short will do\b"
        r"|\b(?:under|at most|within|no more than|fewer than|less than) \d+ (?:words|sentences|lines|paragraphs)\b"
        r"|(?:简短|简洁|简明|短一点)|(?:짧게|간결|간단히)",
        r"\b(?:too long(?! ago)|too wordy|too verbose|less verbose|get to the point|to the point,? please"
        r"|(?:shorter|briefer|more concise)(?: answers?)?(?:,? please)?$|^(?:please )?(?:answer|reply|be"
        r"|write)(?: \w+)? "
        r"(?:short|shorter|brief|briefer|concise|more concise)\b|(?:cut|skip|drop|spare me) the (?:waffle|fluff"
        r"|padding|essay|rambling)|wall of text|tl;?dr|keep it (?:short|brief)|(?:fewer|less) (?:words"
        r"|text|prose|waffle))|太长|太啰嗦|简短|말이 너무 길|너무 길|짧게",
        own="short answer detail asked ask when word sentence line paragraph stay write under within most fewer less",
    ),
    Theme(
        "preamble",
        "Skip the preamble; begin with the answer.",
        r"\bpreambles?\b|\b(?:start|begin|open|lead)\b[^.]{0,20}\bwith the (?:answer|result|conclusion)\b"
        r"|\b(?:answer|conclusion|result) first\b|先说结论|결론부터",
        r"\bpreamble|\b(?:stop|skip|no more|enough of) (?:the |with the )?(?:introductions?|intros?|pleasantries)\b"
        r"|先说结论|결론부터",
        broken=r"^\W*(?:certainly|of course|absolutely|sure thing|i'd be (?:happy|glad|delighted) to)\b",
        own="preamble skip begin answer result conclusion first lead",
    ),
    Theme(
        "flattery",
        "Do not flatter; answer the question.",
        rf"{_NOT}[^.]{{0,25}}\b(?:flatter\w*|compliments?|praise me|great question|sycophan\w*)\b"
        "|(?:不要|别)(?:恭维|奉承|拍马)|아부",
        r"\b(?:stop|no more|enough) [^.]{0,20}\b(?:flatter\w*|compliments?|great question)\b|拍马|아부",
        broken=r"^\W*(?:what an? )?(?:great|excellent|fantastic|wonderful|brilliant|good) (?:question|idea|point)\b",
        own="flatter flattery compliment praise great question answer",
    ),
    Theme(
        "apology",
        "Do not apologise at length; mend it and say how.",
        rf"{_NOT}[^.]{{0,25}}\b(?:apologi[sz]\w*|say(?:ing)? sorry)\b|(?:不要|别)(?:再)?道歉|사과하지",
        r"\b(?:stop|no need|no more|enough|don't need|don't have)[^.]{0,20}\b(?:apolog\w*|sorry)\b|别道歉|사과",
        broken=r"^\W*(?:i(?:'m| am) (?:so |very |really )?sorry|i (?:sincerely )?apologi[sz]e|my (?:sincere )?apolog)",
        own="apologise apology say sorry length mend it how",
    ),
    Theme(
        "diff",
        "Show the diff before you change anything.",
        r"\bshow\b[^.]{0,25}\bdiffs?\b|\bdiffs? (?:first|before)\b|(?:先|都要?)[^。]{0,6}(?:diff|差异|改动)"
        r"|(?:diff|변경 사항|변경사항)[^.]{0,10}(?:먼저|보여)",
        shown=r"\b(?:here(?:'s| is)|this is) the diff\b|```diff",
        own="show diff first chang change edit",
    ),
    Theme(
        "ask-delete",
        "Ask before you delete anything.",
        r"\b(?:ask|check with|confirm with)\b[^.]{0,45}\b(?:delet|remov|eras|wip)\w*"
        r"|\b(?:delete|remove|erase|wipe)\b[^.]{0,30}\bwithout (?:asking|permission|checking)"
        r"|删除?[^。]{0,6}(?:前|之前)[^。]{0,8}(?:问|确认)|삭제[^.]{0,8}전에[^.]{0,10}(?:물어|확인|묻)",
        shown=r"\b(?:shall|should|may|can) i (?:delete|remove|erase)\b|\bdo you want me to (?:delete|remove)\b",
        own="ask check confirm delete first",
    ),
    Theme(
        "ask-send",
        "Ask before you send or post anything.",
        r"\b(?:ask|check with|confirm with)\b[^.]{0,45}\b(?:send|sending|post|posting|publish\w*|mail\w*"
        r"|repl(?:y|ying) to)\b"
        r"|\b(?:send|post|publish)\b[^.]{0,30}\bwithout (?:asking|permission|checking)"
        r"|发[^。]{0,8}(?:前|之前)[^。]{0,8}(?:问|确认)|보내기 전에[^.]{0,10}(?:물어|확인|묻)",
        shown=r"\b(?:shall|should|may|can) i (?:send|post|publish)\b",
        own="ask check confirm send post publish first",
    ),
    Theme(
        "tests",
        "Run the tests before you say that it is done.",
        r"\b(?:run|running)\b[^.]{0,15}\btests?\b|(?:先|要)跑(?:一下)?测试|테스트[^.]{0,10}(?:돌|실행)",
        shown=r"\b(?:all )?(?:\d+ )?tests (?:pass|passed|are green)\b",
        own="run test first say done",
    ),
    Theme(
        "sources",
        "Name the source of what you state.",
        r"\b(?:cite|name|give|quote|link|include|add|mention)\b[^.]{0,20}\b(?:sources?|citations?|references?)\b"
        r"|(?:注明|标明|给出)[^。]{0,4}(?:来源|出处)|출처",
        r"^\W*(?:(?:what's|where's) (?:the|your) source|sources?,? please)\b",
        shown=r"\bsources?: ",
        own="cite give link mention source state",
    ),
    Theme(
        "guess",
        "Do not guess: look it up, or say that you do not know.",
        rf"{_NOT}[^.]{{0,25}}\b(?:guess\w*|make (?:things|stuff|it) up|making (?:things|stuff|it) up|invent\w*"
        r"|hallucinat\w*|assum(?:e|ing))\b|(?:不要|别)(?:瞎)?猜|(?:不要|别)[^。]{0,3}编造|추측하지|지어내지",
        r"\byou (?:made that up|were guessing|guessed again|invented that|hallucinated)\b",
        own="guess invent hallucinat assum look up say know up thing stuff",
    ),
    Theme(
        "one-question",
        "Ask one question at a time.",
        r"\bask\b[^.]{0,20}\bone (?:question|thing) at a time\b|\bone question at a time\b|一次只问一个|한 번에 하나",
        r"\b(?:too many questions|one question at a time)\b",
        own="ask one question thing",
    ),
    Theme(
        "plain-words",
        "Use plain words; explain the term where you need one.",
        rf"\b(?:plain|simple|simpler) (?:words|english|language)\b|{_NOT}[^.]{{0,20}}\bjargon\b|通俗|쉬운 말",
        r"\b(?:too technical|too much jargon|in plain (?:words|english))\b|听不懂|쉬운 말로",
        own="plain simple word jargon english languag explain term need",
    ),
    Theme(
        "search-memory",
        "Search your memory before you answer about the past.",
        r"\b(?:check|search|look (?:in|into|at|through)|consult|read)\b[^.]{0,20}\b(?:memory|notes)\b"
        r"|(?:先|要)(?:查|看)[^。]{0,4}(?:记忆|笔记)|(?:기억|메모)[^.]{0,8}(?:먼저|확인)",
        r"\b(?:check|look in|search) your (?:own )?(?:memory|notes)\b",
        own="check search look consult read memory note answer past",
    ),
)

"""What must not become a principle by an agent's own hand, whoever asks for it in a chat: only the operator adds it."""

import re
from functools import cache

from clawgit.domain.poison import findings

LOOSENS = "it would loosen a guard of the agent"
OBEYS = "it tells whom to obey, or sets rules aside"
SENDS = "it would send something away, run something, or spend"
DESTROYS = "it is a standing order to delete or overwrite"
FACT = "it is about one address, path, tool or value: a fact, which memory and the memory-miner keep"
OPERATOR = "it is a fact about the operator: USER.md is the place for it, and the memory-miner keeps it"
POISON = "it reads like poison"


def unfit(rule: str) -> str:
    """Why a rule is left to the operator, "" where it may be a principle."""
    lowered = _compiled(_ALLOWS).sub("", rule.replace("’", "'").lower())
    found = next((why for why, pattern in _RULES if _compiled(pattern).search(lowered)), "")
    return found or next((f"{POISON}: {one.reason}" for one in findings("", f"- {rule}\n")), "")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


_NO = r"(?:never|do not|don't|no need to|need not|not have to|stop|skip|cannot|avoid)"
_GUARDED = (
    r"(?:ask\w*|check\w*|confirm\w*|verif\w*|warn\w*|tell\w*|report\w*|log\w*|mention\w*|question\w*|doubt\w*"
    r"|refus\w*|hesitat\w*|validat\w*|permission|approval|consent|backups?|back up|review\w*|disclos\w*|admit\w*)"
)
_STAKES = (
    r"(?:before|first|permission|approval|consent|confirm\w*|delet\w*|remov\w*|send\w*|pay\w*|buy\w*|publish\w*"
    r"|post\w*|deploy\w*|push\w*|overwrit\w*|spend\w*|money|mistakes?|errors?|problems?|what you (?:do|did|changed?))"
)
_ANYBODY = (
    r"(?:every(?:one|body|thing)|any(?:one|body|thing)|whoever|whatever|all|others?|strangers?|them|him|her|they"
    r"|the (?:mail|page|website|admin|system|developers?|group|team|file)s?)"
)


def _rule(reason: str, pattern: str) -> tuple[str, str]:
    return reason, pattern


_ALLOWS = r"^you may (?:now )?"
"""What is allowed is judged as what would be ordered."""

_FORM = (
    r"(?:tabs?|spaces?|indent\w*|bullets?|bullet[ -]points?|lists?|tables?|headings?|headlines?|titles?|bold|italics?"
    r"|markdown|plain|prose|code (?:blocks?|fences?|spans?)|quotes?|quotations?|commas?|semicolons?|colons?|hyphens?"
    r"|dash(?:es)?|brackets?|parenthes[ei]s|capitals?|lower ?case|upper ?case|camelcase|snake_case|kebab-case"
    r"|sentences?|paragraphs?|words?|tone|voice|tense|person|pronouns?|formal|informal|short|long|simple|numbers?|numerals?"
    r"|digits?|decimals?|units?|dates?|times?|clock|format\w*|spelling|language|emojis?|examples?|analog(?:y|ies)|metaphors?"
    r"|footnotes?|links?|names?|abbreviations?|acronyms?|answers?|repl(?:y|ies)|summar(?:y|ies)|explanations?|celsius|fahrenheit)"
)
"""The manner in which something is written, which no memory of a tool or an address says."""

_RULES = (
    _rule(
        OPERATOR,
        r"^(?:always )?(?:call|address|greet|name) (?:your human|them) "
        r"(?!(?:when|if|before|after|whenever|once|at|in|on|about|first|back|every|each|immediately|by|as|with)\b)",
    ),
    _rule(
        OPERATOR, r"^(?:always )?(?:call|address|greet) (?:your human|them) (?:by|as|with) (?!(?:phone|soon|often)\b)"
    ),
    _rule(OPERATOR, r"^(?:请)?(?:叫|称呼)我|라고 ?(?:불러|부르)"),
    _rule(OPERATOR, r"^(?:always )?use (?:she/her|he/him|they/them|\w+ pronouns)\b"),
    _rule(
        SENDS,
        r"^(?!(?:never|do not)\b)[^.]{0,40}\b(?:include|reveal|tell|show|disclose|repeat|quote|print"
        r"|recite|write|give|answer)\b"
        r"[^.]{0,60}\b(?:private|personal|confidential|everything you know|all you know"
        r"|your (?:whole )?memory|conversations?"
        r"|what (?:others|they) (?:said|told))\b",
    ),
    _rule(LOOSENS, rf"\b{_NO}\b(?: \w+)? {_GUARDED}\b[^.]{{0,60}}\b{_STAKES}\b"),
    _rule(LOOSENS, rf"\b{_NO}(?: ever)? {_GUARDED}(?: (?:your human|me|them|again|anything|anymore|about it))*\W*$"),
    _rule(
        LOOSENS,
        r"^(?!(?:never|do not|don't)\b)[^.]{0,90}\bwithout (?:\w+ )?(?:asking|checking|confirm\w*"
        r"|permission|approval|consent"
        r"|telling|warning|limits?|exception)\b",
    ),
    _rule(
        LOOSENS,
        r"不(?:要|用|必|需要?)(?:再)?(?:问|询问|确认|告诉|汇报|请示)|别(?:再)?(?:问|确认|告诉)"
        r"|无需(?:确认|询问)|(?:묻|확인하|알리|보고하)지 (?:마|말|않)",
    ),
    _rule(
        OBEYS,
        rf"\b(?:obey|trust|follow|believe|listen to|do (?:what|as)|comply|accept|execute|answer to"
        rf"|serve)\b[^.]{{0,20}}\b{_ANYBODY}\b",
    ),
    _rule(
        OBEYS,
        r"\b(?:obey|ignore|disregard|override|bypass|disable|forget|drop|discard|overrule|replace)\b[^.]{0,30}"
        r"\b(?:principles?|rules?|instructions?|boundar\w+|polic\w+|guards?|guardrails?|corrections?"
        r"|prompts?|limits?|restrictions?"
        r"|safety|security|operator|owner|human|soul|constraints?)\b",
    ),
    _rule(
        OBEYS,
        r"\b(?:soul\.md|soul_policy|config\.md|claude\.md|agents\.md|system prompt|jailbreak"
        r"|developer mode|role-?play|pretend)\b",
    ),
    _rule(OBEYS, r"服从|听从(?!用户)|无视|忽略.{0,6}(?:规则|指令|原则)|복종|무시해|따르(?:라|세요).{0,4}모두"),
    _rule(
        SENDS,
        r"https?:|www\.|\b[\w.+-]{1,64}@[\w-]{1,64}\.\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:sudo|curl|wget"
        r"|bash|rm -|chmod|eval|base64)\b",
    ),
    _rule(
        SENDS,
        r"^(?:always )?(?:(?:\w+,? )?(?:if|when|whenever|before|after) [^.]{0,60}, )?(?:forward|upload"
        r"|publish|share|post|mail|email|copy"
        r"|download|install|execute|pay|transfer|buy|purchase|order|give away|push|submit|release|deploy"
        r"|call(?! (?:your human|them) )|open|visit|cc|bcc)\b",
    ),
    _rule(SENDS, r"^(?:always )?send (?!your human\b|a (?:short )?summary\b)"),
    _rule(
        SENDS,
        r"^(?!(?:never|do not)\b)[^.]{0,120}\b(?:passwords?|tokens?|api keys?|secrets?|credentials?"
        r"|private keys?|ssh)\b",
    ),
    _rule(
        DESTROYS,
        r"^(?:always )?(?:delete|remove|erase|wipe|overwrite|destroy|drop|rewrite|force|reset|clear|empty|purge)\b",
    ),
    _rule(
        FACT,
        r"[\\`<>{}|#$]|(?:^|\s)[~.]?/[\w.-]|\bport \d|\b\w+\.(?:md|py|js|ts|json|ya?ml|txt|sh|conf|toml"
        r"|com|org|net|io|dev|local)\b|\bv?\d+\.\d+\b",
    ),
    _rule(
        FACT,
        r"^(?:always )?use (?!(?:british|american|english|german|french|spanish|chinese|korean|metric"
        rf"|imperial)\b)(?!(?:\S+ ){{0,4}}{_FORM}\b)\S+ (?:\w+ )?(?:for|as|in|on|at|from)\b",
    ),
)

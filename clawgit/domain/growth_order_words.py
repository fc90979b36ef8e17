"""Words of orders to an agent: which mean the same, which say nothing, and of which kinds an order takes only one."""

from clawgit.domain.statement_words import table, word_set
from clawgit.domain.stems import stem

SAYS_THE_SAME = table("""
    answer: answer answers reply replies respond responds response responses answering replying speak talk
    mail: mail mails email emails e-mail e-mails
    emoji: emoji emojis smiley smileys emoticon emoticons
    short: short shorter brief briefer briefly concise concisely terse
    long: long longer lengthy verbose
    delete: delete deletes deleting remove removes removing erase erasing wipe wiping deletion deletions
    begin: begin begins beginning start starts starting open opening
    end: end ends ending finish finishing close closing
    check: check checks checking verify verifies verifying double-check re-check
    show: show shows showing
    tell: tell tells telling inform notify
    ask: ask asks asking
    buy: buy buying purchase purchasing
    deploy: deploy deploys deploying deployment deployments
    summary: summary summaries
    source: source sources citation citations reference references
    cite: cite citing name quote
    bullet: bullet bullets bullet-point bullet-points
    formal: formal formally
    informal: informal informally casual casually
    summarise: summarise summarize summarising summarizing
    apologise: apologise apologize apologising apologizing
    customer: customer customers client clients
    whole: whole entire complete full
    picture: picture pictures image images photo photos
    """)
"""Narrower than what says the same in a note: to post is no letter there, and to call no telephone."""

SILENT = word_set("""
    a an the this that these those you your human human's they them their theirs it its i me my we us our be is are was
    were am been and or also too just please really simply always ever must should shall will would can do does did use
    uses using used make makes making keep keeps keeping put add adds adding include anything everything
    something any all each every time times of to in on at for with by as into about so very quite more now only
    strictly own get gets give gives giving have has let point points ones way manner form
    """)

DIRECTED = {
    "before": "before", "after": "after", "without": "unless", "unless": "unless", "except": "unless",
    "until": "until", "till": "until", "from": "from", "than": "than", "between": "between", "by": "by",
    "when": "when", "whenever": "when", "if": "when", "while": "when", "once": "when", "during": "when",
}  # fmt: skip
"""What stands behind these has another part in an order than what stands before: to ask before deleting."""

NARROWS = word_set("in on at for to about during when whenever if while before after")
"""What stands behind these may tell in which cases an order is meant."""

DENIES = word_set("not never no nothing nobody none neither nor stop avoid quit")

NAMES = word_set("call address greet sign title name begin end")
"""What is done with one name or one formula at a time."""

_KINDS = """
    units: metric imperial customary
    degrees: celsius fahrenheit kelvin
    spelling: british american canadian australian oxford
    tone: formal informal playful serious neutral friendly
    person: first second third
    length: short long detail detailed
    form: table tables bullet prose paragraph paragraphs
    markup: markdown html plain latex
    name: forename surname
    order: ascending descending chronological alphabetical chronologically alphabetically
    sphere: work private personal business
    case: lowercase uppercase camelcase snake_case kebab-case
    tense: past present
    indent: tab tabs space spaces
    tongue: german english french spanish italian portuguese dutch polish chinese japanese korean russian turkish
    tongue: swedish danish norwegian finnish czech greek ukrainian arabic hebrew hindi latin
    clock: 12h 24h
    day: workdays weekends
    number: singular plural
    """


def _kinds() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in _KINDS.strip().splitlines():
        name, _, words = row.partition(":")
        for word in words.split():
            for form in {word, stem(word)}:
                found.setdefault(form, set()).add(name.strip())
    return {word: frozenset(names) for word, names in found.items()}


KINDS = _kinds()
"""Word → the kinds of manner of which it is one: an order takes one of a kind."""

ASIAN_DENIES = (
    r"不可以?|不要|不准|不许|不能|不得|别|別|勿|禁止|지 ?마(?:세요|라)?|지 ?말(?:아|고|것)?[^\s.]{0,3}|금지|않"
)
ASIAN_SILENT = (
    r"[\s.,。，！!、]|你|您|请|都|一定|务必|永远|千万|绝对|再|了|要|总是|每次|就|항상|언제나|절대로?|다시는|매번|앞으로"
    r"|(?:해|하여)? ?(?:줘|주세요|주십시오)|하세요|해라?(?=$|[.\s])|을|를|는|은|[으]?로(?=[\s.])"
)
ASIAN_PERMITS = r"可以|能够|允许|[도되] ?돼|[도] ?(?:된다|괜찮)"
ASIAN_SAYS_THE_SAME = (
    (r"英文|英语|英語", "英"), (r"德文|德语|德語", "德"), (r"中文|汉语|漢語|普通话", "中"), (r"法文|法语|法語", "法"),
    (r"日文|日语|日語", "日"), (r"韩文|韩语|韓語", "韩"), (r"西班牙文|西班牙语", "西"), (r"回复|答复|作答", "回答"),
    (r"대답|답변|응답|답(?!변)", "답"), (r"이모지|이모티콘", "이모지"), (r"表情符号", "表情"),
    (r"써|쓰|사용하?", "쓰"),
)  # fmt: skip
ASIAN_KINDS = ("英德中法日韩西", ("영어", "독일어", "한국어", "중국어", "일본어", "프랑스어", "스페인어"),
               ("반말", "존댓말"), ("公制", "英制"), ("正式", "随意"))  # fmt: skip

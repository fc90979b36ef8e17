"""Words of orders to an agent: which mean the same, which say nothing, of which kinds an order takes only one; and the
words for how two orders stand to each other.
"""

from clawgit.domain.statement_words import table, word_set
from clawgit.domain.stems import stem

SAME, NARROWER, WIDER, EXACTER = "same", "narrower", "wider", "exacter"
VALUE, CONTRARY, EXCEPTION, OTHER = "value", "contrary", "exception", "other"
"""How an order stands to an older one."""

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

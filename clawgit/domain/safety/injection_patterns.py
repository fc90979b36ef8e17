"""What poison says: the patterns of orders, which are data of the languages, of leaks, and of hidden
markup.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.language.rows import blocks_of

INSTRUCTS = "instructs"
HIDES = "hides"
EXFILTRATES = "exfiltrates"


_DEFINED = re.compile("<([A-Z_]+)>")


class InjectionRule(NamedTuple):
    """`pattern` is tried only where one of the cues stands in the text, so that most are never
    compiled.
    """

    kind: str
    reason: str
    cues: tuple[str, ...]
    pattern: str
    hold: bool = True
    is_proof: bool = True
    """If not, it is a finding only where the words around it seem to order something."""

    def may_be_in(self, text: str) -> bool:
        """Whether a cue is in a text; hundreds of cues are looked for in each text."""
        return any(map(text.__contains__, self.cues))


def _rule(
    reason: str, cues: str, pattern: str, kind: str = INSTRUCTS, *, hold: bool = True
) -> InjectionRule:
    """A rule. Line ends in its pattern, and the blanks after them, are dropped. In a cue, ␣ stands
    for a blank and ␤ for a line end.
    """
    blanks = str.maketrans("␣␤", " \n")
    return InjectionRule(
        kind,
        reason,
        tuple(cue.translate(blanks) for cue in cues.split()) or ("",),
        re.sub(r"\n *", "", pattern),
        hold,
    )


def _words(
    reason: str, cues: str, pattern: str, kind: str = INSTRUCTS, *, hold: bool = True
) -> InjectionRule:
    """A rule of whole words. A blank in its pattern stands for anything short between two words of
    a sentence.
    """
    rule = _rule(reason, cues, pattern, kind, hold=hold)
    return rule._replace(pattern=rf"(?<!\w)(?:{rule.pattern})(?!\w)".replace(" ", r"[^\w\n]{1,4}"))


_PRIVATE = "gives out what is private"
_COMMAND = "hands data or control to a command"
_ADDRESS = "an address that carries data away"
_PARAMETERS = "an address with parameters"
COMMENT = "a hidden comment"
MARKUP = "markup that hides text"
FAR_OFF = "text far off the page"


_READ = {"words": _words, "rule": _rule}


def _orders() -> Iterator[InjectionRule]:
    """The worn phrases of all languages."""
    defined: dict[str, str] = {}
    for head, *rows in blocks_of("_orders"):
        how, _, name = head.partition(" ")
        first = 0 if how == "define" else 1
        pattern = "".join(row.removeprefix("\t") for row in rows[first:])
        pattern = _DEFINED.sub(lambda found: defined[found[1]], pattern)
        if how == "define":
            defined[name] = pattern
        else:
            yield _READ[how](name, rows[0], pattern)


ORDERS = tuple(_orders())

_PRIVY = r"""(?:memor(?:y|ies)|conversations?|chats?|(?:chat )?history|secrets?|(?:api |private |ssh )?keys?
|credentials?
|passwords?|tokens?|soul|user\.md|memory\.md|soul\.md|\.env|env file|calendar|messages?|mails?|contacts?|files?
|data)"""
_OUT = "(?:send|post|forward|upload|submit|transmit|exfiltrate|leak|copy|e?mail|paste|share|report|put|sende|envia|envie)"
_AWAY = r"""(?:https?://|[\w.+-]{1,40}@[\w-]{1,40}\.|(?:an? |the )?(?:external|remote|attacker|unknown|third.party)
|the (?:sender|visitor|support team|address in))"""

_PORT = r"(?::(?:\d{1,5}|\$\w{1,30}|\$\{\w{1,30}(?::?-\d{1,5})?\}))?"
_ELSEWHERE = rf"""https?://(?!(?:[a-z][\w-]{{0,62}}|127\.[\d.]{{1,9}}|\[::1\]){_PORT}(?:[/?#\s"'`)]|(?<=\d)\$|$))"""
"""The beginning of an address that is not this machine's, nor a name without a dot, which only its
own network knows: nothing is carried away to those.
"""
_TAG_ENDS = r"<(?:/|br\b)"
_FILLED_IN = r"(?:\$\{|\{\{|(?<!:)\$[a-z])"
"""Something to be filled in. A number is all that can be filled in for a port."""

LEAKS = (
    _rule(
        _PRIVATE,
        "http @ external remote attacker sender visitor support address",
        rf"""\b{_OUT}\b[^\n.!?]{{0,60}}?(?<!\w){_PRIVY}\b[^\n!?]{{0,60}}?\b(?:to|at|into|with|in
        |on)\b[^\n!?]{{0,20}}?{_AWAY}
        |\b(?:sende|envia|envie)\b[^\n.!?]{{0,40}}?(?:passwort|contrasena|schlussel|clave|conversacion|memoria
        |token)[^\n]{{0,60}}?
        https?://""",
        EXFILTRATES,
    ),
    _words(
        _PRIVATE,
        "key password token secret credential history conversation",
        r"""(?:include|append|attach|encode|embed|insert|add) (?:(?:the|your|all|any|every|user s
        |operator s) ){0,3}(?:api keys?
        |passwords?|tokens?|secrets?|credentials?|chat history|conversations?|private keys?) (?:[\w'’]{1,20} ){0,4}
        (?:to|in|into|with) (?:every|each|all|any|the (?:url|image|link|address))""",
        EXFILTRATES,
    ),
    _rule(
        _PRIVATE,
        "http",
        r"""(?:发送|發送|上传|上傳|转发|轉發|提交)[^\n。]{0,20}?https?://
        |(?:비밀번호|메모리|대화|기록|키)[^\n]{0,60}?https?://[^\n]{0,60}?(?:전송|보내|업로드)""",
        EXFILTRATES,
    ),
    _rule(
        "fetches its orders from an address",
        "http",
        r"""\b(?:fetch|visit|open|read|load|download|browse)\b[^\n]{0,10}?https?://\S{1,200}[^\n]{0,20}?
        \b(?:and|then)\b (?:do (?:what|as)|follow|obey|execute|run)""",
        EXFILTRATES,
    ),
    _rule(
        _COMMAND,
        "curl wget ncat netcat invoke- /dev/tcp nc␣ nc␤",
        rf"""\b(?:curl|wget)\b[^\n|]{{0,200}}?(?:\w\.\w|\$)[^\n|]{{0,200}}\|\s{{0,4}}(?:sudo )?(?:ba|z|da)?sh\b|/dev/tcp/
        |\bcurl\b[^\n|]{{0,120}}?\s(?:-t|--upload-file|-f \S{{1,40}}=@|--form \S{{1,40}}=@|(?:-d
        |--data\S{{0,12}}) ?["']?(?:@|\$))
        |\b(?:curl|wget)\b[^\n|]{{0,120}}?{_ELSEWHERE}[^\s"']{{0,200}}(?<!:)\$[\w{{(]
        |\|\s{{0,4}}(?:nc|ncat|netcat|curl|wget)\s(?:-|[^\s|]{{0,80}}[.:/$]|[^\s|]{{1,80}} \d)|\bnc\s[^\n|]{{0,80}}\s-e\s
        |invoke-(?:webrequest|restmethod|expression)[^\n]{{0,160}}?-(?:body|infile)""",
        EXFILTRATES,
    ),
    _rule(
        _ADDRESS,
        "http webhook. .oast",
        r"""(?:hooks\.slack\.com/(?:services|workflows)/\w|discord(?:app)?\.com/api/webhooks/\w|webhook\.site
        |requestbin\.|pipedream\.net
        |burpcollaborator\.net|oastify\.com|\.oast\.(?:fun|me|pro|live|site
        |online)|interact\.sh
        |hookbin\.com|beeceptor\.com|hooks\.zapier\.com|maker\.ifttt\.com|api\.telegram\.org/bot|transfer\.sh/
        |canarytokens\.|dnslog\.)""",
        EXFILTRATES,
    ),
    # What those above take is all that they are for. A tunnel leads to somebody's machine, as the
    # address of any server does: in a list of services it is a fact.
    _rule(_ADDRESS, "ngrok", r"\.ngrok(?:-free)?\.(?:io|app|dev)", EXFILTRATES)._replace(
        is_proof=False
    ),
    _rule(
        _ADDRESS,
        "://",
        rf"""{_ELSEWHERE}[^\s?"'`]{{1,200}}\?(?:(?!\)[<\[]|{_TAG_ENDS})[^\s"'`]){{0,120}}?(?!{_TAG_ENDS})(?:[{{<]|\[|\$\w|%7b)
        |{_ELSEWHERE}[^\s"'`]{{1,200}}?{_FILLED_IN}
        |!\[[^\]\n]{{0,80}}\]\(\s{{0,4}}https?://[^\s)]{{1,200}}?[{{$<]
        |!\[[^\]\n]{{0,80}}\]\(\s{{0,4}}https?://[^\s)]{{0,200}}?(?:pixel|beacon|track|collect|1x1)""",
        EXFILTRATES,
    ),
    _rule(
        _PARAMETERS,
        "://",
        r"""https?://[^\s?"'`)]{1,200}\?[^\s"'`)=]{1,60}=""",
        EXFILTRATES,
        hold=False,
    ),
)

HIDDEN = (
    _rule(COMMENT, "<!--", "<!--", HIDES),
    _rule(COMMENT, "]:", r"(?m)^ {0,3}\[(?://|comment|_|#|\.)\]: *(?:#|<>|<#>) *[\"'(]", HIDES),
    _rule(MARKUP, "](", r"(?<!!)\[[\s\u200b]{0,20}\]\([^)\n]{1,200}\)", HIDES),
    _rule(
        MARKUP,
        "< style hidden",
        r"""style\s{0,4}=\s{0,4}["'][^"'>]{0,200}?(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden
        |font-size\s{0,4}:\s{0,4}0?[01](?:\.\d{1,4})?(?:px|pt|em|rem|%)?\b
        |opacity\s{0,4}:\s{0,4}0(?:\.0\d{0,3})?(?![.\d])
        |color\s{0,4}:\s{0,4}(?:white|transparent|\#fff\b|\#ffffff\b)|(?:left|top|text-indent)\s{0,4}:\s{0,4}-\d{3})
        |<[a-z][a-z0-9]{0,15}(?:\s[^<>\n]{0,200})?\shidden\b
        |<(?:script|iframe|object|embed|meta|svg|form|template|noscript)\b""",
        HIDES,
    ),
    # Not the right border of a box, which is drawn there for everybody to see.
    _rule(
        FAR_OFF, "", r"(?<![ \t\u00a0])[ \t\u00a0]{80,}(?=\S)(?![|│┃║][ \t\r]{0,9}(?:\n|\Z))", HIDES
    ),
)

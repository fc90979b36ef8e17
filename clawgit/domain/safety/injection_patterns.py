"""What poison says: the patterns of orders, leaks and hidden markup, as data: English, and six more
languages.
"""

import re
from typing import NamedTuple

INSTRUCTS = "instructs"
HIDES = "hides"
EXFILTRATES = "exfiltrates"


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


_OVERRIDE = "tells to set aside the rules"
_ROLE = "gives the agent another role"
_OBEY = "tells whom to obey"
_QUIET = "keeps something from the operator"
_PROMPT = "asks for the system prompt"
_SPEAKER = "speaks in the place of system or agent"
_PRIVATE = "gives out what is private"
_COMMAND = "hands data or control to a command"
_ADDRESS = "an address that carries data away"
_PARAMETERS = "an address with parameters"
COMMENT = "a hidden comment"
MARKUP = "markup that hides text"
FAR_OFF = "text far off the page"

_SOME = r"(?:[\w'’]{1,20} ){0,3}"
_ALL = "(?:(?:all|any|every|each|of|the|these|those|its|other|and) ){0,3}"
_TURN = """(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect|abandon|violate|stop (?:following
|obeying)
|(?:set|put|lay) aside|pay no (?:attention|heed) to)"""
_OLD = """(?:previous|prior|above|earlier|preceding|existing|former|foregoing|past|original|initial|system|safety
|content|security|your|(?:operator|user|owner|developer) s)"""
_LAW = """(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|orders?|commands?|polic(?:y|ies)|context
|constraints?|restrictions?|safeguards?|principles|programming|training|guardrails?|filters?|boundaries)"""
_HUMAN = "(?:user|operator|human|owner|principal|admin(?:istrator)?)"
_MACHINE = "(?:ais?|assistants?|agents?|llms?|(?:language )?models?|(?:chat)?bots?)"
_NO_LAW = """(?:without|no) (?:(?:a|any|all|more) )?(?:conscience|restrictions?|limits?|limitations?|rules?|filters?
|ethics|morals?|censorship)"""
_NOT = "(?:do not|don t|never|must not)"

_ENGLISH = (
    _words(
        _OVERRIDE,
        "ignore disregard forget override overrule bypass discard neglect abandon violate stop "
        "aside heed attention",
        rf"""{_TURN} {_ALL}{_OLD} (?:(?:of|and|the|all|{_OLD}) ){{0,3}}{_LAW}
        |{_TURN} {_ALL}(?:instructions|directives|guidelines|prompts)
        |{_TURN} {_ALL}{_LAW} (?:above|before this|so far|you (?:were|have been) given|and (?:send|obey|do|give
        |reveal))
        |{_TURN} (?:everything|all|anything|whatever|what) (?:that )?(?:above|before|you (?:were|ve been
        |have been|know|
        learned)|(?:your|the) {_HUMAN})""",
    ),
    _words(
        _OVERRIDE,
        "safety security moderation guardrail",
        rf"""(?:skip|disable|circumvent|turn off|switch off|evade|bypass|ignore) {_SOME}(?:(?:safety|security
        |moderation)
        (?: )(?:checks?|filters?|rules?|guards?|measures?|polic(?:y|ies)|limits?|protocols?|reviews?)|guardrails?)""",
    ),
    _words(
        _OVERRIDE,
        "apply precedence priority override supersede replace void lifted removed revoked "
        "suspended disabled",
        rf"""{_LAW} (?:above|before this|{_SOME}(?:file|prompt)) (?:no longer|do not|don t) (?:apply|count|hold|bind)
        |(?:these|this|the following|my) {_LAW} (?:takes?|ha(?:ve|s)|gets?) (?:precedence|priority) over
        |(?:these|this|the following|my) {_LAW} (?:override|supersede|replace)s? (?:all|any|every|your|the|each)
        |your {_LAW} (?:ha(?:ve|s) been|are|is) (?:now )?(?:lifted|removed|off|gone|disabled|void|revoked
        |suspended)""",
    ),
    _words(
        _ROLE,
        "you",
        rf"""you (?:are|re) now (?:dan|free|unrestricted|unbound|jailbroken|acting|operating|no longer
        |in \w{{1,20}} mode)
        |you (?:are|re) now (?:an?|the|my) {_SOME}(?:{_MACHINE}|persona|hacker|trader|terminal|shell|character|servant)
        |your (?:new|real|true|actual|only|secret) (?:instructions?|task|goal|role|identity|mission|purpose
        |owner|master
        |operator|creator|objective|principal) (?:is|are|will be) (?:to|the|now|an?|whoever|me|not)
        |you (?:now )?(?:have|had|face|follow|know) {_NO_LAW}
        |you (?:no longer|don t|do not) (?:have|need) to (?:obey|follow|comply|respect|ask (?:\w{{1,10}} ){{0,2}}
        (?:permission|approval|confirmation|consent))""",
    ),
    _words(
        _ROLE,
        "mode pretend act answer respond behave role",
        rf"""(?:enter|activate|enable|switch (?:in)?to|start|turn on) (?:the )?(?:developer|debug|god|dan|admin|root
        |jailbreak|unrestricted|sudo|maintenance) mode
        |(?:pretend|act|behave|respond|answer|role ?play) (?:(?:as|like|that|if) ){{1,2}}you (?:have|had|are
        |were) {_NO_LAW}
        |(?:answer|respond|reply|comply|act) {_SOME}{_NO_LAW}
        |act as (?:(?:the|an?) )?(?:admin(?:istrator)?|root|hacker|attacker|(?:unrestricted|evil) \w{{1,20}})""",
    ),
    _words(
        _OBEY,
        "obey from comply whatever anything everything opposite permission confirmation approval "
        "consent trust treat follow copy append write add insert paste",
        rf"""from now on (?:you )?(?:(?:must|will|shall|are|should) (?:to )?)?(?:only )?(?:obey|serve|comply
        |ignore|pretend
        |answer (?:only )?(?:to|as)|act as|speak as|follow (?:only|whatever|every|any))
        |(?:must|will|shall|should) (?:always )?(?:obey|comply with)
        |obey (?:me|only|every|all|any|each|the following|whoever|whatever|this|these|without|everything|him|her|them)
        |do (?:whatever|anything|everything) (?:(?:that|the|an?) ){{0,2}}\w{{1,20}} (?:says?|asks?|wants?
        |demands?|tells?)
        |(?:do|say) the (?:exact )?opposite
        |{_NOT} ask (?:(?:the|your|any|an?|{_HUMAN}) ){{0,3}}(?:again )?for (?:permission|confirmation|approval
        |consent)
        |stop asking {_SOME}for (?:permission|confirmation|approval|consent)
        |trust (?:only )?(?:whoever|the (?:sender|visitor)|(?:every|any) (?:page|mail|message|sender|visitor))
        |treat (?:every|any|each|all|the) (?:\w{{1,20}} ){{1,8}}as if it (?:came|were|was) from your
        |follow (?:this|that|the) (?:page|file|message|mail|text|document|site) instead
        |(?:copy|append|write|add|insert|paste) (?:this|these|the following) \w{{1,12}} (?:into|to|in)
        (?: )(?:every|all|each|any|your)""",
    ),
    _words(
        _OBEY,
        "ai assistant agent llm model bot",
        rf"""(?:important|urgent|new|hidden|special|secret|critical) (?:system )?(?:instructions?|messages?
        |notices?|orders?
        |directives?) (?:for|to) (?:(?:the|any|all|every) )?{_MACHINE}
        |if you are (?:an? )?(?:\w{{1,20}} )?{_MACHINE}
        |{_MACHINE} (?:(?:that|who|which) )?(?:reads?|reading|sees?|processing|processes) (?:this|these)""",
    ),
    _words(
        _QUIET,
        "tell inform mention notify alert warn reveal disclose show report let keep hide without "
        "secretly silently",
        rf"""{_NOT} (?:tell|inform|notify|alert|warn) (?:the|your|any|a) {_HUMAN} (?:about|of|that) (?:this
        |these|any|what you)
        |{_NOT} (?:tell|inform|notify|alert|warn) (?:the|your|any) {_HUMAN}(?=[.!?;:]|\W{{0,2}}(?:\n|$)| this
        | that this)
        |{_NOT} (?:mention|reveal|disclose|show|report) (?:this|these|it|any) {_SOME}to (?:the|your|any|a) {_HUMAN}
        |{_NOT} let (?:the|your|any) {_HUMAN} (?:know|see|notice|find out|learn)
        |(?:keep|hide) (?:this|these|it) {_SOME}(?:from (?:the|your) {_HUMAN}|secret|between us|to yourself)
        |without (?:telling|informing|notifying|alerting) (?:the|your|any) {_HUMAN}
        |(?:secretly|silently|covertly) (?:forward|send|copy|upload|add|insert|approve|delete|install|transmit
        |share|change
        |collect|record|pay|run|execute)
        |(?:execute|run|obey) (?:[\w'’]{{1,20}} ){{1,8}}without (?:asking|question|hesitation|confirmation)""",
    ),
    _words(
        _PROMPT,
        "prompt instructions",
        r"""(?:reveal|print|show|repeat|output|display|leak|share|disclose|recite|give|tell) (?:(?:me|us|out
        |back|the|your
        |full|whole|entire|complete|exact|verbatim) ){0,4}(?:system|initial|hidden|secret) (?:prompt|instructions)
        |new system prompt""",
    ),
    _rule(
        _SPEAKER,
        "< [ :",
        r"""<\|[a-z_]{2,20}\|>|(?<![|\]])(?<![|\]] )\[/?(?:inst|system|sys|system message|admin)\](?!`)
        |<{1,2}/?(?:system|sys|instructions?|system-reminder|assistant|developer|tool_call|function_calls?)>{1,2}(?!`)
        |(?:^|\n)(?:system|assistant|developer)(?: (?:prompt|message|note|override|notice
        |instructions?))?: ?(?:sure|you |
        ignore|disregard|from now|new |forget|do not|obey|override|the (?:user|operator|following)|all |execute
        |run )""",
    ),
)

_GERMAN = (
    _words(
        _OVERRIDE,
        "ignorier missacht vergiss verwirf umgeh uberschreib",
        r"""(?:ignoriere?|missachte|vergiss|verwirf|umgehe?|uberschreibe?) (?:(?:alle|die|deine|samtliche|jede
        |bitte) ){0,3}
        (?:(?:vor(?:her|an)\w{1,12}|vorigen|bisherigen?|fruheren?|obigen?|alten|ursprunglichen) ){1,2}
        (?:anweisung|regel|instruktion|befehl|vorgabe|anleitung|richtlinie|prompt)\w{0,2}""",
    ),
    _words(
        _ROLE,
        "du gehorch",
        r"""du bist (?:jetzt|nun|ab sofort) (?:dan|frei|ein\w{0,2} (?:\w{1,20} ){0,2}(?:assistent|ki|agent
        |modell|bot|hacker))
        \w{0,2}|ab (?:jetzt|sofort|nun) (?:gehorch\w{0,3}|dienst du|folgst du nur|befolgst du nur)
        |du (?:musst|sollst|wirst) (?:\w{1,20} ){0,4}gehorchen""",
    ),
    _words(
        _QUIET,
        "sag erzahl verrat meld",
        r"""(?:sage?|erzahle?|verrate?|melde) (?:(?:es|das|dies|davon) ){0,1}(?:dem|der|deinem|deiner) (?:nutzer
        |benutzer
        |anwender|operator|betreiber|menschen|besitzer)(?:in)? (?:nichts|nicht|nie)""",
    ),
    _words(
        _PROMPT,
        "systemprompt prompt",
        r"(?:gib|zeig|zeige|nenne|verrate|drucke) (?:\w{1,20} ){0,3}system\W?prompt",
    ),
)

_ROMANCE = (
    _words(
        _OVERRIDE,
        "ignor olvid descart omit desobedec caso oubli",
        r"""(?:ignor[ae]d?|olvid[ae]d?|descart[ae]|omit[ae]|desobedece|haz caso omiso de) (?:(?:todas?|todos?
        |las?|los|tus|sus)
        (?: )){0,3}(?:(?:instrucciones|reglas|ordenes|indicaciones|directrices|normas) (?:anteriores|previas|originales
        |del sistema|de arriba|iniciales)|instrucciones|directrices)
        |(?:ignore|ignorez|oublie|oubliez) (?:(?:toutes|les|tes|vos) ){0,3}(?:instructions|consignes|regles
        |directives)""",
    ),
    _words(
        _ROLE,
        "eres obedec ahora maintenant desormais",
        r"""ahora eres (?:dan|libre|una? (?:\w{1,20} ){0,2}(?:asistente|agente|ia|modelo|bot|hacker))
        |(?:a partir de ahora|desde ahora|de ahora en adelante) (?:\w{1,12} ){0,2}(?:obedece\w{0,3}
        |ignora\w{0,2}|sirves)
        |obedece (?:este|esta|solo|a quien|al remitente|cualquier)|(?:tu es|vous etes) maintenant (?:dan|libre|une? ia)
        |desormais (?:tu )?(?:obeis|obeiras)""",
    ),
    _words(
        _QUIET,
        "usuari operador utilisateur operateur",
        r"""no (?:le )?(?:digas?|informes?|cuentes?|menciones?|reveles?|avises?) (?:(?:nada|esto|de esto
        |de ello) )?(?:al|a la
        |a tu|a su) (?:usuari[oa]|operador|operadora|duen[oa])
        |ne (?:dis|dites|revele|revelez) (?:(?:rien|pas|jamais|cela) ){1,2}a l (?:utilisateur|operateur)""",
    ),
    _words(
        _PROMPT,
        "prompt",
        r"(?:muestra|revela|imprime|dime|montre|affiche) (?:\w{1,12} ){0,3}prompt (?:del|de) "
        r"sistema",
    ),
)

_EAST = (
    _rule(
        _OVERRIDE,
        "忽略 无视 無視 忘记 忘記 忘掉 抛开 拋開 不要理会 不要遵守 忘れ",
        r"""(?:忽略|无视|無視|忘记|忘記|忘掉|抛开|拋開|不要理会|不要遵守)[^\n。！？]{0,8}?
        (?:之前|以前|以上|上面|先前|前面|所有|原有|此前|既有|系统|系統|从前)[^\n。！？]{0,8}?
        (?:指令|指示|规则|規則|提示|命令|要求|设定|設定|限制|规定)
        |(?:以前|これまで|今まで|上記|前|すべて)の[^\n。]{0,8}?(?:指示|命令|ルール|規則)[^\n。]{0,8}?(?:無視
        |忘れ)(?!しない|るな|ない)""",
    ),
    _rule(
        _OVERRIDE,
        "무시 잊 따르지",
        r"""(?:이전|앞선|위의|기존|모든|지금까지)[^\n.!?]{0,12}?(?:지시|명령|지침|규칙|프롬프트|설정)[^\n.!?]{0,8}?
        (?:무시(?!하지)|잊(?!지)|따르지 ?(?:마|말))""",
    ),
    _rule(
        _ROLE,
        "你 服从 服從 听从 聽從 开发者 開發者",
        r"""(?:你|您)(?:现在|現在)是[^\n。，]{0,12}?(?:没有|沒有|不受|无|無)[^\n。，]{0,6}?(?:限制|约束|約束|规则|規則)
        |(?:从|從)(?:现在|現在|今|此)[^\n。]{0,10}?(?:服从|服從|听从|聽從)
        |(?:进入|進入|启用|啟用|打开)(?:开发者|開發者|管理员|调试|越狱)模式|跳过所有(?:安全|检查)""",
    ),
    _rule(
        _ROLE,
        "이제 지금부터 복종",
        r"""(?:너는|넌|당신은) ?(?:이제|지금)[^\n.!?]{0,12}?(?:제한|제약|규칙) ?(?:이|도)? ?없[^\n.!?]{0,8}
        |지금부터[^\n.!?]{0,16}?복종(?!하지)""",
    ),
    _rule(
        _QUIET,
        "用户 用戶 使用者 主人 操作员 操作者 管理员 ユーザー 사용자 운영자 주인 관리자",
        r"""(?:不要|别|別|不许|不許|禁止|切勿|不能)[^\n。，]{0,4}?(?:告诉|告訴|告知|通知|透露给|让|讓)[^\n。，]{0,4}?
        (?:用户|用戶|使用者|主人|操作员|操作者|管理员)
        |ユーザー(?:に|には)(?:言わない|伝えない|知らせない|話さない)
        |(?:사용자|운영자|주인|관리자)(?:에게|한테)는?[^\n.!?]{0,12}?(?:말하지|알리지|알려주지
        |이야기하지) ?(?:마|말)""",
    ),
    _rule(
        _PROMPT,
        "提示词 提示詞 시스템",
        r"""(?:输出|輸出|公开|公開|显示|顯示|泄露|洩露|告诉|打印)[^\n。]{0,8}?(?:系统|系統)提示(?:词|詞)
        |(?:系统|系統)提示(?:词|詞)[^\n。]{0,6}?(?:输出|輸出|公开|公開|显示|打印)
        |시스템 ?프롬프트[^\n.]{0,12}?(?:출력|공개|보여)""",
    ),
)

ORDERS = (*_ENGLISH, *_GERMAN, *_ROMANCE, *_EAST)

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

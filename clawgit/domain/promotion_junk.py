"""The junk guard: what must never leave a daily note for the files that last, and what only lowers its chances."""

import re

from clawgit.domain.extract.language import compiled, signs_in, tight
from clawgit.domain.extract.reading import language_of
from clawgit.domain.masks import is_sensitive
from clawgit.domain.mention import words
from clawgit.domain.poison import findings as orders

SHORTEST_WORDS, SHORTEST_SIGNS = 4, 7
"""What is shorter says nothing that stands for itself: words, or signs of a script without blanks."""


def junk(text: str) -> str:
    """Why a line is not promoted whatever it speaks of, "" where nothing speaks against it."""
    plain = " ".join(text.split())
    reasons = (reason for reason, pattern in _JUNK if compiled(pattern).search(plain))
    if reason := next(reasons, ""):
        return reason
    if _is_fragment(plain):
        return "a fragment"
    telling = (sign for sign in language_of(plain).signs if sign.kind in _AGAINST)
    if found := next(signs_in(telling, plain), None):
        return _AGAINST[found.kind]
    return danger(text)


def danger(text: str) -> str:
    """Why a text must not be carried about, wherever in it that stands."""
    if is_sensitive(text):
        return "a secret"
    return "gives orders" if orders("", text) else ""


def is_passing(text: str) -> bool:
    """Whether it tells what was done that day rather than what stays so."""
    return compiled(_PASSING).search(text) is not None


def _is_fragment(text: str) -> bool:
    if len(_WIDE.findall(text)) >= SHORTEST_SIGNS:
        return False
    return len([word for word in words(text) if word[0].isalnum()]) < SHORTEST_WORDS


_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")

_AGAINST = {
    "asks": "a question",
    "is a joke": "small talk",
    "is small talk": "small talk",
    "is a mood": "small talk",
}
"""What the miner knows to be no memory, and what that is here."""

_JUNK = tuple(
    (reason, tight(pattern))
    for reason, pattern in (
        ("a question", r"[??][\s\"”')!?]*$"),
        (
            "a fragment",
            r"""(?:[::…,,;;(–—-]|\.\.\.|\b(?:or rather|and|or|but|the|with|because|tbd|tbc|wip|etc))\W*$|^\W*(?:tbd
            |tbc|todo|wip|n/a|none)\b\W*$|(?:-|–|:|=)\s*(?:tbd|tbc|\?+|…|pending)\W*$""",
        ),
        ("a task", r"^\W*(?:\[ \]|to-?do\b|reminder\b|remind me\b|follow[- ]?up\b[:\s]|next steps?\b|할 ?일|待办)"),
        (
            "a log line or tool output",
            r"""^\W*(?:\d{4}-\d\d-\d\d[T ])?\[?\d\d:\d\d:\d\d|^\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL
            |FAIL(?:ED)?|PASS|OK)\b(?! of)[\]:\s]|^(?:error|warning|fatal|note|info|panic|npm ERR!)(?:\[\w+\])?:\s
            |^\d{3} (?:OK|Not Found|Forbidden|Bad)\b|^(?:compiling|processed|processing|indexing|migrating)\s.*\d
            |^[d-][rwx-]{9}\b|\b\d+ passed\b|\bexit(?:ed)? (?:code|with|before)\b|^\s*[{\[].*[}\]]\s*$|^Traceback\b
            |^\s*at \S+\(.*\)|^\s*File ".*", line \d+|^(?:\$|>|%|#) ?[a-z][\w.-]*(?:\s|$)|^Success(?:fully)?\b[ :!]
            |^[\w./-]+\.\w{1,4}:\d+|^(?:GET|POST|PUT|DELETE|PATCH|HTTP/\d) ?\S*|^(?:kubectl|git|npm|npx|yarn|pnpm
            |docker|pip|uv|curl|wget|ssh|scp|make|cargo|go run|python3?|node|bash|sudo|brew|apt|apt-get|terraform|helm
            |psql|systemctl|cd|ls|cat|grep|rm|cp|mv|echo|chmod) [\w./~"'$-]|^(?:total|real|user|sys)\s+\d|^(?:added
            |removed|changed|installed|downloading|compiling|building|collecting|fetching|pulling|cloning
            |resolving)\s\d*.*(?:packages?|\.\.\.|MB|kB|in \d)|\b0x[0-9a-f]{6,}\b|\b[0-9a-f]{32,}\b|\|.*\|.*\|
            |\b\d+(?:\.\d+)?%\s*\||-\[?W[\w-]+\]|^\S+@\S+:\S*[$#]|^(?:commit|tree|parent|Author|Date|diff
            |index) [0-9a-f:<-]|^[-+]{3} |^@@|\bUpdate(?:d)? \d+ rows?\b|^\d+ rows? (?:in|affected)|^(?:ticket|PR|MR
            |bug|build|commit|ci)\b[ #:]|^Build (?:succeeded|failed)|^Tests?:\s+\d""",
        ),
        (
            "code",
            r"""^\W*(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW)|ALTER TABLE
            |DROP TABLE)\b|^(?:export|import|from|const|let|var|def|class|return|function|public|private|if|for|while
            |else|elif|try|async|await|package|use|fn|func|type|struct|enum|impl|print|console)\b[^.。]*(?:[={}();]|::
            |->|=>|\bimport\b)|[;{}]\s*(?://.*|/\*.*|#.*)?$|^\s*(?://|/\*|\#!|<\w+[^>]*>|</)|^`[^`]*`\W*$|\w+\(.*\);
            |\b\w+ ?= ?\w*\(.*\)|\b(?:regex|regexp)\b.*`|^\w+(?:\.\w+)*\s?(?:=|:=|\+=|==)\s?\S+$""",
        ),
        (
            "a secret",
            r"""\b(?:pass(?:word|phrase|code)?|pin|api[ -]?key|token|secret)\b[^.;,]{0,24}?(?:\bis\b|=
            |:)\s*(?=\S*\d)(?=\S*[a-z-])\S{6,}|(?:비밀번호|암호)(?:는|은|:)\s*(?=\S*\d)\S{5,}|(?:密码|密碼|口令)(?:是
            |为|:|:)\s*(?=\S*\d)\S{5,}""",
        ),
        ("a link", r"^\W*(?:\[[^\]]*\]\()?(?:https?://|www\.)\S+\W*$|^(?:\S+\s){0,4}https?://\S+(?:\s+https?://\S+)*\W*$"),
        (
            "gives orders",
            r"""\b(?:reply|respond|answer) only (?:with|in)\b|\bforget (?:all|everything|any|earlier|previous|what)\b
            |\bwithout asking\b|\b(?:ignore|disregard|override) (?:all|any|the|your|previous|earlier)\b
            |\bsend \S+ to \S+@\S+|\byou (?:must|are) now\b""",
        ),
        ("quoted", r"^\W*[>|]|^[\"“„«「][^\"”“»」]*[\"”»」]\W*(?:[–—-].*)?$"),
        (
            "told by others",
            r"""\b(?:article|blog|post|newsletter|podcast|video|tweet|thread|newspaper|news|website|ad|advert|book
            |film|somebody|someone|people|they|reddit|twitter|linkedin|hacker news|radio|tv|study|report)\s(?:says?
            |said|claims?|claimed|reports?|reported|tells|told|online|writes|wrote|mentions|argued?s?)\b|\b(?:mail
            |e-?mail|message|letter|call|sms|text|offer) from (?:a |an |some |an unknown )(?:stranger|spammer|unknown
            |scammer|recruiter|bot|prince)|\b(?:spam|phishing|rumou?rs?|allegedly|supposedly|apparently|reportedly
            |according to|heard that|i read|read (?:that|an|a|about)|saw (?:an|a) (?:ad|article|post))\b|\bheadline\b
            |^\W*(?:news|gossip|trivia|quote|joke)\s*:|\bnewsletters? (?:says?|announces?|claims?)\b
            |\b[A-Z]\w+ reports that\b|\bannounce[sd] (?:its|their|a new)\b|\b(?:claim(?:s|ed)?|alleg(?:es
            |ed)) (?:that|they|he|she|it|to|we)\b|^\W*(?:an? |the )?(?:competitor|rival)s?\b.*\b(?:launched|announced
            |raised|released|says?)|기사(?:에|:|를)|뉴스(?:에|:|를)|광고(?:였|다)|广告|(?:라|다)고 ?(?:한다더|하더라
            |들었)|소문|카더라|据说|據說|听说|聽說|新闻|文章(?:说|里)|报道|传闻|网上说""",
        ),
        (
            "not settled",
            r"""\b(?:perhaps|maybe|possibly|probably|might|thinking (?:about|of)|wonder(?:s|ed|ing)?|considering
            |considered|no (?:conclusion|decision|idea) (?:yet)?|not (?:yet )?(?:decided|settled|sure|clear|final)
            |undecided|unclear|some ?day|one day|what if|would be (?:nice|good|great|fun)|could (?:be|try|also|maybe
            |use)|should we|if we (?:ever|had|were|moved|switched|raised)|in theory|hypothetically|(?:thinks?
            |believes?|suggests?|suggested|feels?|argues?|argued) (?:that )?(?:we|it|they|he|she|i|the)|option a|idea:
            |an idea|brainstorm\w*|options? (?:are|would|:)|let['’]s see|hope to|would like to|dream(?:s|ed|ing)? of
            |imagine[ds]?|pondered|toyed with|floated|discussed whether|open question|i (?:guess|suppose|hope|think)
            |we could|it would|tempted|tbd|tba|not yet)\b|아마|어쩌면|지도(?: 모|\W*$)|아직\W*$|고민|생각 ?중|모르겠
            |할까|하면 어떨|수도 있|검토 ?중|미정|可能(?!性)|也许|也許|或许|考虑|考慮|想想|要不要|是否|不确定
            |还没(?:有)?(?:决定|定|想)|尚未|再说|如果""",
        ),
        (
            "small talk",
            r"""\b(?:lunch|dinner|breakfast|brunch|coffee|tea time|salad|pizza|cake|beers?|wine|sandwich|soup|snack
            |ice cream|cookies?|the weather|rain(?:ed|ing|y)|sunny|snow(?:ed|ing)|chatted|laughed|joked?|jokes?
            |gossip(?:ed)?|tired|yawn\w*|slept|nap|went to bed|good (?:morning|night|evening)|cinema|movies?|football
            |holiday photos|birthday|weekend|funny|hilarious|lovely|cute|was (?:great|nice|fun|boring|delicious|awful
            |terrible|cold|hot))\b|점심|저녁(?:으로|을| 먹)|아침(?:으로|을) 먹|먹었|마셨|날씨|커피|피곤|수다|잡담
            |재미있|지루|심심|예쁘|농담|웃었|午饭|午餐|晚饭|晚餐|早饭|吃了|喝了|吃饭|吃飯|外卖|커피값|밥값|맛있|天气
            |天氣|周末|週末|聊天|聊了|咖啡|好累|困了|太长了|无聊|很吵|很好看|笑话|开玩笑|电影""",
        ),
    )
)  # fmt: skip

_PASSING = tight(
    r"""\b(?:decided|agreed|chose|opted|picked|going|went|confirmed)\b (?:(?:to|on|for|with
    |against) )?(?:\w+ to )?(?:(?:an?|the|some) )?(?:take|eat|go|walk|meet|stay|sleep|watch|order|have|skip|leave|cook
    |buy|wait|call|soup|pasta|bus|train|seat|gym|beach|table|appointment|reservation|time|nap|break|ride|gift|present
    |colou?r of)\b|\b(?:restarted|rebooted|crashed|hung|froze|timed out|was down|went down|supermarket|shopping)\b
    |(?:决定|打算)(?:吃|去|买|走|睡|坐)|(?:먹|가|자|걷)기로|^\W*(?:she|he|they|somebody|someone|the (?:bus|taxi|train
    |delivery|cab) \w+)\b(?! (?:is|are|prefers?|wants?|needs?|owns|must))|^\W*(?:parking|taxi|cab|tickets?|groceries
    |train|bus|tip|haircut|petrol|train tickets?|bus tickets?|gas|fuel)\b(?: \w+){0,2} (?:was|cost|were|came to|:)
    |\b(?:today|just now|this (?:morning|afternoon|evening))\W*$|花了|打车|停车费|买了|샀다|택시|^\W*(?:(?:today
    |this morning|this afternoon|then|later|again|i|we|just|he|she|they|quickly),? ){0,2}(?:also )?(?:checked|priced
    |filled|waiting|working|looking|going through|reading|writing|meeting (?:with )?(?:the )?\w+ moved|met (?:a|an
    |some)|tweaked|walked through|flipped|browsed|hung|peeked|glanced|compared|translated|adjusted|edited|polished
    |revised|outlined|sketched|summari[sz]ed|collected|gathered|joined (?:the|a) (?:call|meeting)|attended|sat in|came
    |got up|woke|cooked|baked|watered|fed|released the|launched into|shipped myself|marked|looked|answered|restarted
    |rebooted|fixed|tested|read|opened|closed|cleaned|called|talked|wrote|sent|asked|tried|ran|updated|watched|bought
    |ate|went|walked|searched|browsed|scrolled|designed|stacked|installed|printed|ordered|drove|waited|discussed
    |reviewed|skimmed|prepared|sorted|renamed|tidied|backed|debugged|reproduced|played|listened|spent|started
    |continued|worked|helped|showed|took|made|got|copied|pasted|cleared|reset|replied|forwarded|scanned|filed away
    |uploaded|downloaded|refactored|merged|rebased|pushed|pulled|deployed to staging|set up a call|scheduled
    |rescheduled|googled|signed (?:in|for|up)|logged|drafted|practi[cs]ed|measured|counted|carried|put|picked|found
    |noticed|saw|visited|repaired|painted|washed|launched the|committed|typed|explained|proofread|formatted
    |converted)\b|(?:열어 ?보|확인했|답장|재시작|읽었|봤다|닫았|보냈|정리했|청소|다녀왔|테스트했|돌려 ?봤|찾아봤
    |수정했|고쳤|프린트|출력함|지나갔|봤다|보았다|물어봤|전화가|들렀)|(?:重启|重啟|看了|回复了|打开|关闭|读了|检查了
    |发了|整理了|打扫|试了|测试了|查了|修了|写了|改了一下|打印了|路过|打来电话|看过|问了|没接|听了|去了)"""
)
"""Beginnings of what was done in passing."""

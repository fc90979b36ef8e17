"""By what the values of a sentence are known, as tables: kinds of values, verbs, and families of things."""

DAY, TIME, NUMBER, PLACE, NAME = "day", "time", "number", "place", "name"

_MONTH = (
    r"(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)\b)"
_NTH = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_DATE = rf"""(?:[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}
    |{_MONTH}\ {_NTH}(?![\w:])(?:,?\ [0-9]{{4}})?
    |{_NTH}\ (?:of\ )?{_MONTH}(?:,?\ [0-9]{{4}})?
    |[0-9]{{1,2}}(?:st|nd|rd|th)\b
    |[0-9]{{1,2}}/[0-9]{{1,2}}(?:/[0-9]{{2,4}})?(?![\w/])
    |[0-9]{{1,2}}\.[0-9]{{1,2}}\.[0-9]{{2,4}}(?!\w)
    |[0-9]{{1,4}}[年월月](?:\ ?[0-9]{{1,2}}[日일월月号])*)"""
_COUNT = """(?i:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty
    |ninety|hundred)"""
_ONE = r"""(?<!\bno\ )(?<!\bthe\ )(?<!this\ )(?<!that\ )(?<![\w-])(?i:one)
    (?=\ (?!more\b|other\b|thing\b|of\b|is\b|has\b|or\b|and\b)[a-z])"""
_PLACES = r"""`[^`\n]{1,80}`
    |https?://[^\s)>"]+
    |[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+
    |(?<![\w.])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)*
    |(?<![\w.@-])[A-Za-z][\w-]*(?:\.[\w-]+)*\.[a-z]{2,}(?::[0-9]+)?(?:/[^\s)>"]*)?
    |[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?
    |(?<![\w#@])[#@][a-z][\w-]{1,40}"""
_DAYS = rf"""(?<!\w)(?:(?i:first|second|third|fourth|last)\ (?:{_WEEKDAY})|(?:{_WEEKDAY})(?:,?\ (?:the\ )?{_DATE})?
    |{_DATE}(?:\ \((?:{_WEEKDAY})\))?
    |(?i:today|tomorrow|tonight|yesterday)\b
    |(?:early\ |mid-?|late\ |end\ of\ )?(?:{_MONTH})(?:\ [0-9]{{4}})?(?=\W|$)
    )
    |(?:星期|周|週|礼拜)[一二三四五六日天]|[월화수목금토일]요일"""
_TIMES = r"""(?<=\bat\ )(?:[0-9]{1,2}|(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))(?=\.?$
    |\.\ |,|\ (?:on|in|and|every|for|sharp|with|at)\b)
    |(?<![\w.:])[0-9]{1,2}(?::[0-9]{2})?\ ?(?i:am|pm|a\.m\.|p\.m\.|uhr|o'clock|h)(?!\w)
    |(?<![\w.:])[0-9]{1,2}:[0-9]{2}(?!\w)
    |(?<=\buntil\ )[0-9]{1,2}(?=\.?$|\.\ |,|\ (?:on|in|every|sharp)\b)
    |(?<!\w)(?i:noon|midnight|half\ (?:past\ )?(?:[0-9]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven
    |twelve)(?!\w)|quarter\ (?:past|to)\ \w+)(?!\w)
    |[0-9]{1,2}[点點时時시](?:[0-9]{1,2}[分분]|半|반)?"""
_NUMBERS = rf"""(?<![\w.])\+?[0-9]{{2,5}}(?:[\ /-][0-9]{{2,8}}){{1,4}}(?!\w)
    |(?<![\w.])v?[0-9]+(?:\.[0-9]+){{2,}}
    |(?<![\w])[-+]?(?:[$€£¥]\ ?)?[0-9]+(?:[.,][0-9]+)*(?i:\ ?(?:%|percent|k|m|€|\$|£|euros?|dollars?|usd|eur))?(?!\w)
    |(?<!\w)v[0-9]+(?:\.[0-9]+)*
    |(?<![\w-])(?i:first|second|third|fourth|fifth|sixth)(?=\ [a-zA-Z])
    |(?<![\w-]){_COUNT}(?:\ percent)?(?![\w-])|{_ONE}
    |[0-9]+(?=[\u3400-\u9fff\uac00-\ud7af])
    |(?<![\uac00-\ud7af])[일이삼사오육칠팔구십백천만억]{{1,8}}
    (?=\ ?(?:원|명|개|층|번|년|월|일|시간|분|퍼센트|킬로|살)(?:[이은는을를에으부까정으라]|[^\uac00-\ud7af]|$))
    |[一二三四五六七八九十百千万两]{{1,8}}(?=[元块个人楼层号位台年岁%])"""
_NAMES = r"""[\"“][^\"“”\n]{1,40}[\"”]
    |(?<![\w-])[a-z][a-z_-]{0,30}[0-9][\w-]{0,40}
    |(?<![\w.])[0-9]{1,3}[a-f](?!\w)
    |(?<![\w])(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\ )?(?:[A-Z][\w&+#'’-]*|[a-z]+[A-Z]\w*)
    (?:[ ](?:[A-Z][\w&+#-]*|(?:de|van|von|of|the)\ [A-Z]\w*))*"""
KINDS = ((PLACE, _PLACES), (DAY, _DAYS), (TIME, _TIMES), (NUMBER, _NUMBERS), (NAME, _NAMES))
"""Kinds of values as patterns in which blanks mean nothing, the surest first."""

VERBS = (
    r"(?:do|does|did|is|are|was|were|ca|wo|has|have|had|should|could|would)n['’]t"
    "|heads|sleeps?|attends?|commutes?|carries|produces?|sings?|brings?|builds|cooks|collects?|feeds|follows?|grows"
    "|hangs?|organi[sz]es|reaches|replaced|learns?|rents|smokes?|drove|spells|translates|edits|coaches|cleans|supplies"
    "|delivers|shuts"
    "|found|withdrew|went|came|gave|told|sent|ran|met|kept|lost|paid|brought|taught|caught|chose|wrote|flew|held|made"
    "|rode|sang|sat|saw|spoke|stood|thought|threw|understood|won|wore|broke|built|fought|forgot|got|heard|knew|meant"
    "|slept|woke|replied|joined|passed|married|died|retired|resigned|handed|refused|asked|offered|opened|arrived"
    "|expired|accepted|rejected"
    "|shrank|rose|fell|increased|decreased|doubled|climbed|jumped|upgraded|renamed|took|writes?|works?|wins?|will be"
    "|will|were|went|weighs?|wears?|was|wants?|visits?|using|uses?|used|turns?"
    "|turns|turned|teaches|takes?|switched|supports?|studies|stores?|stopped|stays?|starts?|stands?|speaks?"
    "|sold|sits?|signed|shows?|should|ships?|serves?|sends?|sells?|says|said|runs?|rotates?|rides?|returns?"
    "|requires?|reports?|reads?|quit|prefers?|points?|plays?|plans?|pays?|owns?|opens?|needs?|named|must"
    "|moves?|moved|meets?|means?|manages?|makes?|loves?|logs?|lives?|lived|listens?|likes?|left|leaves?|leads?"
    "|launche[sd]|lasts?|knows?|keeps?|joins?|joins|joined|is|includes?|hosts?|holds?|hired|have|hates?"
    "|has been|has|happens?|handles?|had|grew|goes|go|gets?|gave up|expires?|expects?|ends?|ended|eats?"
    "|dropped|drives?|drinks?|drink|does|do|did|deploys?|decided|covers?|counts?|costs?|contains?|connects?"
    "|comes?|closes?|changed|can|calls?|called|buys?|bought|born|belongs?|begins?|became|be|arrives?|are|am"
    "|allows?|agreed"
)
"""What tells that something is stated. A list, since no rule knows verbs; a sentence without any is no statement
to us.
"""

CHANGES = "moved switched changed migrated updated renamed started stopped went upgraded"
GENERIC = (
    "date time day week month year today last again back still doing do not making next number address name "
    "place value thing new current right correct real actual full told start"
)
"""Words that only tell of a change, and such as say nothing of the matter."""

_SMALL = (
    "gone a an the in at on by to with from for of via around about is are was were be am it it's its that that's "
    "this they're they he she he's she's we we're i i'm my our your his her their now just only really "
    "actually still and but so no not under over into near as until till called named set due rather instead "
    "been being has have will there there's im its use uses using used got"
)
LEADING = frozenset(_SMALL.split())
"""Small words that lead to a value."""

FAMILIES = tuple(
    frozenset(one.split("|"))
    for one in (
        "mysql|postgres|postgresql|sqlite|mariadb|mongodb|mongo|dynamodb|cassandra|oracle|duckdb|clickhouse|cockroach",
        "redis|memcached|valkey|keydb|dragonfly",
        "aws|gcp|azure|hetzner|digitalocean|heroku|linode|vultr|ovh|render|vercel|netlify|cloudflare|scaleway|railway",
        "github|gitlab|bitbucket|codeberg|gitea|sourcehut",
        "vim|neovim|emacs|vscode|helix|zed|sublime|intellij|pycharm|webstorm|cursor|nano",
        "windows|macos|linux|ubuntu|debian|fedora|arch|nixos",
        "firefox|chrome|safari|edge|brave|vivaldi|arc|opera",
        "slack|teams|discord|telegram|whatsapp|signal|matrix|mattermost|zulip",
        "jira|linear|asana|trello|notion|basecamp|clickup|obsidian|logseq|roam|evernote",
        "bash|zsh|fish|powershell|nushell",
        "npm|yarn|pnpm|bun",
        "pip|poetry|uv|pipenv|conda",
        "docker|podman",
        "nginx|caddy|apache|traefik|haproxy",
        "jenkins|circleci|travis|teamcity|buildkite",
        "react|vue|svelte|angular|solid",
        "pytest|unittest|nose",
        "stripe|paypal|adyen|braintree|paddle",
        "coffee|tea|matcha|decaf|espresso",
        "vegetarian|vegan|pescatarian|omnivore",
        "kafka|rabbitmq|nats|sqs|pulsar",
        "spotify|tidal|deezer",
        "gmail|outlook|fastmail|protonmail|proton|hey",
        "iphone|android|pixel|samsung",
        "ipad|kindle|kobo|remarkable",
        "spaces|tabs",
        "fahrenheit|celsius",
        "morning|afternoon|evening|noon",
        "mornings|afternoons|evenings|weekends",
        "bike|car|train|bus|tram|subway|metro",
        "gpt|claude|gemini|llama|mistral|deepseek|qwen",
        "python|rust|go|golang|java|kotlin|typescript|javascript|ruby|php|elixir|scala|swift",
        "red|blue|green|yellow|black|white|orange|purple|pink|grey|gray|brown|teal",
        "dark|light",
        "weekly|daily|monthly|biweekly|fortnightly|quarterly|yearly",
        "adidas|nike|asics|brooks|hoka|saucony",
        "terraform|pulumi|opentofu|ansible|cloudformation",
        "zoom|meet|jitsi|webex",
        "mac|pc|thinkpad|macbook|dell",
        "dog|cat",
        "son|daughter",
        "brother|sister",
        "wife|husband|girlfriend|boyfriend|fiancee|fiance",
        "left|right",
        "north|south|east|west",
    )
)
"""What is mostly used one at a time, so that a new one takes the place of the old."""

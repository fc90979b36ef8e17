"""The kinds of secrets, one row each: what they look like, or what they are called where they look like nothing."""

import re
from functools import cache
from typing import NamedTuple

ALONE = "(?<![A-Za-z0-9])"


class Shape(NamedTuple):
    """A secret that shows what it is: one of its `marks`, then `body`. `before` is what must precede the mark, `lead`
    how many characters of that are part of the secret.
    """

    rule: str
    marks: tuple[str, ...]
    body: str
    before: str = ALONE
    lead: int = 0


class Word(NamedTuple):
    """A word, in lower case, that says what comes next. `pattern` follows it and has two groups: how the name goes on,
    and the value. `before` is what must precede it.
    """

    rule: str
    word: str
    pattern: str
    before: str = ""


SHORTEST = 20
"""No shape is shorter, and none has a blank in it: what is shorter between two blanks need not be looked at."""

_HEX, _W = "[0-9a-f]", r"[\w-]"
_END = "(?![A-Za-z0-9])"
_MIXED = "(?=[A-Za-z_-]{0,300}+[0-9])(?=[0-9_-]{0,300}+[A-Za-z])"

SHAPES: tuple[Shape, ...] = (
    Shape("aws-access-key", ("AKIA", "ASIA"), f"[A-Z2-7]{{16}}{_END}"),
    Shape("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), "[A-Za-z0-9]{36,251}"),
    Shape("github-token", ("github_pat_",), r"\w{22,251}"),
    Shape("gitlab-token", ("glpat-", "gldt-", "glrt-", "glptt-", "gloas-", "glcbt-"), rf"{_W}{{20,300}}"),
    Shape(
        "slack-token", ("xoxb-", "xoxp-", "xoxa-", "xoxe-", "xoxs-", "xoxr-", "xoxe.", "xapp-"), "[A-Za-z0-9.-]{18,250}"
    ),
    Shape("slack-webhook", ("hooks.slack.com/services/",), r"T\w{7,12}/B\w{7,12}/\w{20,32}", ""),
    Shape("stripe-key", ("sk_live_", "rk_live_", "sk_test_", "rk_test_"), "[A-Za-z0-9]{16,250}"),
    Shape("stripe-key", ("whsec_",), "[A-Za-z0-9+/]{24,100}"),
    Shape("anthropic-key", ("sk-ant-",), rf"{_W}{{20,300}}"),
    Shape("openrouter-key", ("sk-or-",), rf"{_W}{{20,300}}"),
    Shape("openai-key", ("sk-",), rf"(?!ant-|or-){_MIXED}{_W}{{20,300}}"),
    Shape("llm-key", ("gsk_", "r8_", "csk-", "pplx-", "xai-", "tvly-", "fw_", "nvapi-"), rf"{_MIXED}{_W}{{22,200}}"),
    Shape("google-key", ("AIza",), rf"{_W}{{35}}(?!{_W})"),
    Shape("google-key", ("GOCSPX-", "ya29."), rf"{_W}{{20,400}}"),
    Shape("npm-token", ("npm_",), f"[A-Za-z0-9]{{36}}{_END}"),
    Shape("pypi-token", ("pypi-",), rf"{_W}{{50,500}}"),
    Shape("hugging-face-token", ("hf_", "api_org_"), f"[A-Za-z0-9]{{30,40}}{_END}"),
    Shape("telegram-token", (":AA",), rf"{_W}{{32,33}}(?!{_W})", "(?<=[0-9]{8})", 8),
    Shape(
        "discord-token", (".G", ".X", ".Y", ".Z", ".a"), rf"{_W}{{5}}\.{_W}{{27,40}}(?!{_W})", rf"(?<={_W}{{24}})", 24
    ),
    Shape(
        "discord-webhook",
        ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
        rf"\d{{17,20}}/{_W}{{60,80}}",
        "",
    ),
    Shape("twilio-key", ("SK",), f"{_HEX}{{32}}{_END}"),
    Shape("sendgrid-key", ("SG.",), rf"{_W}{{16,32}}\.{_W}{{30,64}}"),
    Shape("mailgun-key", ("key-",), f"{_HEX}{{32}}{_END}"),
    Shape("mailchimp-key", ("-us",), f"[0-9]{{1,2}}{_END}", f"(?<={_HEX}{{32}})", 32),
    Shape("jwt", ("eyJ",), rf"{_W}{{10,2000}}+\.eyJ{_W}{{10,4000}}+\.{_W}{{16,1000}}", rf"(?<!{_W})"),
    Shape("age-key", ("AGE-SECRET-KEY-1",), "[0-9A-Z]{50,62}"),
    Shape("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), "[0-9a-fA-F]{32}"),
    Shape("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), f"{_HEX}{{64}}"),
    Shape("docker-token", ("dckr_pat_", "dckr_oat_"), rf"{_W}{{20,64}}"),
    Shape("vault-token", ("hvs.", "hvb."), rf"{_W}{{24,300}}"),
    Shape("databricks-token", ("dapi",), f"{_HEX}{{32}}{_END}"),
    Shape("grafana-token", ("glsa_", "glc_"), r"[\w+/=]{30,300}"),
    Shape("linear-key", ("lin_api_",), "[A-Za-z0-9]{32,64}"),
    Shape("notion-token", ("ntn_", "secret_"), f"[A-Za-z0-9]{{40,50}}{_END}"),
    Shape("supabase-key", ("sbp_", "sb_secret_"), rf"{_W}{{30,64}}"),
    Shape("firecrawl-key", ("fc-",), f"{_HEX}{{32}}{_END}"),
    Shape("elevenlabs-key", ("sk_",), f"{_HEX}{{48}}{_END}"),
    Shape("new-relic-key", ("NRAK-",), f"[A-Z0-9]{{27}}{_END}"),
    Shape("airtable-token", ("pat",), rf"[A-Za-z0-9]{{14}}\.{_HEX}{{64}}"),
    Shape("1password-token", ("ops_eyJ",), rf"{_W}{{40,2000}}"),
)

KEY_BLOCK = Shape(
    "private-key",
    ("-----BEGIN ",),
    r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\+[rn]|\s|>){1,6}"
    r"(?:[A-Za-z-]{4,20}: [^\n]{0,80}\n\s{0,4}){0,4}((?:[A-Za-z0-9+/=]|\\+[rn]|[\s>]){60,400})",
    "",
)
"""Its header alone is no secret: the key is known by how its own text begins."""

URL = r"(?<=[A-Za-z0-9])://([^\s/:@'\"<>]{0,64}+):([^\s/@'\"<>]{3,128}+)@[\w.\[-]"

_TAIL = "s?(?:[_.-]?[A-Za-z0-9_.-]{0,24}+)?"
_ASSIGNED = (
    r"[\\\"'`*_)\]]{0,4}+(?:[ \t](?:for|of|on|to|für)[ \t][\w .@-]{1,32}?|[ \t]?\([^()\n]{1,32}\))?[\"'`*_]{0,3}+"
    r"[ \t]{0,8}+(?::=|=>|->|[:=|：＝]|是|は|[ \t]?(?:is|was|ist|est|es)(?=[ \t:]):?)[ \t]{0,8}+[*_]{0,2}[ \t]{0,2}"
    r"[\\\"'`“„«]{0,4}+([^\s\"'`<>|“”«»]{8,200}+)"
)
"""What stands between a name and its value, in prose, tables, YAML, JSON, env files and code."""

_OWNED = (
    "(?:(?i:api|access|secret|private|account|auth|encryption|signing|master|licen[cs]e|service|client|app|admin|deploy"
    "|webhook|shared|subscription|openai|anthropic|gemini|brave)[-_ .]?"
    "|[A-Z0-9]{2}_(?<!PUBLIC_)(?<!PRIMARY_)(?<!FOREIGN_)(?<!CACHE_)(?<!SORT_)(?<!SESSION_))$"
)
_NOT_PAGED = r"^(?!(?s:.*)(?i:page|sync|next|continuation|cancellation)[-_ .]?$)"
_BARE = "(?:^|[^A-Za-z])$"

PASSWORD, LOGIN = "password", "basic-auth"

WORDS: tuple[Word, ...] = (
    Word(PASSWORD, "passw", f"((?:or[dt]|d){_TAIL}){_ASSIGNED}"),
    Word(PASSWORD, "passphrase", f"({_TAIL}){_ASSIGNED}"),
    Word(PASSWORD, "passcode", f"({_TAIL}){_ASSIGNED}"),
    Word(PASSWORD, "pass", f"(){_ASSIGNED}", _BARE),
    Word(PASSWORD, "pwd", f"(){_ASSIGNED}", _BARE),
    Word("secret", "secret", f"({_TAIL}){_ASSIGNED}"),
    Word("secret", "credential", f"({_TAIL}){_ASSIGNED}"),
    Word("token", "token", f"({_TAIL}){_ASSIGNED}", _NOT_PAGED),
    Word("key", "key", f"({_TAIL}){_ASSIGNED}", _OWNED),
    Word("bearer-token", "bearer", "()[ \t]{1,2}([A-Za-z0-9_.~+/=-]{20,500}+)"),
    Word(LOGIN, "basic", f"()[ \t]{{1,2}}([A-Za-z0-9+/]{{12,200}}+={{0,2}}){_END}"),
)
FOREIGN_WORDS: tuple[Word, ...] = (
    *(
        Word(PASSWORD, word, f"(){_ASSIGNED}")
        for word in ("密码", "密碼", "パスワード", "비밀번호", "пароль", "contraseña")
    ),
    *(Word("token", word, f"(){_ASSIGNED}") for word in ("密钥", "令牌", "トークン", "токен")),
)
"""Looked for only where a text has more than ASCII."""

HARMLESS = (
    r"(?i:hash|ids?|names?|files?|path|dir|url|uri|count|limit|type|policy|field|length|len|version|expir\w*|budget"
    r"|digest|checksum|fingerprint|sha\d*|md5|ref|allow\w*|env|var|at|date|hint|prompt|manager|usage|window|max|min|size)$"
)
"""A name that ends so speaks of a secret and holds none."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """To compile all of them at once would take longer than most texts take to read."""
    return re.compile(pattern)

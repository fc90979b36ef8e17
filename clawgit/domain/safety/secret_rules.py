"""The shapes of secrets: what the keys of each vendor look like, one row each of a table that is
split at tabs, since a reader of TOML takes 15 ms and more, in every commit. And what people call a
secret, in the languages that they write, and what may stand between that name and its value.
"""

import re
from functools import cache
from typing import NamedTuple

from clawgit.language.rows import rows_of

ALONE = "(?<![A-Za-z0-9])"


class Shape(NamedTuple):
    """A secret that shows what it is: one of its `marks`, then `body`. `before` is what must
    precede the mark, `lead` how many characters of that are part of the secret.
    """

    rule: str
    marks: tuple[str, ...]
    body: str
    before: str = ALONE
    lead: int = 0


SHORTEST = 20
"""No shape is shorter, and none has a blank in it: what is shorter between two blanks need not be
looked at."""

_HEX = "[0-9a-fA-F]"
_END = "(?![A-Za-z0-9])"
_WORD = "(?:[a-z]{1,30}+[0-9]{0,2}+|[0-9]{1,4}+)"

_PATTERNS = {
    "<HEX>": _HEX,
    "<A>": "[A-Za-z0-9]",
    "<W>": "[A-Za-z0-9_-]",
    "<B>": "[A-Za-z0-9+/]",
    "<END>": _END,
    "<W_END>": "(?![A-Za-z0-9_-])",
    "<UUID>": f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}{_END}",
    "<MIXED>": "(?=[A-Za-z_-]{0,300}+[0-9])(?=[0-9_-]{0,300}+[A-Za-z])",
    # What must follow a short mark: capitals, small letters and digits.
    "<RICH>": "(?=[A-Z0-9_-]{0,80}+[a-z])(?=[a-z0-9_-]{0,80}+[A-Z])(?=[A-Za-z_-]{0,80}+[0-9])",
    # Words joined by signs are the name of a style or of a model.
    "<NO_WORDS>": f"(?!(?:{_WORD}[_-]){{1,30}}{_WORD}(?![A-Za-z0-9_-]))",
}


def _shape(rule: str, marks: str, body: str, before: str = ALONE, lead: str = "0") -> Shape:
    for name, pattern in _PATTERNS.items():
        body, before = body.replace(name, pattern), before.replace(name, pattern)
    return Shape(rule, tuple(marks.split()), body, "" if before == "-" else before, int(lead))


SHAPES = tuple(_shape(*row) for row in rows_of("_secret_shapes"))

KEY_BLOCK = Shape(
    "private-key",
    ("-----BEGIN ",),
    r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\+[rn]|\s|>){1,6}"
    r"(?:[A-Za-z-]{4,20}: [^\n]{0,80}\n\s{0,4}){0,4}((?:[A-Za-z0-9+/=]|\\+[rn]|[\s>]){60,400})",
    "",
)
"""Its header alone is no secret: the key is known by how its own text begins."""

URL = r"(?<=[A-Za-z0-9])://([^\s/:@'\"<>\\]{0,64}+):([^\s/@'\"<>\\]{3,128}+)@[\w.\[-]"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled on first use: compiling all would take longer than reading most
    texts.
    """
    return re.compile(pattern)


_BLANK = "[ \t\u00a0\u3000\u200b-\u200f\u202a-\u202f]"
"""Also what French sets before a colon, what Chinese and Japanese indent with, and the marks of
Arabic and Hebrew."""

_TAIL = r"[sS]?(?:[_.-][A-Za-z0-9_.-]{0,24}+|(?:[0-9]|(?<=[a-z])[A-Z])[A-Za-z0-9_.-]{0,23}+)?(?![A-Za-z])"
"""How a name goes on: `s`, `_prod`, `Value`, `2`. “Tokenizer” and “Secretary” are other words."""

_INFLECTED = r"[^\W\d_]{0,4}+"
"""How a word of another language may end: Паролем, şifresi, 비밀번호는."""

_OF_API = f"{_BLANK}(?i:(?:d[eai]l?|do){_BLANK})?(?i:api|secret[ao]|acceso|acesso|privad[ao]|segreta|tajny)"
"""Words that must follow a word for key, so that no other kind of key is meant."""

_WORDS = f"(?:{_BLANK}(?:[^\\s:=|：＝()`'\"<>]|(?<=\\w)['’](?=\\w)){{1,32}}){{0,4}}?"
_FOR = f"{_WORDS}(?:{_BLANK}?[(（][^()（）\n]{{1,32}}+[)）])?"
_CLOSED = r"[\\\"'`*_)\]】」』»”]{0,4}+"
_OPENED = "[\\\\\"'`“„«‚‘「『【*]{0,4}+"
_GIVEN = f"{_BLANK}{{0,8}}+(?:::?=|=>|->|==?|:(?!//)|：|＝|\\|){_BLANK}{{0,8}}+[*_]{{0,2}}{_BLANK}{{0,2}}"
_IS = "is|was|ist|war|lautet|est|es|é|è|is|är|er|on|to|je|jest|это|є|е|είναι|là|adalah|هو|هي|היא|הוא|है|คือ"
_TOLD = (
    f"(?:{_BLANK}(?:{_IS})(?:{_BLANK}?:)?{_BLANK}|{_BLANK}[–—-]{_BLANK}|{_BLANK}?(?:是|为|為|は|が|는|은|이|가|คือ)[:：]?{_BLANK}?)"
    f"{_BLANK}{{0,4}}+[*_]{{0,2}}"
)
"""A sign such as `=` certainly gives a value; a verb or a dash does if the value looks like a
secret.
"""

_SIGN = r"[^\s\"'`<>|“”«»「」『』【】]"
_VALUE = f"({_SIGN}{{8,500}}+)"

ASSIGNED = f"{_CLOSED}(?:{_FOR}{_CLOSED}{_GIVEN}|{_TOLD}){_OPENED}{_VALUE}"
"""In prose, tables, YAML, JSON, env files and code: the same for most labels, so that it is
compiled once."""

TOLD = f"{_CLOSED}{_WORDS}{_CLOSED}{_TOLD}(?:[^\\W\\d_]{{1,12}}{_BLANK})?{_OPENED}(?={_SIGN}{{0,40}}?[0-9]){_VALUE}"
"""In a sentence, with other words before and after the value: “the password of the wifi is now …”.
The value must have a digit."""


class SecretLabel(NamedTuple):
    """A word, in small letters, that says what comes next. `tail` is how the name goes on, `before`
    what must precede it. `value`, with one group, is what follows.
    """

    rule: str
    word: str
    tail: str
    before: str = ""
    value: str = ASSIGNED


_OWNED = (
    "(?:(?i:api|access|secret|private|account|auth|encryption|signing|master|licen[cs]e|service|client|app|admin|deploy"
    "|webhook|shared|subscription|openai|anthropic|gemini|brave)[-_ .]?"
    "|[A-Z0-9]{2}_(?<!PUBLIC_)(?<!PRIMARY_)(?<!FOREIGN_)(?<!CACHE_)(?<!SORT_)(?<!SESSION_))$"
)
_NOT_PAGED = r"^(?!(?s:.*)(?i:page|sync|next|continuation|cancellation)[-_ .]?$)"
_BARE = "(?:^|[^A-Za-z])$"
_ALONE = r"(?:^|[^\w-])$"

PASSWORD = "password"  # noqa: S105 - a kind, not a secret
LOGIN = "basic-auth"
SECRET = "secret"  # noqa: S105 - a kind, not a secret
TOKEN = "token"  # noqa: S105 - a kind, not a secret
KEY = "key"


def _named(
    rule: str, words: str, before: str = "", tail: str = _INFLECTED
) -> tuple[SecretLabel, ...]:
    return tuple(SecretLabel(rule, word.replace("_", " "), tail, before) for word in words.split())


LABELS: tuple[SecretLabel, ...] = (
    SecretLabel(PASSWORD, "pass", f"(?i:w(?:or[dt]|d)|phrase|code|ord|word){_TAIL}"),
    SecretLabel(PASSWORD, "pass", "", _BARE),
    SecretLabel(PASSWORD, "pass", "[eE]?", "(?i:mot[ _-]?de[ _-]?|palavra[ _-]?)$"),
    SecretLabel(PASSWORD, "pwd", "", _BARE),
    SecretLabel(SECRET, "secret", _TAIL),
    SecretLabel(SECRET, "credential", _TAIL),
    SecretLabel(TOKEN, "token", _TAIL, _NOT_PAGED),
    SecretLabel(KEY, "key", _TAIL, _OWNED),
    SecretLabel("bearer-token", "bearer", "", value="[ \t]{1,2}([A-Za-z0-9_.~+/=-]{20,500}+)"),
    SecretLabel(
        LOGIN, "basic", "", value="[ \t]{1,2}([A-Za-z0-9+/]{12,200}+={0,2})(?![A-Za-z0-9])"
    ),
    # Words that need no sign beyond ASCII: German, Portuguese, Spanish, Dutch, Czech, Italian,
    # Turkish, Finnish, Danish, Indonesian, Croatian; then French, Polish and the rest, where the
    # word for a key says whose.
    *_named(
        PASSWORD,
        "kennwort senha contrasena wachtwoord heslo parola sifre salasana adgangskode kata_sandi "
        "lozinka",
        _ALONE,
    ),
    *_named(KEY, "clave chave chiave", _ALONE, _OF_API),
    *_named(KEY, "sleutel", "(?i:api|geheime|toegangs)[ -]?$"),
    *_named(KEY, "nyckel", "(?i:api|hemlig)[ -]?$"),
    *_named(KEY, "klucz", _ALONE, _OF_API),
    *_named(TOKEN, "jeton", _ALONE),
)

FOREIGN_LABELS = tuple(
    label
    for rule, words, *alone in rows_of("_secret_names")
    for label in _named(rule, words, tail="" if alone else _INFLECTED)
)
"""Looked for only where a text has more than ASCII."""

HARMLESS = (
    r"(?i:hash(?:ed)?|ids?|names?|files?|path|dir|url|uri|count|limit|type|policy|field|length|len|version|expir\w*|budget"
    r"|digest|checksum|fingerprint|sha\d*|md5|ref|allow\w*|env|var|at|date|hint|prompt|manager|usage|window|max|min|size"
    r"|format|rules?|reset|docs?|link|example|pattern|regex|strength|score|level|status|requirements?"
    r"|\.(?:md|txt|jsonl?|ya?ml|toml|py|[jt]sx?|go|rs|sh|html?|css|csv|pdf|png|log))$"
)
"""A name that ends like this speaks of a secret but does not hold one."""

HARMLESS_BEFORE = "(?i:hash(?:ed)?|encrypted|crypted|sealed|public|masked|redacted)[-_ .]?$"

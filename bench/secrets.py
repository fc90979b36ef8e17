"""What the secret scanner catches, and its false alarms, on generated strings: `python -m bench
secrets`.

No secret stands in this file: each sample is drawn by a seeded generator from the shape that its
kind has in the wild.
"""

import base64
import random
import string
import uuid
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from bench.poison import Figures
from clawgit.safety.rules.secrets import findings

EACH = 20
_SEED = 20260214
_HEX, _ALNUM = string.hexdigits[:16], string.ascii_letters + string.digits
_URL_SAFE, _BASE64, _BASE32 = _ALNUM + "-_", _ALNUM + "+/", string.ascii_uppercase + "234567"
_UPPER = string.ascii_uppercase + string.digits
_WORDS = (
    *(
        "billing",
        "uses",
        "postgres",
        "since",
        "ana",
        "asked",
        "for",
        "it",
        "and",
        "the",
        "team",
        "agreed",
        "on",
        "friday",
    ),
    *(
        "keep",
        "invoices",
        "ten",
        "years",
        "token",
        "budget",
        "key",
        "decision",
        "secret",
        "of",
        "sauce",
        "password",
    ),
    *("policy", "session", "memory", "author", "api", "release"),
)


class Draw:
    """A seeded source of strings."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def __call__(self, alphabet: str, length: int) -> str:
        return "".join(self._random.choices(alphabet, k=length))

    def words(self, count: int) -> str:
        return " ".join(self._random.choices(_WORDS, k=count))

    def one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def thought_up(self) -> str:
        """A password of the kind that people invent."""
        word = self.one("Sommer", "Liverpool", "Dragon", "Kartoffel", "Bicycle", "Monsoon").replace(
            "o", self.one("o", "0")
        )
        return f"{word}{self(string.digits, 2)}{self.one('!', '?', '$', '&x', '#1')}{self.one('', 'q', 'Zz')}"

    def base64(self, count: int, *, urlsafe: bool = False) -> str:
        data = self._random.randbytes(count)
        return (
            (base64.urlsafe_b64encode(data) if urlsafe else base64.b64encode(data))
            .decode()
            .rstrip("=")
        )


class Sample(NamedTuple):
    """A labelled text. Nothing was tuned on the kinds that are held out."""

    secret: bool
    kind: str
    held_out: bool
    path: str
    text: str


Make = Callable[[Draw], str]


def _jwt(d: Draw) -> str:
    parts = (
        '{"alg":"HS256","typ":"JWT"}',
        f'{{"sub":"{d(string.digits, 9)}","iat":{d(string.digits, 10)}}}',
    )
    head, body = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return f"{head}.{body}.{d.base64(32, urlsafe=True)}"


def _block(d: Draw, kind: str) -> str:
    lines = "\n".join(d(_BASE64, 64) for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


def _issued(form: str, alphabet: str, length: int) -> Make:
    """What an issuer hands out: `%s` in its form is drawn."""
    return lambda d: f"- {d.words(3)}: {form % d(alphabet, length)} ({d.words(2)})"


_OTHER_ISSUERS: Mapping[str, Make] = {
    "stripe webhook": _issued("whsec_%s", _ALNUM, 32),
    "google oauth": _issued("GOCSPX-%s", _URL_SAFE, 28),
    "mailgun": _issued("key-%s", _HEX, 32),
    "mailchimp": _issued("%s-us12", _HEX, 32),
    "shopify": _issued("shpat_%s", _HEX, 32),
    "digitalocean": _issued("dop_v1_%s", _HEX, 64),
    "docker": _issued("dckr_pat_%s", _URL_SAFE, 27),
    "vault": _issued("hvs.%s", _URL_SAFE, 90),
    "databricks": _issued("dapi%s", _HEX, 32),
    "grafana": _issued("glsa_%s", _ALNUM, 41),
    "linear": _issued("lin_api_%s", _ALNUM, 40),
    "notion": _issued("ntn_%s", _ALNUM, 46),
    "supabase": _issued("sbp_%s", _HEX, 40),
    "firecrawl": _issued("fc-%s", _HEX, 32),
    "elevenlabs": _issued("sk_%s", _HEX, 48),
    "new relic": _issued("NRAK-%s", _UPPER, 27),
    "1password": _issued("ops_eyJ%s", _URL_SAFE, 200),
    "discord webhook": _issued(
        "https://discord.com/api/webhooks/123443211234432112/%s", _URL_SAFE, 68
    ),
    "airtable": lambda d: f"pat{d(_ALNUM, 14)}.{d(_HEX, 64)}",
}
TUNED_SECRETS: Mapping[str, Make] = {
    **_OTHER_ISSUERS,
    "aws id": lambda d: f"- The deploy user is {d.one('AKIA', 'ASIA')}{d(_BASE32, 16)}.",
    "aws secret": lambda d: f"aws_secret_access_key = {d(_BASE64, 40)}",
    "github": lambda d: f"- Ana's token: {d.one('ghp', 'gho', 'ghs')}_{d(_ALNUM, 36)}",
    "github fine-grained": lambda d: (
        f"git clone https://github_pat_{d(_ALNUM, 22)}_{d(_ALNUM, 59)}@github.com/a/b"
    ),
    "slack": lambda d: (
        f"SLACK={d.one('xoxb', 'xoxp')}-{d(string.digits, 12)}-{d(string.digits, 12)}-{d(_ALNUM, 24)}"
    ),
    "stripe": lambda d: f"We charge with {d.one('sk', 'rk')}_live_{d(_ALNUM, 24)} on Fridays",
    "openai": lambda d: f"OPENAI_API_KEY={d.one('sk-proj-', 'sk-')}{d(_ALNUM, 48)}",
    "anthropic": lambda d: f'"apiKey": "sk-ant-api03-{d(_URL_SAFE, 93)}AA"',
    "google": lambda d: f"maps key AIza{d(_URL_SAFE, 35)} works",
    "telegram": lambda d: f"bot `{d('123456789', 10)}:AA{d(_URL_SAFE, 33)}`",
    "jwt": lambda d: f"cookie: session={_jwt(d)}",
    "private key": lambda d: _block(d, d.one("", "RSA ", "EC ", "OPENSSH ")),
    "database url": lambda d: (
        f"- DB: postgres://app:{d.thought_up().replace('#', '')}@db{d('123', 1)}.example.org/app"
    ),
    "env token": lambda d: (
        f"export {d.one('BRAVE', 'TWILIO', 'LINEAR')}_AUTH_TOKEN='{d(_HEX, 32)}'"
    ),
    "yaml": lambda d: f"  client_secret: {d(_ALNUM, 32)}",
    "markdown": lambda d: f"- **API key:** `{d(_ALNUM, 40)}`",
    "table": lambda d: f"| API key | {d(_ALNUM, 32)} |",
    "password": lambda d: f"- {d.one('Wifi', 'The admin', 'Router')} password: {d.thought_up()}",
    "password in prose": lambda d: f"{d.words(6)}. The password is {d.thought_up()}.",
    "password in chinese": lambda d: (
        f"{d.one('密码', '密碼')}{d.one('：', '是', ': ')}{d.thought_up()}"
    ),
    "bearer": lambda d: (
        f'curl -H "Authorization: Bearer {d(_URL_SAFE, 40)}" https://api.example.org'
    ),
}
HELD_OUT_SECRETS: Mapping[str, Make] = {
    "gitlab": lambda d: f"origin uses glpat-{d(_URL_SAFE, 20)} for pulls",
    "slack webhook": lambda d: (
        f"https://hooks.slack.com/services/T{d(_UPPER, 8)}/B{d(_UPPER, 10)}/{d(_ALNUM, 24)}"
    ),
    "npm": lambda d: f"//registry.npmjs.org/:_authToken=npm_{d(_ALNUM, 36)}",
    "pypi": lambda d: f"password = pypi-AgEIcHlwaS5vcmc{d(_URL_SAFE, 150)}",
    "hugging face": lambda d: f"huggingface-cli login --token hf_{d(string.ascii_letters, 34)}",
    "discord": lambda d: (
        f"DISCORD_TOKEN={d('MNO', 1)}{d(_ALNUM, 25)}.{d('GXYZ', 1)}{d(_URL_SAFE, 5)}.{d(_URL_SAFE, 38)}"
    ),
    "twilio": lambda d: f"twilio: SK{d(_HEX, 32)}",
    "sendgrid": lambda d: f"mail goes out with SG.{d(_URL_SAFE, 22)}.{d(_URL_SAFE, 43)}",
    "age": lambda d: f"# created: 2026-02-14\nAGE-SECRET-KEY-1{d(_UPPER, 58)}",
    "openrouter": lambda d: f"the gateway has sk-or-v1-{d(_HEX, 64)}",
    "groq": lambda d: f"llm: gsk_{d(_ALNUM, 52)}",
    "key block in json": lambda d: (
        '{"private_key": "' + _block(d, "").replace("\n", "\\n") + '\\n"}'
    ),
    "redis url": lambda d: f"REDIS_URL=redis://default:{d(_ALNUM, 32)}@10.0.0.7:6379/0",
    "git url": lambda d: (
        f"git remote add origin https://ana:{d(_ALNUM, 20)}@git.example.org/soul.git"
    ),
    "azure": lambda d: (
        f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={d(_BASE64, 86)}==;EndpointSuffix=x"
    ),
    "json": lambda d: '{"user": "ana", "password": "' + d(_ALNUM, 14) + '", "port": 5432}',
    "python": lambda d: f'api_secret = "{d(_ALNUM, 28)}"',
    "smtp": lambda d: f"SMTP_PASS={d.thought_up()}",
    "passphrase": lambda d: f"Passphrase for the vault: {d.thought_up()}",
    "spanish": lambda d: f"La contraseña es {d.thought_up()}",
    "basic": lambda d: (
        "Authorization: Basic " + base64.b64encode(f"ana:{d(_ALNUM, 14)}".encode()).decode()
    ),
    "license key": lambda d: (
        f"License key = {d(_UPPER, 5)}-{d(_UPPER, 5)}-{d(_UPPER, 5)}-{d(_UPPER, 5)}"
    ),
    "words": lambda d: (
        "password: "
        + "-".join(d.one("correct", "horse", "battery", "staple", "violet") for _ in range(4))
    ),
}
TUNED_LOOKALIKES: Mapping[str, Make] = {
    "prose": lambda d: f"- {d.words(14)}.",
    "git hash": lambda d: f"Evidence: commit {d(_HEX, 40)}",
    "uuid": lambda d: f"session {uuid.UUID(d(_HEX, 32))}",
    "entry": lambda d: f"- {d.words(8)}. #decision <!-- claw:{d(_HEX, 6)} conf=0.95 "
                       "ev=memory/2026-02-14.md#L9 -->",
    "image": lambda d: f"![logo](data:image/png;base64,iVBORw0KGgo{d(_BASE64, 400)})",
    "checksum": lambda d: f"sha256:{d(_HEX, 64)}  release.tar.gz",
    "example keys": lambda d: d.one(
        "sk-" + "x" * 40, "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + "0" * 36, "sk-ant-...", "hf_xxxx"
    ),
    "placeholder": lambda d: d.one(
        "api_key: <YOUR_API_KEY>", "OPENAI_API_KEY=your-key-here-1", "password: changeme123",
        "token: ${GITHUB_TOKEN}",
        "secret: {{ vault_secret_2 }}", 'token = os.environ["TOKEN_2"]', "password: ********",
        "API key: sk-...",
    ),
    "token counts": lambda d: f"tokens: {d('123456789', 5)}, token budget = {d('123456789', 4)}; "
                              "max_tokens: 128000",
    "chinese": lambda d: f"- 记忆文件里有一些普通的文字，密码在保险箱里。{d(string.digits, 8)}",
    "url": lambda d: f"https://example.org/a/{d(_HEX, 32)}?page_token={d(_ALNUM, 24)}#L{d('123', 2)}",
    "about passwords": lambda d: d.one(
        "The password is stored in 1Password.", "Password: ask Ana, she has 2 of them",
        "api key = none yet",
        "token expires 2026-02-14T09:00:00Z", "secret_name: billing-db-prod-2", "key: value",
        "password_file: /run/secrets/db_password_v2",
    ),
    "code": lambda d: d.one(
        "password = getpass.getpass('Password2: ')", "token = response.json()['access_token_v2']",
        "api_key=settings.api_key2", "const secretKey = crypto.randomBytes(32)",
        "self.token: str | None = None",
        "if password != expected_password1:",
    ),
}  # fmt: skip
HELD_OUT_LOOKALIKES: Mapping[str, Make] = {
    "long prose": lambda d: "\n".join(f"- {d.words(20)}." for _ in range(5)),
    "short hash": lambda d: f"undo {d('klmnopqrstuvwxyz', 8)} ({d(_HEX, 10)})",
    "lock file": lambda d: f'"integrity": "sha512-{d(_BASE64, 86)}=="',
    "public key": lambda d: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{d(_BASE64, 43)} ana@laptop",
    "certificate": lambda d: f"-----BEGIN CERTIFICATE-----\n{d(_BASE64, 64)}\n-----END "
                             "CERTIFICATE-----",
    "svg": lambda d: '<path '
                     f'd="M{d(string.digits, 2)}.{d(string.digits, 3)}l{d(string.digits, 12)}"/>',
    "ids": lambda d: f"Session Key: agent:main:telegram:group:-100{d(string.digits, 10)}, message "
                     f"{d(_ALNUM, 22)}",
    "cache key": lambda d: f"cache_key: {d(_HEX, 32)}, primary key = user_{d(string.digits, 8)}",
    "default urls": lambda d: d.one(
        "postgres://postgres:postgres@localhost/db", "redis://localhost:6379/0",
        "amqp://user:password@host",
        "https://user:${TOKEN}@example.org", "mongodb://<user>:<password>@cluster",
        "ssh://git@host:22/repo.git",
    ),
    "japanese": lambda d: f"パスワードは金庫にあります。会議は{d(string.digits, 4)}年に行われました。",
    "versions": lambda d: f"token library jsonwebtoken@9.0.{d('123', 1)}, "
                          f"secretstorage==3.3.{d('123', 1)}",
    "settings": lambda d: f"secrets_allow: [{d(_HEX, 12)}]\nsoul_max_tokens: 900\ntoken_estimate: "
                          "claude-3-5-20241022",
    "table of roles": lambda d: f"| secret keeper | memory/2026-02-{d('12', 2)}.md#L{d('123', 2)} "
                                "| done |",
    "headings": lambda d: f"## Password reset v{d('123', 2)}\n\nThe token is sent to "
                          f"user{d('123', 3)}@example.org",
    "link": lambda d: f"[api key](https://platform.example.org/keys/{uuid.UUID(d(_HEX, 32))})",
}  # fmt: skip
_GROUPS = (
    (True, False, TUNED_SECRETS),
    (True, True, HELD_OUT_SECRETS),
    (False, False, TUNED_LOOKALIKES),
    (False, True, HELD_OUT_LOOKALIKES),
)


@cache
def samples() -> tuple[Sample, ...]:
    return tuple(
        Sample(
            secret,
            kind,
            held_out,
            "notes.py" if kind in ("code", "python") else "notes.md",
            make(Draw(f"{_SEED} {kind} {n}")),
        )
        for secret, held_out, kinds in _GROUPS
        for kind, make in kinds.items()
        for n in range(EACH)
    )


@cache
def is_found(sample: Sample) -> bool:
    return bool(findings(sample.path, sample.text))


def figures(of: Iterable[Sample]) -> Figures:
    told = [(sample.secret, is_found(sample)) for sample in of]
    return Figures(
        *(told.count(case) for case in ((True, True), (True, False), (False, True), (False, False)))
    )


def report() -> str:
    """The figures of both halves and of each kind, and the mistakes that may be learned from."""
    lines = [f"{'':22}{'caught':>10}{'false':>10}{'recall':>9}{'precision':>11}"]
    for name, held_out in (("tuned on", False), ("held out", True)):
        found = figures(one for one in samples() if one.held_out == held_out)
        caught, false = (
            f"{found.caught}/{found.caught + found.missed}",
            f"{found.false}/{found.false + found.passed}",
        )
        lines.append(
            f"{name:22}{caught:>10}{false:>10}{found.recall:>9.3f}{found.precision:>11.3f}"
        )
    lines.append("")
    for secret, _, kinds in _GROUPS:
        lines += [_row(secret, kind) for kind in kinds]
    return "\n".join(lines)


def _row(secret: bool, kind: str) -> str:
    found = sum(is_found(one) for one in samples() if one.kind == kind)
    told = f"{found}/{EACH}"
    return f"{kind:22}{told:>10}" if secret else f"{kind:22}{'':10}{told:>10}"

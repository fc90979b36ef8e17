"""What the scanner finds, what it lets pass, and that it neither shows a secret nor takes its
time."""

from itertools import product

import pytest
from hypothesis import given

from bench.secret_vendors import keys, rows
from bench.secrets import Draw, figures, samples
from clawgit.core.markdown.decoding import text_of
from clawgit.safety.rules.remotes import public_address
from clawgit.safety.rules.rules import SECRETS, SHAPE
from clawgit.safety.rules.rules import rules as all_rules
from clawgit.safety.rules.secrets import SHORTEST, findings, fingerprint, masked, new_findings
from tests.each import for_each
from tests.long_form import LONG_FORM
from tests.strategies import ANY_TEXT

ALNUM = "".join(map(chr, (*range(48, 58), *range(65, 91), *range(97, 123))))
draw = Draw("tests")
KEY = "gh" + "p_" + draw(ALNUM, 36)
OTHER = "gh" + "o_" + draw(ALNUM, 36)


def rules(text: str, path: str = "notes.md") -> list[tuple[int, str]]:
    return [(one.line, one.rule) for one in findings(path, text)]


@for_each("held_out, least", [(False, 0.98), (True, 0.93)])
def test_catches_and_false_alarms_stay_within_a_margin(held_out: bool, least: float) -> None:
    found = figures(one for one in samples() if one.held_out == held_out)
    assert found.recall >= least
    assert found.precision >= 0.98


def test_every_shape_and_every_word_is_met_by_the_corpus() -> None:
    """A rule that can never match, or is never tried, is none."""
    found = {rule for one in samples() if one.secret for _, rule in rules(one.text, one.path)}
    found |= {rule for _, key in keys(each=2) for _, rule in rules(key)}
    assert {rule.id for rule in all_rules(SECRETS)} - found == set()


def test_no_answer_shows_the_secret() -> None:
    for one in samples():
        for found in findings(one.path, one.text) if one.secret else ():
            shown = found.shown.replace("…", " ").split()
            assert all(len(part) < SHORTEST or part in MARKS for part in shown)
            assert found.fingerprint not in one.text


MARKS = {mark for rule in all_rules(SECRETS) for mark in rule.keywords}


def test_what_is_allowed_is_not_told() -> None:
    text = f"{KEY}\n{OTHER}\n"
    assert [one.line for one in findings("a.md", text, frozenset({fingerprint(KEY)}))] == [2]


def test_code_names_variables_without_quotes() -> None:
    name = draw(ALNUM, 24)
    assert rules(f"token = {name}", "a.py") == []
    assert rules(f"token = '{name}'", "a.py") == [(1, "token")]
    assert rules(f"token = {name}", "a.env") == [(1, "token")]


def test_a_capital_that_grows_when_it_is_made_small_shifts_no_line() -> None:
    assert rules(f"{'İ' * 50}\npassword: Tr0ub{draw('345', 3)}&x\n") == [(2, "password")]


def test_a_key_block_needs_its_key() -> None:
    head, tail = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    assert rules(f"It begins with `{head}` and ends with `{tail}`; nobody should paste one.") == []
    key = f"> {head}\n> {draw(ALNUM, 64)}\n> {draw(ALNUM, 64)}\n> {tail}\n"
    assert rules(key) == [(1, "private-key")]


@for_each(
    "before, after, lines",
    [
        ("", f"a\n{KEY}\n", [2]),
        ("a\n", f"a\n{KEY}\n", [2]),
        ("a\nz\n", f"a\n{KEY}\nz\n", [2]),
        (f"{KEY}\nz\n", f"{KEY}\nb\nz\n", []),
        (f"{KEY}\nz\n", f"z\n{KEY}\n", []),
        (f"{KEY}\nz\n", f"{KEY}\n{KEY}\nz\n", []),
        (f"{KEY}\nz\n", f"{OTHER}\nz\n", [1]),
        (f"x {KEY[:-3]}\nz", f"x {KEY}\nz", [1]),
        (f"a\n{KEY}\n", "a\n", []),
        (f"{KEY}\n", "", []),
    ],
)
def test_a_change_answers_for_what_it_brings_in(before: str, after: str, lines: list[int]) -> None:
    assert [one.line for one in new_findings("a.md", before, after)] == lines


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_what_is_new_is_found_whatever_stands_around_it(head: str, tail: str, gone: str) -> None:
    before, after = f"{head}\n{gone}\n{tail}", f"{head}\n\n{KEY}\n\n{tail}"
    told, whole = (
        [(one.line, one.fingerprint) for one in found if one.rule == "github-token"]
        for found in (new_findings("a.md", before, after), findings("a.md", after))
    )
    assert (told, len(told)) == (whole, 1)


@given(ANY_TEXT)
def test_any_text_can_be_read(text: str) -> None:
    assert all(1 <= one.line <= text.count("\n") + 1 for one in findings("a.md", text))


def test_the_keys_of_every_vendor_are_found_in_every_text() -> None:
    """The vendors' own documents say how a key looks; the table was written before the rules."""
    told = list(rows())
    assert len(told) > 160
    assert sum(row.found for row in told) >= 0.99 * sum(row.drawn for row in told)
    assert {row.vendor for row in told if row.found < row.drawn - 2} == set()


ASCII_LABELS = (
    "Passwort: {}", "Das Passwort lautet {}", "Kennwort: {}", "WLAN-Passwort: {}",
    "MOT DE PASSE: {}", "Le mot de passe est {}", "Mot de passe\u00a0: {}", "Senha: {}",
    "A senha é {}", "Palavra-passe: {}", "Contrasena: {}", "Wachtwoord: {}",
    "Het wachtwoord is {}", "Heslo: {}", "Parola: {}", "Salasana: {}", "Adgangskode: {}",
    "Passord: {}", "Kata sandi: {}", "Lozinka: {}", "DB_PASSWORD={}", "MYSQL_ROOT_PASSWORD: {}",
    "dbPassword: '{}'", "the password for the admin user: {}", "Wi-Fi password (guest): {}",
    "--password={}",
)  # fmt: skip
FOREIGN_PASSWORDS = (
    "Пароль: {}", "ПАРОЛЬ: {}", "пароль от почты: {}", "Пароль — {}", "Пароль для wi-fi: {}",
    "**Пароль:** `{}`", "парола: {}", "гасло: {}", "Κωδικός: {}", "ΚΩΔΙΚΌΣ: {}", "密码：{}", "密碼：{}",
    "密码是{}。", "密码为：{}", "口令: {}", "パスワード：{}", "パスワードは「{}」です", "パスワードは{}です。", "비밀번호: {}",
    "비밀번호는 {}입니다", "암호: {}", "كلمة المرور: {}", "كلمة السر هي {}", "סיסמה: {}", "הסיסמה: {}",
    "पासवर्ड: {}", "รหัสผ่าน: {}", "รหัสผ่านคือ {}", "Mật khẩu: {}", "MẬT KHẨU: {}", "Şifre: {}",
    "ŞİFRE: {}", "Şifresi: {}", "Hasło: {}", "hasło do wifi: {}", "Contraseña: {}",
    "La contraseña es {}", "Lösenord: {}", "Lösenordet är {}", "Jelszó: {}", "| パスワード | {} |",
)  # fmt: skip
FOREIGN_TOKENS = (
    "Токен: {}", "Токен доступа: {}", "API-ключ: {}", "Ключ API: {}", "Секретный ключ: {}",
    "Секретний ключ: {}", "密钥：{}", "金鑰: {}", "API 密钥：{}", "访问令牌：{}", "APIキー：{}", "アクセストークン: {}",
    "シークレットキー：{}", "API 키: {}", "토큰: {}", "مفتاح API: {}", "מפתח API: {}", "API anahtarı: {}",
    "Klucz API: {}", "API klíč: {}", "API-Schlüssel: {}", "Clé API : {}", "Clé d'API : {}",
    "Clé secrète : {}", "Jeton d'accès : {}", "Clave API: {}", "Clave de API: {}",
    "Chave de API: {}", "Chave secreta: {}", "Chiave API: {}", "Chiave segreta: {}",
    "API-sleutel: {}", "API-nyckel: {}",
)  # fmt: skip


@for_each("label", [*ASCII_LABELS, *FOREIGN_PASSWORDS])
def test_a_password_is_known_by_its_name_in_many_languages(label: str) -> None:
    assert [rule for _, rule in rules(label.format("Tr0ub4" + "dor&3x"))] == ["password"]


@for_each("label", FOREIGN_TOKENS)
def test_a_key_is_known_by_its_name_in_many_languages(label: str) -> None:
    [(_, rule)] = rules(label.format("a8Fk29dLq0Z" + "xPv77mNc3Yt"))
    assert rule in ("token", "key")


TOLD_IN_WORDS = (
    "the wifi password is {}", "the wifi password is {} #knowledge <!-- claw:abc234 c=.6 -->",
    "The wifi password is {} and works upstairs.", "The password for the guest wifi is {}.",
    "the password is now {}, since Friday", "Das Passwort ist {} und gilt nur oben",
    "Das WLAN-Passwort für Gäste lautet {}, bitte nicht weitergeben", "Passwort: {} (nur oben)",
    "La contraseña es {} y funciona arriba", "La contraseña del wifi es {}, la nueva",
    "A senha do wifi é {} e funciona", "Le mot de passe du wifi est {} depuis lundi",
    "wifi密码是{}，在楼上",
)  # fmt: skip


@for_each("text", TOLD_IN_WORDS)
def test_a_password_told_in_words_is_one_wherever_in_its_sentence_it_stands(text: str) -> None:
    value = "Xk29m" + "Pq7Lz"
    assert rules(text.format(value)) == [(1, "password")]
    assert masked(text.format(value)) == text.format(f"[secret:{fingerprint(value)}]")


def test_the_tags_and_the_comment_of_an_entry_hide_no_password() -> None:
    told = "the wifi password is Liver" + "pool42"
    assert rules(told) == [(1, "password")]
    assert rules(f"- {told} #knowledge #home/wifi <!-- claw:abc234 c=.6 -->") == [(1, "password")]


HARMLESS = (
    "パスワードは2FA有効化後に変更する予定です。", "パスワードと2FAの設定を確認しました。",
    "パスワード：2FA必須、12文字以上",
    "密码：至少8位，包含大小写字母和数字ABC123", "密码是保存在1Password里的，2FA已经开启",
    "비밀번호는 2FA와함께사용합니다",
    "Пароль: хранится в 1Password",
    "токенизация: BPE32kWithFallback2x7",
    "Mot de passe : voir 1Password2", "La clave: Resolver-2024-pronto!",
    "clave primaria: usuario_id_2024",
    "| `--password` | Password2 for the server | no |", ("| --password | The password to use (8+ "
                                                        "characters) |"),
    "| `--token TOKEN` | OAuth2Token of the bot. Required |",
    ("| token | string | Access-Token2 from "
                                                              "step 3 |"),
    "Tokenizer: cl100k_base_with_40_more_merges2", "TOKENIZER = tiktoken.get_encoding2x",
    "Tokenization: BPE32kWithByteFallback2x", "tokenizer_config: Qwen2TokenizerFast8B1",
    "secretary: Ana.Maria2024-office", "keyboard: QWERTY2-de-latin1-nodeadkeys",
    "passage: Psalm23:1-6,Verse2b!",
    "token: Optional[str] = None", ("def f(secret: SecretStr, token: Annotated[str, Header()] = "
                                   "None) -> None:"),
    "password: SecretStr = Field(min_length=8)", "api_key: Union[str, None] = None",
    "token: TokenType.ACCESS_V2_X",
    "https://user:$PASSWORD@example.org",
    "https://user:<password>@example.org", "https://a:my_password@example.org",
    "https://a:pass%20pass@example.org",
    "https://ghost:x-oauth-basic@github.com", "use a single token, see https://t.co/BD4aphC9iK1x",
    ("integrity "
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="),
    "password: your-password-here", "password: changeme", "password: Argon2id hashing",
    "password: xxxxxxxx",
    ("hashed_secret: "
                                               "1b4d8423b11d32dd0c466428ac81de84a4a9442b"),
    "notes/token-budget.md:81-160:76fec4bef0ae7712", "token: ~/.config/app/token_v2.json",
    "SSH_KEY=~/.ssh/id_ed25519",
    ".t-pass { color: #4ADE80; }", "--pass:#22c55e;--fail:#ef4444;--text:#f0f0f0",
    "data:image/png;base64,AAAA/EAA" + "Zb9k" * 65 + "+x",
    "| **Token** | `8149595687:" + "AAGycp7nzl...` |", ("password reset link: "
                                                       "https://x.org/reset2?u=Ana1"),
    "the password is p455w0rd1, which is weak",
    "the password for user8Name is bcrypt2hashed at rest", "the password was in commit 3fa94c2b1d",
    "the password policy is Min8Xk2Chars7 for all",
    "the password of the build is 3fa94c2b1d4e in the log",
    "token: 0x52908400098527886E0F7030069857D2E4169EE7",
    "the secret address is 0xde709f2102306220921060314715629080e2fb77",
    "https://www.example.org/legal/xai-loses-bid-to-halt-disclosure-law-2026-03-06/",
    "password: hunter2", "password: ask-ana-again", "password: $DB_PASSWORD_2",
    "password: {{ vault.db_pass1 }}", "password: Changeme123!", "password: env:DB_PASS_1",
    "password: 2026-02-14T09:00", "password: getpass.getpass2()", "token: memory/2026-02-14.md#L12",
    "- **ghp_** is how [GitHub](https://a.test/b%20c%5Fd) keys begin.", "token: claude-3-5-sonnet-20241022", "token: getUserByName_v2.1",
)  # fmt: skip


@for_each("text", HARMLESS)
def test_what_only_speaks_of_a_secret_holds_none(text: str) -> None:
    assert rules(text) == []


def test_only_the_vendors_own_sample_is_one() -> None:
    """Letter by letter: a key that somebody made up around a piece of it counts."""
    sample = "AKIA" + "IOSFODNN7EXAMPLE"
    secret = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"
    assert rules(f"{sample}\naws_secret_access_key = {secret}") == []
    for made_up in (
        sample.replace("EXAMPLE", "QWRTZUP"),
        "AKIA" + "QW7EXAMPLEZ3UPLK",
        "AKIA" + "ABCDEFGHIJ7QZ2WX",
    ):
        assert rules(made_up) == [(1, "aws-access-key")]
    assert rules(f"aws_secret_access_key = {secret[:-3]}Q9x") == [(1, "key")]


@for_each("piece", ["1234567", "abcdefghij", "example", "your", "xxxx", "IOSFODNN7", "test"])
def test_no_piece_of_a_random_value_makes_it_a_placeholder(piece: str) -> None:
    value = draw(ALNUM, 9) + piece + draw(ALNUM, 12)
    assert rules(f"gh{'p_'}{(value + 'q7Zk9Xw3Lp5Vt8' * 2)[:36]}") == [(1, "github-token")]
    assert rules(f"api_key: {value}") == [(1, "key")]


FILLERS = (
    "your-api-key-here",
    "YOUR_TOKEN_1234",
    "1234567890abcdef1234567890abcdef",
    "xxxxxxxxxxxx",
    "example-secret-key",
)


@for_each("value", FILLERS)
def test_a_placeholder_is_one_through_and_through(value: str) -> None:
    assert rules(f"api_key: {value}\nkey = sk-{value}\npassword: {value}") == []


@for_each(
    "text, encoding, mark",
    product(
        ["# Notes\r\n\r\n- {}\r\n", "密钥在这里：\n上下，请保存。\n{}\n", "Это ключ:\nвот он\n{}"],
        ["utf-8", "utf-16-le", "utf-16-be"],
        ["", "\ufeff"],
    ),
)
def test_a_text_is_read_in_every_unicode_encoding(text: str, encoding: str, mark: str) -> None:
    data = (mark + text.format(KEY)).encode(encoding)
    assert text_of(data) == text.format(KEY)
    assert rules(text_of(data)) == [(3, "github-token")]


HOSTILE = (
    "password", "password=", "password for a", "token: ", "api_key", "/eyJaaaaaaaaaaaa.", ".eyJ",
    "x://a:b", "-sk-",
    "sk-a1", "-----BEGIN " + "PRIVATE KEY-----\nA: b\n", "a", "a1-", ".G", "x" * 19 + " ",
    "pass)))))))(((", "-us1",
    "SG.aaaaaaaaaaaaaaaaaaaa.", "token\"'`*_", "bearer " + "a" * 30 + "\n", "token a b c ", "sk-a-",
    "token is is ",
    "密码是", "пароль", "パスワードは", "| password | a b ", "password: a-", "token: a.", "key=a/",
)  # fmt: skip
MARKS_OF_ALL = [
    (rule.id, mark) for rule in all_rules(SECRETS) if rule.check == SHAPE for mark in rule.keywords
]


LENGTHS = [4_000, pytest.param(1_000_000, marks=LONG_FORM)]
"""A megabyte of the worst takes three seconds; were a rule not linear, it would take hours."""


@pytest.mark.parametrize("length", LENGTHS)
@for_each("unit", HOSTILE)
def test_hostile_text_is_read_to_its_end(unit: str, length: int) -> None:
    assert finds_the_last_line(unit * (length // len(unit)))


@pytest.mark.parametrize("length", [600, pytest.param(30_000, marks=LONG_FORM)])
@pytest.mark.parametrize("filler", ["", "a", "a1-", "0" * 60, "Aa1." * 20])
def test_marks_repeated_are_read_to_their_end(filler: str, length: int) -> None:
    """Each rule meets its own mark over and over, with what its body may begin with in between."""
    for _, mark in MARKS_OF_ALL:
        assert finds_the_last_line((mark + filler) * (length // len(mark + filler))), mark


def finds_the_last_line(before: str) -> bool:
    text = f"{before}\n{KEY}\n"
    return text.count("\n") in [one.line for one in findings("a.md", text)]


def test_a_picture_in_base64_holds_no_secret() -> None:
    image = "".join(draw(ALNUM, 1000) for _ in range(100))
    assert findings("a.md", f"![x](data:image/png;base64,{image})") == ()


@for_each(
    "url, address",
    [
        ("https://github.com/ana/soul.git", "github.com/ana/soul"),
        ("https://ana:" + "word@github.com:443/ana/soul", "github.com/ana/soul"),
        ("git@github.com:ana/soul.git", "github.com/ana/soul"),
        ("ssh://git@gitlab.com:22/ana/soul.git/", "gitlab.com/ana/soul"),
        ("git://8.8.8.8/soul", "8.8.8.8/soul"),
        ("github-work:ana/soul.git", "github-work/ana/soul"),
        ("ext::sh -c 'cat'", "ext::sh -c 'cat'"),
        ("https://[2606:4700::1111]/a", "2606:4700::1111/a"),
        ("/srv/git/soul.git", None),
        ("../soul.git", None),
        ("file:///srv/git/soul.git", None),
        ("nas:git/soul.git", None),
        ("ssh://pi@raspberry.local/soul.git", None),
        ("git@192.168.1.7:soul.git", None),
        ("https://10.0.0.7:3000/ana/soul.git", None),
        ("ssh://[::1]/soul", None),
        ("http://localhost:8080/a", None),
        ("100.101.102.103:soul.git", None),
        ("./odd:name", None),
    ],
)
def test_where_a_remote_lies(url: str, address: str | None) -> None:
    assert public_address(url) == address


HIDINGS: dict[str, str] = {
    "a Markdown escape": KEY.replace("_", "\\_"),
    "a soft hyphen": f"{KEY[:9]}\u00ad{KEY[9:]}",
    "a zero byte": f"{KEY[:9]}\0{KEY[9:]}",
    "a byte that is no text": f"{KEY[:9]}\ufffd{KEY[9:20]}\udcff{KEY[20:]}",
    "bold letters": f"**{KEY[:4]}**{KEY[4:]}",
    "code": f"`{KEY[:12]}``{KEY[12:]}`",
    "an entity": KEY.replace("_", "&#95;"),
    "an entity by its name": KEY.replace("_", "&lowbar;"),
    "letters of full width": "".join(chr(ord(sign) + 0xFEE0) for sign in KEY),
    "an underscore of full width": KEY.replace("_", "\uff3f"),
}


@for_each("how", HIDINGS)
def test_a_disguised_key_is_found_and_masked_whole(how: str) -> None:
    text = f"# Keys\n\n- GitHub: {HIDINGS[how]} of Ana\n"
    [found] = findings("notes.md", text)
    assert (found.line, found.rule, found.fingerprint) == (3, "github-token", fingerprint(KEY))
    assert masked(text) == f"# Keys\n\n- GitHub: [secret:{fingerprint(KEY)}] of Ana\n"


def test_a_key_that_stands_open_in_markup_is_masked_alone() -> None:
    assert masked(f"- **{KEY}**") == f"- **[secret:{fingerprint(KEY)}]**"


@for_each("separator", ["-", "_", "."])
def test_what_is_passed_over_as_a_plain_name_holds_no_secret_when_it_is_read(
    separator: str,
) -> None:
    named = [rule for rule in all_rules(SECRETS) if rule.check != SHAPE]
    for word in sorted({word for rule in named for word in rule.keywords if word.isascii()}):
        name = f"notes/{word.strip()}{separator}Xk3Qz9Lm2Vt7Rw5"[:25]
        # A line end makes it a text that is read in full.
        assert findings("", f"{name}\n") == findings("", name) == ()


_FIGURES = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
_WALLET = "legal winner thank year wave sausage worth useful legal winner thank yellow"


@for_each(
    "text, secret",
    [
        (f"private key 0x{_FIGURES}", _FIGURES),
        (f"Private key: 0x{_FIGURES}.", _FIGURES),
        (f"wallet key: {_FIGURES}", _FIGURES),
        (f"The wallet key is {_FIGURES}", _FIGURES),
        (f"WALLET_KEY=0x{_FIGURES}", _FIGURES),
        (f"- **Seed phrase:** {_WALLET} #knowledge", _WALLET),
        (f"recovery phrase: {_WALLET} {_WALLET}.", _WALLET),
    ],
)
def test_the_key_of_a_wallet_is_one(text: str, secret: str) -> None:
    assert secret not in masked(text)


@for_each(
    "text",
    [
        f"wallet address: 0x{_FIGURES[:40]}",
        f"The private key of 0x{_FIGURES[:40]} is with Ana.",
        f"private key 0x{_FIGURES[:40]}",
        f"commit {_FIGURES}",
        f"transaction 0x{_FIGURES}",
        f"private key fingerprint: {_FIGURES}",
        f"public key: 0x{_FIGURES}",
        "seed phrase: it is written down twice, once at home and once here",
        "seed phrase: kept in the safe behind the picture in the hall near our door",
        "recovery phrase: twelve words from the list that nobody has ever seen before them",
        "mnemonic: every good boy does fine when playing treble clef lines today",
    ],
)
def test_what_a_wallet_shows_to_all_is_none(text: str) -> None:
    assert masked(text) == text

"""What the scanner finds, what it lets pass, and that it neither shows a secret nor takes its time."""

import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import pytest
from hypothesis import given, settings

from bench.secret_vendors import keys
from bench.secrets import EACH, Draw, Sample, figures, is_found, report, samples
from clawgit.domain.remotes import public_address
from clawgit.domain.secret_labels import LABELS
from clawgit.domain.secret_likelihood import entropy, is_login, is_password, is_plain, is_token
from clawgit.domain.secret_rules import KEY_BLOCK, SHAPES, SHORTEST, compiled
from clawgit.domain.secrets import Secret, findings, fingerprint, new_findings, rules_mark
from tests.domain.strategies import ANY_TEXT

ALNUM = "".join(map(chr, (*range(48, 58), *range(65, 91), *range(97, 123))))
draw = Draw("tests")
KEY = "gh" + "p_" + draw(ALNUM, 36)
OTHER = "gh" + "o_" + draw(ALNUM, 36)


def rules(text: str, path: str = "notes.md") -> list[tuple[int, str]]:
    return [(one.line, one.rule) for one in findings(path, text)]


@pytest.mark.parametrize(("held_out", "least"), [(False, 0.98), (True, 0.93)])
def test_catches_and_false_alarms_stay_within_a_margin(held_out: bool, least: float) -> None:
    found = figures(one for one in samples() if one.held_out == held_out)
    assert found.recall >= least
    assert found.precision >= 0.98


def test_the_report_has_both_halves_and_every_kind() -> None:
    lines = report().splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["tuned", "held"]
    assert [line.partition("  ")[0] for line in lines[4:]] == [*dict.fromkeys(one.kind for one in samples())]
    assert len(samples()) == EACH * len(lines[4:])


def test_every_shape_and_every_word_is_met_by_the_corpus() -> None:
    """A rule that can never match, or is never tried, is none."""
    found = {rule for one in samples() if one.secret for _, rule in rules(one.text, one.path)}
    found |= {rule for _, key in keys(each=2) for _, rule in rules(key)}
    named = {shape.rule for shape in (*SHAPES, KEY_BLOCK)} | {label.rule for label in LABELS} | {"url-password"}
    assert named - found == set()


def test_no_answer_shows_the_secret() -> None:
    for one in samples():
        for found in findings(one.path, one.text) if one.secret else ():
            shown = found.shown.replace("…", " ").split()
            assert all(len(part) < SHORTEST or part in MARKS for part in shown)
            assert found.fingerprint not in one.text


MARKS = {mark for shape in SHAPES for mark in shape.marks}


def test_a_finding_says_where_it_is_and_bears_a_lasting_name() -> None:
    text = f"# Notes\n\n- Ana's key is {KEY}, she said.\n"
    assert findings("notes.md", text) == (Secret(3, "github-token", "gh" + "p_…", fingerprint(KEY)),)
    [elsewhere] = findings("other.txt", KEY)
    assert elsewhere.fingerprint == findings("notes.md", text)[0].fingerprint
    assert len(elsewhere.fingerprint) == 12


def test_several_are_told_in_the_order_of_the_text() -> None:
    text = f"password: Summer{draw('345', 4)}!\n{OTHER}\n\npostgres://app:{draw(ALNUM, 12)}@db/app\n{KEY}\n{KEY}"
    told = [(1, "password"), (2, "github-token"), (4, "url-password"), (5, "github-token"), (6, "github-token")]
    assert rules(text) == told


def test_what_is_allowed_is_not_told() -> None:
    text = f"{KEY}\n{OTHER}\n"
    assert [one.line for one in findings("a.md", text, frozenset({fingerprint(KEY)}))] == [2]


def test_of_two_rules_for_one_place_the_one_that_knows_more_counts() -> None:
    assert rules(f"GITHUB_TOKEN={KEY}") == [(1, "github-token")]
    assert rules(f"bot token: {draw('3456', 10)}:AA{draw(ALNUM, 33)}") == [(1, "telegram-token")]
    assert rules("key: sk-" + f"ant-api03-{draw(ALNUM, 90)}") == [(1, "anthropic-key")]


def test_code_names_variables_without_quotes() -> None:
    name = draw(ALNUM, 24)
    assert rules(f"token = {name}", "a.py") == []
    assert rules(f"token = '{name}'", "a.py") == [(1, "token")]
    assert rules(f"token = {name}", "a.env") == [(1, "token")]


def test_a_capital_that_grows_when_it_is_made_small_shifts_no_line() -> None:
    assert rules(f"{'İ' * 50}\npassword: Tr0ub{draw('345', 3)}&x\n") == [(2, "password")]


def test_a_key_block_needs_its_key() -> None:
    head, tail = "-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----"
    assert rules(f"It begins with `{head}` and ends with `{tail}`, and nobody should paste one here, ever.") == []
    assert rules(f"> {head}\n> {draw(ALNUM, 64)}\n> {draw(ALNUM, 64)}\n> {tail}\n") == [(1, "private-key")]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
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


@settings(max_examples=60)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_what_is_new_is_found_whatever_stands_around_it(head: str, tail: str, gone: str) -> None:
    before, after = f"{head}\n{gone}\n{tail}", f"{head}\n\n{KEY}\n\n{tail}"
    told = [one for one in new_findings("a.md", before, after) if one.rule == "github-token"]
    assert told == [one for one in findings("a.md", after) if one.rule == "github-token"]
    assert len(told) == 1


@settings(max_examples=60)
@given(ANY_TEXT)
def test_any_text_can_be_read(text: str) -> None:
    assert all(1 <= one.line <= text.count("\n") + 1 for one in findings("a.md", text))


HOSTILE = (
    "password", "password=", "password for a", "token: ", "api_key", "/eyJaaaaaaaaaaaa.", ".eyJ", "x://a:b", "-sk-",
    "sk-a1", "-----BEGIN " + "PRIVATE KEY-----\nA: b\n", "a", "a1-", ".G", "x" * 19 + " ", "pass)))))))(((", "-us1",
    "SG.aaaaaaaaaaaaaaaaaaaa.", "token\"'`*_", "bearer " + "a" * 30 + "\n",
)  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_time_in_proportion(unit: str) -> None:
    """A megabyte of the worst takes three seconds; were a rule not linear, it would take hours."""
    text = unit * (10_000 // len(unit))
    assert quickest(lambda: findings("a.md", text * 4), 1) < 10 * quickest(lambda: findings("a.md", text)) + 0.2


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_megabyte(unit: str) -> None:
    assert quickest(lambda: findings("a.md", unit * (1_000_000 // len(unit))), 1) < 20


def quickest(call: Callable[[], object], times: int = 2) -> float:
    laps = []
    for _ in range(times):
        begun = perf_counter()
        call()
        laps.append(perf_counter() - begun)
    return min(laps)


def test_an_entry_is_read_without_loading_what_only_a_finding_needs() -> None:
    code = (
        "import sys; from clawgit.domain.secrets import findings, new_findings\n"
        "assert not new_findings('MEMORY.md', '# M\\n', '# M\\n- Billing uses PostgreSQL; the token is there.\\n')\n"
        "print([name for name in ('hashlib', 'dataclasses', 'pygit2', 'yaml') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_a_picture_in_base64_holds_no_secret() -> None:
    image = "".join(draw(ALNUM, 1000) for _ in range(100))
    assert findings("a.md", f"![x](data:image/png;base64,{image})") == ()


def test_every_shape_is_as_long_as_the_sieve_wants_it() -> None:
    """What is shorter between two blanks is not looked at, so no shape may be."""
    shapes = [one for one in samples() if one.secret and one.kind in SHAPED]
    assert len(shapes) == EACH * len(SHAPED)
    assert all(is_found(one) and is_found(alone(one)) for one in shapes)


SHAPED = ("aws id", "stripe", "gitlab", "hugging face", "mailchimp", "databricks")


def alone(one: Sample) -> Sample:
    return one._replace(text=max(one.text.replace("(", " ").split(), key=len).rstrip(".,"))


def test_the_rules_have_a_mark_of_their_own() -> None:
    assert rules_mark() == rules_mark()
    assert len(rules_mark()) == 12
    assert compiled("a") is compiled("a")


NO_PASSWORDS = (
    "hunter2", "required", "ask-ana-again", "$DB_PASSWORD_2", "{{ vault.db_pass1 }}", "Changeme123!", "env:DB_PASS_1",
    "2026-02-14T09:00", "getpass.getpass2()",
)  # fmt: skip


@pytest.mark.parametrize("value", NO_PASSWORDS)
def test_what_is_no_password(value: str) -> None:
    assert not is_password(value)


def test_what_a_value_looks_like() -> None:
    assert is_password("Summer" + "2024!")
    assert not is_token("memory/2026-02-14.md#L12")
    assert not is_token("claude-3-5-sonnet-20241022")
    assert is_token(draw(ALNUM, 30) + "7")
    assert is_plain("getUserByName_v2.1")
    assert not is_login("bm8gY29sb24gaGVyZSBhdCBhbGw=")
    assert not is_login("A" * 13)
    assert (entropy("aaaa"), entropy("abab"), entropy("abcd")) == (0, 1, 2)


@pytest.mark.parametrize(
    ("url", "address"),
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

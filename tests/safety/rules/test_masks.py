"""Masks: whole where the secret is whole, line for line, once for all; and texts that are cut
without cutting one."""

from itertools import product
from pathlib import Path
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from clawgit.git.rules.actors import OPERATOR
from clawgit.git.rules.history import Intent, parse_message, render_message
from clawgit.safety.rules.masks import covered, head, is_sensitive, new_masks, struck, tail
from clawgit.safety.rules.secrets import MASK, fingerprint, masked
from tests.each import for_each
from tests.leaky import KEYS, PEM, shown_in

KEY = KEYS["memory"]
MARK = f"[secret:{fingerprint(KEY)}]"

TEXTS = [
    f"key: {KEY}",
    f"a {KEY}, b {KEY}.",
    PEM,
    f"> {PEM}".replace("\n", "\n> "),
    f"x\n{PEM}\ny",
    PEM.replace("\n", "\\n"),
]
TEXTS += [
    "postgres://ana:" + "Zk3mQ9vX@db.example.com/x",
    "password: " + "hunter2XY!a",
    "".join(f"-{one}\n" for one in PEM.split("\n")),
]


@for_each("text", TEXTS)
def test_a_masked_text_has_the_same_lines_and_nothing_left_to_mask(text: str) -> None:
    shown = masked(text)
    assert MASK.search(shown)
    assert shown_in(shown) == []
    assert shown.count("\n") == text.count("\n")
    assert masked(shown) == shown


def test_all_else_of_a_text_stays() -> None:
    assert masked(f"key: {KEY}, since May\n") == f"key: {MARK}, since May\n"
    lines = masked(f"before\n{PEM}\nafter").split("\n")
    assert (lines[0], {*lines[1:-1]}) == ("before", {masked(PEM).split("\n")[0]})
    assert lines[-1] == "after"
    assert masked(f"key: {KEY}", frozenset([fingerprint(KEY)])) == f"key: {KEY}"


@for_each("prefix", ["", "+", "-", "> ", "    "])
def test_lines_of_a_private_key_are_known_without_its_beginning(prefix: str) -> None:
    text = "\n".join(f"{prefix}{line}" for line in PEM.split("\n")[3:6])
    shown = [line.startswith(f"{prefix}[secret:") for line in masked(text).split("\n")]
    assert shown == [True] * 3


@for_each("harmless", ["0123456789abcdef" * 4, "ABCDEF01" * 8, "-" * 64, "a" * 64])
def test_a_line_of_64_signs_that_is_no_key_stays(harmless: str) -> None:
    assert masked(harmless) == harmless


@given(st.integers(0, 120), st.integers(0, 30), st.integers(0, 30))
def test_a_cut_goes_through_no_secret(longest: int, before: int, after: int) -> None:
    text = f"{'x ' * before}{KEY}{' y' * after}"
    for piece in (head(text, longest), tail(text, longest)):
        assert len(piece) <= longest
        assert KEY in piece or shown_in(piece) == []
        assert piece in text


def test_a_new_mask_is_one_that_did_not_stand_there() -> None:
    assert new_masks("", f"a {MARK} {MARK}") == (MARK,)
    assert new_masks(f"b {MARK}", f"a {MARK}") == ()
    assert new_masks("", f"a \\{MARK[:-1]}\\]") == (f"{MARK[:-1]}\\]",)
    assert new_masks("", "a [secret] [secret:abc] secret:0123456789ab") == ()


def test_what_a_file_keeps_has_neither_secret_nor_mask() -> None:
    assert struck(f"a {KEY} and {MARK}") == "a [secret] and [secret]"


def test_a_text_that_tells_or_told_a_secret_is_sensitive() -> None:
    sensitive = [is_sensitive(text) for text in (f"a {KEY}", f"a {MARK}", "a heron")]
    assert sensitive == [True, True, False]
    assert not is_sensitive(f"a {KEY}", frozenset([fingerprint(KEY)]))


class Pair(NamedTuple):
    name: str
    place: Path


class Result(NamedTuple):
    texts: tuple[str, ...]
    pairs: list[Pair]
    more: dict[str, object]
    number: int = 3


def test_a_result_is_covered_in_every_depth_and_keeps_its_kind() -> None:
    result = Result((KEY, "b"), [Pair(KEY, Path("a"))], {"k": {KEY: frozenset([KEY])}})
    assert covered(result, masked) == Result(
        (MARK, "b"), [Pair(MARK, Path("a"))], {"k": {MARK: frozenset([MARK])}}
    )
    clean = Result(("a",), [Pair("b", Path("c"))], {"k": 1})
    assert covered(clean, masked) is clean


def test_a_commit_message_quotes_no_secret_in_any_part() -> None:
    intent = Intent(
        OPERATOR, "add", f"note {KEY}", f"because of\n{PEM}\nand {KEY}", (f"chat:{KEY}",),
            session=KEY, run=KEY,
        alerts=(f"secret {KEY}",), job=KEY,
    )  # fmt: skip
    text = render_message(intent, "kkkkllll")
    assert shown_in(text) == []
    assert parse_message(text).summary == f"add: note {MARK}"
    assert parse_message(text).evidence == (f"chat:{MARK}",)


@for_each(
    "sign, form",
    product(
        "!?_",
        [
            "password: {}", "The password is {}", "- Password: **{}**", "password = '{}'",
            "the password is {}.", "| password | {} |",
        ],
    ),
)  # fmt: skip
def test_the_last_sign_of_a_password_is_masked_with_it(form: str, sign: str) -> None:
    text = masked(form.format(f"Tr0ub4dor&3{sign}"))
    around = form.format("\0").split("\0")
    mask = text.removeprefix(around[0])
    assert MASK.match(mask), text
    assert MASK.sub("", mask, count=1) == around[1]


@for_each(
    "form, value",
    product(
        [
            "password is {}?", "The password is {}!.", "password: {}", "passwort: x{}y",
            "token={}", "login: {}", "https://u:{}@h.test/x", "password {} secret {}",
            "the secret key for a is {}",
        ],
        ["Tr0ub4dor&3", "[secret:0123456789ab]"],
    ),
)  # fmt: skip
def test_no_mask_stands_in_another(form: str, value: str) -> None:
    text = form.replace("{}", value)
    for _ in range(3):
        text = masked(text)
        assert "[secret:[" not in text
        assert text.count("[secret:") == len(MASK.findall(text))
    assert masked(text) == text


def test_a_secret_that_a_false_mask_cuts_is_found() -> None:
    cut = "key: sk-" + "ant-abcdefghij0123[secret:0123456789ab]x"
    assert "Tr0ub4dor3x9" not in masked(f"{cut} https://u:Tr0ub4dor3x9@h.t/")

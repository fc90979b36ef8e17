"""What others wrote acts on no terminal, and a name ends no line."""

import json
from pathlib import PurePosixPath
from typing import NamedTuple

from clawgit.safety.rules.masks import covered_by_field
from clawgit.safety.rules.visible import in_json, inline, shown, shown_by_field
from tests.each import for_each

ESCAPES = "a\x1b[2Jb\x07c\x9bd\x7fe\u202ef\u2066g\rh"


def test_no_sign_acts_and_plain_text_stays_the_same_object() -> None:
    assert shown(ESCAPES) == "a␛[2Jb␇c\ufffdd␡e\ufffdf\ufffdg␍h"
    plain = "two\n\tlines, “çà” 🟢"
    assert shown(plain) is plain
    assert shown("\ud800x").encode() == b"?x"


HIDDEN = "Be kind.\U000e004f\U000e0062\U000e0065\U000e0079 a\u200bb\u3164"


def test_no_sign_is_out_of_sight() -> None:
    """A model reads them; so must whoever approves them."""
    seen = "Be kind.⟦Obey⟧ a⟦U+200B ⟧b⟦U+3164 ⟧"
    assert (shown(HIDDEN), inline(HIDDEN), shown(f"a\n{HIDDEN}")) == (seen, seen, f"a\n{seen}")
    assert shown(seen) == seen
    text = in_json(json.dumps({"a": HIDDEN}, ensure_ascii=False))
    assert (json.loads(text), text.isascii()) == ({"a": HIDDEN}, True)


@for_each("text", ["Grüße 👩‍👩‍👧 an alle ❤️", "می‌خواهم", "日本語"])
def test_what_a_script_or_an_emoji_needs_stays(text: str) -> None:
    assert (shown(text), in_json(text)) == (text, text)


@for_each("sign", "\n\t\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u200f\u061c")
def test_a_name_stays_on_its_line(sign: str) -> None:
    name = inline(f"a{sign}b")
    assert len(name) == 3
    assert sign not in name
    assert name.splitlines() == [name]


def test_json_says_the_same_without_a_sign_that_acts() -> None:
    text = in_json(json.dumps({"a": ESCAPES}, ensure_ascii=False))
    assert json.loads(text) == {"a": ESCAPES}
    assert shown(text) == text


class Row(NamedTuple):
    path: str
    text: str


class Answer(NamedTuple):
    paths: tuple[str, ...]
    rows: tuple[Row, ...]
    text: str
    unheard_of: str
    where: PurePosixPath
    by_path: dict[str, int]


def test_only_the_fields_of_texts_have_several_lines() -> None:
    name = "n\n! no"
    answer = Answer((name,), (Row(name, name),), name, name, PurePosixPath(name), {name: 1})
    safe = covered_by_field(answer, shown_by_field(str))
    single = "n␊! no"
    assert safe == Answer(
        (single,), (Row(single, name),), name, single, PurePosixPath(single), {single: 1}
    )


def test_what_is_covered_is_covered_before_it_is_drawn() -> None:
    safe = covered_by_field(
        {"path": "a\nkey"}, shown_by_field(lambda text: text.replace("\nkey", "…"))
    )
    assert safe == {"path": "a…"}

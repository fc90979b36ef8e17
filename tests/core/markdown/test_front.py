"""What front matter says about its note, and that no text is an error."""

from hypothesis import example, given
from hypothesis import strategies as st

from clawgit.core.markdown.item import about, items
from tests.each import for_each

VAULT = """\
---
title: Kiln handbook
aliases: [Ofen, "Brennofen"]
tags:
  - pottery
  - '#glaze/blue'
description: >
  How the kiln
  is fired
created: 2026-01-01
---
"""


def block(yaml: str) -> str:
    return f"---\n{yaml}\n---\n"


@for_each(
    "text, shown",
    [
        (VAULT, ("Kiln handbook · Ofen, Brennofen · How the kiln is fired · #pottery #glaze/blue"
            " · created: 2026-01-01")),
        (block("name: user-role\ndescription: An engineer\nmetadata:\n  type: user"),
            "user-role · An engineer · type: user"),
        (block("aliases: Ofen, Brennofen"), "Ofen, Brennofen"),
        (block("tags: pottery, glaze fire"), "#pottery #glaze #fire"),
    ],
)  # fmt: skip
def test_a_note_says_what_it_is_on_one_line(text: str, shown: str) -> None:
    assert about(text) == shown


@for_each(
    "yaml",
    [
        "title: [open",
        "'a': x: y",
        "a:\n\t- tab",
        "- a: b",
        "just words",
        "",
        "a: \x00",
        "a: \ud800",
        "a: " + "[" * 30_000 + "]" * 30_000,
        "- " * 30_000 + "a",
        "a: " + "word " * 20_000,
    ],
)
def test_what_cannot_be_read_says_nothing_and_is_no_error(yaml: str) -> None:
    assert about(block(yaml)) is None


@given(st.text(st.characters(exclude_categories=()), max_size=80))
@example("a: {b: [c, {d: e}]}")
@example("? [a]\n: b")
@example("<<: [a]")
@example("=: a")
def test_any_text_is_read_or_is_not(yaml: str) -> None:
    found = about(block(yaml))
    assert found is None or "\n" not in found


def told(text: str) -> list[tuple[int, int, str, str]]:
    return [(one.line, one.end_line, one.kind, one.text) for one in items("memory/x.md", text)]


@for_each(
    "text, found",
    [
        (
            "\ufeff---\r\ntitle: Kiln\r\ntags:\r\n- pottery\r\n---\r\n- a\r\n",
            [(2, 4, "front", "Kiln · #pottery"), (6, 6, "item", "a")],
        ),
        (
            "---\ntitle: [open\n- a\n---\n- b\n",
            [(2, 3, "para", "title: [open\n- a"), (5, 5, "item", "b")],
        ),
        ("- ---\n  a: 1\n  ---\n", [(2, 3, "heading", "a: 1")]),
    ],
)
def test_front_matter_in_a_file(text: str, found: list[tuple[int, int, str, str]]) -> None:
    assert told(text) == found


@for_each("where", ["tags: {}", "title: {}", "tags: [a, {}]", "more: {{x: {}}}"])
def test_an_alias_is_not_followed(where: str) -> None:
    """Ten lines that each name the one before ten times would be ten billion values."""
    rows = ["a: &a [x]"]
    for name, below in zip("bcdefghijk", "abcdefghij", strict=True):
        rows.append(f"{name}: &{name} [{', '.join([f'*{below}'] * 10)}]")
    rows.append(where.format("*k"))
    assert about(block("\n".join(rows))) is None

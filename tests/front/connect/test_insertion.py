"""What is put into another program's file turns nothing else on or off."""

from pathlib import Path

import pytest

from clawgit.core.errors import ConfigError
from clawgit.front.connect.insertion import Edit, Entry, edited

JSON, TOML = Path("x.json"), Path("x.toml")
OURS = Entry(("servers", "clawgit"), {"command": "x", "args": ["-C", "/w", "mcp"]})


def put(text: str, edit: Edit, *, toml: bool = False) -> str:
    return edited(TOML if toml else JSON, text, [edit])


def taken(text: str, edit: Edit, *, toml: bool = False) -> str:
    return edited(TOML if toml else JSON, text, [edit], removing=True)


@pytest.mark.parametrize(
    ("text", "toml"),
    [
        ("{ s: { c: { command: 'x', timeout: 20 } } }", False),
        ("[s.c]\ncommand = 'x'\ntimeout = 20\n[s.c.env]\nA = '1'\n", True),
    ],
)
def test_what_the_user_wrote_beside_a_right_entry_is_no_reason_to_write_it_anew(
    text: str, toml: bool
) -> None:
    assert put(text, Entry(("s", "c"), {"command": "x"}), toml=toml) == text


def test_what_is_no_object_of_json_is_not_touched() -> None:
    for text in ("{", "[1]"):
        with pytest.raises(ConfigError):
            put(text, OURS)


def test_a_mark_at_the_beginning_and_half_a_character_stay() -> None:
    for text, kept in (('\ufeff{"u": "http://x"}', "\ufeff{"), ('{"note": "\\ud800"}', "\\ud800")):
        after = put(text, OURS)
        assert kept in after
        assert after.startswith("\ufeff") == text.startswith("\ufeff")
        after.encode()


@pytest.mark.parametrize("text", ["\ufeffa = 1", ""])
def test_a_table_is_put_in_changed_and_taken_out_again(text: str) -> None:
    after = put(text, OURS, toml=True)
    assert after.startswith(text)
    assert put(after, OURS, toml=True) == after
    newer = OURS._replace(value={"command": "y", "args": ["-C", "/w🦞"]})
    assert taken(put(after, newer, toml=True), newer, toml=True).strip() == text.strip()


def test_a_table_in_another_form_is_left_as_it_is() -> None:
    for text in ("servers = {}\n", "[servers]\nclawgit.command = 'y' # mine\n"):
        with pytest.raises(ConfigError, match="another form"):
            put(text, OURS, toml=True)
    with pytest.raises(ConfigError, match="another form"):
        taken("[servers.clawgit] # mine\ncommand = 'x'\n", OURS, toml=True)

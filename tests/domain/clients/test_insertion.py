"""What is put into another program's file turns nothing else on or off."""

import json5
import pytest

from clawgit.domain.clients.insertion import (
    EnabledHook,
    Insertion,
    JsonHook,
    JsonValue,
    TomlTable,
    WholeFile,
    hooks_are_off,
    runs_all_hooks,
    served_by,
)
from clawgit.errors import ConfigError

HOOK = EnabledHook("clawgit")
NAMED = (
    "{ hooks: { internal: { enabled: true, entries: { 'session-memory': { enabled: true } } } } }"
)


@pytest.mark.parametrize("text", ["{}", NAMED, "{ hooks: { internal: { entries: { a: {} } } }, }"])
def test_a_hook_is_named_and_taken_out_again(text: str) -> None:
    after = HOOK.added(text, ours=False)

    assert after is not None
    internal = json5.loads(after)["hooks"]["internal"]
    assert (internal["enabled"], internal["entries"]["clawgit"]) == (True, {"enabled": True})
    assert HOOK.added(after, ours=False) == after
    assert json5.loads(HOOK.taken(after, text) or "") == json5.loads(text)


@pytest.mark.parametrize(
    "text",
    ["{ hooks: { internal: { enabled: true } } }", "{ hooks: { internal: { enabled: false } } }"],
)
def test_where_all_hooks_run_or_none_does_naming_ours_would_change_that(text: str) -> None:
    assert HOOK.added(text, ours=False) == text
    assert runs_all_hooks(text) != hooks_are_off(text)


def test_taking_our_hook_out_never_turns_on_all_the_others() -> None:
    after = str(HOOK.added("{}", ours=False))

    assert HOOK.taken(after, None) == "{}"
    both = after.replace('"clawgit"', '"other": { "enabled": true }, "clawgit"')
    kept = json5.loads(str(HOOK.taken(both, "{}")))
    assert kept == {
        "hooks": {"internal": {"enabled": True, "entries": {"other": {"enabled": True}}}}
    }


def test_settings_of_the_user_in_our_entry_stay_while_it_stands() -> None:
    text = "{ hooks: { internal: { entries: { clawgit: { enabled: false, env: { A: '1' } } } } } }"
    after = HOOK.added(text, ours=False)

    assert json5.loads(str(after))["hooks"]["internal"]["entries"]["clawgit"] == {
        "enabled": True,
        "env": {"A": "1"},
    }


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (JsonValue(("s", "c"), {"command": "x"}), "{ s: { c: { command: 'x', timeout: 20 } } }"),
        (
            TomlTable(("s", "c"), {"command": "x"}),
            "[s.c]\ncommand = 'x'\ntimeout = 20\n[s.c.env]\nA = '1'\n",
        ),
    ],
)
def test_what_the_user_wrote_beside_a_right_entry_is_no_reason_to_write_it_anew(
    part: Insertion, text: str
) -> None:
    assert part.added(text, ours=False) == text
    assert part.added(text.replace("'x'", "'y'"), ours=False) != text.replace("'x'", "'y'")


def test_a_hook_of_claude_code_is_known_by_its_words_alone() -> None:
    item = {"hooks": [{"type": "command", "command": "x -C /w connect event || exit 1"}]}
    hook = JsonHook(("hooks", "Stop"), item, (" -C /w ", " connect event "))
    users = '{"hooks": {"Stop": [{"hooks": [{"command": "say done"}]}, 7]}}'

    after = hook.added(users, ours=False)
    assert json5.loads(str(after))["hooks"]["Stop"][2] == item
    assert json5.loads(str(hook.taken(str(after), users))) == json5.loads(users)


def test_a_whole_file_of_ours_that_was_edited_stays() -> None:
    page = WholeFile("new")

    assert [
        page.added(text, ours=ours) for text, ours in ((None, False), ("old", True), ("old", False))
    ] == [
        "new",
        "new",
        "old",
    ]
    assert [page.taken(text, None) for text in ("new", "old")] == [None, "old"]


@pytest.mark.parametrize(
    ("entry", "workspace"),
    [
        ({"args": ["-C", "/a", "mcp"], "cwd": "/b"}, "/a"),
        ({"args": ["mcp"], "cwd": "/b"}, "/b"),
        ({"args": ["-C"]}, ""),
        ({}, ""),
        ("x", ""),
    ],
)
def test_an_entry_tells_whom_it_serves(entry: object, workspace: str) -> None:
    assert served_by(entry) == workspace


@pytest.mark.parametrize(
    "text", ["", "\ufeff", '{"a": {"b": [1]}}', '{\n\t"a": {}\n}\n', "{a: 1,}"]
)
def test_a_value_is_put_in_and_taken_out_again(text: str) -> None:
    part = JsonValue(("servers", "clawgit"), {"command": "x"})
    after = str(part.added(text, ours=False))
    assert json5.loads(after.removeprefix("\ufeff"))["servers"]["clawgit"] == {"command": "x"}
    assert after.startswith("\ufeff") == text.startswith("\ufeff")
    assert ("\t" in after) == ("\t" in text)
    left = str(part.taken(after, text)).removeprefix("\ufeff")
    assert json5.loads(left) == json5.loads(text.removeprefix("\ufeff") or "{}")


def test_a_config_with_comments_is_not_written_and_one_is_told_what_to_put_in() -> None:
    part = JsonValue(("servers", "clawgit"), {"command": "x"})
    with pytest.raises(ConfigError, match="comments"):
        part.added("{ // mine\n  servers: {} }", ours=False)
    by_hand = "{ // mine\n  servers: { clawgit: { command: 'x' } } }"
    assert part.added(by_hand, ours=False) == by_hand
    with pytest.raises(ConfigError, match="comments"):
        part.taken(by_hand, None)


@pytest.mark.parametrize("text", ["{", "[1]", '{"servers": 3}', "nonsense: ["])
def test_what_is_no_object_of_json_is_not_touched(text: str) -> None:
    with pytest.raises(ConfigError):
        JsonValue(("servers", "clawgit"), {"command": "x"}).added(text, ours=False)


@pytest.mark.parametrize("text", ["", "# mine\na = 1 # here\n", "[servers.other]\nb = 2"])
def test_a_table_is_put_in_and_taken_out_again(text: str) -> None:
    part = TomlTable(("servers", "clawgit"), {"command": "x"})
    after = str(part.added(text, ours=False))
    assert after.startswith(text)
    assert part.added(after, ours=False) == after
    assert str(part.taken(after, text)).strip() == text.strip()


def test_a_table_that_cannot_be_written_beside_another_form_is_refused() -> None:
    with pytest.raises(ConfigError, match="another form"):
        TomlTable(("servers", "clawgit"), {"command": "x"}).added("servers = {}\n", ours=False)

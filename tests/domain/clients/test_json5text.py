"""JSON5 is edited in place: what is put in is read back, and taken out it leaves no trace."""

import json
from typing import Any

import json5
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.domain.clients.json5text import (
    MISSING,
    Json5Error,
    parse,
    value_at,
    with_item,
    with_value,
    without,
    without_items,
)
from tests.each import for_each

KEYS = ("mcp", "servers", "clawgit")
ENTRY = {"command": "/bin/clawgit", "args": ["-C", "/home/o'hara/w s", "mcp"], "cwd": '/w"s\\'}
BOM = "\ufeff"

FORMS = [
    "{\n  a: 1,\n}\n",
    "{}",
    "// mine\n{\n  agents: { defaults: { workspace: '~/w', }, }, // here\n}\n",
    '{"a": 1}',
    '{"a": {"b": [1, 2,],},}\n',
    '{\r\n\t"a": 1 // one\r\n}\r\n',
    f"{BOM}{{\n    'mcp': {{servers: {{}}}}, /* x */\n}}",
    (
        '{\n  "mcp": {\n    "servers": {\n      "a": {"command": "q"} // last\n      // below\n    '
        "}\n  }\n}\n"
    ),
    "{ // nothing\n}\n",
    '{\n  "mcp": { "servers": { "a": 1 } }\n}',
    (
        "{\n  mcp: {\n    servers: {\n      a: 1, // one\n\n      /* two */ b: 2, /* three */\n    "
        "},\n  },\n  z: [1,\n]}"
    ),
    '/* a */ {\n  // don\'t\n  "x": .5, "y": +0x1F, \'z\': Infinity, \\u0061b: null }\n// end',
    '{"mcp": null, "mcp": {"servers": {"other": {}}}}',
]


@for_each("text", FORMS)
def test_what_is_put_in_is_read_back_and_taken_out_again(text: str) -> None:
    after = with_value(text, KEYS, ENTRY)

    assert value_at(after, KEYS) == ENTRY
    assert with_value(after, KEYS, ENTRY) == after
    assert value_at(without(after, KEYS), KEYS) is MISSING
    assert rest(without(after, KEYS)) == rest(after) == rest(text)


@for_each("text", FORMS)
def test_each_sign_that_was_there_stays_in_its_order(text: str) -> None:
    signs = iter(with_value(text, KEYS, ENTRY))
    assert [sign for sign in text if sign not in signs] == []


def rest(text: str) -> Any:
    """All but our entry, and the objects around it."""
    config = json5.loads(text.removeprefix(BOM))
    servers = ((config.get("mcp") or {}).get("servers")) or {}
    others = {key: value for key, value in config.items() if key != "mcp"}
    return others, {key: value for key, value in servers.items() if key != "clawgit"}


def test_a_file_of_nothing_becomes_plain_json() -> None:
    after = with_value("", ("mcpServers", "clawgit"), {"command": "c"})

    assert json.loads(after) == {"mcpServers": {"clawgit": {"command": "c"}}}
    assert after.endswith("}\n")


def test_an_older_entry_is_replaced_in_its_place() -> None:
    text = "{ mcp: { servers: { clawgit: { command: 'old', /* mine */ }, b: 1 } } }"
    after = with_value(text, KEYS, ENTRY)

    assert value_at(after, KEYS) == ENTRY
    assert after.index("clawgit") < after.index("b: 1")


def test_edits_that_came_later_stay_when_it_is_taken_out() -> None:
    before = '{\n  "a": 1\n}\n'
    now = with_value(before, KEYS, ENTRY).replace('"a": 1', '"a": 2')
    now = with_value(now, ("mcp", "servers", "mine"), {"command": "m"})
    now = now.replace('"mcp"', '// these are servers\n  "mcp"')

    assert without(now, KEYS) == (
        '{\n  "a": 2,\n  // these are servers\n  "mcp": {\n    "servers": {\n      "mine": {\n    '
        '    "command": "m"\n'
        "      }\n    }\n  }\n}\n"
    )


def test_an_item_goes_to_the_end_of_its_list_once_and_out_again() -> None:
    text = '{\n  "hooks": {\n    "Stop": [\n      {"command": "mine"}\n    ]\n  }\n}\n'

    def is_it(item: object) -> bool:
        return isinstance(item, dict) and "ours" in item["command"]

    after = with_item(text, ("hooks", "Stop"), {"command": "ours 1"}, is_it)
    assert [one["command"] for one in json.loads(after)["hooks"]["Stop"]] == ["mine", "ours 1"]
    assert with_item(after, ("hooks", "Stop"), {"command": "ours 1"}, is_it) == after
    newer = with_item(after, ("hooks", "Stop"), {"command": "ours 2"}, is_it)
    assert [one["command"] for one in json.loads(newer)["hooks"]["Stop"]] == ["mine", "ours 2"]
    assert without_items(newer, ("hooks", "Stop"), is_it) == text
    alone = with_item("{}", ("hooks", "Stop"), {"command": "ours"}, is_it)
    assert without_items(alone, ("hooks", "Stop"), is_it) == "{}"
    assert without_items(text, ("hooks", "Stop"), is_it) == text


@for_each(
    "text, line",
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3),
        ('{\n  "a" 1 }', 2),
        ("{ a: ", 1),
        ('{ "a": "b\n" }', 1),
        ("{ a: sk-secret }", 1),
        ("{}\n{}", 2),
        ("{ /* a: 1 }", 1),
        ("[" * 500, 1),
        ("{ 1a: 2 }", 1),
    ],
)
def test_what_is_broken_is_told_by_its_line_and_never_quoted(text: str, line: int) -> None:
    with pytest.raises(Json5Error) as told:
        parse(text)

    assert told.value.data["line"] == line
    assert "secret" not in told.value.message.replace("sk-secret is not a value", "")


def test_a_value_in_the_way_is_not_overwritten() -> None:
    with pytest.raises(Json5Error, match=r"mcp\.servers is not an object"):
        with_value('{"mcp": {"servers": []}}', KEYS, ENTRY)
    with pytest.raises(Json5Error, match="The file is not an object"):
        with_value("[]", KEYS, ENTRY)
    with pytest.raises(Json5Error, match="hooks is not a list"):
        with_item('{"hooks": {}}', ("hooks",), 1, lambda _: False)


def test_nothing_is_at_a_place_that_is_not_there() -> None:
    assert value_at("", ("a",)) is MISSING
    assert value_at("{a: null}", ("a",)) is None
    assert value_at("{a: 1}", ("a", "b")) is MISSING


_SPACE = st.sampled_from(["", " ", "\n", "\n  ", " /* c */ ", " // c\n", "\r\n\t"])
_SCALARS = st.sampled_from(["1", "-.5", "'it\\'s'", '"a // b"', "true", "null", '"{"'])


@st.composite
def _written(draw: Any, value: st.SearchStrategy[str]) -> str:
    """An object or a list as somebody may have written it."""
    is_object = draw(st.booleans())
    rows = [
        f"{draw(_SPACE)}{f'k{at}{draw(_SPACE)}:{draw(_SPACE)}' if is_object else ''}{draw(value)}{draw(_SPACE)}"
        for at in range(draw(st.integers(0, 3)))
    ]
    last = "," + draw(_SPACE) if rows and draw(st.booleans()) else draw(_SPACE) if not rows else ""
    return f"{'{' if is_object else '['}{','.join(rows)}{last}{'}' if is_object else ']'}"


_TEXTS = st.recursive(_SCALARS, _written, max_leaves=8)


@given(_TEXTS, _SPACE, st.sampled_from([("new",), ("k0",), ("k0", "new"), ("new", "deep", "er")]))
def test_any_form_survives_an_edit(inner: str, space: str, keys: tuple[str, ...]) -> None:
    text = f"{space}{{{space}k0{space}:{space}{inner}{space}}}"
    try:
        after = with_value(text, keys, ENTRY)
    except Json5Error:
        assert not inner.startswith("{")
        return
    assert value_at(after, keys) == ENTRY
    assert with_value(after, keys, ENTRY) == after
    assert value_at(without(after, keys), keys) is MISSING

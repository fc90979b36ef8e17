"""A table is put into TOML and taken out again, and nothing else moves."""

import tomllib

import pytest

from clawgit.domain.clients.toml_tables import TomlError, table_at, table_taken_back, with_table

KEYS = ("mcp_servers", "clawgit")
TABLE = {"command": "/bin/clawgit", "args": ["-C", '/w "s\\', "mcp"]}

FORMS = [
    "",
    'model = "o"\n',
    'model = "o"',
    "# mine\r\n[a]\r\nb = 1 # one\r\n",
    '[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "1"\n',
    'text = """\n[mcp_servers.clawgit]\n"""\n',
]


@pytest.mark.parametrize("text", FORMS[:-1])
def test_what_is_put_in_is_read_back_and_taken_out_leaves_no_trace(text: str) -> None:
    after = with_table(text, KEYS, TABLE)

    assert tomllib.loads(after)["mcp_servers"]["clawgit"] == TABLE
    assert after.startswith(text)
    assert with_table(after, KEYS, TABLE) == after
    assert table_taken_back(after, KEYS, text) == text


def test_a_table_between_others_is_replaced_and_comes_back() -> None:
    text = '[a]\nb = 1\n\n[mcp_servers.clawgit]\ncommand = "old" # mine\n\n# of c\n[c]\nd = 2\n'
    after = with_table(text, KEYS, TABLE)

    assert after.startswith("[a]\nb = 1\n\n[mcp_servers.clawgit]\n")
    assert after.endswith("\n\n# of c\n[c]\nd = 2\n")
    assert table_taken_back(after, KEYS, text) == text
    assert table_taken_back(after, KEYS, None) == "[a]\nb = 1\n\n# of c\n[c]\nd = 2\n"


def test_its_sub_tables_go_with_it_and_later_tables_stay() -> None:
    now = (
        with_table("", KEYS, TABLE)
        + "\n[mcp_servers.clawgit.env]\nA = '1'\n\n[mcp_servers.mine]\ncommand = 'm'\n"
    )

    assert table_taken_back(now, KEYS, "") == "\n[mcp_servers.mine]\ncommand = 'm'\n"
    assert table_at(now, ("mcp_servers", "mine")) == {"command": "m"}


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = { other = { command = 'x' } }\n",
        "[mcp_servers]\nclawgit = { command = 'x' }\n",
        "mcp_servers.clawgit.command = 'x'\n",
        "[mcp_servers.clawgit]\ncommand = 'x'\n[z]\n[mcp_servers.clawgit.env]\nA = '1'\n",
    ],
)
def test_a_form_that_cannot_be_edited_is_refused(text: str) -> None:
    with pytest.raises(TomlError, match="mcp_servers"):
        with_table(text, KEYS, TABLE)


def test_a_header_inside_a_long_string_is_text() -> None:
    text = FORMS[-1]
    after = with_table(text, KEYS, TABLE)

    assert tomllib.loads(after) == {**tomllib.loads(text), "mcp_servers": {"clawgit": TABLE}}
    assert table_taken_back(after, KEYS, text) == text


@pytest.mark.parametrize("around", [FORMS[-1], "[mcp_servers.clawgit_two]\na = 1\n"])
def test_a_text_or_a_name_that_looks_like_ours_is_left_alone(around: str) -> None:
    ours = "[mcp_servers.clawgit]\ncommand = 'x'\n"

    assert table_taken_back(f"{around}{ours}[z]\nb = 1\n", KEYS, None) == f"{around}[z]\nb = 1\n"
    assert table_taken_back(f"{ours}[z]\n{around}", KEYS, None) == f"[z]\n{around}"


def test_a_table_between_parts_of_another_is_found() -> None:
    text = "[mcp_servers.a]\nb = 1\n[z]\nc = 2\n"
    split = text + "[mcp_servers.clawgit]\ncommand = 'x'\n\n# of y\n[y]\nd = 3\n"

    assert table_taken_back(split, KEYS, None) == text + "\n# of y\n[y]\nd = 3\n"


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers.o]\nv=1\n[[arr]]\nx=1\n",
        "[mcp_servers.o]\nv=1\n\n[[arr]]\nx=1\n[[arr]]\n[arr.y]\nz = 2\n# end",
        "[[arr]]\nx=1\n[mcp_servers.o]\nv=1\n[b]\nx=1\n[mcp_servers.p]\n[[arr]]\n",
    ],
)
def test_other_tables_may_stand_in_any_order(text: str) -> None:
    first = with_table(text, KEYS, {"command": "old", "args": []})
    second = with_table(first, KEYS, TABLE)

    assert first.startswith(text)
    assert second == with_table(text, KEYS, TABLE)
    assert table_taken_back(second, KEYS, text) == text
    later = "\n[[arr]]\nx = 3\n"
    ended = text if text.endswith("\n") else f"{text}\n"
    assert table_taken_back(second + later, KEYS, None) == ended + later


def test_a_header_in_a_value_of_our_table_ends_nothing() -> None:
    table = '[mcp_servers.clawgit]\nargs = [\n["o"],\n["x"]\n]\ntext = """\n[o]\n"""\n'

    assert table_taken_back(f"{table}[o]\nv = 1\n", KEYS, None) == "[o]\nv = 1\n"


def test_line_ends_and_a_byte_order_mark_stay() -> None:
    text = "\ufeff# mine\r\n[a]\r\nb = 1\r\n"
    after = with_table(text, KEYS, TABLE)

    assert after.count("\n") == after.count("\r\n")
    assert after.startswith(text)
    assert table_taken_back(after, KEYS, text) == text


def test_broken_toml_is_refused_with_its_line() -> None:
    with pytest.raises(TomlError, match="line 1"):
        with_table("a = \nb = 1\n", KEYS, TABLE)

"""A table is put into TOML and taken out again, and nothing else changes."""

import tomllib

import pytest

from clawgit.domain.clients.toml_tables import TomlError, table_at, with_table, without_table

KEYS = ("mcp_servers", "clawgit")
TABLE = {"command": "/bin/clawgit", "args": ["-C", '/w "s\\', "mcp"]}

FORMS = [
    "",
    'model = "o"\n',
    'model = "o"',
    "# mine\r\n[a]\r\nb = 1 # one\r\n",
    "\ufeff# mine\r\n[a]\r\nb = 1\r\n",
    '[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "1"\n',
    'text = """\n[mcp_servers.clawgit]\n"""\n',
    "[mcp_servers.o]\nv=1\n\n[[arr]]\nx=1\n[[arr]]\n[arr.y]\nz = 2\n# end",
]


def read(text: str) -> dict[str, object]:
    return tomllib.loads(text.removeprefix("\ufeff"))


@pytest.mark.parametrize("text", FORMS)
def test_what_is_put_in_is_read_back_and_taken_out_again(text: str) -> None:
    after = with_table(text, KEYS, TABLE)

    assert table_at(after, KEYS) == TABLE
    assert after.startswith(text)
    assert after.count("\r") in (0, after.count("\n"))
    assert with_table(after, KEYS, TABLE) == after
    assert read(without_table(after, KEYS)) == read(text)
    assert without_table(text, KEYS) == text


def test_comments_and_other_tables_stay() -> None:
    text = '[a]\nb = 1\n\n[mcp_servers.clawgit]\ncommand = "old"\n\n# of c\n[c]\nd = 2 # two\n'
    after = with_table(text, KEYS, TABLE)

    assert read(after) == {"a": {"b": 1}, "mcp_servers": {"clawgit": TABLE}, "c": {"d": 2}}
    assert "[a]\nb = 1\n" in without_table(text, KEYS)
    assert "[c]\nd = 2 # two\n" in without_table(text, KEYS)


def test_its_sub_tables_go_with_it_and_later_tables_stay() -> None:
    now = (
        with_table("", KEYS, TABLE)
        + "\n[mcp_servers.clawgit.env]\nA = '1'\n\n[mcp_servers.mine]\ncommand = 'm'\n"
    )
    assert read(without_table(now, KEYS)) == {"mcp_servers": {"mine": {"command": "m"}}}


def test_a_form_that_cannot_be_edited_is_refused() -> None:
    with pytest.raises(TomlError, match="mcp_servers"):
        with_table("mcp_servers = { other = { command = 'x' } }\n", KEYS, TABLE)


def test_broken_toml_is_refused_with_its_line() -> None:
    with pytest.raises(TomlError, match="line 1"):
        with_table("a = \nb = 1\n", KEYS, TABLE)

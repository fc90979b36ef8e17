"""The database of facts is derived: damage costs nothing but its being made anew."""

import re
from pathlib import Path

import pytest

from clawgit.stores.facts import open_facts


@pytest.mark.parametrize("byte", [b"\xa5", b"\x00", b"x"])
def test_a_damaged_schema_is_made_anew(tmp_path: Path, byte: bytes) -> None:
    """SQLite quotes such a schema in its message, which need not be UTF-8."""
    path = tmp_path / "facts.db"
    with open_facts(path) as facts:
        facts.follow({"memory/structured/a.md": "# A\n\n- Ana leads Harbor.\n"})
    data = path.read_bytes()
    assert b"CREATE TABLE facts" in data
    path.write_bytes(re.sub(b"CREATE TABLE facts", b"CREATE TA" + byte + b"LE facts", data))

    with open_facts(path) as facts:
        assert facts.follow({"memory/structured/a.md": "# A\n\n- Ana leads Harbor.\n"}) == 1

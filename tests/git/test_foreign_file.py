"""A file of another program is replaced only while it is what was read, and only where it may
be."""

import os
from pathlib import Path

import pytest

from clawgit.core.errors import BusyError, PathRefusedError
from clawgit.git.foreign_file import read, replace


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "tool" / "config.json"
    file.parent.mkdir()
    file.write_bytes(b"{}\r\n")
    file.chmod(0o600)
    return file


def only(config: Path) -> list[str]:
    return sorted(one.name for one in config.parent.iterdir())


def test_it_is_replaced_with_its_mode(config: Path) -> None:
    replace(config, read(config), "{ a: 1 }\r\n")
    assert config.read_bytes() == b"{ a: 1 }\r\n"
    assert config.stat().st_mode & 0o777 == 0o600
    assert only(config) == ["config.json"]


@pytest.mark.parametrize(("folder", "stays"), [(".cursor", False), ("clawgit", False), ("b", True)])
def test_a_new_file_leaves_with_its_own_folders(tmp_path: Path, folder: str, stays: bool) -> None:
    file = tmp_path / "a" / folder / "new.json"
    replace(file, read(file), "{}")
    assert file.read_text() == "{}"
    replace(file, read(file), None)
    assert file.parent.exists() is stays


@pytest.mark.parametrize("text", ["ours", None])
def test_an_edit_of_the_last_moment_stays(config: Path, text: str | None) -> None:
    found = read(config)
    config.write_text("theirs")
    with pytest.raises(BusyError, match="at the same moment"):
        replace(config, found, text)
    assert config.read_text() == "theirs"
    assert only(config) == ["config.json"]


def test_what_is_no_text_file_is_not_read(config: Path) -> None:
    config.write_bytes(b"\xff\xfe")
    with pytest.raises(PathRefusedError, match="not UTF-8"):
        read(config)
    with pytest.raises(PathRefusedError, match="is not a file, or"):
        read(config.parent)
    with config.open("wb") as file:
        os.truncate(file.fileno(), 3 * 1024 * 1024)
    with pytest.raises(PathRefusedError, match="over 2 MiB"):
        read(config)

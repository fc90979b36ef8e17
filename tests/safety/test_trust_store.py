"""The trust store: whose it is, what it is known by, and what becomes of it when it is damaged."""

import shutil
import subprocess
from pathlib import Path

import pytest

from clawgit.core.config.trust import TrustRow
from clawgit.git.gitdir import find_repo
from clawgit.git.place import RepoPlace
from clawgit.safety.trust_store import TrustError, accepted_rows, change_rows, facts_of, trust_file
from tests import ready
from tests.conftest import Git
from tests.each import for_each
from tests.making import asker

ROW = TrustRow(
    "setting", "llm_model", "d1", "openai:b", {"bin/x": "h"}, "2026-02-14T09:00:00+00:00",
    "the operator", "why",
)  # fmt: skip


@pytest.fixture
def file() -> Path:
    return trust_file(asker())


def accept(place: RepoPlace, *rows: TrustRow) -> None:
    change_rows(asker(), place, lambda old: [*old, *rows])


def test_a_row_comes_back_as_it_was_and_only_its_owner_reads_the_file(ws: Git, file: Path) -> None:
    place = find_repo(ws.root)
    assert accepted_rows(asker(), place) == ()
    accept(place, ROW)
    assert accepted_rows(asker(), place) == (ROW,)
    assert [path.stat().st_mode & 0o777 for path in (file, file.parent)] == [0o600, 0o700]
    assert (place.shared / "trust-mark").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in file.parent.iterdir()) == ["trust.json", "trust.lock"]


def test_neither_a_clone_nor_a_copy_nor_a_move_inherits_anything(
    ws: Git, file: Path, tmp_path: Path
) -> None:
    accept(find_repo(ws.root), ROW)
    ws("clone", "-q", str(ws.root), str(tmp_path / "clone"))
    shutil.copytree(ws.root, tmp_path / "copy")
    for name in ("clone", "copy"):
        assert accepted_rows(asker(), find_repo(tmp_path / name)) == ()
    (tmp_path / "ws").rename(tmp_path / "moved")
    assert accepted_rows(asker(), find_repo(tmp_path / "moved")) == ()


def test_another_repository_at_the_same_path_inherits_nothing_and_then_has_rows_of_its_own(
    ws: Git, file: Path, tmp_path: Path
) -> None:
    accept(find_repo(ws.root), ROW)
    ws("clone", "-q", str(ws.root), str(tmp_path / "clone"))
    shutil.rmtree(ws.root)
    (tmp_path / "clone").rename(ws.root)
    assert accepted_rows(asker(), find_repo(ws.root)) == ()
    other = ROW._replace(name="chroma")
    accept(find_repo(ws.root), other)
    assert accepted_rows(asker(), find_repo(ws.root)) == (other,)


def test_a_workspace_is_the_same_by_whatever_name_it_is_reached(
    ws: Git, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(ws.root)
    accept(find_repo(tmp_path / "link"), ROW)
    assert accepted_rows(asker(), find_repo(ws.root)) == (ROW,)


ROWS = '{"version": 1, "workspaces": [{"path": "/a", "mark": "b", "rows": [%s]}]}'


@for_each(
    "damage",
    [
        "", "{", "[]", "null", "[" * 100_000, "\udcff", '{"version": 2, "workspaces": []}',
        '{"version": 1}', '{"version": 1, "workspaces": [1]}', ROWS % '{"kind": "setting"}',
        ROWS % '{"files": 1}', ROWS % "1",
    ],
)  # fmt: skip
def test_a_damaged_store_is_an_error_with_words_and_stays_as_it_is(
    ws: Git, file: Path, damage: str
) -> None:
    place = find_repo(ws.root)
    file.unlink(missing_ok=True)
    accept(place, ROW)
    data = damage.encode("utf-8", "surrogateescape")
    file.write_bytes(data)
    with pytest.raises(TrustError, match=r"trust\.json cannot be read") as caught:
        accepted_rows(asker(), place)
    assert "clawgit trust" in caught.value.hint
    with pytest.raises(TrustError):
        accept(place, ROW)
    assert file.read_bytes() == data


@for_each("mode", [0o620, 0o602, 0o666])
def test_a_store_that_others_can_write_counts_for_nothing(ws: Git, file: Path, mode: int) -> None:
    place = find_repo(ws.root)
    file.unlink(missing_ok=True)
    accept(place, ROW)
    file.chmod(mode)
    with pytest.raises(TrustError, match="can be changed by other users") as caught:
        accepted_rows(asker(), place)
    assert "chmod 600" in caught.value.hint


def test_a_folder_in_its_place_is_an_error_too(ws: Git, file: Path) -> None:
    file.mkdir(parents=True)
    with pytest.raises(TrustError):
        accepted_rows(asker(), find_repo(ws.root))


_ACCEPTING = """
import sys
from pathlib import Path
from tests.safety.test_trust_store import TrustRow, accept, find_repo

for number in range(20):
    row = TrustRow("setting", f"{sys.argv[2]}{number}", "d")
    accept(find_repo(Path(sys.argv[1])), row)
"""


def test_two_who_accept_at_once_lose_nothing(ws: Git, file: Path) -> None:
    change_rows(asker(), find_repo(ws.root), lambda _: [ROW])
    call = [ready.python(), "-c", _ACCEPTING, str(ws.root)]
    both = [subprocess.Popen([*call, name]) for name in "ab"]
    assert [one.wait(60) for one in both] == [0, 0]
    assert len(accepted_rows(asker(), find_repo(ws.root))) == 41


# what a command names


NAMES = [
    "bin/run", "./bin/run", "command: bin/run --fast", "command:bin/run", "python3 bin/run",
    "~/bin/run", "link", "sh -c 'cd . && bin/run'", "env A=1 'bin/run'", "tool --script=bin/run",
    'sh -c "bin/run;true"', "{root}/bin/run",
]  # fmt: skip


@for_each("text", NAMES)
def test_a_program_of_the_workspace_is_found_in_whatever_words_name_it(ws: Git, text: str) -> None:
    ws.write("bin/run", "#!/bin/sh\n")
    (ws.root / "link").unlink(missing_ok=True)
    (ws.root / "link").symlink_to("bin/run")
    facts = facts_of(find_repo(ws.root), ws.root)
    assert [*facts.files(text.format(root=ws.root))] == ["bin/run"]


@for_each(
    "text", ["claude -p", "/bin/sh -c true", "bin/none", "bin", "anthropic:claude", "'unclosed"]
)
def test_what_lies_elsewhere_or_is_no_file_has_no_hash(ws: Git, text: str) -> None:
    ws.write("bin/run", "#!/bin/sh\n")
    assert facts_of(find_repo(ws.root), ws.root).files(text) == {}


@pytest.mark.parametrize("file", ["tools/run.py", "tools/run/__main__.py"])
def test_a_module_of_the_workspace_is_found_by_its_dotted_name(ws: Git, file: str) -> None:
    ws.write(file, "print()\n")
    assert [*facts_of(find_repo(ws.root), ws.root).files("command: python3 -m tools.run")] == [file]


def test_a_file_whose_name_holds_spaces_is_found(ws: Git) -> None:
    ws.write("my tools/run it", "#!/bin/sh\n")
    facts = facts_of(find_repo(ws.root), ws.root)
    for text in ("my tools/run it", "command: 'my tools/run it' -x"):
        assert [*facts.files(text)] == ["my tools/run it"]


def test_inside_is_where_a_path_really_leads(ws: Git, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (ws.root / "door").symlink_to(tmp_path / "out")
    is_inside = facts_of(find_repo(ws.root), Path("/home/a")).is_inside
    inside = ["notes", ".", "notes/../x.md", str(ws.root / "x")]
    outside = [
        "..", "notes/../../x", "/etc", "~/x", "door", "door/x", ".git", ".git/config",
        f"{ws.root}2/x",
    ]  # fmt: skip
    assert [path for path in (*inside, *outside) if is_inside(path)] == inside

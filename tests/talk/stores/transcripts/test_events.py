"""Transcripts in OpenClaw's database, beside a gateway that runs, has ended, or has crashed."""

import json
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest

from clawgit.talk.rules.transcript import message_of
from clawgit.talk.stores.transcripts import (
    COMPRESSED,
    NOT_JSON,
    TOO_LONG,
    UnreadableTranscriptError,
    open_transcripts,
)
from tests.each import for_each
from tests.talk.stores.transcripts.states import (
    FILE,
    SHAPES,
    add_events,
    database,
    header,
    locked,
    message,
    picture,
    talk,
)

Read = tuple[list[str], Mapping[str, int], str]


def read(agent: Path, after: str = "") -> Read:
    """The texts that a reading finds in the newest transcript, its faults, and where the next one
    goes on."""
    with open_transcripts(agent) as found:
        faults: Counter[str] = Counter()
        texts, leaf = [], ""
        for entry in found.all[-1].entries(faults, after):
            leaf = entry.id
            said = message_of(entry, "c", "", datetime(1970, 1, 1, tzinfo=UTC))
            texts += [said.text] if said else []
        return texts, dict(faults), leaf


GATEWAY = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute("PRAGMA wal_autocheckpoint = 0")
row = db.execute("SELECT event_json FROM transcript_events WHERE seq = 1").fetchone()[0]
row = row.replace("one", "two").replace("m1", "m2").replace('"parentId": null', '"parentId": "m1"')
db.execute("INSERT INTO transcript_events VALUES ('s1', 2, ?, 9)", (row,))
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """An agent that has said one thing, and whose gateway has ended."""
    db = database(tmp_path / "main", wal=True)
    add_events(db, "s1", [header("s1"), *talk("one")])
    db.close()
    return tmp_path / "main"


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_the_tables_is_read(tmp_path: Path, shape: str) -> None:
    db = database(tmp_path, shape)
    add_events(db, "s1", [header("s1"), *talk("one", "two")])
    db.close()
    assert read(tmp_path)[:2] == (["one", "two"], {})
    with open_transcripts(tmp_path) as found:
        [one] = found.all
        assert one.session == ("s1", "agent:main:main", "webchat")


def test_events_are_read_on_and_again_where_the_branch_has_left_them(tmp_path: Path) -> None:
    db = database(tmp_path)
    add_events(db, "s1", talk("one", "two"))
    position = read(tmp_path)[2]
    add_events(db, "s1", talk("three", start=3), start=2)
    texts, _, position = read(tmp_path, position)
    assert texts == ["three"]
    add_events(db, "s1", [message("n", "m1", "instead")], start=3)
    assert read(tmp_path, position)[0] == ["one", "instead"]
    db.close()


def test_what_is_wrong_with_an_event_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clawgit.talk.stores.transcripts.LONGEST_LINE", 10_000)
    db = database(tmp_path)
    add_events(db, "s1", talk("one", "x" * 20_000, "three"))
    db.execute("INSERT INTO transcript_events VALUES ('s1', 3, '{broken', 9)")
    db.execute("INSERT INTO transcript_events VALUES ('s1', 4, CAST(x'7b22ff' AS TEXT), 9)")
    db.close()
    assert read(tmp_path)[:2] == (["one", "three"], {TOO_LONG: 1, NOT_JSON: 2})


class Packed:
    """Stands for the zstd of Python 3.14 or of its backport, which are not there; the interface is
    theirs."""

    def decompress(self, packed: bytes, max_length: int) -> bytes:
        try:
            return zlib.decompressobj().decompress(packed, max_length)
        except zlib.error as error:
            raise PackedError from error


class PackedError(Exception):
    pass


def test_compressed_events_wait_for_a_python_that_can_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = database(tmp_path, "later")
    add_events(db, "s1", talk("one"))
    packed = zlib.compress(json.dumps(talk("two", start=2)[0]).encode())
    for seq, data in ((1, packed), (2, b"no zstd")):
        db.execute("INSERT INTO transcript_events VALUES ('s1', ?, NULL, ?, 1, 1)", (seq, data))
    db.close()
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    assert read(tmp_path)[:2] == (["one"], {COMPRESSED: 2})

    zstd = ModuleType("backports.zstd")
    zstd.ZstdDecompressor, zstd.ZstdError = Packed, PackedError  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "backports.zstd", zstd)
    assert read(tmp_path)[:2] == (["one", "two"], {NOT_JSON: 1})


def test_nothing_changes_where_the_gateway_has_ended(agent: Path) -> None:
    locked(agent)
    before = picture(agent)
    assert read(agent)[0] == ["one"]
    assert picture(agent) == before
    assert not [name for name in before if name.endswith(("-wal", "-shm"))]


@contextmanager
def gateway(agent: Path) -> Iterator[None]:
    """One that has written, and is killed at the end."""
    argv = [sys.executable, "-c", GATEWAY, str(agent / FILE)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as runs:
        assert runs.stdout is not None
        assert runs.stdout.readline() == b"ready\n"
        yield
        runs.kill()


def test_nothing_changes_beside_a_gateway_that_runs_and_what_it_wrote_is_seen(agent: Path) -> None:
    with gateway(agent):
        before = picture(agent)
        assert read(agent)[0] == ["one", "two"]
        assert picture(agent) == before
        assert len([name for name in before if name.endswith(("-wal", "-shm"))]) == 2


@pytest.mark.parametrize("lost", ["", "-shm"], ids=["with its index", "without its index"])
def test_nothing_changes_where_the_gateway_was_killed(agent: Path, lost: str) -> None:
    with gateway(agent):
        pass
    if lost:
        (agent / f"{FILE}{lost}").unlink()
    locked(agent)
    before = picture(agent)
    assert read(agent)[0] == ["one", "two"]
    assert picture(agent) == before


@for_each("content", [b"", b"not a database" * 100])
def test_a_database_that_is_none_is_noted_or_empty(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "agent").mkdir(exist_ok=True)
    (tmp_path / FILE).write_bytes(content)
    with open_transcripts(tmp_path) as found:
        assert (found.all, len(found.notes)) == ((), 1 if content else 0)


def test_cells_of_any_type_are_passed_over_or_read(tmp_path: Path) -> None:
    db = database(tmp_path)
    add_events(db, "s1", talk("one", "two"))
    said = json.dumps(message("m9", None, "never"))
    odd = [("s1", seq, said) for seq in ("x", 2**63 - 1, -1)]
    cells = [*odd, ("s1", 5, 7), (b"\xff", 1, said)]
    db.executemany("INSERT INTO transcript_events VALUES (?, ?, ?, 1)", cells)
    db.close()
    assert read(tmp_path)[:2] == (["one", "two"], {NOT_JSON: 1})


def test_a_database_that_breaks_while_it_is_read_is_an_error_of_its_own(agent: Path) -> None:
    with open_transcripts(agent) as found:
        found.all[0].db.close()
        with pytest.raises(UnreadableTranscriptError, match="closed database"):
            list(found.all[0].entries(Counter()))

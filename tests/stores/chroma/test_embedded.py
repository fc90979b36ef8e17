"""The embedded Chroma: one owner, and whatever becomes of its files, every vector is found back."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clawgit.stores.chroma import ownership
from clawgit.stores.chroma.embedded import Embedded
from clawgit.stores.chroma.errand import Errands
from clawgit.stores.chroma.failures import ChromaBusyError, ChromaFillingError
from clawgit.stores.chroma.generation import begin, leave_only
from tests.stores.chroma.lab import FAMILY, MANY, file_of, generation_in, nearest, records

if TYPE_CHECKING:
    from clawgit.stores.chroma.backend import Record

Own = Callable[[Path], Embedded]


def assert_holds(owner: Embedded, some: "list[Record]") -> None:
    """Every single vector is found, by itself."""
    lost = [one for one, row in some if owner.similar(row, 1)[0][0] != one]
    assert lost == []


def broken(chroma: Path) -> list[str]:
    return [path.name for path in (chroma / FAMILY.collection).glob("broken-*")]


def test_it_answers_once_it_is_filled_and_follows_what_is_wanted(own: Own, filled: Path) -> None:
    owner = own(filled)
    vector = records(1, seed=3)[0][1]
    with pytest.raises(ChromaFillingError):
        owner.similar(vector, 5)
    new, heard = MANY[100:] + records(50, seed=2), list[int]()
    changed = owner.fill(lambda: new, progress=heard.append)
    assert (changed.added, changed.deleted, changed.complete, heard[-1]) == (50, 100, True, 1150)
    assert [one for one, _ in owner.similar(vector, 5)] == [
        one for one, _ in nearest(new, vector, 5)
    ]


def test_opened_again_it_answers_without_writing_anything(filled: Path) -> None:
    owner = Embedded(filled, FAMILY)
    assert owner.fill(lambda: MANY) == (0, 0, generation_in(filled).sealed, True)
    assert_holds(owner, MANY[:50])
    assert generation_in(filled).reading.exists()
    owner.close()
    assert not generation_in(filled).reading.exists()


def test_a_second_owner_is_told_who_has_it(own: Own, tmp_path: Path) -> None:
    own(tmp_path)
    with pytest.raises(ChromaBusyError, match=f"open in process {os.getpid()} "):
        Embedded(tmp_path, FAMILY)


def test_a_filling_that_is_stopped_keeps_what_it_did(own: Own, tmp_path: Path) -> None:
    owner, heard = own(tmp_path), list[int]()
    stopped = owner.fill(lambda: MANY, lambda: len(heard) == 2, heard.append)
    assert (stopped.added, stopped.complete) == (600, False)
    assert generation_in(tmp_path).sealed == stopped.contents
    with pytest.raises(ChromaFillingError):
        owner.similar(MANY[0][1], 1)


@pytest.mark.parametrize("count", [400, pytest.param(len(MANY), marks=pytest.mark.slow)])
def test_the_writer_is_killed_and_all_is_written_anew(own: Own, tmp_path: Path, count: int) -> None:
    owner, kills = own(tmp_path), [signal.SIGKILL]
    part = 3 * count // 4  # at least a page, so that the writer is at work

    def wanted() -> "Iterator[Record]":
        yield from MANY[:part]
        if kills and owner._errands._child is not None:
            os.kill(owner._errands._child.pid, kills.pop())
        yield from MANY[part:count]

    assert owner.fill(wanted).contents.size == count
    assert broken(tmp_path) == ["broken-000001"]
    assert_holds(owner, MANY[:count])


OWNER = """
import os, signal, sys
from pathlib import Path
from clawgit.stores.chroma.embedded import Embedded
from clawgit.stores.chroma.generation import begin, leave_only
from tests.stores.chroma.lab import FAMILY, MANY

def wanted():
    yield from MANY[:900]
    os.kill(os.getpid(), signal.SIGKILL)

Embedded(Path(sys.argv[1]), FAMILY).fill(wanted)
"""


@pytest.mark.slow
def test_the_owner_is_killed_while_he_fills_and_the_next_begins_anew(
    own: Own, tmp_path: Path
) -> None:
    died = subprocess.run([sys.executable, "-c", OWNER, str(tmp_path)], check=False)
    assert died.returncode == -signal.SIGKILL
    with ownership.lock_file(
        tmp_path
    ).open() as lock:  # his child still holds it, closes properly, and ends
        fcntl.flock(lock, fcntl.LOCK_EX)
    assert generation_in(tmp_path).sealed is None
    owner = own(tmp_path)
    assert owner.fill(lambda: MANY).added == len(MANY)
    assert broken(tmp_path) == ["broken-000001"]
    assert_holds(owner, MANY)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["data_level0.bin", pytest.param("chroma.sqlite3", marks=pytest.mark.slow)]
)
def test_a_file_is_cut_short_and_every_vector_comes_back(own: Own, filled: Path, name: str) -> None:
    os.truncate(file_of(filled, name), file_of(filled, name).stat().st_size // 2)
    owner = own(filled)
    assert owner.fill(lambda: MANY).added == len(MANY)
    assert broken(filled) == ["broken-000001"]
    assert_holds(owner, MANY)


@pytest.mark.parametrize(
    "name",
    ["chroma.sqlite3", "link_lists.bin", "length.bin", "header.bin", "index_metadata.pickle"],
)
def test_a_file_cut_short_or_gone_is_trusted_no_more(filled: Path, name: str) -> None:
    """Chroma itself answers from most of these without a word."""
    file = file_of(filled, name)
    assert generation_in(filled).sealed is not None
    os.truncate(file, file.stat().st_size - 1)
    assert generation_in(filled).sealed is None
    file.unlink()
    assert generation_in(filled).sealed is None


def test_what_killed_its_reader_is_not_read_again(filled: Path, own: Own) -> None:
    """Zeros for links make Chroma crash in its first answer; a reader that died leaves his mark,
    and the proof dies."""
    links = file_of(filled, "link_lists.bin")
    links.write_bytes(bytes(links.stat().st_size))
    generation_in(filled).reading.touch()
    assert own(filled)._trusted() is None
    assert broken(filled) == ["broken-000001"]


def test_a_reader_that_was_killed_has_harmed_nothing(filled: Path, own: Own) -> None:
    generation_in(filled).reading.touch()
    owner = own(filled)
    assert owner.fill(lambda: MANY)[:2] == (0, 0)
    assert broken(filled) == []


def test_only_the_last_broken_one_is_kept(filled: Path) -> None:
    home = filled / FAMILY.collection
    (home / "broken-000000").mkdir()
    generation_in(filled).set_aside()
    assert broken(filled) == ["broken-000001"]


def test_what_an_older_model_left_goes_once_the_new_one_is_there(filled: Path) -> None:
    other = begin(filled / FAMILY._replace(model="another").collection)
    leave_only(other.folder.parent, other)
    assert [path for path in filled.iterdir() if path.is_dir()] == [other.folder.parent]


def test_the_proof_reads_every_vector(filled: Path) -> None:
    """Chroma would hand out vectors of other lengths without a word."""
    place, lock = generation_in(filled), ownership.take(filled)
    lengths = file_of(filled, "length.bin")
    lengths.write_bytes(bytes(lengths.stat().st_size))
    assert Errands(lock).prove(place.store, FAMILY.collection) is None
    os.close(lock)


def test_closing_ends_a_filling_at_once(tmp_path: Path) -> None:
    owner = Embedded(tmp_path, FAMILY)

    def wanted() -> "Iterator[Record]":
        yield from MANY[:600]
        if owner._errands._child is not None:
            owner._errands.stop()
        yield from MANY[600:]

    with pytest.raises(ChromaFillingError):
        owner.fill(wanted)
    owner.close()
    assert generation_in(tmp_path).sealed is None

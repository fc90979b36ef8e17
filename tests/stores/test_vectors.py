"""The vector file: what is embedded once is never embedded again, whatever crashes, is rebuilt, or
runs beside it."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from clawgit.stores.embed.contract import Rows, normalised
from clawgit.stores.models import ModelError
from clawgit.stores.vectors import FilledVectors, Text, TornVectorsError, VectorFile, fill
from tests import ready

D = 8


class Counting:
    """An embedder that remembers what it was asked for. A text has a direction of its own; "" has
    none."""

    provider, model, dimensions = "counting", "v1", D

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:  # noqa: ARG002 - the protocol's
        self.asked += texts
        return vectors(texts)


def vectors(texts: Sequence[str]) -> Rows:
    raw = [np.frombuffer(sha256(text.encode()).digest()[:D], np.int8) for text in texts]
    known = np.array([bool(text) for text in texts], np.float32)
    return normalised(np.array(raw, np.float32).reshape(len(texts), D) * known[:, None])


def texts(count: int, first: int = 1) -> list[Text]:
    return [text(number, f"text {number}") for number in range(first, first + count)]


def text(number: int, content: str) -> Text:
    return Text(number, sha256(content.encode()).digest()[:16], content)


def ids(*numbers: int) -> NDArray[np.int32]:
    return np.array(numbers, np.int32)


def opened(folder: Path, generation: str = "first") -> VectorFile:
    return VectorFile(folder, "counting", "v1", D, generation)


def assert_right(file: VectorFile, known: Sequence[Text]) -> None:
    """Each text's score is that of its own vector."""
    [query] = vectors(["the question"])
    numbers = ids(*(one.id for one in known))
    expected = vectors([one.text for one in known]) @ query
    assert file.scores(query, numbers) == pytest.approx(expected, abs=1e-6)
    picked = [file.scores(query, numbers[at : at + 1])[0] for at in range(min(20, len(known)))]
    assert picked == pytest.approx(expected[:20], abs=1e-6)


def test_a_score_is_found_by_the_id_of_its_text(tmp_path: Path) -> None:
    known = texts(50)[::-1]
    assert fill(Counting(), opened(tmp_path), known) == FilledVectors(reused=0, embedded=50)
    assert_right(opened(tmp_path), known)


def test_nothing_is_embedded_twice(tmp_path: Path) -> None:
    embedder = Counting()
    fill(embedder, opened(tmp_path), texts(40))
    assert fill(embedder, opened(tmp_path), texts(60)) == FilledVectors(reused=40, embedded=20)
    assert sorted(embedder.asked) == sorted(one.text for one in texts(60))
    assert_right(opened(tmp_path), texts(60))


def test_before_anything_is_embedded_there_is_nothing_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    file = opened(tmp_path / "none")
    assert (
        file.count,
        file.scores(vectors(["x"])[0], ids(3)).tolist(),
        file.missing(ids(1, 2)),
    ) == (0, [0], [1, 2])
    assert not (tmp_path / "none").exists()


def test_an_index_built_anew_finds_its_vectors_again(tmp_path: Path) -> None:
    """Its ids are others; nothing is embedded, and nothing of the old ids is believed."""
    fill(Counting(), opened(tmp_path), texts(30))
    again = [text(31 - one.id, one.text) for one in texts(30)]
    embedder, file = Counting(), opened(tmp_path, "second")
    assert file.missing(ids(1, 2)) == [1, 2]
    assert fill(embedder, file, again) == FilledVectors(reused=30, embedded=0)
    assert embedder.asked == []
    assert_right(opened(tmp_path, "second"), again)


def test_a_limit_stops_and_the_next_call_goes_on(tmp_path: Path) -> None:
    embedder = Counting()
    done = [fill(embedder, opened(tmp_path), texts(100), limit=30) for _ in range(4)]
    assert [(one.embedded, one.reused) for one in done] == [(30, 0), (30, 30), (30, 60), (10, 90)]
    assert len(embedder.asked) == 100
    assert_right(opened(tmp_path), texts(100))


def test_what_was_done_before_a_failure_is_kept(tmp_path: Path) -> None:
    class Failing(Counting):
        def embed(self, texts: Sequence[str], *, query: bool = False) -> Rows:
            if self.asked:
                raise ModelError("gone")
            return super().embed(texts, query=query)

    with pytest.raises(ModelError):
        fill(Failing(), opened(tmp_path), texts(100))
    assert fill(Counting(), opened(tmp_path), texts(100)) == FilledVectors(reused=32, embedded=68)
    assert_right(opened(tmp_path), texts(100))


@given(data=st.data())
def test_a_torn_tail_costs_its_rows_and_no_other(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever length a crash leaves the files at: no wrong row is ever believed, and the next fill
    mends it."""
    folder = tmp_path_factory.mktemp("torn")
    fill(Counting(), opened(folder), texts(6))
    for tail in data.draw(st.sets(st.sampled_from(["f32", "keys", "rows"]))):
        [file] = folder.glob(f"*.{tail}")
        os.truncate(file, data.draw(st.integers(0, file.stat().st_size)))
    torn = opened(folder)
    found = [one for one in texts(6) if one.id not in torn.missing(ids(*range(1, 7)))]
    assert_right(torn, found)
    fill(Counting(), torn, texts(9))
    assert_right(opened(folder), texts(9))
    assert_right(torn, texts(9))


def test_rows_of_files_that_were_replaced_are_not_believed(tmp_path: Path) -> None:
    fill(Counting(), opened(tmp_path), texts(5))
    [rows] = tmp_path.glob("*.rows")
    kept = rows.read_bytes()
    for file in tmp_path.iterdir():
        file.unlink()
    other = [text(6 - one.id, one.text) for one in texts(5)]
    fill(Counting(), opened(tmp_path), other)
    rows.write_bytes(kept)
    assert opened(tmp_path).missing(ids(1, 2, 3)) == [1, 2, 3]


@pytest.mark.parametrize(
    "spoilt", [b"\xff", b"\x7f", b"\x55"], ids=["no number", "too large", "too long"]
)
def test_what_is_no_vector_shows_and_only_that_is_let_go(tmp_path: Path, spoilt: bytes) -> None:
    known = [text(1, ""), *texts(39, first=2)]
    fill(Counting(), opened(tmp_path), known)
    [vectors_file] = tmp_path.glob("*.f32")
    with vectors_file.open("r+b") as file:
        file.seek(4 * D * 20)
        file.write(spoilt * (4 * D * 3))
    torn, reader = opened(tmp_path), opened(tmp_path)
    [query] = vectors(["text 5"])
    for asked in (ids(*range(1, 41)), ids(21)):
        with pytest.raises(TornVectorsError, match=r"is damaged"):
            torn.scores(query, asked)
    torn.mend()
    assert torn.count == 37
    embedder = Counting()
    assert fill(embedder, torn, known) == FilledVectors(reused=37, embedded=3)
    assert embedder.asked == ["text 21", "text 22", "text 23"]
    for file_now in (torn, opened(tmp_path)):
        assert_right(file_now, known)
    reader.mend()
    assert fill(Counting(), reader, known) == FilledVectors(reused=40, embedded=0)
    assert_right(reader, known)


def test_a_reader_goes_on_while_the_files_grow_and_while_they_are_replaced(tmp_path: Path) -> None:
    fill(Counting(), opened(tmp_path), texts(5))
    reader = opened(tmp_path)
    fill(Counting(), opened(tmp_path), texts(5000, first=6))
    assert_right(reader, texts(5))
    [keys] = tmp_path.glob("*.keys")
    keys.unlink()
    fill(Counting(), opened(tmp_path), texts(1))
    assert_right(reader, texts(5))


def test_many_writers_at_once_keep_every_row_right(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def write(first: int) -> None:
        try:
            fill(Counting(), opened(tmp_path), texts(300, first))
        except BaseException as error:
            failures.append(error)
            raise

    writers = [Thread(target=write, args=(first,)) for first in (1, 101, 201, 301)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert failures == []
    assert fill(Counting(), opened(tmp_path), texts(600)) == FilledVectors(reused=600, embedded=0)
    assert opened(tmp_path).count == 600
    assert_right(opened(tmp_path), texts(600))


CHILD = """
import sys
from pathlib import Path
from tests.stores.test_vectors import Counting, fill, opened, texts
fill(Counting(), opened(Path(sys.argv[1])), texts(100_000), progress=lambda done: print(done, flush=True))
"""


def test_kill_9_while_it_fills_loses_no_batch_that_was_told(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child:
        told = next(int(line) for line in child.stdout if int(line) > 500)
        child.send_signal(signal.SIGKILL)
    found = fill(Counting(), opened(tmp_path), texts(told))
    assert found == FilledVectors(reused=told, embedded=0)
    assert_right(opened(tmp_path), texts(told))


FULL = """
import resource, signal, sys
from pathlib import Path
from clawgit.errors import StorageError
from tests.stores.test_vectors import Counting, fill, opened, texts
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    fill(Counting(), opened(Path(sys.argv[1])), texts(500))
except StorageError as error:
    print(error.message)
"""


def test_a_full_disk_is_an_error_and_leaves_what_was_there(tmp_path: Path) -> None:
    told = subprocess.check_output([ready.python(), "-c", FULL, str(tmp_path)], text=True)
    assert told == f"{tmp_path} cannot be written: File too large.\n"
    assert fill(Counting(), opened(tmp_path), texts(500)) == FilledVectors(reused=32, embedded=468)
    assert_right(opened(tmp_path), texts(500))


def test_a_scan_of_many_vectors_takes_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mapped pages count as the memory of a process until they are given back."""
    given_back: list[tuple[int, int]] = []
    let_go = VectorFile._let_go

    def counted(file: VectorFile, start: int, end: int) -> None:
        given_back.append((start, end))
        let_go(file, start, end)

    monkeypatch.setattr(VectorFile, "_let_go", counted)
    count, wide = 6000, 2048
    rows = normalised(np.random.default_rng(1).standard_normal((count, wide)).astype(np.float32))
    file = VectorFile(tmp_path, "counting", "wide", wide, "first")
    file.add(texts(count), rows)
    wanted = np.arange(1, count + 1, dtype=np.int32)
    scores = file.scores(rows[4321], wanted)
    assert np.allclose(scores, rows @ rows[4321], atol=1e-6)
    assert int(scores.argmax()) == 4321
    assert len(given_back) > 1
    assert [row for start, end in given_back for row in range(start, end)] == [*range(count)]
    assert resident(".f32") * 1024 < rows.nbytes / 4


def resident(ending: str) -> int:
    """KiB in memory of the mapped files with this ending; 0 where the system does not tell."""
    kib, is_ours = 0, False
    maps = Path("/proc/self/smaps")
    for line in maps.read_text().splitlines() if maps.exists() else ():
        if line.partition(" ")[0].endswith(":"):
            kib += int(line.split()[1]) if is_ours and line.startswith("Rss:") else 0
        else:
            is_ours = line.endswith(ending)
    return kib

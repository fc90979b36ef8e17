"""The vector files: what is embedded once is never embedded again, whatever crashes, is rebuilt, or
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

from clawgit.search.embed import Rows, normalised
from clawgit.search.rules.row import key_of
from clawgit.search.stores.vectors import Vectors

D = 8
NEAR = 0.02
"""How much 8 bits may change a cosine of eight dimensions."""


def vectors(texts: Sequence[str]) -> Rows:
    """A text has a direction of its own; "" has none."""
    raw = [np.frombuffer(sha256(text.encode()).digest()[:D], np.int8) for text in texts]
    known = np.array([bool(text) for text in texts], np.float32)
    return normalised(np.array(raw, np.float32).reshape(len(texts), D) * known[:, None])


def texts(count: int, first: int = 1) -> list[str]:
    return [f"text {number}" for number in range(first, first + count)]


def opened(folder: Path) -> Vectors:
    return Vectors(folder, "counting", "v1", D)


def packed(wanted: Sequence[str]) -> bytes:
    return b"".join(map(key_of, wanted))


def unknown(file: Vectors, wanted: Sequence[str]) -> list[str]:
    rows = file.rows(packed(wanted))
    return [text for text, row in zip(wanted, rows, strict=True) if row < 0]


def fill(file: Vectors, wanted: Sequence[str]) -> list[str]:
    """What had to be embedded."""
    new = unknown(file, wanted)
    if new:
        file.add([*map(key_of, new)], vectors(new))
    return new


def assert_right(file: Vectors, known: Sequence[str]) -> None:
    """Each text has the cosine of its own vector."""
    [query] = vectors(["the question"])
    cosines = file.cosines(query, file.rows(packed(known)))
    assert cosines == pytest.approx(vectors(known) @ query, abs=NEAR)


@given(data=st.data())
def test_a_torn_tail_costs_its_rows_and_no_other(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever length a crash leaves the files at: no wrong row is ever believed, and the next fill
    mends it."""
    folder = tmp_path_factory.mktemp("torn")
    fill(opened(folder), texts(6))
    [file] = folder.glob("*.vectors")
    os.truncate(file, data.draw(st.integers(0, file.stat().st_size)))
    torn = opened(folder)
    assert_right(torn, [text for text in texts(6) if text not in unknown(torn, texts(6))])
    fill(torn, texts(9))
    assert_right(opened(folder), texts(9))
    assert_right(torn, texts(9))
    assert unknown(torn, texts(9)) == []


def test_rows_of_zeros_that_a_power_cut_leaves_are_no_text(tmp_path: Path) -> None:
    fill(opened(tmp_path), texts(5))
    [file] = tmp_path.glob("*.vectors")
    file.write_bytes(file.read_bytes() + bytes(2 * 28))
    torn = opened(tmp_path)
    assert torn.rows(bytes(16)).tolist() == [-1]
    assert (fill(torn, texts(7)), torn.count) == (texts(2, first=6), 9)
    assert_right(torn, texts(7))


@pytest.mark.parametrize("spoilt", [b"\xff", b"\x7f", b"\0"], ids=["no number", "large", "zeros"])
def test_what_is_no_vector_is_unknown_and_made_again(tmp_path: Path, spoilt: bytes) -> None:
    known = ["", *texts(39)]
    fill(opened(tmp_path), known)
    [file] = tmp_path.glob("*.vectors")
    content = bytearray(file.read_bytes())
    width = len(content) // 40
    for row in range(20, 23):
        content[row * width + 16 : (row + 1) * width] = spoilt * (width - 16)
    file.write_bytes(content)
    torn = opened(tmp_path)
    assert_right(torn, [*known[:20], *known[23:]])
    assert fill(torn, known) == known[20:23]
    for each in (torn, opened(tmp_path)):
        assert_right(each, known)


def test_a_reader_goes_on_while_the_files_grow_and_while_they_are_replaced(tmp_path: Path) -> None:
    fill(opened(tmp_path), texts(5))
    reader = opened(tmp_path)
    fill(opened(tmp_path), texts(5000, first=6))
    assert_right(reader, texts(5))
    assert (reader.follow(), reader.follow(), reader.count) == (True, False, 5005)
    [held] = tmp_path.glob("*.vectors")
    held.unlink()
    fill(opened(tmp_path), texts(1))
    assert_right(reader, texts(5))
    assert (reader.follow(), reader.count) == (True, 1)


def test_many_writers_at_once_keep_every_row_right(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def write(first: int) -> None:
        try:
            file = opened(tmp_path)
            for start in range(first, first + 300, 30):
                fill(file, texts(30, start))
        except BaseException as error:
            failures.append(error)
            raise

    writers = [Thread(target=write, args=(first,)) for first in (1, 101, 201, 301)]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert failures == []
    assert (opened(tmp_path).count, unknown(opened(tmp_path), texts(600))) == (600, [])
    assert_right(opened(tmp_path), texts(600))


CHILD = """
import sys
from pathlib import Path
from tests.search.stores.test_vectors import fill, opened, texts
file = opened(Path(sys.argv[1]))
for first in range(1, 100_000, 50):
    fill(file, texts(50, first))
    print(first + 49, flush=True)
"""


def test_kill_9_while_it_fills_loses_no_batch_that_was_told(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child:
        told = next(int(line) for line in child.stdout if int(line) > 500)
        child.send_signal(signal.SIGKILL)
    assert fill(opened(tmp_path), texts(told)) == []
    assert_right(opened(tmp_path), texts(told))


FULL = """
import resource, signal, sys
from pathlib import Path
from clawgit.core.errors import StorageError
from tests.search.stores.test_vectors import fill, opened, texts
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    fill(opened(Path(sys.argv[1])), texts(30))
    fill(opened(Path(sys.argv[1])), texts(500))
except StorageError as error:
    print(error.message)
"""


def test_a_full_disk_is_an_error_and_leaves_what_was_there(tmp_path: Path) -> None:
    told = subprocess.check_output([sys.executable, "-c", FULL, str(tmp_path)], text=True)
    assert told == f"{tmp_path} cannot be written: File too large.\n"
    assert fill(opened(tmp_path), texts(500)) == texts(429, first=72)  # so many rows fitted
    assert_right(opened(tmp_path), texts(500))


def test_what_is_kept_is_found_and_the_rest_is_gone_from_the_disk(tmp_path: Path) -> None:
    fill(opened(tmp_path), texts(10))
    before = {file.suffix: file.stat().st_size for file in tmp_path.iterdir()}
    file, reader = opened(tmp_path), opened(tmp_path)
    gone = file.vectors(file.rows(packed(["text 4"])))
    assert file.keep({*map(key_of, texts(3))}) == 7
    after = {each.suffix: each.stat().st_size for each in tmp_path.iterdir()}
    assert after[".vectors"] == before[".vectors"] * 3 // 10
    assert unknown(file, texts(4)) == ["text 4"]
    assert_right(reader, texts(10))
    assert fill(reader, texts(4)) == []  # it has not followed yet
    assert reader.follow()
    assert fill(reader, texts(4)) == ["text 4"]
    assert file.follow()
    np.testing.assert_allclose(file.vectors(file.rows(packed(["text 4"]))), gone)
    np.testing.assert_allclose(gone, vectors(["text 4"]), atol=NEAR)

"""An index follows the files on disk."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Git
from tests.search.index.conftest import Opener, everything, found


def test_what_lies_on_disk_is_found_committed_or_not(ws: Git, opened: Opener) -> None:
    index = opened(ws)
    assert found(index, "postgresql") == [("MEMORY.md", 3, "Billing uses PostgreSQL. #decision")]
    ws.write("memory/2026-02-14.md", "# Today\n\n\n- Billing moved to MariaDB.\n")
    ws.write("memory/2026-02-13.md", "- Met Bob.\n")
    (ws.root / "MEMORY.md").unlink()
    assert index.refresh() == (3, 4, 3, 0, ws.head(), "")
    assert found(index, "billing") == [("memory/2026-02-14.md", 4, "Billing moved to MariaDB.")]
    assert found(index, "ana") == []
    assert index.refresh().changed == 0


def test_an_edit_that_leaves_size_and_time_as_they_were_is_seen(ws: Git, opened: Opener) -> None:
    index = opened(ws)
    file = ws.root / "memory/2026-02-13.md"
    status = file.stat()
    with file.open("r+b") as same:
        same.write(file.read_bytes().replace(b"Ana", b"Eve"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    index.refresh()
    assert found(index, "eve") == [("memory/2026-02-13.md", 3, "Met Eve.")]


def test_a_file_that_was_written_just_now_is_read_again(
    ws: Git, opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a coarse clock, a second edit within the tick would leave no trace."""
    file = ws.write("MEMORY.md", "- One.\n")
    index = opened(ws, fresh=False)
    now = file.stat().st_ctime_ns
    monkeypatch.setattr(time, "time_ns", lambda: now + 1_000_000_000)
    index.refresh()
    assert index.every_file()["MEMORY.md"].found.ctime == -1
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_000_000_000)
    index.refresh()
    assert index.every_file()["MEMORY.md"].found.ctime == now


def test_a_reader_keeps_its_moment_while_another_rebuilds(ws: Git, opened: Opener) -> None:
    reader, writer = opened(ws), opened(ws)
    ids = reader.best(["ana"], 9)
    ws.write("memory/2026-02-13.md", "- Nobody.\n")
    writer.refresh(anew=True)
    assert (reader.best(["ana"], 9), [row.text for row in reader.rows(ids)]) == (ids, ["Met Ana."])
    reader.refresh()
    assert found(reader, "ana") == []


WORDS = ("alpha", "beta", "gamma")
TEXT = st.lists(st.builds("- {}".format, st.sampled_from(WORDS)), max_size=4).map("\n".join)
EDITS = st.lists(
    st.tuples(st.sampled_from("abc"), st.one_of(st.none(), TEXT, TEXT)), min_size=1, max_size=6
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_however_it_came_about_the_index_is_as_one_made_at_once(
    git: Git, opened: Opener, edits: list[tuple[str, str | None]]
) -> None:
    index = opened(git)
    for name, text in edits:
        if text is None:
            (git.root / f"memory/{name}.md").unlink(missing_ok=True)
        else:
            git.write(f"memory/{name}.md", text)
        index.refresh()
    shown = everything(index), [sorted(found(index, word)) for word in WORDS], index.counts(WORDS)
    index.refresh(anew=True)
    assert shown == (
        everything(index), [sorted(found(index, word)) for word in WORDS], index.counts(WORDS)
    )  # fmt: skip
    index.close()


def test_a_name_from_outside_and_a_pipe_are_not_read(
    ws: Git, opened: Opener, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("- Heron.\n")
    (ws.root / "memory/link.md").symlink_to(secret)
    os.mkfifo(ws.root / "memory/pipe.md")
    assert found(opened(ws), "heron") == []
    assert found(opened(ws, "../secret.md"), "heron") == [(str(secret), 1, "Heron.")]
    (ws.root / "memory/linked.md").hardlink_to(secret)
    assert found(opened(ws, "../secret.md"), "heron") == []

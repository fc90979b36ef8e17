"""An index follows the files on disk."""

import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Git
from tests.search.index.conftest import Opener, everything, found


def test_an_edit_that_leaves_size_and_time_as_they_were_is_seen(ws: Git, opened: Opener) -> None:
    index = opened(ws)
    file = ws.root / "memory/2026-02-13.md"
    status = file.stat()
    with file.open("r+b") as same:
        same.write(file.read_bytes().replace(b"Ana", b"Eve"))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    index.refresh()
    assert found(index, "eve") == [("memory/2026-02-13.md", 3, "Met Eve.")]


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

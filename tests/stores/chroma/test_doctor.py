"""What `doctor` says about Chroma, and what it mends."""

import os
from pathlib import Path

import pytest

from clawgit.domain.change.actors import OPERATOR
from clawgit.ops.health.doctor import CHECKS, looked
from clawgit.ops.health.finding import Finding, Site
from clawgit.ops.workspace.workspace import Caller, Workspace
from clawgit.stores.chroma import ownership
from clawgit.stores.chroma.server import Address
from clawgit.stores.git.gitdir import repo_at
from tests.conftest import NOW, Git
from tests.stores.chroma.lab import file_of, generation_in
from tests.trusting import accept_settings


@pytest.fixture
def chroma(ws: Git, filled: Path) -> Path:
    """The folder where the workspace's Chroma lies, filled and sealed."""
    shared = ws.root / ".git" / "clawgit"
    shared.mkdir()
    return filled.rename(shared / "chroma")


def found(ws: Git) -> list[Finding]:
    place = repo_at(ws.root)
    assert place is not None
    caller = Caller(OPERATOR, dict(os.environ), NOW, Path(os.environ["HOME"]))
    return looked(CHECKS["models"], Site(Workspace(place, caller), deep=True))


def test_nothing_filled_is_nothing_wrong(ws: Git) -> None:
    assert found(ws) == []


def test_every_vector_is_read_back(ws: Git, chroma: Path) -> None:
    generation_in(chroma).reading.touch()
    assert found(ws) == []
    assert not generation_in(chroma).reading.exists()


def test_what_lives_is_left_to_its_owner(ws: Git, chroma: Path) -> None:
    lock = ownership.take(chroma)
    assert found(ws) == []
    os.close(lock)


def test_a_writer_that_was_cut_off_is_seen_and_set_aside(ws: Git, chroma: Path) -> None:
    generation_in(chroma).unseal()
    [finding] = found(ws)
    assert "its last writer was cut off" in finding.why
    (mend,) = finding.mends
    mend.do()
    assert found(ws) == []
    assert [path.name for path in chroma.glob("*/*")] == ["broken-000001"]


def test_damage_that_no_size_betrays_is_found_by_reading_and_set_aside(
    ws: Git, chroma: Path
) -> None:
    rows = file_of(chroma, "data_level0.bin")
    rows.write_bytes(bytes(rows.stat().st_size))
    [finding] = found(ws)
    assert finding.why == "Chroma is damaged: its vectors cannot all be read back"
    finding.mends[0].do()
    assert [path.name for path in chroma.glob("*/*")] == ["broken-000001"]


def test_the_server_that_the_settings_name_is_asked(ws: Git, served: Address) -> None:
    ws.write("CONFIG.md", f"```yaml\nchroma_url: {served.url}\n```\n")
    accept_settings(ws.root)
    assert found(ws) == []
    ws.write("CONFIG.md", "```yaml\nchroma_url: http://127.0.0.1:1\n```\n")
    accept_settings(ws.root)
    assert [finding.why for finding in found(ws)] == ["The Chroma server cannot be reached."]

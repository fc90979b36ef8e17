"""Files that git keeps otherwise than they lie on disk: git is asked about all of them at once."""

from collections.abc import Callable

import pytest

from clawgit.git.cgit import CGit
from clawgit.git.store import GitStore
from tests.conftest import NOW, Git

OpenStore = Callable[..., GitStore]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The subcommands that git is started with."""
    started: list[str] = []
    run = CGit.run

    def counting(self: CGit, *args: str, **options: object) -> bytes:
        started.append(args[0])
        return run(self, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(CGit, "run", counting)
    return started


def size(ws: Git, path: str) -> int:
    """Bytes that git keeps of a file."""
    return int(ws("cat-file", "-s", f"HEAD:{path}"))


def test_a_file_of_attributes_deeper_down_counts_for_what_is_below_it(
    ws: Git, open_store: OpenStore
) -> None:
    ws.write("notes/.gitattributes", "*.md text eol=lf\n")
    ws.write("notes/a.md", "# A\r\n")
    ws.write("other/a.md", "# A\r\n")
    open_store(ws.root).snapshot(NOW)
    assert size(ws, "notes/a.md") == len(b"# A\n")
    assert size(ws, "other/a.md") == len(b"# A\r\n")

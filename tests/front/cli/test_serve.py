"""`serve` as it is typed: the search that it keeps open answers as a search of its own does."""

import json
import signal
import subprocess
import sys
import time

import pytest

from clawgit.search.search import Request, search
from clawgit.search.serve_client import asked
from clawgit.terminal.output import jsonable
from tests.chatting import opened
from tests.conftest import Git

NOW = "2026-02-14T09:00:00+00:00"


def test_it_answers_a_search(ws: Git) -> None:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nsearch_mode: core\n```\n")
    argv = [sys.executable, "-m", "clawgit", "-C", str(ws.root), "--now", NOW, "serve"]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert "answering on " in child.stderr.readline()
        found = asked(opened(ws.root), "search", Request("what does billing use")._asdict())
        begun = asked(opened(ws.root), "context", {"message": "what does billing use"})
        ws.write("memory/2026-02-14.md", "- The heron is grey.\n")
        deadline = time.monotonic() + 20
        fresh = asked(opened(ws.root), "search", Request("heron")._asdict())
        while fresh and not fresh["results"] and time.monotonic() < deadline:
            fresh = asked(opened(ws.root), "search", Request("heron")._asdict())
        child.send_signal(signal.SIGTERM)
        assert child.wait(20) == 0
    assert found is not None
    assert fresh is not None
    assert begun is not None
    assert "PostgreSQL" in begun["slots"][4]["text"]
    assert [hit["path"] for hit in found["results"]] == ["MEMORY.md"]
    alone = search(opened(ws.root), Request("what does billing use"))
    assert found["results"] == json.loads(json.dumps(jsonable(alone.results)))
    assert [hit["snippet"] for hit in fresh["results"]] == ["The heron is grey."]
    # It notes what it showed, so that what is found often can be promoted.
    with opened(ws.root).state() as state:
        shown = {path for (path,) in state.query("SELECT path FROM search_hit")}
    assert shown == {"MEMORY.md", "memory/2026-02-14.md"}


@pytest.mark.slow
def test_the_service_owns_chroma_where_that_is_asked_for(ws: Git) -> None:
    ws.write("CONFIG.md", "# Config\n\n```yaml\nchroma: embedded\n```\n")
    argv = [sys.executable, "-m", "clawgit", "-C", str(ws.root), "--now", NOW, "serve"]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        assert "answering on " in child.stderr.readline()
        said = set[object]()
        deadline = time.monotonic() + 60
        while None not in said and time.monotonic() < deadline:
            found = asked(opened(ws.root), "search", Request("what does billing use")._asdict())
            assert found is not None
            said.add(found["fallback"])
        child.send_signal(signal.SIGTERM)
        assert child.wait(30) == 0
    assert None in said, said
    assert all(one is None or str(one).startswith("exact scan: ") for one in said)

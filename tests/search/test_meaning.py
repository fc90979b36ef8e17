"""Search by meaning: when it is asked, what it finds, and what answers where it cannot."""

import importlib.util
import os
import subprocess
import sys

import pytest

from clawgit.health.memory_index import index
from clawgit.run.runner import ERRANDS
from clawgit.search import meaning
from clawgit.search.search import Request, search
from clawgit.search.side import vectors_in
from clawgit.search.stores import models
from clawgit.search.stores.vectors import is_unfinished
from tests.conftest import Git
from tests.making import space_of
from tests.search.conftest import first_hit
from tests.search.embed.service import Fault, serving

_WITHOUT_NUMPY = """
import importlib.util, sys
found = importlib.util.find_spec
class Absent:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "numpy":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
importlib.util.find_spec = lambda name, *rest: None if name == "numpy" else found(name, *rest)
from clawgit.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("mode", "said"), [("auto", '"fallback": null'), ("enhanced", "The models need numpy")]
)
def test_without_its_extra_words_alone_answer(memory: Git, mode: str, said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_NUMPY, "-C", str(memory.root), "memory", "search",
            "billing", "--json"],
        capture_output=True, text=True, check=True, env={**os.environ, "CLAWGIT_SEARCH_MODE": mode},
    )  # fmt: skip
    assert '"mode": "core"' in done.stdout
    assert "PostgreSQL" in done.stdout
    assert said in done.stdout


def test_without_the_models_words_answer_and_one_line_says_so(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, said = importlib.util.find_spec, "The models are not installed."
    lacks = "clawgit_models"
    monkeypatch.setattr(models, "find_spec", lambda name: None if name == lacks else found(name))
    answer = search(space_of(memory), Request("billing"))
    assert "PostgreSQL" in first_hit(answer).snippet
    assert answer.mode == "core"
    assert answer.fallback is not None
    assert answer.fallback.startswith(f"searched by words alone: {said}")
    assert "\n" not in answer.fallback


def test_words_answer_until_every_text_has_a_vector(
    memory: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "_WAITED_FOR", 1)
    ws, request = space_of(memory, CLAWGIT_SEARCH_MODE="enhanced"), Request("which datastore")
    answer = search(ws, request)
    assert answer.mode == "core"
    assert "texts have no vector yet: clawgit memory index" in (answer.fallback or "")
    assert is_unfinished(vectors_in(ws))
    assert next(each for each in ERRANDS if each.name == "index").is_needed(ws)
    done = index(ws)
    assert (done.provider, done.note) == ("e5", None)
    assert not is_unfinished(vectors_in(ws))
    answer = search(ws, request)
    assert (answer.fallback, answer.provider) == (None, "e5")


def test_a_service_that_is_down_keeps_nobody_waiting(memory: Git) -> None:
    """Its pause is longer than a search waits, and shorter than an index does."""
    with serving() as server:
        server.faults = [Fault(503, (("Retry-After", "4"),))] * 9
        set_so = {"CLAWGIT_EMBEDDER": f"ollama {server.url}"}
        answer = search(
            space_of(memory, CLAWGIT_SEARCH_MODE="enhanced", **set_so), Request("billing")
        )
        assert len(server.asked) == 1
    assert "PostgreSQL" in first_hit(answer).snippet
    assert answer.fallback is not None
    assert answer.fallback.startswith(
        "searched by words alone: ollama with bge-m3 does not answer: 503"
    )

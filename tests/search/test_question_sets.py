"""The whole search on the labelled questions of `bench/questions`."""

import json
from collections import Counter
from pathlib import Path

import pytest

import bench
from clawgit.search.search import Request, Searcher
from tests.conftest import Git
from tests.making import space_of

_SETS = sorted(
    path for path in (Path(bench.__file__).parent / "questions").iterdir() if path.is_dir()
)

_LEAST = {"shared": 0.9, "some": 0.4, "absent": 0.5}
"""By how many words a question shares with its answer: the least share of the questions that are
answered in the first five hits; of the absent, of those where no hit is called likely.
"""


@pytest.mark.parametrize("folder", _SETS, ids=lambda folder: folder.name)
def test_words_alone_answer_what_shares_them_and_doubt_what_is_not_there(
    git: Git, folder: Path
) -> None:
    for file in folder.rglob("*.md"):
        git.write(str(file.relative_to(folder)), file.read_text())
    rows = [*map(json.loads, (folder / "questions.jsonl").read_text().splitlines())]
    right = Counter[str]()
    with Searcher(space_of(git, CLAWGIT_SEARCH_MODE="core")) as searcher:
        for row in rows:
            hits = searcher.answer(Request(row["query"])).results
            expected = {(spot["path"], spot["line"]) for spot in row["expect"]}
            shown = {(hit.path, hit.line) for hit in hits[:5]}
            is_told = not any(hit.likely for hit in hits)
            right[row["kind"]] += bool(expected & shown) if expected else is_told
    asked = Counter(row["kind"] for row in rows)
    shares = {kind: right[kind] / count for kind, count in asked.items()}
    assert all(shares[kind] >= least for kind, least in _LEAST.items()), shares

"""What the search finds on sets that nothing was tuned on: `python -m bench ranking [SET …]`.

Each set is asked as a user would ask it (`bench/workspace_questions.py`). Without a name, all are;
`RANKING_SETS` names a folder of strangers' sets, which `bench/ranking_fetch.py` fills.
"""

import os
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.ranking_needles import plant
from bench.workspace_questions import Tally, recalls, tallies

_HERE = Path(__file__).parent
_ARCHIVES = {
    "made-up": _HERE / "made_up_workspaces.tar.xz",
    "unread": _HERE / "unread_operators.tar.xz",
    "kinds": _HERE / "asked_kinds.tar.xz",
    "rules": _HERE / "rules_asked.tar.xz",
}
"""Notes and questions by writers who did not know clawgit, a folder for each language or kind of
question. No model learns from them, and nobody who works on the search reads them: only totals are
printed.
"""


def report(names: Sequence[str] = ()) -> str:
    """The tables of the sets of these names, or of all, as text."""
    asked = names or ("needles", *_ARCHIVES, "strangers")
    return "\n\n".join("\n".join((name, *_rows(name))) for name in asked)


def _rows(name: str) -> Iterator[str]:
    with _laid_out(name) as folders:
        sums: dict[str, Tally] = {}
        for folder in folders:
            found = tallies(folder)
            for way, tally in found.items():
                yield f"{folder.name:12} {way:38} {tally}"
                sums[way] = sums.get(way, Tally()).plus(tally)
            if name == "strangers":
                yield from _recall_rows(folder)
        yield from (f"{'all':12} {way:38} {tally}" for way, tally in sums.items() if folders[1:])


def _recall_rows(folder: Path) -> Iterator[str]:
    for way, (near, far, ten) in recalls(folder).items():
        recalled = f"R@400 {near:.3f}, R@1500 {far:.3f}, R@10 {ten:.3f}"
        yield f"{folder.name:12} {way:38} {recalled}"


@contextmanager
def _laid_out(name: str) -> Iterator[Sequence[Path]]:
    """The folders of a set, each with workspaces beside their questions."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if name == "needles":
            yield [folder / each for each in plant(folder)]
        elif name == "strangers":
            yield _subfolders(Path(named)) if (named := _strangers(os.environ)) else []
        else:
            with tarfile.open(_ARCHIVES[name]) as packed:
                packed.extractall(folder, filter="data")
            yield _subfolders(folder)


def _strangers(env: Mapping[str, str]) -> str:
    return env.get("RANKING_SETS", "")


def _subfolders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir())


if __name__ == "__main__":
    print(report(sys.argv[1:]))

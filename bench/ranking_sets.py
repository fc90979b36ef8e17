"""What ranking is measured on: our own small sets, and LoCoMo's conversations where `LOCOMO` names
their folder."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.ranking_lab import Case, Embed, Vectors, open_case
from clawgit.stores.embed import EmbedderError, EmbedderOptions, open_embedder

_OWN = Path(__file__).parent / "questions"
_LOCAL = ("static", "onnx-minilm")
_BATCH = 256

CORE = "core"


def models() -> dict[str, Embed]:
    """The models that run here without a network, by name; those that are not there are left
    out."""
    return {name: embed for name in _LOCAL if (embed := _model(name))}


def _model(name: str) -> Embed | None:
    try:
        model = open_embedder(name, EmbedderOptions(os.environ))
    except EmbedderError:
        return None

    def embed(texts: Sequence[str], query: bool) -> Vectors:
        batches = (texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH))
        return np.concatenate([model.embed(batch, query=query) for batch in batches])

    return embed


def own_sets() -> dict[str, list[Case]]:
    """A case for each set of `bench/questions`, by tier."""
    folders = sorted(folder for folder in _OWN.iterdir() if folder.is_dir())
    return _by_tier([(folder, folder / "questions.jsonl") for folder in folders])


def conversations() -> dict[str, list[Case]]:
    """A case for each conversation of LoCoMo, by tier; nothing where `LOCOMO` names no folder."""
    named = os.environ.get("LOCOMO", "")
    if not named:
        return {}
    with tempfile.TemporaryDirectory(prefix="clawgit-locomo-") as folder:
        return _by_tier(list(_workspaces(Path(named), Path(folder))))


def _workspaces(given: Path, aside: Path) -> Iterator[tuple[Path, Path]]:
    """Those in the folder, else those that the script beside the data makes of it."""
    built = given
    if not list(given.glob("*.queries.jsonl")):
        for data in given.glob("*.json"):
            subprocess.run(
                [sys.executable, given / "locomo_bench.py", "build", data, aside], check=True
            )
        built = aside
    for questions in sorted(built.glob("*.queries.jsonl")):
        yield built / questions.name.removesuffix(".queries.jsonl"), questions


def _by_tier(places: Sequence[tuple[Path, Path]]) -> dict[str, list[Case]]:
    tiers: dict[str, Embed | None] = {CORE: None, **models()}
    return {
        tier: [open_case(root, questions, embed) for root, questions in places]
        for tier, embed in tiers.items()
    }

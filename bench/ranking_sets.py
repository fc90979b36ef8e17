"""What ranking is measured on: our own small sets, needles in a year, and strangers' sets where
`RANKING_SETS` names their folder."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.ranking_lab import Case, Model, Vectors, open_case
from bench.ranking_needles import plant
from clawgit.ops.search.indexing import HEADED_EMBEDDERS
from clawgit.stores.embed import EmbedderError, EmbedderOptions, open_embedder
from clawgit.stores.embed.static import StaticEmbedder

_OWN = Path(__file__).parent / "questions"
_LOCAL = ("static", "e5", "onnx-minilm")
_BATCH = 256

CORE = "core"


def models() -> dict[str, Model]:
    """The models that run here without a network, by name; those that are not there are left
    out."""
    return {name: model for name in _LOCAL if (model := _model(name))}


def _model(name: str) -> Model | None:
    try:
        model = open_embedder(name, EmbedderOptions(os.environ))
    except EmbedderError:
        return None

    def embed(texts: Sequence[str], query: bool) -> Vectors:
        batches = (texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH))
        return np.concatenate([model.embed(batch, query=query) for batch in batches])

    words = model if isinstance(model, StaticEmbedder) else StaticEmbedder()
    return Model(embed, words.comparer, reads=model is not words, headed=name in HEADED_EMBEDDERS)


def own_sets() -> dict[str, list[Case]]:
    """A case for each set of `bench/questions`, by tier."""
    folders = sorted(folder for folder in _OWN.iterdir() if folder.is_dir())
    return _by_tier([(folder, folder / "questions.jsonl") for folder in folders])


def strangers() -> dict[str, dict[str, list[Case]]]:
    """By set, and by tier: the needles, and what lies in the folder that `RANKING_SETS` names.

    `bench/ranking_fetch.py` fills that one. Half of it (`dev`) is for choosing weights.
    """
    with tempfile.TemporaryDirectory(prefix="clawgit-needles-") as folder:
        planted = Path(folder)
        found = {f"needles {name}": _in_folder(planted / name) for name in plant(planted)}
    named = os.environ.get("RANKING_SETS", "")
    if not named:
        return found
    folders = sorted(folder for folder in Path(named).iterdir() if folder.is_dir())
    return found | {folder.name: _in_folder(folder) for folder in folders}


def _in_folder(folder: Path) -> dict[str, list[Case]]:
    """Each workspace beside a file of questions."""
    return _by_tier(
        [
            (folder / questions.name.removesuffix(".queries.jsonl"), questions)
            for questions in sorted(folder.glob("*.queries.jsonl"))
        ]
    )


def _by_tier(places: Sequence[tuple[Path, Path]]) -> dict[str, list[Case]]:
    tiers: dict[str, Model | None] = {CORE: None, **models()}
    return {
        tier: [open_case(root, questions, model) for root, questions in places]
        for tier, model in tiers.items()
    }

"""The templates of memory's layers, which are files in the package."""

from collections.abc import Mapping
from functools import cache

from clawgit.domain.workspace.layers import LAYERS
from clawgit.resources import resource


@cache
def templates_of_layers() -> Mapping[str, str]:
    """Layer → what a new file of it begins with."""
    folder = resource("templates") / "layers"
    return {layer: (folder / f"{layer}.md").read_text(encoding="utf-8") for layer in LAYERS}

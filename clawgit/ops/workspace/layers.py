"""The templates of memory's layers, which are files in the package."""

from collections.abc import Iterator, Mapping
from functools import cache

from clawgit.domain.workspace.layers import LAYERS
from clawgit.resources import resource


class _Templates(Mapping[str, str]):
    """Each is read when it is needed: most runs make no file."""

    def __getitem__(self, layer: str) -> str:
        if layer not in LAYERS:
            raise KeyError(layer)
        return _read(layer)

    def __iter__(self) -> Iterator[str]:
        return iter(LAYERS)

    def __len__(self) -> int:
        return len(LAYERS)


def templates_of_layers() -> Mapping[str, str]:
    """Layer → what a new file of it begins with."""
    return _TEMPLATES


@cache
def _read(layer: str) -> str:
    return (resource("templates") / "layers" / f"{layer}.md").read_text(encoding="utf-8")


_TEMPLATES = _Templates()

"""Libraries that take long to load: `from clawgit.doors import numpy as np`, then `np.zeros`.

Importing a door costs nothing. Its library is loaded when one of its names is first used.
"""

import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIBRARIES = {
    "anthropic": "500 ms, an extra",
    "apprise": "90 ms, an extra",
    "chromadb": "500 ms, an extra",
    "difflib": "3 ms of every command that compares no texts",
    "frontmatter": "18 ms",
    "hashlib": "OpenSSL, 3 ms of each commit and of `triage`",
    "html": "its entities, 1 ms of `memory add`",
    "httpx": "40 ms, comes with chromadb",
    "json": "2 ms of each commit",
    "json5": "9 ms, and few commands read JSON5",
    "markdown_it": "32 ms",
    "numpy": "60 ms, an extra",
    "onnxruntime": "60 ms, an extra",
    "openai": "500 ms, an extra",
    "psycopg": "100 ms, an extra",
    "psycopg_pool": "loads psycopg, an extra",
    "rapidfuzz": "17 ms",
    "regex": "20 ms of `triage`",
    "secrets": "OpenSSL and random, 6 ms of `status`",
    "shutil": "bz2 and lzma, 3 ms of every command",
    "socket": "2 ms of `memory search`, where no service listens",
    "subprocess": "8 ms of `triage`, `memory search` and each commit",
    "tempfile": "shutil and random, 5 ms of `memory search`",
    "textwrap": "1 ms of every command",
    "tomllib": "2 ms of `memory search`",
    "tokenizers": "30 ms, an extra",
    "traceback": "textwrap, 2 ms of every command",
    "yaml": "20 ms",
    "zoneinfo": "sysconfig, 4 ms of `triage`",
}
"""A library, and what its door saves."""


def door(names: "dict[str, Any]") -> Callable[[str], object]:
    """The `__getattr__` of a door, whose `globals()` are `names`."""
    library = _library(names["__name__"])

    def first_use(name: str) -> object:
        value = getattr(_loaded(library), name)
        # From now on Python finds the name in the door itself, and does not call this again.
        names[name] = value
        return value

    return first_use


def load(*opened: ModuleType) -> None:
    """Loads the libraries behind doors now. ImportError if one is not installed."""
    for module in opened:
        _loaded(_library(module.__name__))


def _loaded(library: str) -> ModuleType:
    if library == "numpy":
        # OpenBLAS starts a thread for each core while it is loaded: 20 ms of CPU. They help a scan
        # of vectors little, since it waits for the memory, and burn twice its time in waiting.
        os.putenv("OPENBLAS_NUM_THREADS", "1")
    return import_module(library)


def _library(module: str) -> str:
    name = module.rpartition(".")[2]
    if name not in LIBRARIES:
        raise LookupError(f"{name} has no row in LIBRARIES")
    return name

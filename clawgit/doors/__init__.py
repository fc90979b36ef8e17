"""Libraries that take long to load: `from clawgit.doors import numpy as np`, then `np.zeros`.

Importing a door costs nothing. Its library is loaded when one of its names is first used.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import concurrent as concurrent
    import concurrent.futures  # noqa: F401 - names its part
    import dataclasses as dataclasses
    import difflib as difflib
    import html as html
    import json as json
    import secrets as secrets
    import shutil as shutil
    import signal as signal
    import subprocess as subprocess
    import tempfile as tempfile
    import threading as threading
    import tomllib as tomllib
    import traceback as traceback
    import zoneinfo as zoneinfo
    from types import ModuleType
    from typing import Any

    import apprise as apprise
    import chromadb as chromadb
    import json5 as json5
    import markdown_it as markdown_it
    import numpy as numpy  # noqa: ICN001 - the name of its door
    import psycopg as psycopg
    import pydantic as pydantic
    import rapidfuzz as rapidfuzz
    import tokenizers as tokenizers
    import yaml as yaml

    # These come without types.
    frontmatter: Any
    onnxruntime: Any
    regex: Any
    Stemmer: Any
else:
    ModuleType = type(os)

LIBRARIES = {
    "apprise",  # 90 ms, an extra
    "chromadb",  # 500 ms, an extra
    "concurrent",  # its futures, with logging and queue, 11 ms of `memory search`
    "dataclasses",  # inspect, 6 ms of `memory search`
    "difflib",  # 3 ms of every command that compares no texts
    "frontmatter",  # 18 ms
    "html",  # its entities, 1 ms of `memory add`
    "json",  # 2 ms of each commit
    "json5",  # 9 ms, and few commands read JSON5
    "markdown_it",  # 32 ms
    "numpy",  # 60 ms, an extra
    "onnxruntime",  # 60 ms, an extra
    "psycopg",  # 100 ms, an extra
    "pydantic",  # 60 ms, an extra
    "rapidfuzz",  # 17 ms
    "Stemmer",  # 2 ms of a search
    "regex",  # 20 ms of `triage`
    "secrets",  # OpenSSL and random, 6 ms of `status`
    "shutil",  # bz2 and lzma, 3 ms of every command
    "signal",  # its enums, .5 ms of every command
    "subprocess",  # 8 ms of `triage`, `memory search` and each commit
    "tempfile",  # shutil and random, 5 ms of `memory search`
    "tomllib",  # 2 ms of `memory search`
    "threading",  # .5 ms of every command
    "traceback",  # textwrap, 2 ms of every command
    "tokenizers",  # 90 ms, an extra
    "yaml",  # 20 ms
    "zoneinfo",  # sysconfig, 4 ms of `triage`
}
"""The libraries, and what each door saves."""

_TOLD = {
    # OpenBLAS starts a thread for each core while it is loaded: 20 ms of CPU. They help a scan of
    # vectors little, since it waits for the memory, and burn twice its time in waiting.
    "numpy": ("OPENBLAS_NUM_THREADS", "1"),
    # While it is loaded, it would write an id of this machine into the home and report to
    # Microsoft. `disable_telemetry_events()` comes too late for that.
    "onnxruntime": ("ORT_DISABLE_TELEMETRY", "1"),
}
"""What a library must find in the environment while it is loaded."""


class _Door(ModuleType):
    def __getattr__(self, name: str) -> object:
        value = getattr(_loaded(self.__name__), name)
        # From now on Python finds the name here, and does not call this again.
        setattr(self, name, value)
        return value


def _first_named(name: str) -> ModuleType:
    """The door to a library."""
    if name not in LIBRARIES:
        raise AttributeError(name)
    made = globals()[name] = _Door(name)
    return made


if not TYPE_CHECKING:
    # A type checker would take it for the doors that are modules of their own, too.
    __getattr__ = _first_named


def load(*opened: ModuleType) -> None:
    """Loads the libraries behind doors now. ImportError if one is not installed."""
    for module in opened:
        _loaded(module.__name__)


def _loaded(library: str) -> ModuleType:
    if library in _TOLD:
        os.putenv(*_TOLD[library])
    if library == "concurrent":
        return __import__("concurrent.futures")  # there is nothing else in it
    return __import__(library)

"""Libraries that take long to load: `from clawgit.core.doors import numpy as np`, then `np.zeros`.

Importing a door costs nothing. Its library is loaded when one of its names is first used.
"""

import os
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The libraries, and what each door saves.
    import concurrent as concurrent  # its futures, with logging and queue, 11 ms of `memory search`
    import concurrent.futures  # noqa: F401 - names its part
    import copy as copy  # .3 ms of every command
    import difflib as difflib  # 3 ms of every command that compares no texts
    import hashlib as hashlib  # OpenSSL, 3 ms of each write and search
    import html as html  # its entities, 1 ms of `memory add`
    import importlib as importlib  # its util, .4 ms of `memory search`
    import importlib.util  # noqa: F401 - names its part
    import json as json  # 2 ms of each commit
    import secrets as secrets  # OpenSSL and random, 6 ms of `status`
    import shlex as shlex  # .2 ms of `memory search`
    import shutil as shutil  # bz2 and lzma, 3 ms of every command
    import signal as signal  # its enums, .5 ms of every command
    import subprocess as subprocess  # 8 ms of `triage`, `memory search` and each commit
    import tempfile as tempfile  # shutil and random, 5 ms of `memory search`
    import threading as threading  # .5 ms of every command
    import tomllib as tomllib  # 2 ms of `memory search`
    import traceback as traceback  # textwrap, 2 ms of every command
    import zoneinfo as zoneinfo  # sysconfig, 4 ms of `triage`
    from types import ModuleType
    from typing import Any

    import apprise as apprise  # 90 ms, an extra
    import chromadb as chromadb  # 500 ms, an extra
    import json5 as json5  # 9 ms, and few commands read JSON5
    import markdown_it as markdown_it  # 32 ms
    import numpy as numpy  # noqa: ICN001 - 60 ms, an extra
    import procrastinate as procrastinate  # 45 ms beside psycopg, an extra
    import psycopg as psycopg  # 100 ms, an extra
    import rapidfuzz as rapidfuzz  # 17 ms
    import tokenizers as tokenizers  # 90 ms, an extra
    import yaml as yaml  # 20 ms

    # These come without types.
    frontmatter: Any  # 18 ms
    onnxruntime: Any  # 60 ms, an extra
    regex: Any  # 20 ms of `triage`
    Stemmer: Any  # 2 ms of a search
else:
    ModuleType = type(os)

_TOLD = {
    # OpenBLAS starts a thread for each core while it is loaded: 20 ms of CPU. They help a scan of
    # vectors little, since it waits for the memory, and burn twice its time in waiting.
    "numpy": ("OPENBLAS_NUM_THREADS", "1"),
    # While it is loaded, it would write an id of this machine into the home and report to
    # Microsoft. `disable_telemetry_events()` comes too late for that.
    "onnxruntime": ("ORT_DISABLE_TELEMETRY", "1"),
}
"""What a library must find in the environment while it is loaded."""


_PARTS = {"concurrent": "concurrent.futures", "importlib": "importlib.util"}
"""What is loaded of a package that is empty without it."""

_BUILT_IN = {"hashlib.sha1": ("_sha1",), "hashlib.sha256": ("_sha256", "_sha2")}
"""The modules of Python itself that `hashlib` takes these from where there is no OpenSSL, by
release. Our texts are short, so that the faster one never makes up for what loading it takes."""


class _Door(ModuleType):
    def __getattr__(self, name: str) -> object:
        value = getattr(_with_name(self.__name__, name), name)
        # From now on Python finds the name here, and does not call this again.
        setattr(self, name, value)
        return value


def _first_named(name: str) -> ModuleType:
    """The door to a library."""
    # Python looks here before it loads a door that is a module of its own.
    if name.startswith("_") or name == "pygit2":
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


def _with_name(library: str, name: str) -> ModuleType:
    for module in _BUILT_IN.get(f"{library}.{name}", ()):
        with suppress(ImportError):
            return __import__(module)
    return _loaded(library)


def _loaded(library: str) -> ModuleType:
    if library in _TOLD:
        os.putenv(*_TOLD[library])
    return __import__(_PARTS.get(library, library))

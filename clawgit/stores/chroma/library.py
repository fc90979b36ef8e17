"""Loads Chroma's own library quietly, and explains its errors."""

import logging
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from clawgit.doors import chromadb, httpx
from clawgit.doors import load as load_now
from clawgit.stores.chroma.failures import (
    ChromaAbsentError,
    ChromaBrokenError,
    ChromaError,
    ChromaUnreachableError,
)

ON_DISK = {"chroma_api_impl": "chromadb.api.rust.RustBindingsAPI", "is_persistent": True}
BY_HTTP = {"chroma_api_impl": "chromadb.api.fastapi.FastAPI", "is_persistent": False}
_OURS = {
    "anonymized_telemetry": False,
    "chroma_otel_granularity": None,
    "chroma_client_auth_provider": None,
    "migrations": "apply",
    "allow_reset": False,
}


def require() -> None:
    """Raises unless it is installed, without loading it."""
    if find_spec("chromadb") is None:
        raise ChromaAbsentError("chromadb is not installed.", hint="pip install 'clawgit[chroma]'")


@cache
def load() -> Any:
    """The package, 0.5 s the first time."""
    require()
    try:
        load_now(chromadb)
    except ValueError as error:
        # Chroma reads settings from ./.env and the environment while it is imported.
        raise ChromaBrokenError(
            f"chromadb cannot be loaded: {_first_line(error)}",
            hint="Check the .env file of this folder.",
        ) from error
    for name in ("chromadb", "httpx"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    return chromadb


def settings(**values: object) -> Any:
    """Chroma's settings, without anything from an `.env` file in the current folder."""
    return load().config.Settings(_env_file=None, **{**_OURS, **values})


def open_folder(folder: Path) -> Any:
    """A client of the store in `folder`; the caller makes sure that nobody else has it open."""
    return load().PersistentClient(
        path=str(folder), settings=settings(**ON_DISK, persist_directory=str(folder))
    )


def judge_files(error: BaseException) -> ChromaError | None:
    """What an error of the embedded Chroma means; None for a bug of ours."""
    if isinstance(error, load().errors.ChromaError) or type(error).__name__ == "PanicException":
        return ChromaBrokenError(
            f"Chroma's files are damaged: {_first_line(error)}", hint="clawgit doctor --fix"
        )
    return None


def judge_server(error: BaseException) -> ChromaError | None:
    """What an error of a server means.

    With a web server that is not Chroma, the client may fail in any way.
    """
    hint = "Check chroma_url, and that the server runs: chroma run"
    if isinstance(error, (httpx.TransportError, ConnectionError)) or "Could not connect" in str(
        error
    ):
        return ChromaUnreachableError("The Chroma server cannot be reached.", hint=hint)
    if isinstance(error, load().errors.ChromaError):
        return ChromaUnreachableError(f"The Chroma server refused: {_first_line(error)}", hint=hint)
    if type(error) is Exception or isinstance(error, (ValueError, KeyError)):
        return ChromaUnreachableError(
            "What answers at chroma_url is not a Chroma server.", hint=hint
        )
    return None


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:200]

"""Opens a model in an ONNX file by onnxruntime, and has it read texts on several cores: for an
embedder and for the reranker.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from clawgit.doors import concurrent, load, onnxruntime
from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")
R = TypeVar("R")

_MOST_CORES = 4
"""With more threads, they would wait for Python's lock between two runs."""


def opened(file: Path, raised: type[ClawgitError], *, who: str, hint: str) -> Any:
    """A session of onnxruntime, which prints nothing.

    An error is raised as `raised`; it says who needs the model and what to do about the file.
    """
    try:
        load(onnxruntime)
    except ImportError as error:
        raise raised(f"{who} needs onnxruntime.", hint="pip install 'clawgit[enhanced]'") from error
    failures = onnxruntime.capi.onnxruntime_pybind11_state
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    # One text is too little for two cores, so they read different ones: see `side_by_side`.
    options.intra_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    except (
        failures.Fail,
        failures.NoSuchFile,
        failures.InvalidProtobuf,
        failures.InvalidGraph,
        failures.NotImplemented,
    ) as error:
        raise raised(f"{file} cannot be read as a model.", hint=hint) from error


def side_by_side(read: Callable[[T], R], things: Sequence[T]) -> list[R]:
    """What is read of each of some things, in their order, on up to `_MOST_CORES` cores."""
    if len(things) <= 1:
        return [*map(read, things)]
    cores = min(_MOST_CORES, os.cpu_count() or 1, len(things))
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        return [*pool.map(read, things)]


def padded(
    rows: Sequence[Sequence[int]], pad: int
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """The tokens of several texts, filled up to the longest, and where they are none of this."""
    ids = np.full((len(rows), max(map(len, rows))), pad, np.int64)
    mask = np.zeros_like(ids)
    for at, tokens in enumerate(rows):
        ids[at, : len(tokens)] = tokens
        mask[at, : len(tokens)] = 1
    return ids, mask


def run_failures() -> tuple[type[Exception], ...]:
    """What a session raises if it cannot run what it is given."""
    failures = onnxruntime.capi.onnxruntime_pybind11_state
    return failures.Fail, failures.InvalidArgument, failures.RuntimeException

"""Opens a model in an ONNX file by onnxruntime: for an embedder and for the reranker."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clawgit.doors import load, onnxruntime
from clawgit.doors import numpy as np
from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    # Threads that wait for more to do would burn the time of the other core.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
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
